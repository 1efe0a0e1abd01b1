"""Explicit trees: a game tree typed as text. `notation` reads it, `rules` plays it; the `.tree` files are examples."""
