"""Draughts by the rules of ten countries: one engine, and the notation, FEN and PDN around it.

`variants` says how the countries differ, `board` numbers the squares, `captures` finds whole captures, `rules`
is the game, `notation` reads and writes moves and positions (FEN), `pdn` whole games.
"""
