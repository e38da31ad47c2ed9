"""What to do in a situation, what it is worth, and what a player should learn."""
