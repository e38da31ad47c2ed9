"""Stores the logs of floors: one protocol for memory, a file, SQLite and PostgreSQL."""
