"""Setting a table up: the rule books with all their choices, and what a choice comes to."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import Field

from headsup.game.record.commands import read_command
from headsup.game.refusal import Refusal, Refused
from headsup.game.rulebook.load import SHIPPED
from headsup.game.rulebook.tablerules import recorded_rules, table_rules
from headsup.game.rulebook.written import summary, whole
from headsup.game.table.commands import OpenTable, Staff
from headsup.game.table.decide import decide
from headsup.game.table.state import Floor
from headsup.house.permissions import forbidden
from headsup.web.commands import declined_as
from headsup.web.errors import ApiError
from headsup.web.lobby import house_of
from headsup.web.people import Asker, _Strict
from headsup.web.protocol import FloorId, OpeningJson, TableId

router = APIRouter(prefix="/api", tags=["setup"])


class OpeningTried(_Strict):
    floor: FloorId
    table: TableId
    command: OpeningJson


class OpeningChecked(_Strict):
    """Whether the table could be opened so, and then its rules with every clause."""

    refused: str | None
    rules: dict[str, Any] | None
    meters: list[str] = Field(description="Open on this floor, to link to.")


@router.get("/rulebooks", response_model=list[dict[str, Any]])
async def rulebooks(_person: Asker) -> list[dict[str, Any]]:
    """The rule books there are: raises, qualifier, wagers, and the ids of their paytables."""
    return [summary(table_rules(name)) for name in SHIPPED]


@router.get("/rulebooks/{id}", response_model=dict[str, Any])
async def rulebook(
    id: Annotated[str, Path(min_length=1, max_length=40)], _person: Asker
) -> dict[str, Any]:
    """One rule book whole: limits, options and what each may be, every paytable, every clause."""
    if id not in SHIPPED:
        raise ApiError(404, "no_such_rulebook")
    return whole(table_rules(id))


@router.post("/tables/check", response_model=OpeningChecked)
async def check(tried: OpeningTried, request: Request, person: Asker) -> OpeningChecked:
    """What a table would be that is opened so. Nothing is opened."""
    try:
        opening = read_command(tried.command)
        if not isinstance(opening, OpenTable):
            raise ApiError(400, "bad_request", "the command is not OpenTable")
    except Refused as refused:
        raise declined_as(refused.refusal) from None
    if forbids := forbidden(person, None, opening):
        raise declined_as(forbids)
    host = house_of(request).hosts.get(tried.floor)
    floor = Floor() if host is None else host.journal.floor
    meters = sorted(name for name, meter in floor.meters.items() if not meter.ended)
    answer = decide(floor, tried.table, Staff(person.name), opening)
    if isinstance(answer, Refusal):
        return OpeningChecked(refused=answer.message, rules=None, meters=meters)
    rules = recorded_rules(opening.rules, opening.paytables, opening.options)
    return OpeningChecked(refused=None, rules=whole(rules), meters=meters)
