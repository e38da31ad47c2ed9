"""Running a casino: floors, people, cash, storage, and the only clock and randomness."""
