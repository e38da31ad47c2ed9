"""Game protection: what cards seen too early, hands face up, or a dealer's errors are worth."""
