"""Kernels that solve the main game: boards, flops, showdowns, distributions."""
