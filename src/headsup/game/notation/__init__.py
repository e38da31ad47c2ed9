"""Rounds as text: JSON for programs, TOML for people."""
