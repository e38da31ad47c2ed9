"""Kernels for games in which the player sees hidden cards."""
