"""What every house that is to die would load and work out anew, done once before they are forked:
a thousand of them are started."""

import sqlite3  # noqa: F401

import psycopg  # noqa: F401

from headsup.house.integrity.program_files import running_program
from tests.house.floor import dying  # noqa: F401
from tests.scripted import evening

running_program()
for book in ("galaxy", "new-york", "washington"):
    evening(book)
