"""Which commands a person may ask, from the one table of permissions: what a console offers."""

from fastapi import APIRouter

from headsup.game.table.commands import FreezeMeter
from headsup.house.people.permissions import permission
from headsup.web.api.login import CurrentPerson, StrictModel
from headsup.web.live.examples import EXAMPLES

router = APIRouter(prefix="/api", tags=["commands"])


class PermittedCommandResponse(StrictModel):
    """A command that this person may ask at some table."""

    command: str
    two_persons: bool  # a supervisor other than the asker approves
    by_hand: bool  # only where a dealer enters real cards


@router.get("/orders", response_model=list[PermittedCommandResponse])
async def orders(person: CurrentPerson) -> list[PermittedCommandResponse]:
    """What the asker may ask, and what of it takes a second person. To unfreeze a meter is to
    freeze it for no reason, and takes two."""
    found = []
    for command in (*EXAMPLES, FreezeMeter("")):
        allowed = permission(command)
        if person.role in allowed.roles:
            name = type(command).__name__
            if command == FreezeMeter(""):
                name = "UnfreezeMeter"
            found.append(
                PermittedCommandResponse(
                    command=name, two_persons=allowed.two_persons, by_hand=allowed.by_hand
                )
            )
    return found
