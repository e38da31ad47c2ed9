"""The first schema.

Until a version is released, a change of the schema is made here, under a new revision name.
Databases of another revision are refused.
"""

from functools import partial

import sqlalchemy as sa
from alembic import op

from headsup.game.record.chain import GENESIS
from headsup.house.store.triggers import triggers

revision = "0.3.0k"
down_revision = None
branch_labels = None
depends_on = None

_Key = partial(sa.Column, primary_key=True)
_Value = partial(sa.Column, nullable=False)


def upgrade() -> None:
    _create_logs()
    _create_accounts()
    _create_cash_and_incidents()
    _create_rounds()
    _create_slips()
    _create_settings()
    _create_servers()
    for trigger in triggers(op.get_bind().dialect.name):
        if trigger.function:
            op.execute(trigger.function)
        op.execute(trigger.statement)


def _create_logs() -> None:
    floors = op.create_table(
        "floors",
        _Key("id", sa.Text),
        _Value("owner", sa.Text, index=True),
        _Value("fence", sa.BigInteger),
        _Value("length", sa.BigInteger),
        _Value("hash", sa.Text),
    )
    house = {"id": "", "owner": "", "fence": 0, "length": 0, "hash": GENESIS}
    op.bulk_insert(floors, [house])  # the head of the house's log
    op.create_table("tables", _Key("id", sa.Text), _Value("floor", sa.Text))
    op.create_table(
        "entries",
        _Key("floor", sa.Text),
        _Key("index", sa.BigInteger),
        _Value("hash", sa.Text),
        _Value("entry", sa.Text),
    )
    op.create_table(
        "answers",
        _Key("floor", sa.Text),
        _Key("command", sa.Text),
        _Value("index", sa.BigInteger),
    )
    op.create_table(
        "snapshots",
        _Key("floor", sa.Text),
        _Key("length", sa.BigInteger),
        _Value("hash", sa.Text),
        _Value("state", sa.LargeBinary),
    )


def _create_accounts() -> None:
    op.create_table(
        "people",
        _Key("id", sa.Text),
        _Value("name", sa.Text, unique=True),
        _Value("role", sa.Text),
        _Value("password", sa.Text),
        _Value("failures", sa.Integer),
        _Value("locked", sa.Boolean),
        _Value("created_at", sa.Text),
    )
    op.create_table(
        "sessions",
        _Key("token", sa.Text),
        _Value("person", sa.Text, index=True),
        _Value("scope", sa.Text),
        _Value("expires", sa.BigInteger),
        _Value("under", sa.Text),
    )
    op.create_table(
        "memories",
        _Key("number", sa.Integer, autoincrement=True),
        _Value("person", sa.Text, index=True),
        _Value("line", sa.Text),
    )


def _create_cash_and_incidents() -> None:
    op.create_table(
        "wallets",
        _Key("person", sa.Text),
        _Value("cents", sa.BigInteger),
        sa.CheckConstraint("cents >= 0", name="never_negative"),
    )
    op.create_table(
        "wallet_moves",
        _Key("number", sa.Integer, autoincrement=True),
        _Value("person", sa.Text, index=True),
        _Value("cents", sa.BigInteger),
        _Value("reason", sa.Text),
        _Value("floor", sa.Text),
        _Value("index", sa.BigInteger),
        _Value("part", sa.Integer),
        _Value("at", sa.Text),
        _Value("table", sa.Text),
        _Value("by", sa.Text),
    )
    op.create_index("wallet_moves_entry", "wallet_moves", ["floor", "index", "part"], unique=True)
    op.create_table(
        "wallet_sums",
        _Key("floor", sa.Text),
        _Key("person", sa.Text),
        _Value("cents", sa.BigInteger),
    )
    op.create_table(
        "incidents",
        _Key("number", sa.Integer, autoincrement=True),
        _Value("at", sa.Text),
        _Value("kind", sa.Text),
        _Value("who", sa.Text),
        _Value("place", sa.Text),
        _Value("what", sa.Text),
        _Value("floor", sa.Text),
        _Value("table", sa.Text),
        _Value("round", sa.BigInteger),
        _Value("log", sa.Text),
        _Value("index", sa.BigInteger),
        _Value("part", sa.Integer),
    )
    op.create_index("incidents_entry", "incidents", ["log", "index", "part"], unique=True)
    op.create_index("incidents_kind", "incidents", ["kind", "number"])
    op.create_index("incidents_round", "incidents", ["table", "round"])


def _create_rounds() -> None:
    op.create_table("rounds", *_round_key(), _Value("index", sa.BigInteger), _Value("at", sa.Text))
    op.create_index("rounds_table", "rounds", ["table", "number"])
    op.create_table(
        "rounds_ended",
        *_round_key(),
        _Value("index", sa.BigInteger),
        _Value("at", sa.Text),
        _Value("void", sa.Text),
        _Value("hands", sa.Integer),
        *_figures("staked", "net", "award"),
    )
    op.create_index("rounds_ended_at", "rounds_ended", ["at"])
    op.create_index("rounds_ended_table", "rounds_ended", ["table", "number"])
    paid = sa.text("award > 0")  # few: those in which a progressive pool paid
    op.create_index(
        "rounds_ended_award", "rounds_ended", ["at"], sqlite_where=paid, postgresql_where=paid
    )
    op.create_table(
        "hands",
        *_round_key(),
        _Key("seat", sa.Integer),
        _Value("player", sa.Text),
        _Value("at", sa.Text),
        *_figures("staked", "net", "award"),
        _Value("category", sa.Text),
        _Value("result", sa.Text),
    )
    op.create_index("hands_player", "hands", ["player", "at"])
    op.create_index("hands_category", "hands", ["category", "at"])
    op.create_table(
        "takings",
        *(_Key(name, sa.Text) for name in ("floor", "table", "day", "what")),
        *_figures("count", "amount", "squares", "square_cents", "net", "award"),
    )


def _create_slips() -> None:
    op.create_table(
        "slips",
        _Key("floor", sa.Text),
        _Key("table", sa.Text),
        _Key("slip", sa.BigInteger),
        _Value("kind", sa.Text),
        _Value("shift", sa.BigInteger),
        _Value("at", sa.Text),
        _Value("signed", sa.Text),
        _Value("amount", sa.BigInteger),
        _Value("index", sa.BigInteger),
        _Value("pieces", sa.Text),
        _Value("expected", sa.BigInteger),
        _Value("issued", sa.BigInteger),
        _Value("opening", sa.BigInteger),
        _Value("fills", sa.BigInteger),
        _Value("credits", sa.BigInteger),
        _Value("drop", sa.BigInteger),
    )
    op.create_index("slips_at", "slips", ["at"])


def _round_key() -> tuple[sa.Column[str], sa.Column[str], sa.Column[int]]:
    return _Key("floor", sa.Text), _Key("table", sa.Text), _Key("number", sa.BigInteger)


def _figures(*names: str) -> list[sa.Column[int]]:
    return [_Value(name, sa.BigInteger) for name in names]


def _create_settings() -> None:
    op.create_table(
        "settings",
        _Key("name", sa.Text),
        _Value("value", sa.Text),
        _Value("by", sa.Text),
        _Value("at", sa.Text),
    )
    op.create_table("secrets", _Key("name", sa.Text), _Value("secret", sa.LargeBinary))


def _create_servers() -> None:
    """Rows that are valid for seconds. Unlogged, so that they do not wait for the disk."""
    unlogged = ["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else []
    op.create_table(
        "servers",
        _Key("name", sa.Text),
        _Value("at", sa.Text),
        _Value("lease_until", sa.BigInteger),
        _Value("up_since", sa.BigInteger),
        _Value("draining", sa.Boolean),
        _Value("lobby", sa.Text),
        prefixes=unlogged,
    )
