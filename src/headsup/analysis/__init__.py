"""The mathematics of the game: exact solutions, advice, par sheets."""
