"""Finished rounds settled: what every wager does, and by which clause."""

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
    """One wager; amounts are dollars. `net` is what it changes in the player's money."""

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
    seat: int
    hand: BestHand | None  # None where a void round never came to all its cards
    wagers: Mapping[str, WagerResult]

    @property
    def net(self) -> Decimal:
        return sum((wager.net for wager in self.wagers.values()), Decimal("0.00"))

    def __repr__(self) -> str:
        made = self.hand.name if self.hand else "void"
        return f"<seat {self.seat} {self.net:+}: {made}>"


@dataclass(frozen=True)
class SettlementResult:
    """A settled round. `seats` by number."""

    rules: TableRules
    dealer: BestHand | None
    dealer_qualifies: bool
    seats: Mapping[int, SeatResult]
    meter: Decimal | None  # after the round
    _written: Mapping[str, Any] = field(compare=False)

    @property
    def net(self) -> Decimal:
        """Of all seats together."""
        return sum((seat.net for seat in self.seats.values()), Decimal("0.00"))

    def to_json(self) -> dict[str, Any]:
        """As `headsup settle --json` answers."""
        return dict(self._written)

    def __repr__(self) -> str:
        seats = ", ".join(f"seat {seat.seat} {_signed(seat.net)}" for seat in self.seats.values())
        made = self.dealer.name if self.dealer else "void"
        return f"<{self.rules.id} round: dealer {made}; {seats}>"


def settle(round: Mapping[str, Any] | str | None = None, /, **parts: Any) -> SettlementResult:
    """Settle a finished round, as `headsup settle` reads it: a mapping, JSON text, or keywords.

    `settle(dealer="AcQd", board="Kd9c5h5s2d", seats=[{"hole": "KsKh", "ante": 10, "odds": 10,
    "raise": {"street": "pocket", "multiple": 3}}])`
    """
    told = parse_json(round) if isinstance(round, str) else {} if round is None else round
    finished = _read({**told, **parts} if isinstance(told, Mapping) else told)
    settled = settle_round(finished.rules, finished.deal, finished.plays, finished.meter)
    return _make_result(finished, settled)


def _read(told: Any) -> FinishedRound:
    """Rules that were chosen before stand in a round as they are."""
    chosen = told.get("rules") if isinstance(told, dict) else None
    if not isinstance(chosen, TableRules):
        return read_round(told)
    others = {key: value for key, value in told.items() if key != "rules"}
    if again := others.keys() & {"paytables", "options"}:
        raise TypeError(
            f"the rules are chosen already; {' and '.join(sorted(again))} come too late"
        )
    return read_round(others, lambda *_: chosen, chosen.id)


def _make_result(round: FinishedRound, settlement: Settlement) -> SettlementResult:
    deal = round.deal
    plays = {play.seat: play for play in round.plays}
    seats = {
        seat.seat: _seat(plays[seat.seat], seat, deal.board)
        for seat in sorted(settlement.seats, key=lambda seat: seat.seat)
    }
    after = settlement.meter_after
    return SettlementResult(
        rules=round.rules,
        dealer=hand(deal.dealer, deal.board) if deal.board else None,
        dealer_qualifies=settlement.dealer_qualifies,
        seats=seats,
        meter=None if after is None else Decimal(after) / (100 * MICROS_PER_CENT),
        _written=write_settlement(round, settlement),
    )


def _seat(play: SeatPlay, seat: SeatSettlement, board: tuple[int, ...]) -> SeatResult:
    made = hand(play.hole, board) if play.hole and board else None
    return SeatResult(seat.seat, made, {line.wager.value: _wager(line) for line in seat.lines})


def _wager(line: Line) -> WagerResult:
    stake, net = (Decimal(cents).scaleb(-2) for cents in (line.stake, line.net))
    return WagerResult(line.wager.value, stake, line.result.value, net, line.why, line.clause)


def _signed(net: Decimal) -> str:
    return ("+" if net > 0 else "") + show_dollars(int(net * 100))
