"""Backgammon: race fifteen checkers home and off the board, by the roll of two dice.

`turns` finds the legal turns of a roll, `rules` is the game, `notation` reads and writes turns and position IDs.
"""
