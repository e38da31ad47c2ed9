"""Values and texts as a sentence may show them: on one line, printable, and never long."""

from collections.abc import Mapping


def shown(value: object) -> str:
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


def one_line(text: str, most: int = 300) -> str:
    """Cut to what a person reads in one go."""
    return text if len(text) <= most else text[: most - 3] + "..."


def printable(text: str) -> str:
    """One line that any screen can show: control characters and half characters are escaped."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
