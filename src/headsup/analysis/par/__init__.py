"""Par sheets: exact figures for every wager of a rule book."""
