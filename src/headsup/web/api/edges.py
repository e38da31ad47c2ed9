"""House edges for the set-up form; `paytable_edges` computes them in the solver's process."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import RulesChoice, rules_from_record
from headsup.game.values.frozen_json import FrozenJson
from headsup.house.people.person import Role
from headsup.web.api.commands import refusal_error
from headsup.web.api.login import CurrentPerson, StrictModel
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log
from headsup.web.workers.hand_values import NoAnswer
from headsup.web.workers.paytable_edges import (
    PaytableEdge,
    main_edges,
    main_game_choice,
    side_edges,
)
from headsup.web.workers.solver import Solver

router = APIRouter(prefix="/api", tags=["setup"])


class EdgesRequest(StrictModel):
    """As in `OpenTable`: the id of a shipped rule book, with paytables and options."""

    rules: str
    paytables: dict[str, str]
    options: dict[str, Any]


class EdgeView(StrictModel):
    """The edge of the table with this paytable instead of the chosen one; `main` is the table's
    own main game, per Ante. Null if the house must fill in cells first, and for a progressive
    without a seed."""

    key: str
    id: str
    edge: str | None


class EdgesResponse(StrictModel):
    computing: bool
    failed: bool = Field(description="Some could not be computed; ask again to try once more.")
    edges: list[EdgeView]


def solver_of(request: Request) -> Solver:
    solver: Solver = request.app.state.solver
    return solver


@router.post("/edges", response_model=EdgesResponse)
async def edges(body: EdgesRequest, request: Request, person: CurrentPerson) -> EdgesResponse:
    """The house edge with every possible paytable; ask again while `computing`."""
    if person.role is Role.PLAYER:
        raise ApiError(403, "not_allowed", "only staff may see house edges")
    try:
        paytables = tuple(sorted(body.paytables.items()))
        choice = RulesChoice(body.rules, paytables, FrozenJson(body.options))
        rules_from_record(choice.rules, choice.paytables, choice.options)
    except Refused as refused:
        raise refusal_error(refused.refusal) from None
    solver = solver_of(request)
    parts = (
        _peek(solver, side_edges, choice),
        _peek(solver, main_edges, main_game_choice(choice)),
    )
    return EdgesResponse(
        computing=None in parts,
        failed=NoAnswer in parts,
        edges=[
            EdgeView(**edge._asdict()) for part in parts if isinstance(part, list) for edge in part
        ],
    )


def _peek(
    solver: Solver, compute: Callable[[RulesChoice], list[PaytableEdge]], choice: RulesChoice
) -> list[PaytableEdge] | type[NoAnswer] | None:
    """The edges, None while they are being computed, or NoAnswer if that failed. The solver forgets
    a failure, so the next request computes again."""
    try:
        return solver.peek(compute, choice)
    except NoAnswer as error:
        log.error("computing house edges failed", why=str(error))
        return NoAnswer
