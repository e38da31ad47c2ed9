"""Reads the line that a dealer types at a table whose cards are turned over.

One line answers what is due: bets for the guests, who raises, or the cards of a place. A sign in
front makes it something else. The empty line is the step that is due.

    10 t5 p; 3:25 b5; 4:-     bets: Ante 10, Trips Plus 5, Progressive; seat 3; seat 4 sits out
    =                         opens the round, everybody bets as in the last one
    25  2x1 5  0  *           seats 2 and 5 raise; with multiples; nobody; everybody
    kd9c5h  6:9c9s            the cards that are due, or those of a place that is named
    +3 Ann  -3                a guest sits down at seat 3, or leaves it
    fix 5h=5d  fix 6:9c9s     a card that was read wrongly, or all cards of a place
    fix 3 rx2  fix 3 c        what seat 3 decided;  fix 3:25 b5  what it bet

A line becomes commands, which are sent in order. What it means is said before it is sent.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from headsup.game.refusal import Code, Refused
from headsup.game.round.commands import (
    Check,
    CloseBets,
    CorrectCards,
    CorrectDecision,
    CorrectStakes,
    DealFaceDown,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    TurnOver,
)
from headsup.game.round.dealing import ALL_6, BOARD, DEALER, seat_place
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round
from headsup.game.round.turned_over import cards_due, hand_to_pay, hands_to_settle
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.table.commands import Command
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import Leave, SitGuest
from headsup.game.table.state import Table
from headsup.game.values.amounts import parse_cents
from headsup.game.values.cards import Cards, UnreadableCards, card_name, format_cards, parse_cards
from headsup.game.values.money import Cents, show_dollars

MAX_LINE_CHARS = 400
_SIDES = {"t": Wager.TRIPS_PLUS, "b": Wager.POCKET_BONUS, "a": Wager.ALL_6}
_BET = re.compile(r"(?:([1-9]\d?)\s*:)?\s*(.*)")
_SIDE = re.compile(r"([tba])(\d+(?:\.\d\d?)?)|(p)")
_RAISER = re.compile(r"([1-9])(?:x(\d))?\s*")
_SIT = re.compile(r"\+\s*([1-9]\d?)(?:\s+([^=]*?))?(?:\s*=\s*([1-9]\d?))?")
_LEAVE = re.compile(r"-\s*([1-9]\d?)")
_PLACE = re.compile(r"(board|dealer|all ?6|[1-9]\d?)\s*:\s*(.*)")
_FIX_CARD = re.compile(r"fix\s+(\S+?)\s*=\s*(\S+)")
_FIX_DECISION = re.compile(r"fix\s+([1-9]\d?)\s+(c|f|r(?:x(\d))?)")
_WRONG = "told wrongly"
_FIX_PLACE = re.compile(r"fix\s+((?:board|dealer|all ?6|[1-9]\d?)\s*:.*)")


class Line(NamedTuple):
    """What a line means: the commands to send in order, and a sentence for the dealer."""

    commands: tuple[Command, ...]
    meaning: str


def parse_line(table: Table, text: str) -> Line:
    """Read a line at this moment of the table; raises Refused where it means nothing."""
    line = text.strip().lower()
    if len(line) > MAX_LINE_CHARS:
        raise Refused(Code.BAD_LINE, "long", most=MAX_LINE_CHARS)
    if not line:
        return due_step(table)
    if line[0] == "+":
        return _sit(text.strip())
    if match := _LEAVE.fullmatch(line):
        return Line((Leave(int(match[1])),), f"Seat {match[1]} leaves.")
    round = table.round
    if line.startswith("fix"):
        return _fix(table, _require_round(round), line)
    if round is None or round.phase in (Phase.BETTING, Phase.CLOSED):
        return _bets(table, line)
    if round.phase in STREET_BY_PHASE:
        return _raisers(table, round, line)
    return _cards(round, line)


def due_step(table: Table) -> Line:
    """The step that is due, for the empty line. The last hand's payment also closes the round."""
    round = table.round
    if round is None or round.phase is Phase.CLOSED:
        return Line((OpenRound(),), "Open the round.")
    match round.phase:
        case Phase.BETTING:
            if not round.seats:
                return Line((Proceed(),), "Close the round: nobody has bet.")
            return Line((CloseBets(),), "No more bets.")
        case Phase.NO_MORE_BETS:
            return Line((DealFaceDown(),), "The cards are out.")
        case Phase.SETTLED:
            return Line((Proceed(),), "Close the round.")
        case phase if phase in STREET_BY_PHASE:
            raise Refused(Code.BAD_LINE, "street", seats=tuple(round.seats_owing()))
        case _:
            return _paying_step(round)


def _paying_step(round: Round) -> Line:
    if (due := cards_due(round)) is not None:
        raise Refused(Code.CARDS_DUE, place=due.place, count=due.cards)
    seat = hand_to_pay(round)
    if seat is None:
        return Line((Proceed(),), "Go on.")
    if _is_last(round, seat):
        return Line((Proceed(), Proceed()), f"Seat {seat} is paid; close the round.")
    return Line((Proceed(),), f"Seat {seat} is paid.")


def _is_last(round: Round, seat: int) -> bool:
    """Whether nothing is left to turn over or to pay after this hand."""
    return not hands_to_settle(round) and round.unresolved_seats() == (seat,)


def _require_round(round: Round | None) -> Round:
    if round is None or round.phase is Phase.CLOSED:
        raise Refused(Code.NO_ROUND)
    return round


def _sit(text: str) -> Line:
    match = _SIT.fullmatch(text)
    if match is None:
        raise Refused(Code.BAD_LINE, "sit", text=text)
    seat, name, same = int(match[1]), (match[2] or "").strip(), int(match[3] or 0)
    who = name or "A guest"
    again = f", who also plays seat {same}," if same else ""
    return Line((SitGuest(seat, name, same),), f"{who}{again} sits at seat {seat}.")


# Bets.


def _bets(table: Table, line: str) -> Line:
    """Bets of the guests. A closed round is opened first, and `=` repeats what was bet in it."""
    round = table.round
    is_open = round is not None and round.phase is Phase.BETTING
    last: Mapping[int, Mapping[Wager, Cents]] = {}
    if round is not None and not is_open:
        last = {seat: hand.stakes for seat, hand in round.seats.items() if table.is_guest(seat)}
    placed = {seat: last[seat] for seat in sorted(last)} if line == "=" else {}
    if line == "=" and not last:
        raise Refused(Code.BAD_LINE, "nothing_to_repeat")
    waiting = [seat for seat in sorted(table.players) if table.is_guest(seat)]
    if is_open and round is not None:
        waiting = [seat for seat in waiting if seat not in round.seats]
    for part in line.split(";") if line != "=" else ():
        seat, stakes = _bet(table, part.strip(), waiting, last)
        waiting = [other for other in waiting if other != seat]
        if stakes:
            placed[seat] = stakes
    opens: tuple[Command, ...] = () if is_open else (OpenRound(),)
    bets = tuple(PlaceBets(seat, dict(stakes)) for seat, stakes in placed.items())
    said = "; ".join(f"seat {seat}: {_say_stakes(table, bet)}" for seat, bet in placed.items())
    return Line((*opens, *bets), f"{'' if is_open else 'Open the round. '}{said or 'No bets'}.")


def _bet(
    table: Table,
    part: str,
    waiting: Sequence[int],
    last: Mapping[int, Mapping[Wager, Cents]],
) -> tuple[int, Mapping[Wager, Cents]]:
    match = _BET.fullmatch(part)
    stakes = match[2] if match else ""
    if match is None or not stakes:
        raise Refused(Code.BAD_LINE, "bet", text=part)
    if match[1] is None and not waiting:
        raise Refused(Code.BAD_LINE, "nobody_waits")
    seat = int(match[1]) if match[1] else waiting[0]
    if stakes == "-":
        return seat, {}
    if stakes == "=":
        if seat not in last:
            raise Refused(Code.BAD_LINE, "nothing_to_repeat")
        return seat, last[seat]
    ante, *sides = stakes.split()
    cents = parse_cents(ante, "ante")
    placed = {Wager.ANTE: cents, Wager.ODDS: cents}
    for side in sides:
        found = _SIDE.fullmatch(side)
        if found is None:
            raise Refused(Code.BAD_LINE, "side", text=side)
        if found[3]:
            placed[Wager.PROGRESSIVE] = table.rules.progressive_stake
        else:
            placed[_SIDES[found[1]]] = parse_cents(found[2], side)
    return seat, placed


def _say_stakes(table: Table, stakes: Mapping[Wager, Cents]) -> str:
    label = table.rules.book.label
    sides = (
        f", {label(wager)} {show_dollars(cents)}"
        for wager, cents in stakes.items()
        if wager not in (Wager.ANTE, Wager.ODDS)
    )
    main = f"{label(Wager.ANTE)} and {label(Wager.ODDS)} {show_dollars(stakes[Wager.ANTE])}"
    return main + "".join(sides)


# Decisions.


def _raisers(table: Table, round: Round, line: str) -> Line:
    """Who raises; the other guests check, or fold on the river. Players decide on their screens."""
    street = STREET_BY_PHASE[round.phase]
    owing = [seat for seat in round.seats_owing() if table.is_guest(seat)]
    largest = max(round.rules.raises[street])
    if line == "*":
        raising = dict.fromkeys(owing, largest)
    else:
        raising = {} if line == "0" else dict(_read_raisers(line, largest))
    if unknown := [seat for seat in raising if seat not in owing]:
        raise Refused(Code.BAD_LINE, "not_owing", seat=unknown[0], owing=tuple(owing))
    passing = [seat for seat in owing if seat not in raising]
    commands: list[Command] = []
    for seat in owing:
        if seat in raising:
            commands.append(Raise(seat, raising[seat]))
        else:
            commands.append(Fold(seat) if street is Street.RIVER else Check(seat))
    groups = [
        _say_action(
            [seat for seat, m in raising.items() if m == multiple], "raise", f" {multiple}×"
        )
        for multiple in sorted(set(raising.values()), reverse=True)
    ]
    if passing:
        groups.append(_say_action(passing, "fold" if street is Street.RIVER else "check"))
    if others := [seat for seat in round.seats_owing() if seat not in owing]:
        groups.append(f"waiting for {_say_seats(others)}")
    return Line(tuple(commands), "; ".join(groups) + ".")


def _read_raisers(line: str, largest: int) -> Iterator[tuple[int, int]]:
    position = 0
    while position < len(line):
        match = _RAISER.match(line, position)
        if match is None:
            raise Refused(Code.BAD_LINE, "raisers", text=line)
        yield int(match[1]), int(match[2] or largest)
        position = match.end()


def _say_action(seats: Sequence[int], verb: str, more: str = "") -> str:
    return f"{_say_seats(seats)} {verb}{'s' if len(seats) == 1 else ''}{more}"


def _say_seats(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))


# Cards.


def _cards(round: Round, line: str) -> Line:
    """The cards that are due. The hand before them is paid with the same key."""
    seat = hand_to_pay(round)
    pays: tuple[Command, ...] = () if seat is None else (Proceed(),)
    if seat is None:
        due = cards_due(round)
        place = "" if due is None else due.place
    else:
        place = next((seat_place(play.seat) for play in hands_to_settle(round)), "")
    place, typed = _read_place(line, place)
    if not place:
        raise Refused(Code.NOTHING_DUE, phase=round.phase)
    cards = _read_cards(typed, place)
    paid = "" if seat is None else f"Seat {seat} is paid. "
    named = place.replace("_", " ").capitalize()
    return Line((*pays, TurnOver(place, cards)), f"{paid}{named}: {_say_cards(cards)}.")


def _read_place(line: str, due: str) -> tuple[str, str]:
    match = _PLACE.fullmatch(line)
    if match is None:
        return due, line
    name = match[1].replace(" ", "")
    places = {"board": BOARD, "dealer": DEALER, "all6": ALL_6}
    return places.get(name) or seat_place(int(name)), match[2]


def _read_cards(typed: str, where: str) -> Cards:
    try:
        return parse_cards(typed)
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=str(error)) from None


def _say_cards(cards: Cards) -> str:
    return " ".join(map(card_name, cards)) or "no cards"


# Corrections.


def _fix(table: Table, round: Round, line: str) -> Line:
    """`fix 5h=5d`: the 5h was the 5d. `fix 6:9c9s`: these are the cards of seat 6; before the cards
    are out, `fix 6:25 b5` is its bet. `fix 3 rx2`, `fix 3 c`, `fix 3 f`: what seat 3 decided."""
    if match := _FIX_DECISION.fullmatch(line):
        seat, multiple = int(match[1]), 0
        if match[2][0] == "r":
            street = STREET_BY_PHASE.get(round.phase, Street.POCKET)
            multiple = int(match[3] or max(round.rules.raises[street]))
        done = f"raised {multiple}×" if multiple else "did not raise"
        return Line((CorrectDecision(seat, multiple, _WRONG),), f"Correct: seat {seat} {done}.")
    if round.phase in (Phase.BETTING, Phase.NO_MORE_BETS):
        seat, stakes = _bet(table, line.removeprefix("fix").strip(), (), {})
        said = f"Correct seat {seat}: {_say_stakes(table, stakes)}." if stakes else ""
        if not stakes:
            raise Refused(Code.BAD_LINE, "fix", text=line)
        if round.phase is Phase.BETTING:
            return Line((PlaceBets(seat, dict(stakes)),), said)
        return Line((CorrectStakes(seat, dict(stakes), _WRONG),), said)
    if match := _FIX_PLACE.fullmatch(line):
        place, typed = _read_place(match[1], "")
        cards = _read_cards(typed, place)
    elif match := _FIX_CARD.fullmatch(line):
        (wrong,), (right,) = _one_card(match[1]), _one_card(match[2])
        place = next(
            (place for place in dict.fromkeys(round.places) if wrong in round.cards_at(place)), ""
        )
        if not place:
            raise Refused(Code.BAD_LINE, "unknown_card", card=card_name(wrong))
        cards = tuple(right if card == wrong else card for card in round.cards_at(place))
    else:
        raise Refused(Code.BAD_LINE, "fix", text=line)
    named = place.replace("_", " ")
    said = f"Correct {named}: {format_cards(round.cards_at(place))} is {format_cards(cards)}."
    return Line((CorrectCards(place, cards, _WRONG),), said)


def _one_card(text: str) -> Cards:
    cards = _read_cards(text, "fix")
    if len(cards) != 1:
        raise Refused(Code.BAD_LINE, "fix", text=text)
    return cards
