"""Tables over many rounds: players and their chips, the meter they play for, one round at a time.

A `Floor` is one set of books: its tables, its meters and the ledger between them. One table on
its own is a floor with one table.
"""
