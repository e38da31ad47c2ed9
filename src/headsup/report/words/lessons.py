"""What is to be learnt of a game put into words: best play by kind of hand, and the short card."""

from headsup.analysis.advice.lessons import KindOfHand, Lessons
from headsup.analysis.par.exact_numbers import percent
from headsup.report.words.numbers import format_fraction
from headsup.report.words.printout import Grid, Section

GLOSSARY = (
    "33+ is a pair of threes or better, K4s+ a king with a four or better of its suit, K7o+ of "
    "another, A2+ either. Hidden: with a card of your own. Dealer outs: the unseen cards that, "
    "each with the board alone, would beat your hand."
)


def lessons_section(lessons: Lessons) -> Section:
    card = lessons.card
    return Section(
        key="lessons",
        title="Rules to play by",
        about="Best play by kind of hand, and a card short enough to learn",
        edge="",
        facts=(
            ("The short card costs, per Ante", percent(card.cost)),
            *(
                (f"Of which on the {street}", percent(cost))
                for street, cost in card.streets.items()
                if cost  # the pocket's line is the chart itself
            ),
            ("House edge of who plays by it", percent(card.house_edge)),
        ),
        grids=(
            _grid("Best play on the flop, of hands checked before", lessons.flop),
            _grid("Best play on the river, flushes aside", lessons.river),
        ),
        notes=(
            *(f"{street.capitalize()}: {words}" for street, words in card.words.items()),
            GLOSSARY,
            "Below, a hand is of the first kind that it fits.",
        ),
        exact=(("The short card costs", format_fraction(card.cost)),),
    )


def _grid(title: str, kinds: tuple[KindOfHand, ...]) -> Grid:
    rows = tuple(
        (one.name.capitalize(), percent(one.frequency, 2), percent(one.raised, 2)) for one in kinds
    )
    return Grid(title, ("Kind of hand", "How often", "Raises"), rows)
