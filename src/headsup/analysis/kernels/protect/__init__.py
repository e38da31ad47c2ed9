"""Kernels for cards that are seen too early."""
