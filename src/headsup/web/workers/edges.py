"""What each choice of a table's set-up is worth to the house, beside the choice.

Another process computes it (`edge_worker`), so that no table waits for it; until a figure is there,
the answer says that it is being computed.
"""

import asyncio
import json
import sys
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request

from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import rules_from_record
from headsup.game.values.frozen_json import FrozenJson
from headsup.house.people.accounts import Role
from headsup.web.api.login import CurrentPerson, StrictModel
from headsup.web.live.commands import refusal_error
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log
from headsup.web.workers.edge_parts import EdgePart, narrow_choice

router = APIRouter(prefix="/api", tags=["setup"])
MAX_CACHED_EDGES = 64


class EdgesRequest(StrictModel):
    """As in `OpenTable`: a shipped rule book's id, and what is chosen of it."""

    rules: str
    paytables: dict[str, str]
    options: dict[str, Any]


class EdgeView(StrictModel):
    """Of the table with this paytable in place of the chosen one; `main` is the table's own main
    game, per Ante. Null where cells are open that the house must fill first, and of a progressive
    without a seed."""

    key: str
    id: str
    edge: str | None


class EdgesResponse(StrictModel):
    computing: bool
    edges: list[EdgeView]


@dataclass(slots=True)
class _CachedEdges:
    edges: list[EdgeView] = field(default_factory=list)
    task: "asyncio.Task[None] | None" = None

    @property
    def computing(self) -> bool:
        return self.task is not None and not self.task.done()


class EdgeCache:
    """Computes one choice after the other, and remembers the last ones: of the side wagers and of
    the main game each by what it depends on, so that a change of one leaves the other."""

    def __init__(self) -> None:
        self._found: OrderedDict[tuple[EdgePart, str], _CachedEdges] = OrderedDict()
        self._one = {part: asyncio.Lock() for part in EdgePart}

    def of(self, choice: EdgesRequest) -> EdgesResponse:
        parts = [self._part(choice.model_dump(), part) for part in EdgePart]
        return EdgesResponse(
            computing=any(found.computing for found in parts),
            edges=[edge for found in parts for edge in found.edges],
        )

    def _part(self, choice: dict[str, Any], part: EdgePart) -> _CachedEdges:
        key = part, json.dumps(narrow_choice(choice, part), sort_keys=True)
        found = self._found.pop(key, None)
        if found is None:
            found = _CachedEdges()
            found.task = asyncio.create_task(self._compute(*key, found), name="edges")
        self._found[key] = found
        if len(self._found) > MAX_CACHED_EDGES:
            _, oldest = self._found.popitem(last=False)
            if oldest.task is not None:
                oldest.task.cancel()
        return found

    async def stop(self) -> None:
        tasks = [found.task for found in self._found.values() if found.task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _compute(self, part: EdgePart, text: str, found: _CachedEdges) -> None:
        async with self._one[part]:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "headsup.web.workers.edge_worker", part.value),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # it does not hear the keyboard's Ctrl-C
            )
            try:
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(text.encode())
                process.stdin.close()
                async for line in process.stdout:
                    found.edges.append(EdgeView(**json.loads(line)))
                if await process.wait():
                    log.error("the edges cannot be had", status=process.returncode)
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()


@router.post("/edges", response_model=EdgesResponse)
async def edges(choice: EdgesRequest, request: Request, person: CurrentPerson) -> EdgesResponse:
    """The house edge beside every paytable that could be chosen; ask again while it computes."""
    if person.role is Role.PLAYER:
        raise ApiError(403, "not_allowed", "that is for the staff")
    try:
        rules_from_record(choice.rules, tuple(choice.paytables.items()), FrozenJson(choice.options))
    except Refused as refused:
        raise refusal_error(refused.refusal) from None
    found: EdgeCache = request.app.state.edges
    return found.of(choice)
