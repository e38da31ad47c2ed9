"""House edges for the set-up form: what each paytable would be worth to the house.

`edge_worker` computes them in another process, so that no table has to wait. Until all figures are
there, the answer says `computing`.
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
from headsup.house.people.person import Role
from headsup.web.api.commands import refusal_error
from headsup.web.api.login import CurrentPerson, StrictModel
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log
from headsup.web.workers.edge_parts import EdgePart, narrow_choice

router = APIRouter(prefix="/api", tags=["setup"])
MAX_CACHED_EDGES = 64


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
    edges: list[EdgeView]


@dataclass(slots=True)
class _CachedEdges:
    edges: list[EdgeView] = field(default_factory=list)
    task: "asyncio.Task[None] | None" = None

    @property
    def computing(self) -> bool:
        return self.task is not None and not self.task.done()


class EdgeCache:
    """Computes one choice at a time and caches the latest.

    Side wagers and main game are cached separately, each by what it depends on, so that changing
    one does not recompute the other.
    """

    def __init__(self) -> None:
        self._cached: OrderedDict[tuple[EdgePart, str], _CachedEdges] = OrderedDict()
        self._locks = {part: asyncio.Lock() for part in EdgePart}

    def edges_for(self, choice: EdgesRequest) -> EdgesResponse:
        parts = [self._cached_part(choice.model_dump(), part) for part in EdgePart]
        return EdgesResponse(
            computing=any(part.computing for part in parts),
            edges=[edge for part in parts for edge in part.edges],
        )

    def _cached_part(self, choice: dict[str, Any], part: EdgePart) -> _CachedEdges:
        key = part, json.dumps(narrow_choice(choice, part), sort_keys=True)
        cached = self._cached.pop(key, None)
        if cached is None:
            cached = _CachedEdges()
            cached.task = asyncio.create_task(self._compute(*key, cached), name="edges")
        self._cached[key] = cached
        if len(self._cached) > MAX_CACHED_EDGES:
            _, oldest = self._cached.popitem(last=False)
            if oldest.task is not None:
                oldest.task.cancel()
        return cached

    async def stop(self) -> None:
        tasks = [cached.task for cached in self._cached.values() if cached.task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _compute(self, part: EdgePart, text: str, cached: _CachedEdges) -> None:
        async with self._locks[part]:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "headsup.web.workers.edge_worker", part.value),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C at the terminal must not reach it
            )
            try:
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(text.encode())
                process.stdin.close()
                async for line in process.stdout:
                    cached.edges.append(EdgeView(**json.loads(line)))
                if await process.wait():
                    log.error("edge worker failed", status=process.returncode)
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()


@router.post("/edges", response_model=EdgesResponse)
async def edges(choice: EdgesRequest, request: Request, person: CurrentPerson) -> EdgesResponse:
    """The house edge with every possible paytable; ask again while `computing`."""
    if person.role is Role.PLAYER:
        raise ApiError(403, "not_allowed", "only staff may see house edges")
    try:
        rules_from_record(choice.rules, tuple(choice.paytables.items()), FrozenJson(choice.options))
    except Refused as refused:
        raise refusal_error(refused.refusal) from None
    cache: EdgeCache = request.app.state.edges
    return cache.edges_for(choice)
