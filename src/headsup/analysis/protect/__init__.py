"""Game protection: the cost of exposed cards and of dealer errors."""
