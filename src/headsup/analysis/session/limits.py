"""How much may be asked for, the same on the command line and in Python."""

MAX_SESSION_ROUNDS = 10**9
MAX_BANKROLL_ROUNDS = 10**6  # that a bankroll is followed through
DEFAULT_ROUNDS_PER_HOUR, MAX_ROUNDS_PER_HOUR = 35, 10_000  # rounds in an hour
MAX_SIMULATED_ROUNDS = 10**12
MAX_SEATS = 6
MAX_SEED = 2**63 - 1  # beside it the cards of a simulation are 64-bit numbers
