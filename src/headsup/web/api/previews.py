"""What a dealer is about to do, shown before it is done: cards as they are typed, and what each
irregularity would return or settle."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.round.state import Phase, Round
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.game.values.cards import card_name
from headsup.game.views.irregularity_preview import IrregularityPreview, preview_irregularities
from headsup.game.views.wire import WIRE_CODECS
from headsup.house.dealing.real_cards import preview_entry
from headsup.web.api.login import CurrentPerson, StrictModel
from headsup.web.api.next_step import TablePath, require_table_to_deal
from headsup.web.live.commands import command_response, desk_of, limit_commands
from headsup.web.live.protocol import AnsweredMessage, EnterCardsRequest
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["dealing"])


class PreviewCardsRequest(StrictModel):
    """`QhJh…` in the order of the deal, or by place: `board=…, seat 1=…, dealer=…`."""

    text: str = Field(max_length=1000)


class CardPlace(StrictModel):
    place: str
    card: str | None


class PreviewCardsResponse(StrictModel):
    """Where each card goes; `wrong` is why the last ones are refused."""

    places: list[CardPlace]
    complete: bool
    wrong: str | None


@router.post("/tables/{table}/cards/preview", response_model=PreviewCardsResponse)
async def preview_cards(
    table: TablePath, asked: PreviewCardsRequest, request: Request, person: CurrentPerson
) -> PreviewCardsResponse:
    """Where the cards go that were typed so far."""
    found = preview_entry(
        _require_waiting_round(require_table_to_deal(request, person, table)[1]), asked.text
    )
    return PreviewCardsResponse(
        places=[
            CardPlace(place=place, card=None if card is None else card_name(card))
            for place, card in found.laid
        ],
        complete=found.complete,
        wrong=None if found.wrong is None else found.wrong.message,
    )


@router.post("/tables/{table}/cards", response_model=AnsweredMessage)
async def deal(
    table: TablePath, asked: EnterCardsRequest, request: Request, person: CurrentPerson
) -> JSONResponse:
    """Deal the cards that were typed."""
    limit_commands(request, person.id)
    require_table_to_deal(request, person, table)
    return command_response(await desk_of(request).enter(person, table, asked))


def _require_waiting_round(table: Table) -> Round:
    round = table.round
    waits = round is not None and round.phase is Phase.NO_MORE_BETS
    if round is None or not waits or table.shuffle is not ShuffleSource.ENTERED:
        raise ApiError(409, "no_cards_due", "no cards are to be entered at this moment")
    return round


_write_foreseen = CodecRegistry(WIRE_CODECS).of(IrregularityPreview).write


@router.get("/tables/{table}/irregularities")
async def irregularities(
    table: TablePath, request: Request, person: CurrentPerson
) -> list[dict[str, Any]]:
    """What may be reported now, and what each resolution would return and settle, by seat."""
    round = require_table_to_deal(request, person, table)[1].round
    return [] if round is None else [_write_foreseen(one) for one in preview_irregularities(round)]
