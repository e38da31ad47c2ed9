"""Learning the game: what a person decided, what it cost, what to practise next."""
