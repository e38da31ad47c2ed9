"""Threads, processes or a Dask cluster for long computations."""
