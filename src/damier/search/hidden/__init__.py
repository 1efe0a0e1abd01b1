"""Searches of games with hidden information: what to do without seeing the cards."""
