"""The game for one person in the terminal."""
