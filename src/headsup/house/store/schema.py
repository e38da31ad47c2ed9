"""Describes the tables of the database for queries; `migrations` creates them.

Records are append-only: triggers prevent any change of the rows of `entries`, `answers`,
`wallet_moves`, `incidents`, `tables`, `rounds`, `rounds_ended`, `hands` and `slips`.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

METADATA = MetaData()
_PAID = text("award > 0")

# Who writes each floor's log; nobody if `owner` is empty. The fence grows with every change of
# owner, so that an old owner that was thought dead can no longer write. The row with an empty name
# has the head of the house's log, which nobody owns.
FLOORS = Table(
    "floors",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False, index=True),
    Column("fence", BigInteger, nullable=False),
    Column("length", BigInteger, nullable=False),  # of the log, and the hash of its last entry
    Column("hash", Text, nullable=False),
)

# The floor of each table. No two tables of the house have the same name.
TABLES = Table(
    "tables",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("floor", Text, nullable=False),
)

ENTRIES = Table(
    "entries",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("index", BigInteger, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("entry", Text, nullable=False),  # canonical JSON, as the chain hashes it
)

# The entry that each command led to, so that sending it again changes nothing.
ANSWERS = Table(
    "answers",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("command", Text, primary_key=True),  # the id made by its sender
    Column("index", BigInteger, nullable=False),
)

# A floor's state after `length` entries; checked against the chain when it is read.
SNAPSHOTS = Table(
    "snapshots",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("length", BigInteger, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("state", LargeBinary, nullable=False),
)

# Accounts.
PEOPLE = Table(
    "people",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    Column("password", Text, nullable=False),  # an Argon2 hash
    Column("failures", Integer, nullable=False),
    Column("locked", Boolean, nullable=False),
    Column("created_at", Text, nullable=False),
)

SESSIONS = Table(
    "sessions",
    METADATA,
    # As a SHA-256, so that reading the database is not enough to log in.
    Column("token", Text, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    Column("scope", Text, nullable=False),  # empty for a log-in; for a ticket, what it opens
    Column("expires", BigInteger, nullable=False),  # seconds since 1970
    # For a ticket: the hashed token of the log-in, or the display's key, that it belongs to.
    Column("under", Text, nullable=False),
)

WALLETS = Table(
    "wallets",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("cents", BigInteger, nullable=False),
    CheckConstraint("cents >= 0", name="never_negative"),
)

WALLET_MOVES = Table(
    "wallet_moves",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("person", Text, nullable=False, index=True),
    Column("cents", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    Column("floor", Text, nullable=False),
    Column("index", BigInteger, nullable=False),  # of the entry in the log
    Column("part", Integer, nullable=False),  # numbers the moves of one entry
    Column("at", Text, nullable=False),
    Column("table", Text, nullable=False),  # of a buy-in or cash-out
    Column("by", Text, nullable=False),  # who handled it at the cage
    Index("wallet_moves_entry", "floor", "index", "part", unique=True),
)

# The sum of a wallet's moves by floor; "" is the cage. A trigger updates it with every move.
WALLET_SUMS = Table(
    "wallet_sums",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("cents", BigInteger, nullable=False),
)

# Significant events, for regulators (A25).
INCIDENTS = Table(
    "incidents",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("place", Text, nullable=False),
    Column("what", Text, nullable=False),  # JSON
    Column("floor", Text, nullable=False),
    Column("table", Text, nullable=False),
    Column("round", BigInteger, nullable=False),  # 0 if it has none
    Column("log", Text, nullable=False),  # a floor, or empty for the house's log
    Column("index", BigInteger, nullable=False),  # of the entry in that log
    Column("part", Integer, nullable=False),  # numbers the events of one entry
    Index("incidents_entry", "log", "index", "part", unique=True),
    Index("incidents_kind", "kind", "number"),
    Index("incidents_round", "table", "round"),
)

# Where each round starts in its floor's log.
ROUNDS = Table(
    "rounds",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("index", BigInteger, nullable=False),
    Column("at", Text, nullable=False),
    Index("rounds_table", "table", "number"),
)

# Where each round ends in its floor's log, and its totals.
ROUNDS_ENDED = Table(
    "rounds_ended",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("index", BigInteger, nullable=False),
    Column("at", Text, nullable=False),
    Column("void", Text, nullable=False),  # the cause, if the round is void
    Column("hands", Integer, nullable=False),
    Column("staked", BigInteger, nullable=False),
    Column("net", BigInteger, nullable=False),  # change in the players' money
    Column("award", BigInteger, nullable=False),
    Index("rounds_ended_at", "at"),
    Index("rounds_ended_table", "table", "number"),
    Index("rounds_ended_award", "at", sqlite_where=_PAID, postgresql_where=_PAID),
)

# The result of each seat in a round.
HANDS = Table(
    "hands",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("staked", BigInteger, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("award", BigInteger, nullable=False),
    Column("category", Text, nullable=False),
    Column("result", Text, nullable=False),
    Index("hands_player", "player", "at"),
    Index("hands_category", "category", "at"),
)

# What each table took on each day (`projection_rows.Taking`).
TAKINGS = Table(
    "takings",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("day", Text, primary_key=True),
    Column("what", Text, primary_key=True),
    Column("count", BigInteger, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("squares", BigInteger, nullable=False),  # whole square dollars
    Column("square_cents", BigInteger, nullable=False),  # what is left of each stake's square
    Column("net", BigInteger, nullable=False),
    Column("award", BigInteger, nullable=False),
)

# The numbered papers of tables with real chips (`projection_rows.Slip`).
SLIPS = Table(
    "slips",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("slip", BigInteger, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("shift", BigInteger, nullable=False),
    Column("at", Text, nullable=False),
    Column("signed", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("index", BigInteger, nullable=False),
    Column("pieces", Text, nullable=False),
    Column("expected", BigInteger, nullable=False),
    Column("issued", BigInteger, nullable=False),
    Column("opening", BigInteger, nullable=False),
    Column("fills", BigInteger, nullable=False),
    Column("credits", BigInteger, nullable=False),
    Column("drop", BigInteger, nullable=False),
    Index("slips_at", "at"),
)

# Secrets of the house, such as the seeds of sealed shuffles (`house/fairness/sealed_shuffles.py`).
SECRETS = Table(
    "secrets",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
)

# Lines of training notebooks (`house/training/notebook.py`). They are personal: their owners can
# delete them.
MEMORIES = Table(
    "memories",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("person", Text, nullable=False, index=True),
    Column("line", Text, nullable=False),
)

# The running servers of a house with several. A server whose lease has run out counts as dead.
SERVERS = Table(
    "servers",
    METADATA,
    Column("name", Text, primary_key=True),  # unique for each start
    Column("at", Text, nullable=False),  # the name under which the proxy leads to it
    Column("lease_until", BigInteger, nullable=False),  # microseconds, by the database's clock
    Column("up_since", BigInteger, nullable=False),
    Column("draining", Boolean, nullable=False),  # about to stop: it gives its floors away
    Column("lobby", Text, nullable=False),  # JSON: its tables as the lobby shows them
)

# Settings of the whole house (`store/settings.py`).
SETTINGS = Table(
    "settings",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),  # JSON
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
)
