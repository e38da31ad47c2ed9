"""Rounds, hands and takings; where significant events happened."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_APPEND_ONLY = ("rounds", "rounds_ended", "hands")


def upgrade() -> None:
    for name, kind, empty in (
        ("floor", sa.Text, ""),
        ("table", sa.Text, ""),
        ("round", sa.BigInteger, "0"),
        ("index", sa.BigInteger, "0"),
    ):
        op.add_column("incidents", sa.Column(name, kind, nullable=False, server_default=empty))
    op.create_index("incidents_kind", "incidents", ["kind", "number"])
    op.create_index("incidents_round", "incidents", ["table", "round"])
    for name in ("table", "by"):
        column = sa.Column(name, sa.Text, nullable=False, server_default="")
        op.add_column("wallet_moves", column)
    _rounds()
    op.create_table(
        "takings",
        sa.Column("floor", sa.Text, primary_key=True),
        sa.Column("table", sa.Text, primary_key=True),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("what", sa.Text, primary_key=True),
        *(
            sa.Column(name, sa.BigInteger, nullable=False)
            for name in ("count", "amount", "squares", "square_cents", "net", "award")
        ),
    )
    for table in _APPEND_ONLY:
        _append_only(table)


def _rounds() -> None:
    op.create_table(
        "rounds",
        *_of_a_round(),
        sa.Column("index", sa.BigInteger, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_index("rounds_table", "rounds", ["table", "number"])
    op.create_table(
        "rounds_ended",
        *_of_a_round(),
        sa.Column("index", sa.BigInteger, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("void", sa.Text, nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        *_money(),
    )
    op.create_index("rounds_ended_at", "rounds_ended", ["at"])
    op.create_index("rounds_ended_table", "rounds_ended", ["table", "number"])
    op.create_table(
        "hands",
        *_of_a_round(),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        *_money(),
        sa.Column("category", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
    )
    op.create_index("hands_player", "hands", ["player", "at"])
    op.create_index("hands_category", "hands", ["category", "at"])


def _of_a_round() -> tuple[sa.Column[str], sa.Column[str], sa.Column[int]]:
    return (
        sa.Column("floor", sa.Text, primary_key=True),
        sa.Column("table", sa.Text, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
    )


def _money() -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=False) for name in ("staked", "net", "award")]


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
