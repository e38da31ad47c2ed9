"""Sealed shuffles, and how anyone can check them."""
