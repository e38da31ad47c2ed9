"""Solves the main game exactly."""
