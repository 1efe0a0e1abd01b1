"""Draughts by the rules of ten countries: one engine, and the notation, FEN and PDN around it.

`variants` says how the countries differ, `board` numbers the squares, `captures` finds whole captures, `encoding` says
what a network sees, and `rules` is the game. `notation` reads and writes moves, `fen` positions, and `pdn` whole games.
"""
