"""What a dealer is about to do, shown before it is done: cards as they are typed, and what each
irregularity would return or settle."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from headsup.game.record.codec.registry import Codecs
from headsup.game.round.state import Phase, Round
from headsup.game.table.shuffle import Shuffle
from headsup.game.table.state import Table
from headsup.game.values.cards import card_name
from headsup.game.views.irregularity_preview import IrregularityForeseen, foreseen
from headsup.game.views.wire import OWN
from headsup.house.dealing.real_cards import entering
from headsup.web.api.login import Asker, _Strict
from headsup.web.api.next_step import TablePath, dealt_at
from headsup.web.live.commands import answered, desk_of, not_too_often
from headsup.web.live.protocol import AnsweredMessage, CardsAsked
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["dealing"])


class CardsTyped(_Strict):
    """`QhJh…` in the order of the deal, or by place: `board=…, seat 1=…, dealer=…`."""

    text: str = Field(max_length=1000)


class CardPlace(_Strict):
    place: str
    card: str | None


class CardsTypedShown(_Strict):
    """Where each card goes; `wrong` is why the last ones are refused."""

    places: list[CardPlace]
    complete: bool
    wrong: str | None


@router.post("/tables/{table}/cards/preview", response_model=CardsTypedShown)
async def typed(
    table: TablePath, asked: CardsTyped, request: Request, person: Asker
) -> CardsTypedShown:
    """Where the cards go that were typed so far."""
    found = entering(_to_deal(dealt_at(request, person, table)[1]), asked.text)
    return CardsTypedShown(
        places=[
            CardPlace(place=place, card=None if card is None else card_name(card))
            for place, card in found.laid
        ],
        complete=found.complete,
        wrong=None if found.wrong is None else found.wrong.message,
    )


@router.post("/tables/{table}/cards", response_model=AnsweredMessage)
async def deal(
    table: TablePath, asked: CardsAsked, request: Request, person: Asker
) -> JSONResponse:
    """Deal the cards that were typed."""
    not_too_often(request, person.id)
    dealt_at(request, person, table)
    return answered(await desk_of(request).enter(person, table, asked))


def _to_deal(table: Table) -> Round:
    round = table.round
    waits = round is not None and round.phase is Phase.NO_MORE_BETS
    if round is None or not waits or table.shuffle is not Shuffle.ENTERED:
        raise ApiError(409, "no_cards_due", "no cards are to be entered at this moment")
    return round


_FORESEEN = Codecs(OWN).of(IrregularityForeseen).write


@router.get("/tables/{table}/irregularities")
async def irregularities(table: TablePath, request: Request, person: Asker) -> list[dict[str, Any]]:
    """What may be reported now, and what each resolution would return and settle, by seat."""
    round = dealt_at(request, person, table)[1].round
    return [] if round is None else [_FORESEEN(one) for one in foreseen(round)]
