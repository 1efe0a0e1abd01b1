"""Programs outside of damier: theirs as our players, and our players as theirs."""
