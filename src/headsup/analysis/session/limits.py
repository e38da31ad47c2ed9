"""How much may be asked for, the same on the command line and in Python."""

MOST_SESSION_ROUNDS = 10**9
MOST_FOLLOWED_ROUNDS = 10**6  # that a bankroll is followed through
USUAL_PACE, MOST_PACE = 35, 10_000  # rounds in an hour
MOST_DEALT_ROUNDS = 10**12
MOST_SEATS = 6
MOST_SEED = 2**63 - 1  # beside it the cards of a simulation are 64-bit numbers
