"""Numba kernels: functions of ints and arrays, nothing else."""
