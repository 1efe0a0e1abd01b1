"""External programs: theirs as our players, and our players for theirs."""
