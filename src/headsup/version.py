"""The version that logs and reports show."""

__version__ = "0.3.0"
