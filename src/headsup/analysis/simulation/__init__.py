"""Whole tables dealt by chance: the rounds, the meter beside them, and what they came to."""
