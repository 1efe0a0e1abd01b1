"""Searches whose answer is a whole line of moves: nested search, NRPA, A* and IDA*."""
