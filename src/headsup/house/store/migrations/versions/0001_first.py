"""The first schema: logs, answers, snapshots, people, wallets, incidents."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_APPEND_ONLY = ("entries", "answers", "wallet_moves", "incidents")


def upgrade() -> None:
    op.create_table(
        "floors",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("fence", sa.BigInteger, nullable=False),
        sa.Column("lease_until", sa.BigInteger, nullable=False),
        sa.Column("length", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("floor", sa.Text, primary_key=True),
        sa.Column("index", sa.BigInteger, primary_key=True),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
    )
    op.create_table(
        "answers",
        sa.Column("floor", sa.Text, primary_key=True),
        sa.Column("command", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
    )
    op.create_table(
        "snapshots",
        sa.Column("floor", sa.Text, primary_key=True),
        sa.Column("length", sa.BigInteger, primary_key=True),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("locked", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False, index=True),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "wallets",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("cents", sa.BigInteger, nullable=False),
        sa.CheckConstraint("cents >= 0", name="never_negative"),
    )
    op.create_table(
        "wallet_moves",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("person", sa.Text, nullable=False, index=True),
        sa.Column("cents", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("floor", sa.Text, nullable=False),
        sa.Column("index", sa.BigInteger, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_table(
        "incidents",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
    )
    for table in _APPEND_ONLY:
        _append_only(table)


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
