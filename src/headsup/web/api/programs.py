"""Whether the program that serves is the one that was started: read again whenever it is asked."""

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.house import clock
from headsup.house.people.permissions import Act
from headsup.version import __version__
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, StrictModel, require_permission
from headsup.web.live.commands import limit_commands

router = APIRouter(prefix="/api/program", tags=["oversight"])


class ProgramResponse(StrictModel):
    """What this server is made of. As long as `changed` names a file, it opens no table and no
    round."""

    version: str
    digest: str = Field(description="SHA-256 over all files, as they were when it started.")
    files: int
    approved: bool = Field(description="Whether it is held to a signed list of its files.")
    changed: list[str] = Field(description="Files that are not as they were then, or as signed.")
    at: str


@router.get("", response_model=ProgramResponse)
async def program(request: Request, person: CurrentPerson) -> ProgramResponse:
    """The program is authenticated, here and now."""
    require_permission(person, Act.SEE_PROGRAM)
    limit_commands(request, person.id)
    diary = house_of(request).diary
    changed = await diary.authenticate()
    found = diary.program
    return ProgramResponse(
        version=__version__,
        digest=found.digest,
        files=found.count,
        approved=found.approved is not None,
        changed=list(changed),
        at=clock.now(),
    )
