"""Values and texts as a sentence may show them: on one line, printable, and never long."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches


def show_value(value: object) -> str:
    """A refused value inside a sentence, as JSON writes it; what is long or nested is cut."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and value.bit_length() > 1000:
        return "a number of hundreds of digits"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def closest_name(name: object, known: Iterable[str]) -> str:
    """The right name that a mistyped one is most like; nothing where none is near."""
    plain = {_plain(one): one for one in known}
    found = get_close_matches(_plain(str(name)[:60]), plain, 1, 0.7)
    return plain[found[0]] if found else ""


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


def truncate(text: str, most: int = 300) -> str:
    """Cut to what a person reads in one go."""
    return text if len(text) <= most else text[: most - 3] + "..."


def escape_unprintable(text: str) -> str:
    """One line that any screen can show: control characters and half characters are escaped."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
