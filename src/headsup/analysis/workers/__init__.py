"""Runs long computations on threads, local processes or a Dask cluster."""
