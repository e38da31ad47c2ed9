"""Routes of the dealer's page for tables whose cards are turned over: what to show, and the line.

The page sends what the dealer types. The server reads the line, says what it means while it is
typed, and carries out its commands in order.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, assert_never

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.game.record.message_codec import write_command
from headsup.game.refusal import Code, Refused, refusal
from headsup.game.round.dealing import seat_place
from headsup.game.round.decision import HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round, Seat
from headsup.game.round.turned_over import cards_due, hand_to_pay, hands_to_settle
from headsup.game.rulebook.model import Dealing
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.settlement import Line, SeatSettlement, dealer_hand
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Floor, Table
from headsup.game.table.tabulator import is_taken_up
from headsup.game.values.cards import card_name
from headsup.game.values.hands import hand_name
from headsup.game.values.money import format_cents, format_micros
from headsup.house.dealing.line import MAX_LINE_CHARS, due_step, parse_line
from headsup.house.floor.next_step import DealerStep, next_step, step_key
from headsup.web.api.commands import desk_of, refusal_error
from headsup.web.api.login import COMMAND_RATE, CurrentPerson, StrictModel
from headsup.web.api.next_step import TablePath, require_table_to_deal
from headsup.web.api.records import Dollars
from headsup.web.live.protocol import RefusalMessage, RequestId, SubmitCommandRequest
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["dealing"])
LineText = Annotated[str, Field(max_length=MAX_LINE_CHARS)]


class StakeOnFelt(StrictModel):
    wager: Wager
    label: str
    amount: Dollars


class SeatOnFelt(StrictModel):
    """One seat as it looks on the felt. Cards are those that lie face up."""

    seat: int
    player: str
    guest: bool  # the dealer bets and decides for it
    stakes: list[StakeOnFelt]
    decision: str
    owes: bool
    cards: list[str]
    paid: bool
    waits: list[str]  # wagers that are decided when another hand is turned over


class DealersMove(StrictModel):
    """What the dealer does with one wager."""

    wager: Wager
    label: str
    move: Literal["pay", "take", "push_back", "tap", "return", "waits", "leave"]
    amount: Dollars
    why: str
    clause: str


class HandOnFelt(StrictModel):
    """A hand to announce and pay. `paid` hands are those that need nothing more."""

    seat: int
    player: str
    hand: str
    net: Dollars
    paid: bool
    moves: list[DealersMove]


class DealerScreenResponse(StrictModel):
    """Everything that the dealer's page shows. Send `key` with the next line."""

    table: str
    rules: str
    round: int
    step: DealerStep
    key: str
    prompt: str
    place: str  # where the cards go that are due; empty if none are
    cards: int
    space: str  # what the empty line does; empty if nothing
    board: list[str]
    dealer: list[str]
    all_6: list[str]
    dealer_hand: str
    seats: list[SeatOnFelt]
    free_seats: list[int]
    hands: list[HandOnFelt]  # settled in this round, the one to pay last
    lying: dict[str, str]  # by card, the place where it lies face up
    raises: list[int]
    can_repeat: bool
    meter: str
    paused: str


class LinePreviewRequest(StrictModel):
    text: LineText


class LinePreviewResponse(StrictModel):
    """What the line means, or why it means nothing."""

    meaning: str
    wrong: str


class LineRequest(StrictModel):
    id: RequestId
    key: str
    text: LineText


@router.get("/tables/{table}/deal", response_model=DealerScreenResponse)
async def dealer_screen(
    table: TablePath, request: Request, person: CurrentPerson
) -> DealerScreenResponse:
    """What the dealer of a table with turned over cards sees."""
    host, state = require_table_to_deal(request, person, table)
    return describe_screen(host.journal.floor, _require_turned_over(state))


@router.post("/tables/{table}/deal/preview", response_model=LinePreviewResponse)
async def preview_line(
    table: TablePath, body: LinePreviewRequest, request: Request, person: CurrentPerson
) -> LinePreviewResponse:
    """What a line means, while it is typed. Nothing is done."""
    state = _require_turned_over(require_table_to_deal(request, person, table)[1])
    try:
        return LinePreviewResponse(meaning=parse_line(state, body.text).meaning, wrong="")
    except Refused as refused:
        return LinePreviewResponse(meaning="", wrong=refused.message)


@router.post(
    "/tables/{table}/deal", response_model=DealerScreenResponse, dependencies=[COMMAND_RATE]
)
async def do_line(
    table: TablePath, body: LineRequest, request: Request, person: CurrentPerson
) -> DealerScreenResponse:
    """Carry out a line, if the step that the dealer saw is still due.

    Its commands are sent one after another. If one is refused, those before it stand.
    """
    state = _require_turned_over(require_table_to_deal(request, person, table)[1])
    if step_key(state) != body.key:
        raise refusal_error(refusal(Code.NOT_DUE_ANY_MORE))
    try:
        commands = parse_line(state, body.text).commands
    except Refused as refused:
        raise refusal_error(refused.refusal) from None
    for number, command in enumerate(commands):
        message = SubmitCommandRequest(id=f"{body.id}-{number}", command=write_command(command))
        due = body.key if number == 0 else ""
        answer = await desk_of(request).submit(person, table, message, due)
        if isinstance(answer, RefusalMessage):
            raise ApiError(409, answer.code, answer.say)
    host, after = require_table_to_deal(request, person, table)
    return describe_screen(host.journal.floor, after)


def _require_turned_over(table: Table) -> Table:
    if table.shuffle is not ShuffleSource.TURNED_OVER:
        raise ApiError(409, "cards_known", "the cards of this table are not turned over by hand")
    return table


# The screen.


def describe_screen(floor: Floor, table: Table) -> DealerScreenResponse:
    round = table.round if table.is_playing else None
    step, _ = next_step(table)
    due = None if round is None else cards_due(round)
    meter = floor.meters.get(table.meter)
    return DealerScreenResponse(
        table=table.id,
        rules=table.rules.book.title,
        round=table.rounds,
        step=step,
        key=step_key(table),
        prompt=_prompt(table, round, step),
        place="" if due is None else due.place,
        cards=0 if due is None else due.cards,
        space=_space(table),
        board=[] if round is None else _names(round.open_deal().board),
        dealer=[] if round is None else _names(round.open_deal().dealer),
        all_6=[] if round is None else _names(round.open_deal().all_6),
        dealer_hand="" if round is None else _dealer_hand(round),
        seats=[_describe_seat(table, round, seat) for seat in sorted(table.players)],
        free_seats=[
            seat for seat in range(1, table.rules.book.seats + 1) if seat not in table.players
        ],
        hands=[] if round is None else _describe_hands(table, round),
        lying={} if round is None else _lying(round),
        raises=[] if round is None else _raises(round),
        can_repeat=table.round is not None
        and not table.is_playing
        and any(table.is_guest(seat) for seat in table.round.seats),
        meter="" if meter is None else format_micros(meter.displayed),
        paused=table.dealing.paused,
    )


def _names(cards: tuple[int, ...]) -> list[str]:
    return [card_name(card) for card in cards]


def _space(table: Table) -> str:
    try:
        return due_step(table).meaning
    except Refused:
        return ""


def _prompt(table: Table, round: Round | None, step: DealerStep) -> str:
    match step:
        case DealerStep.PLAYERS:
            return "Nobody is seated. Seat a guest: + and the number of the seat."
        case DealerStep.OPEN_ROUND:
            return "Type the bets, or = if everybody bets as before."
        case DealerStep.BETS:
            return "Type the bets."
        case DealerStep.CLOSE_BETS:
            return "More bets, or no more bets."
        case DealerStep.COUNT_BY_HAND | DealerStep.CORRECT_FLAG:
            return "The count of Progressive wagers is wrong. Put it right at the console."
        case DealerStep.DEAL_FACE_DOWN:
            return _deal_prompt(round)
        case DealerStep.DECISIONS:
            return _decision_prompt(table, round)
        case DealerStep.TURN_OVER:
            return _turn_prompt(round)
        case DealerStep.RESOLVE | DealerStep.SETTLE:
            seat = None if round is None else hand_to_pay(round)
            return "Go on." if seat is None else f"Pay and take seat {seat}, and collect its cards."
        case DealerStep.VERIFY_AWARD:
            return (
                "An award is held. Two people verify or refuse it in the office, under Real chips."
            )
        case DealerStep.CLOSE:
            return "All hands are paid."
        case (
            DealerStep.FLOP
            | DealerStep.TURN_AND_RIVER
            | DealerStep.REVEAL
            | DealerStep.ENTER_CARDS
            | DealerStep.DEAL
        ):
            return "The cards have been read: turn them over."
        case _:
            assert_never(step)


def _deal_prompt(round: Round | None) -> str:
    """How the cards go out, by the table's way of dealing (R19)."""
    if round is None:
        return ""
    packet = "First four cards to your right for All 6. " if round.rules.offers(Wager.ALL_6) else ""
    seats = _say_seats(sorted(round.dealt_seats()))
    match Dealing(round.rules.dealing):
        case Dealing.HAND:
            how = f"One card to {seats} and yourself, then a second"
        case Dealing.SHOE:
            how = f"Five cards to the board, then two to {seats} and yourself"
        case Dealing.MACHINE:
            how = f"Two cards to {seats} and yourself, then five to the board"
        case other:
            assert_never(other)
    return f"{packet}{how}, all face down."


def _decision_prompt(table: Table, round: Round | None) -> str:
    owing = [] if round is None else round.seats_owing()
    guests = [seat for seat in owing if table.is_guest(seat)]
    players = [seat for seat in owing if not table.is_guest(seat)]
    says = [f"Who raises? To decide: {_say_seats(guests)}."] if guests else []
    if players:
        says.append(f"Deciding on their own screens: {_say_seats(players)}.")
    return " ".join(says)


def _say_seats(seats: Sequence[int]) -> str:
    return f"seat{'' if len(seats) == 1 else 's'} {', '.join(map(str, seats))}"


_PLACES = {"board": "the board", "dealer": "your own hand", "all_6": "the All 6 cards"}


def _turn_prompt(round: Round | None) -> str:
    due = None if round is None else cards_due(round)
    if round is None or due is None:
        return ""
    match round.phase:
        case Phase.FLOP_DUE:
            return "Turn over the flop: three cards."
        case Phase.RIVER_DUE:
            return "Turn over turn and river: two cards."
        case _:
            return f"Turn over {_PLACES.get(due.place, due.place)}: {due.cards} cards."


def _dealer_hand(round: Round) -> str:
    hand = dealer_hand(round.rules, round.open_deal())
    if not hand.strength:
        return ""
    return hand_name(hand.strength) + ("" if hand.qualifies is not False else ", does not qualify")


def _lying(round: Round) -> dict[str, str]:
    deal, felt = round.open_deal(), round.felt
    lying = {card_name(card): "board" for card in deal.board}
    lying |= {card_name(card): "dealer" for card in deal.dealer}
    lying |= {card_name(card): "All 6" for card in deal.all_6}
    turned = () if felt is None else felt.turned
    for seat, hand in round.seats.items():
        if seat_place(seat) in turned:
            lying |= {card_name(card): f"seat {seat}" for card in hand.hole}
    return lying


def _raises(round: Round) -> list[int]:
    street = STREET_BY_PHASE.get(round.phase)
    return [] if street is None else sorted(round.rules.raises[street])


def _player(table: Table, seat: int) -> str:
    if table.is_guest(seat):
        return table.felt.guests[seat] or "Guest"
    return table.players.get(seat, "")


def _describe_seat(table: Table, round: Round | None, number: int) -> SeatOnFelt:
    seat = None if round is None else round.seats.get(number)
    felt = None if round is None else round.felt
    turned = felt is not None and seat_place(number) in felt.turned
    label = table.rules.book.label
    stakes = {} if seat is None else dict(seat.stakes)
    if seat is not None and isinstance(seat.decision, HasRaised):
        stakes[Wager.RAISE] = seat.stakes[Wager.ANTE] * seat.decision.multiple
    return SeatOnFelt(
        seat=number,
        player=_player(table, number),
        guest=table.is_guest(number),
        stakes=[
            StakeOnFelt(wager=wager, label=label(wager), amount=format_cents(cents))
            for wager, cents in stakes.items()
        ],
        decision="" if seat is None else _decision_text(seat),
        owes=seat is not None
        and round is not None
        and round.phase in STREET_BY_PHASE
        and seat.owes_decision,
        cards=_names(seat.hole) if seat is not None and turned else [],
        paid=round is not None and number in round.resolved,
        waits=[] if felt is None else [label(wager) for wager in felt.waits.get(number, ())],
    )


def _decision_text(seat: Seat) -> str:
    if seat.void is not None:
        return f"void: {seat.void.cause.words}"
    match seat.decision:
        case HasRaised(_, multiple):
            return f"raised {multiple}×"
        case HasFolded():
            return "folded"
        case HasChecked():
            return "checked"
        case Undecided():
            return ""
        case _:
            assert_never(seat.decision)


def _describe_hands(table: Table, round: Round) -> list[HandOnFelt]:
    settlement = round.settlement
    if settlement is None:
        return []
    to_pay = hand_to_pay(round)
    order = [*round.resolved, *([] if to_pay is None else [to_pay])]
    waiting = [hand.seat for hand in settlement.seats if hand.seat not in order]
    return [_describe_hand(table, round, settlement.seat(seat)) for seat in (*waiting, *order)]


def _describe_hand(table: Table, round: Round, hand: SeatSettlement) -> HandOnFelt:
    waits = () if round.felt is None else round.felt.waits.get(hand.seat, ())
    label = table.rules.book.label
    moves = [_describe_move(table, line) for line in hand.lines]
    moves += [
        DealersMove(
            wager=wager,
            label=label(wager),
            move="waits",
            amount=format_cents(0),
            why=f"waits for {_unseen(round)}",
            clause="R104",
        )
        for wager in waits
    ]
    turned = round.felt is not None and seat_place(hand.seat) in round.felt.turned
    return HandOnFelt(
        seat=hand.seat,
        player=_player(table, hand.seat),
        hand=hand_name(hand.strength) if hand.strength and turned else "",
        net=format_cents(hand.net),
        paid=hand.seat in round.resolved,
        moves=moves,
    )


def _unseen(round: Round) -> str:
    return ", ".join(f"seat {play.seat}" for play in hands_to_settle(round))


def _describe_move(table: Table, line: Line) -> DealersMove:
    """Chips that were taken up at the button are in the tray: nothing is taken, and no stake is
    left on the felt."""
    taken_up = is_taken_up(table.rules, line.wager)
    move: Literal["pay", "take", "push_back", "tap", "return", "leave"]
    amount = 0
    match line.result:
        case Result.WIN:
            move, amount = "pay", line.net + (line.stake if line.kept else 0)
        case Result.LOSE:
            move, amount = ("leave", 0) if taken_up else ("take", line.stake)
        case Result.PUSH:
            move = "push_back" if line.outcome == "not_qualified" else "tap"
        case Result.VOID:
            move, amount = "return", line.stake
        case _:
            assert_never(line.result)
    return DealersMove(
        wager=line.wager,
        label=table.rules.book.label(line.wager),
        move=move,
        amount=format_cents(amount),
        why=line.why,
        clause=line.clause,
    )
