"""The tables of the database, for queries; `migrations` makes them.

What is a record is append-only: a trigger refuses to change or delete a row of `entries`,
`answers`, `wallet_moves`, `incidents`, `rounds`, `rounds_ended`, `hands`, `past_blocks` and
`house_entries`.
"""

from sqlalchemy import BigInteger, Boolean, Column, Integer, LargeBinary, MetaData, Table, Text

METADATA = MetaData()

# One row per floor: who may write its log. The fence grows with every change of owner, so that
# an owner who was taken for dead cannot write any more.
FLOORS = Table(
    "floors",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("fence", BigInteger, nullable=False),
    Column("lease_until", BigInteger, nullable=False),  # microseconds, by the database's clock
    Column("length", BigInteger, nullable=False),  # of its log, and the hash of its last entry
    Column("hash", Text, nullable=False),
)

ENTRIES = Table(
    "entries",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("index", BigInteger, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("entry", Text, nullable=False),  # canonical JSON, as the chain hashes it
)

# What was answered to a command, so that sending it again changes nothing.
ANSWERS = Table(
    "answers",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("command", Text, primary_key=True),  # the id its sender made
    Column("digest", Text, nullable=False),  # of sender and content
    Column("answer", Text, nullable=False),
)

# A floor's state after so many entries, to start from; checked against the chain when it is read.
SNAPSHOTS = Table(
    "snapshots",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("length", BigInteger, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("state", LargeBinary, nullable=False),
)

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
    Column("token", Text, primary_key=True),  # its SHA-256: who reads the database cannot log in
    Column("person", Text, nullable=False),
    Column("scope", Text, nullable=False),  # empty for a log-in; what a ticket is good for
    Column("expires", BigInteger, nullable=False),  # seconds since 1970
    # Of a ticket: the log-in or the display's key (its token) that it was given for.
    Column("under", Text, nullable=False, server_default=""),
)

WALLETS = Table(
    "wallets",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("cents", BigInteger, nullable=False),
)

WALLET_MOVES = Table(
    "wallet_moves",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("person", Text, nullable=False),
    Column("cents", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    Column("floor", Text, nullable=False),
    Column("index", BigInteger, nullable=False),
    Column("at", Text, nullable=False),
    Column("table", Text, nullable=False, default=""),  # where it was bought in or cashed out
    Column("by", Text, nullable=False, default=""),  # who took it in or paid it out at the cage
)

# All moves of a wallet with one floor together; with "" for the cage. Kept by the database itself,
# with every move.
WALLET_SUMS = Table(
    "wallet_sums",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("cents", BigInteger, nullable=False),
)

# Significant events: what a regulator asks to be shown (A25).
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
    Column("round", BigInteger, nullable=False),  # 0 where it has none
    Column("index", BigInteger, nullable=False),  # of the entry in the floor's log
)

# The house's own chain (`house_chain.py`): a link for each move at the cage and each incident
# of no decision, which is row `number` of the table `record`.
HOUSE_ENTRIES = Table(
    "house_entries",
    METADATA,
    Column("index", BigInteger, primary_key=True, autoincrement=False),
    Column("hash", Text, nullable=False),
    Column("entry", Text, nullable=False),  # canonical JSON, as the chain hashes it
    Column("record", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
)

# One row: where that chain ends.
HOUSE_HEAD = Table(
    "house_head",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("length", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
)

# Where each round of a table begins and ends in its floor's log; what it came to, and for whom.
ROUNDS = Table(
    "rounds",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("index", BigInteger, nullable=False),
    Column("at", Text, nullable=False),
)

ROUNDS_ENDED = Table(
    "rounds_ended",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("index", BigInteger, nullable=False),
    Column("at", Text, nullable=False),
    Column("void", Text, nullable=False),  # why, where all of it is
    Column("hands", Integer, nullable=False),
    Column("staked", BigInteger, nullable=False),
    Column("net", BigInteger, nullable=False),  # what it changed in the players' money
    Column("award", BigInteger, nullable=False),
)

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
)

# The past of each table in hashes of 64 rounds, of 128 and so on, each with the last round in it
# (`house/history/round_proof.py`): those that the table itself went through.
PAST_BLOCKS = Table(
    "past_blocks",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("height", Integer, primary_key=True),  # of so many powers of two
    Column("place", BigInteger, primary_key=True),  # among those of its height
    Column("number", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
)

# What each table took on each day, added up as it happens (`notes.Taking`).
TAKINGS = Table(
    "takings",
    METADATA,
    Column("floor", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("day", Text, primary_key=True),
    Column("what", Text, primary_key=True),
    Column("count", BigInteger, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("squares", BigInteger, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("award", BigInteger, nullable=False),
)

# What the house alone may know, such as what sealed shuffles are made from
# (`house/fairness/sealed_shuffles.py`).
SECRETS = Table(
    "secrets",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
)

# How people decided, a line each (`house/solo/notebook.py`): their own, so they may have it
# forgotten.
MEMORIES = Table(
    "memories",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("person", Text, nullable=False, index=True),
    Column("line", Text, nullable=False),
)

# Commands on their way to the server that owns the floor, and the answers back.
REQUESTS = Table(
    "requests",
    METADATA,
    Column("number", Text, primary_key=True),
    Column("floor", Text, nullable=False, index=True),
    Column("asker", Text, nullable=False, index=True),  # the server that waits for the answer
    Column("asked", Text, nullable=False),
    Column("answer", Text, nullable=False),  # empty until there is one
    Column("expires", BigInteger, nullable=False),  # microseconds, by the database's clock
)

# Who looks at which table on each server, for as long as it says so.
PRESENCE = Table(
    "presence",
    METADATA,
    Column("server", Text, primary_key=True),
    Column("watching", Text, nullable=False),  # JSON: by table, the names
    Column("expires", BigInteger, nullable=False),  # microseconds, by the database's clock
)

# Tables that are paused or dealt by hand (`house/dealing/dealing_mode.py`); the others are simply
# dealt.
ATTENDANCES = Table(
    "attendances",
    METADATA,
    Column("table", Text, primary_key=True),
    Column("paused", Text, nullable=False),
    Column("by_hand", Boolean, nullable=False),
)

# Tables that are dealt at a pace of their own (`house/dealing/pace.py`); the others at the usual
# one.
PACES = Table(
    "paces",
    METADATA,
    Column("table", Text, primary_key=True),
    Column("timings", Text, nullable=False),  # JSON: seconds by step
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
)

# What an administrator sets for the whole house (`house/cash/thresholds.py`).
SETTINGS = Table(
    "settings",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),  # JSON
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
)
