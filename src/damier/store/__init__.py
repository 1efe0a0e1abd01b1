"""The store: games and events, in a database."""
