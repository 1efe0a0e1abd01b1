"""Small poker games: Kuhn and Leduc."""
