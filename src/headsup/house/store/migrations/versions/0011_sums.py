"""Running sums of wallet moves and hashes of tables' histories, so they need not be recomputed."""

from collections.abc import Iterator
from itertools import groupby

import sqlalchemy as sa
from alembic import op

from headsup.game.table.round_history import RoundHistory, SettledRound

revision = "0011"
down_revision = "0009"
branch_labels = None
depends_on = None

_LEAST_HEIGHT = 6


def upgrade() -> None:
    op.create_table(
        "past_blocks",
        sa.Column("floor", sa.Text, primary_key=True),
        sa.Column("table", sa.Text, primary_key=True),
        sa.Column("height", sa.Integer, primary_key=True),
        sa.Column("place", sa.BigInteger, primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.create_index("past_blocks_number", "past_blocks", ["floor", "table", "height", "number"])
    _keep_pasts()
    _append_only("past_blocks")
    op.create_table(
        "wallet_sums",
        sa.Column("floor", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("cents", sa.BigInteger, nullable=False),
    )
    op.create_index("wallet_moves_floor", "wallet_moves", ["floor", "index"])
    op.execute(
        "INSERT INTO wallet_sums (floor, person, cents) "
        "SELECT floor, person, SUM(cents) FROM wallet_moves GROUP BY floor, person"
    )
    _add_each_move()


def _keep_pasts() -> None:
    """Compute the hashes of earlier rounds from their stored hands."""
    blocks = sa.table(
        "past_blocks", *map(sa.column, ("floor", "table", "height", "place", "number", "hash"))
    )
    connection = op.get_bind()
    names = ("floor", "table", "height", "place", "number", "hash")
    rows = [dict(zip(names, row, strict=True)) for row in _blocks(connection)]
    if rows:
        connection.execute(sa.insert(blocks), rows)


def _blocks(connection: sa.Connection) -> Iterator[tuple[str, str, int, int, int, str]]:
    hands = sa.table("hands", *map(sa.column, ("floor", "table", "number", "seat", "player")))
    hand = hands.c
    query = sa.select(hand.floor, hand.table, hand.number, hand.seat, hand.player)
    played = connection.execute(query.order_by(hand.floor, hand.table, hand.number, hand.seat))
    rounds = sa.table("rounds", *map(sa.column, ("floor", "table", "number")))
    first = sa.select(rounds.c.floor, rounds.c.table).where(rounds.c.number == 1)
    known = {tuple(row) for row in connection.execute(first)}
    for place, of_table in groupby(played, lambda row: (row[0], row[1])):
        if place not in known:  # the table is older than its stored rounds
            continue
        (floor, table), past = place, RoundHistory()
        for number, seats in groupby(of_table, lambda row: row[2]):
            settled = SettledRound(number, tuple((row[3], row[4]) for row in seats))
            for height, hash in enumerate(past.new_hashes(settled)):
                if height >= _LEAST_HEIGHT:
                    yield floor, table, height, (past.rounds + 1 >> height) - 1, number, hash
            past = past.with_round(settled)


_ADD = (
    "INSERT INTO wallet_sums (floor, person, cents) VALUES (NEW.floor, NEW.person, NEW.cents) "
    "ON CONFLICT (floor, person) DO UPDATE SET cents = wallet_sums.cents + excluded.cents"
)


def _add_each_move() -> None:
    """With a trigger, so that the moves of every program are included."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            f"CREATE TRIGGER wallet_moves_sum AFTER INSERT ON wallet_moves BEGIN {_ADD}; END"
        )
        return
    op.execute(
        "CREATE FUNCTION wallet_moves_sum() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN {_ADD}; RETURN NULL; END $$"
    )
    op.execute(
        "CREATE TRIGGER wallet_moves_sum AFTER INSERT ON wallet_moves "
        "FOR EACH ROW EXECUTE FUNCTION wallet_moves_sum()"
    )


def _append_only(table: str) -> None:
    """Make the database refuse every change and deletion of the table's rows."""
    if op.get_bind().dialect.name == "sqlite":
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
        return
    op.execute(
        f"CREATE FUNCTION {table}_kept() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{table} is append-only'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_kept()"
    )
