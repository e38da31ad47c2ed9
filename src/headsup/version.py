"""Which program this is, as logs and reports name it."""

__version__ = "0.2.0"
