"""The processes and clusters on which games are played."""
