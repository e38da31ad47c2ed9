"""Running a real table: the only randomness, the only clock, storage."""
