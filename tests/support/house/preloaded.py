"""Imports what the dying houses need, once before they are forked: there are a thousand of them."""

import sqlite3  # noqa: F401

import psycopg  # noqa: F401

from headsup.house.integrity.program_files import running_program
from tests.support.house import dying  # noqa: F401
from tests.support.scripted import scripted_commands

running_program()
for book in ("galaxy", "new-york", "washington"):
    scripted_commands(book)
