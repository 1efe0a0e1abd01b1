"""What is kept: games and events, in a database."""
