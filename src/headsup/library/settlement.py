"""Settles finished rounds: what every wager wins or loses, and by which clause."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from headsup.game.notation.model import FinishedRound
from headsup.game.notation.reader import read_round
from headsup.game.notation.settlement_json import write_settlement
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.settlement import Line, SeatPlay, SeatSettlement, Settlement
from headsup.game.settlement import settle as settle_round
from headsup.game.values.money import MICROS_PER_CENT, show_dollars
from headsup.game.values.safe_parse import parse_json
from headsup.library.cards import BestHand, hand


@dataclass(frozen=True)
class WagerResult:
    """The result of one wager, in dollars. `net` is what the player wins or loses."""

    wager: str
    stake: Decimal
    result: str  # win, lose, push or void
    net: Decimal
    why: str
    clause: str

    def __repr__(self) -> str:
        return f"<{self.wager} {self.result} {self.net:+}: {self.why} ({self.clause})>"


@dataclass(frozen=True)
class SeatResult:
    """The results of one seat's wagers."""

    seat: int
    hand: BestHand | None  # None if a void round ended before all cards were dealt
    wagers: Mapping[str, WagerResult]

    @property
    def net(self) -> Decimal:
        return sum((wager.net for wager in self.wagers.values()), Decimal("0.00"))

    def __repr__(self) -> str:
        name = self.hand.name if self.hand else "void"
        return f"<seat {self.seat} {self.net:+}: {name}>"


@dataclass(frozen=True)
class SettlementResult:
    """A settled round. `seats` by number."""

    rules: TableRules
    dealer: BestHand | None
    dealer_qualifies: bool | None  # None: no hand is needed to qualify, or no hand was dealt
    seats: Mapping[int, SeatResult]
    meter: Decimal | None  # after the round
    _json: Mapping[str, Any] = field(compare=False)

    @property
    def net(self) -> Decimal:
        """The net result of all seats together."""
        return sum((seat.net for seat in self.seats.values()), Decimal("0.00"))

    def to_json(self) -> dict[str, Any]:
        """The output of `headsup settle --json`."""
        return dict(self._json)

    def __repr__(self) -> str:
        seats = ", ".join(f"seat {seat.seat} {_signed(seat.net)}" for seat in self.seats.values())
        name = self.dealer.name if self.dealer else "void"
        return f"<{self.rules.id} round: dealer {name}; {seats}>"


def settle(round: Mapping[str, Any] | str | None = None, /, **parts: Any) -> SettlementResult:
    """Settle a finished round, given as for `headsup settle`: a mapping, JSON text, or keywords.

    `settle(dealer="AcQd", board="Kd9c5h5s2d", seats=[{"hole": "KsKh", "ante": 10, "odds": 10,
    "raise": {"street": "pocket", "multiple": 3}}])`
    """
    raw = parse_json(round) if isinstance(round, str) else {} if round is None else round
    finished = _read({**raw, **parts} if isinstance(raw, Mapping) else raw)
    settled = settle_round(finished.rules, finished.deal, finished.plays, finished.meter)
    return _make_result(finished, settled)


def _read(raw: Any) -> FinishedRound:
    """Read a round. Its `rules` may be TableRules, which are used as they are."""
    given_rules = raw.get("rules") if isinstance(raw, dict) else None
    if not isinstance(given_rules, TableRules):
        return read_round(raw)
    others = {key: value for key, value in raw.items() if key != "rules"}
    if repeated := others.keys() & {"paytables", "options"}:
        raise TypeError(
            f"rules is a TableRules already: pass no {' or '.join(sorted(repeated))} with it"
        )
    return read_round(others, lambda *_: given_rules, given_rules.id)


def _make_result(round: FinishedRound, settlement: Settlement) -> SettlementResult:
    deal = round.deal
    plays = {play.seat: play for play in round.plays}
    seats = {
        seat.seat: _make_seat(plays[seat.seat], seat, deal.board)
        for seat in sorted(settlement.seats, key=lambda seat: seat.seat)
    }
    after = settlement.meter_after
    return SettlementResult(
        rules=round.rules,
        dealer=hand(deal.dealer, deal.board) if deal.board else None,
        dealer_qualifies=settlement.dealer_qualifies,
        seats=seats,
        meter=None if after is None else Decimal(after) / (100 * MICROS_PER_CENT),
        _json=write_settlement(round, settlement),
    )


def _make_seat(play: SeatPlay, seat: SeatSettlement, board: tuple[int, ...]) -> SeatResult:
    best_hand = hand(play.hole, board) if play.hole and board else None
    return SeatResult(
        seat.seat, best_hand, {line.wager.value: _make_wager(line) for line in seat.lines}
    )


def _make_wager(line: Line) -> WagerResult:
    stake, net = (Decimal(cents).scaleb(-2) for cents in (line.stake, line.net))
    return WagerResult(line.wager.value, stake, line.result.value, net, line.why, line.clause)


def _signed(net: Decimal) -> str:
    return ("+" if net > 0 else "") + show_dollars(int(net * 100))
