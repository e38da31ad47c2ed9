"""The base class of enums whose members are written as text in JSON and TOML."""

from enum import StrEnum


class TextEnum(StrEnum):
    """A string enum that hashes as its text.

    Plain enums hash their name in Python, which dominates the cost of dictionaries keyed by wagers
    or accounts.
    """

    __hash__ = str.__hash__
