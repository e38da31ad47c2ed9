"""Heads Up Hold'em: the rules of five documents, the exact mathematics, the live table."""

__version__ = "0.1.0"
