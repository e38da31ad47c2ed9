"""Par sheets: every wager of a rule book, exactly."""
