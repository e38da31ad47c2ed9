"""Kernels that deal whole tables at random."""
