"""For which log-in a ticket was given: what it opens ends with that log-in and with no other."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    under = sa.Column("under", sa.Text, nullable=False, server_default="")
    op.add_column("sessions", under)
