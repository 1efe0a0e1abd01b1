"""Learning of evaluations."""
