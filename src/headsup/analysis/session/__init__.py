"""Sessions: results after many rounds, ruin and targets."""
