"""The exact solution of the main game."""
