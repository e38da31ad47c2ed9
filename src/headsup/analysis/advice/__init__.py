"""Advice on decisions, what they are worth, and what a player should learn."""
