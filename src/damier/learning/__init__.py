"""How evaluations learn."""
