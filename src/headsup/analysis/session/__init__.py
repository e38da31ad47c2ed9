"""Sessions of many rounds: exact distributions of results, and the risk of ruin."""
