"""Generators for parts of the documentation."""
