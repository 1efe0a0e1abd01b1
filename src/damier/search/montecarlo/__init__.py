"""Monte-Carlo search: one tree, many selection rules."""
