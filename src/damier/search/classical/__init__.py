"""Classical search: minimax and its pruned forms."""
