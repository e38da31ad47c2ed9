"""Strategies that people write: ranges and rules in words, valued exactly."""
