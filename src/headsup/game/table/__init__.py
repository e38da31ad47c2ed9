"""Tables and their rounds: players, their chips, and the meter they play for.

A `Floor` is one set of books: tables, meters and the ledger that connects them. A single table is a
floor with one table.
"""
