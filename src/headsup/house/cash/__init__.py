"""The cage, the takings, the books and the thresholds for large amounts."""
