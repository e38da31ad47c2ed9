"""The log-in each ticket belongs to: what the ticket opens ends with that log-in."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    under = sa.Column("under", sa.Text, nullable=False, server_default="")
    op.add_column("sessions", under)
