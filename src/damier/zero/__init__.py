"""AlphaZero: a network learns a game from nothing, by playing against itself."""
