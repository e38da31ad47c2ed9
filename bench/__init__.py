"""Benchmarks against other libraries and goals. Each module has a `rows()` function.

A row is (measurement, headsup, peer or goal, ratio). `python -m bench` prints all rows,
`python -m bench settle` only those of `bench/settle.py`.
"""
