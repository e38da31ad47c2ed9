"""The rules of the game. Pure: no randomness, no clock, standard library only."""
