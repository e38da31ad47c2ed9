"""Where what is kept is not what the record gives, each row in a sentence; as many as one reads."""

from collections.abc import Iterable, Mapping

from headsup.game.refusal import show_value
from headsup.game.values.counts import show_count

MAX_NAMED_ROWS = 100
_SHORT = 40

StoredRow = Mapping[str, object]


class Differences:
    """Names the first rows and counts the others: whoever drops a table is told so without all
    that was in it."""

    def __init__(self, place: str, record: str = "the log") -> None:
        """Of what, and what it is held against."""
        self._place, self._record = place, record
        self._named: list[str] = []
        self._more = 0

    def missing(self, what: str) -> None:
        self._add(f"{what} is not there, and {self._record} gives it")

    def extra(self, what: str) -> None:
        self._add(f"{what} is there, and {self._record} does not give it")

    def compare(self, what: str, found: StoredRow, made: StoredRow) -> None:
        """Column by column, of a row that is there."""
        unlike = [name for name in made if found[name] != made[name]]
        if unlike:
            said = (f"{name} is {_describe_difference(found[name], made[name])}" for name in unlike)
            self._add(f"{what} was altered: {', '.join(said)}")

    def _add(self, sentence: str) -> None:
        if len(self._named) < MAX_NAMED_ROWS:
            self._named.append(f"{self._place}, {sentence}")
        else:
            self._more += 1

    @property
    def sentences(self) -> tuple[str, ...]:
        if not self._more:
            return tuple(self._named)
        rows = show_count(self._more, "more row")
        return (*self._named, f"{self._place}: {rows} not as {self._record} gives them")


def match_rows(
    differences: Differences,
    rows: Iterable[tuple[str, StoredRow]],
    made: Iterable[tuple[str, StoredRow]],
) -> None:
    """Rows of one place that have no key: each by its name, in whatever order."""
    left = list(made)
    extra = []
    for name, row in rows:
        same = next((one for one in left if _is_match(row, one[1])), None)
        if same is None:
            extra.append((name, row))
        else:
            left.remove(same)
    for name, row in extra:
        if (of_same := next((one for one in left if one[0] == name), None)) is None:
            differences.extra(name)
        else:
            left.remove(of_same)
            differences.compare(name, row, of_same[1])
    for name, _ in left:
        differences.missing(name)


def _is_match(found: StoredRow, made: StoredRow) -> bool:
    return all(found[name] == value for name, value in made.items())


def _describe_difference(found: object, made: object) -> str:
    """Long texts from where they begin to differ."""
    start = 0
    if isinstance(found, str) and isinstance(made, str) and len(found + made) > _SHORT:
        pairs = enumerate(zip(found, made, strict=False))
        differs = next((i for i, (one, other) in pairs if one != other), min(len(found), len(made)))
        start = max(0, differs - 5)
    return f"{_cut(found, start)} and not {_cut(made, start)}"


def _cut(value: object, start: int) -> str:
    return show_value(f"…{value[start:]}" if isinstance(value, str) and start else value)
