"""Classical search: minimax and what prunes it."""
