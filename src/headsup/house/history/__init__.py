"""Rounds that are over: recall, proofs, exports."""
