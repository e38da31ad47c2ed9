"""What the house itself says on its displays, page after page (R89).

They are shown beside the meter, the paytables and the notices that must be shown, never instead.
"""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.house import clock
from headsup.house.permissions import Act
from headsup.house.store.settings import kept_pages, put_pages
from headsup.web.commands import not_too_often
from headsup.web.displays import DisplayKey, display_key_of
from headsup.web.log import log
from headsup.web.people import Asker, _Strict, allowed
from headsup.web.records import database_of

router = APIRouter(prefix="/api/displays", tags=["displays"])

MOST_PAGES, MOST_LETTERS = 8, 200
# One line without control characters: it is read from eight metres, and drawn as it stands.
Page = Annotated[
    str,
    Field(min_length=1, max_length=MOST_LETTERS, pattern=r"^[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$"),
]


class OwnPages(_Strict):
    """Each is one line; every display shows them in turn."""

    pages: list[Page] = Field(max_length=MOST_PAGES)


@router.get("/pages", response_model=OwnPages)
async def pages(request: Request, _person: Asker) -> OwnPages:
    """What the house says on its displays."""
    return await _shown(request)


@router.post("/pages", response_model=OwnPages)
async def set_pages(asked: OwnPages, request: Request, person: Asker) -> OwnPages:
    """Say something else on every display, or nothing; displays have it within a minute."""
    allowed(person, Act.SET_PAGES)
    not_too_often(request, person.id)
    engine = database_of(request).engine
    await asyncio.to_thread(put_pages, engine, asked.pages, person.name, clock.now())
    log.info("displays say something else", who=person.name)
    return asked


@router.post("/pages/shown", response_model=OwnPages)
async def pages_of_a_display(asked: DisplayKey, request: Request) -> OwnPages:
    """The same for a display, by its key."""
    await display_key_of(request, asked.key)
    return await _shown(request)


async def _shown(request: Request) -> OwnPages:
    database = database_of(request)

    def kept() -> tuple[str, ...]:
        with database.reading() as connection:
            return kept_pages(connection)

    return OwnPages(pages=list(await asyncio.to_thread(kept)))
