"""Heads Up Hold'em: the rules of five documents, the exact mathematics, the live table."""

__version__ = "0.2.0"
