"""Pac-Man on a small grid: `rules` is the game, `layouts` holds the mazes as text."""
