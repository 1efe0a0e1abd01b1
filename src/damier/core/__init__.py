"""The protocol of games, compilation of classes, positions, random numbers, messages and errors."""
