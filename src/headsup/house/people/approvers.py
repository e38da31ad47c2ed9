"""Who else there is in the house to approve what an administrator does to accounts."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select

from headsup.house.people.accounts import Role
from headsup.house.store.database import Database
from headsup.house.store.schema import PEOPLE


@dataclass(frozen=True, slots=True)
class ApproverCount:
    """How many besides the asker. Who was invited and has set no password yet is none."""

    with_password: int  # locked or not
    not_locked: int  # of these


def count_approvers(database: Database, asker: str, roles: Collection[Role]) -> ApproverCount:
    """The other people of these roles; `asker` is an id."""
    others = (
        PEOPLE.c.id != asker,
        PEOPLE.c.password != "",
        PEOPLE.c.role.in_([role.value for role in roles]),
    )
    with database.reading() as connection:
        locked = connection.execute(select(PEOPLE.c.locked).where(*others)).scalars().all()
    return ApproverCount(len(locked), sum(not one for one in locked))
