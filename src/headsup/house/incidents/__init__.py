"""Significant events, and the sentences that describe them."""
