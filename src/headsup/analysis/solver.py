"""The whole game, solved exactly: the best decision everywhere, and what it is worth.

`docs/algorithm.md` derives the method. Integers decide everything; results are fractions.
"""

from collections.abc import Sequence

from headsup.analysis.chunks import Crew, Progress
from headsup.analysis.decisions import decide
from headsup.analysis.outcomes import distribute
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.showdowns import Deck, Showdowns
from headsup.analysis.solution import Solution

COUNTING = 34  # calls that a solve makes: for the showdowns of one qualifier …
SOLVING = 240  # … and, about, for each set of payoffs


def solve(payoffs: Payoffs, progress: Progress | None = None) -> Solution:
    return solve_many([payoffs], progress)[0]


def solve_many(
    many: Sequence[Payoffs], progress: Progress | None = None, deck: Deck | None = None
) -> list[Solution]:
    """Solve several paytables; those with the same qualifier share the counting of showdowns.

    `progress` may raise to stop; nothing is left behind.
    """
    deck = deck or Deck()
    qualifiers = sorted({payoffs.qualifier for payoffs in many})
    solutions: dict[int, Solution] = {}
    with Crew(COUNTING * len(qualifiers) + SOLVING * len(many), progress) as crew:
        for qualifier in qualifiers:
            showdowns = Showdowns.count(deck, qualifier, crew)
            for place, payoffs in enumerate(many):
                if payoffs.qualifier == qualifier:
                    decisions = decide(payoffs, showdowns, crew)
                    joint = distribute(decisions, showdowns, crew)
                    solutions[place] = Solution(payoffs, deck, decisions, joint)
    return [solutions[place] for place in range(len(many))]
