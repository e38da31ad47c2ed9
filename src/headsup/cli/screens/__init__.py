"""Draws what commands print for people."""
