"""Describes how stored rows differ from what the log says they should be."""

from headsup.game.refusal import show_value
from headsup.game.values.amounts import show_count
from headsup.house.store.rebuild import Rebuild, StoredRow

MAX_NAMED_ROWS = 100
_MAX_UNCUT_CHARACTERS = 40


class Differences:
    """Describes the first MAX_NAMED_ROWS rows and counts the rest: a dropped table may have
    had millions."""

    def __init__(self, subject: str, source: str = "the log") -> None:
        """`subject` is what the rows belong to, `source` what they are checked against."""
        self._subject, self._source = subject, source
        self._sentences: list[str] = []
        self._more = 0

    def missing(self, row_name: str) -> None:
        self.add(f"{row_name} is missing: {self._source} requires it")

    def extra(self, row_name: str) -> None:
        self.add(f"{row_name} is not supported by {self._source}")

    def compare(self, row_name: str, stored: StoredRow, expected: StoredRow) -> None:
        """Report every expected column whose stored value differs."""
        changed = [name for name in expected if stored[name] != expected[name]]
        if changed:
            details = (
                f"{name} is {_describe_difference(stored[name], expected[name])}"
                for name in changed
            )
            self.add(f"{row_name} was altered: {', '.join(details)}")

    def compare_tables(self, rebuild: Rebuild) -> None:
        """Report every stored row that the log does not lead to, and the other way round."""
        for derived, stored, expected in rebuild.differing_rows():
            for found, row in zip(stored, expected, strict=False):
                self.compare(derived.name(row), found, row)
            for row in stored[len(expected) :]:
                self.extra(derived.name(row))
            for row in expected[len(stored) :]:
                self.missing(derived.name(row))
        for derived, there, due in rebuild.copied_rows:
            self.add(f"{derived.table.name}: {there:,} rows stored, {due:,} in the log")

    def add(self, sentence: str) -> None:
        if len(self._sentences) < MAX_NAMED_ROWS:
            self._sentences.append(f"{self._subject}, {sentence}")
        else:
            self._more += 1

    @property
    def sentences(self) -> tuple[str, ...]:
        if not self._more:
            return tuple(self._sentences)
        rows = show_count(self._more, "more row does", "more rows do")
        return (*self._sentences, f"{self._subject}: {rows} not match {self._source}")


def _describe_difference(stored: object, expected: object) -> str:
    """Both values; long texts only from where they begin to differ."""
    start = 0
    if (
        isinstance(stored, str)
        and isinstance(expected, str)
        and len(stored + expected) > _MAX_UNCUT_CHARACTERS
    ):
        pairs = enumerate(zip(stored, expected, strict=False))
        shorter = min(len(stored), len(expected))
        differs = next((i for i, (left, right) in pairs if left != right), shorter)
        start = max(0, differs - 5)
    return f"{_cut(stored, start)}, should be {_cut(expected, start)}"


def _cut(value: object, start: int) -> str:
    return show_value(f"…{value[start:]}" if isinstance(value, str) and start else value)
