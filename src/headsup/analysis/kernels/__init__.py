"""Numba kernels: compiled functions over integers and arrays."""
