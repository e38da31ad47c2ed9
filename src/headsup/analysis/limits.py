"""Upper limits on what a user may request, shared by the command line and the Python library."""

MAX_SESSION_ROUNDS = 10**9
MAX_BANKROLL_ROUNDS = 10**6  # with a bankroll, each round is computed one by one
DEFAULT_ROUNDS_PER_HOUR, MAX_ROUNDS_PER_HOUR = 35, 10_000
MAX_SIMULATED_ROUNDS = 10**12
MAX_SEATS = 6
MAX_OTHER_HANDS = MAX_SEATS - 1
DEFAULT_LAYOUTS, MAX_LAYOUTS, DEFAULT_LAYOUT_SEED = 40, 100_000, 1  # of other hands seen
MIN_STRATEGY_LINES, MAX_STRATEGY_LINES = 3, 40
MAX_SEED = 2**63 - 1  # the shuffle uses signed 64-bit numbers
