"""What is to be learnt of a game put into words: best play by kind of hand, and the short card."""

from headsup.analysis.lessons import SHORT_CARD, KindOfHand, Lessons
from headsup.analysis.numbers import percent
from headsup.analysis.printout.figures import ratio
from headsup.analysis.printout.sheet import Grid, Section


def lessons_section(lessons: Lessons) -> Section:
    card = lessons.card
    return Section(
        key="lessons",
        title="Rules to play by",
        about="Best play by kind of hand, and a card short enough to learn",
        edge="",
        facts=(
            ("The short card costs, per Ante", percent(card.cost)),
            ("House edge of who plays by it", percent(card.house_edge)),
        ),
        grids=(
            _grid("Best play on the flop, of hands checked before", lessons.flop),
            _grid("Best play on the river, flushes aside", lessons.river),
        ),
        notes=tuple(f"{street.value.capitalize()}: {rule}" for street, rule in SHORT_CARD.items()),
        exact=(("The short card costs", ratio(card.cost)),),
    )


def _grid(title: str, kinds: tuple[KindOfHand, ...]) -> Grid:
    rows = tuple((one.name, percent(one.frequency, 2), percent(one.raised, 2)) for one in kinds)
    return Grid(title, ("Kind of hand", "How often", "Raises"), rows)
