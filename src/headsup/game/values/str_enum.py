"""Closed vocabularies: an enum whose members are the words written in JSON and TOML."""

from enum import StrEnum


class TextEnum(StrEnum):
    """A string enum that hashes as its text, in C; enums hash their name in Python, which is
    most of the cost of a dictionary keyed by wagers or accounts."""

    __hash__ = str.__hash__
