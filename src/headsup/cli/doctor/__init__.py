"""Checks that an installation and a house are in order."""
