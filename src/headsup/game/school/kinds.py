"""The kinds of exercise of the dealer school: how often each is drawn, and in which lesson."""

from collections.abc import Iterator
from dataclasses import dataclass

from headsup.game.bank.awards import WHOLE_POOL
from headsup.game.refusal import Refusal
from headsup.game.round.stakes import accept_stakes
from headsup.game.rulebook.model import Cause, Limit, Pay, PayKind
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, SideWager, Wager
from headsup.game.table.shuffle import Bits, draw_below
from headsup.game.values.money import Cents
from headsup.game.values.str_enum import TextEnum


class ExerciseKind(TextEnum):
    """What an exercise is about. Those about an irregularity have the name of its cause."""

    HANDS = "hands"
    QUALIFIED = "qualified"
    NO_QUALIFIER = "no_qualifier"
    BELOW_QUALIFIER = "below_qualifier"
    COPY = "copy"
    ODDS = "odds"
    BAD_BEAT = "bad_beat"
    BREAKAGE = "breakage"
    CAP = "cap"
    POCKET_BONUS = "pocket_bonus"
    TRIPS_PLUS = "trips_plus"
    ALL_6 = "all_6"
    FOLDED = "folded"
    ORDER = "order"
    PROGRESSIVE = "progressive"
    POOL_SHARE = "pool_share"
    WHOLE_POOL = "whole_pool"
    COMMUNITY_ROYAL = "community_royal"
    POOL_SPLIT = "pool_split"
    DEALER_CARD_EXPOSED = "dealer_card_exposed"
    CARD_FOUND_FACE_UP = "card_found_face_up"
    PLAYER_CARD_COUNT = "player_card_count"
    DEALER_CARD_COUNT = "dealer_card_count"
    PLAYER_CARD_EXPOSED = "player_card_exposed"
    EARLY_BOARD_CARD = "early_board_card"
    BOARD_CARD_COUNT = "board_card_count"
    FOUL_DECK = "foul_deck"
    MISSED_RAISE = "missed_raise"
    FOLDED_CARD_EXPOSED = "folded_card_exposed"

    @property
    def cause(self) -> Cause | None:
        """The irregularity that the exercise is about, if it is about one."""
        return Cause(self.value) if self.value in tuple(Cause) else None

    @property
    def words(self) -> str:
        return _WORDS.get(self, self.value.replace("_", " "))

    @property
    def is_rare(self) -> bool:
        """Whether dealers see it seldom, so that the school brings it often."""
        return self not in _COMMON


_WORDS = {
    ExerciseKind.HANDS: "naming the hands",
    ExerciseKind.QUALIFIED: "the dealer qualifies",
    ExerciseKind.NO_QUALIFIER: "no pair is needed to qualify",
    ExerciseKind.BELOW_QUALIFIER: "the dealer does not qualify",
    ExerciseKind.COPY: "a copy",
    ExerciseKind.ODDS: "Odds",
    ExerciseKind.BAD_BEAT: "Bad Beat",
    ExerciseKind.BREAKAGE: "a pay that is no whole chip",
    ExerciseKind.CAP: "the payout cap",
    ExerciseKind.FOLDED: "side wagers of a folded hand",
    ExerciseKind.ORDER: "the order of settlement",
    ExerciseKind.PROGRESSIVE: "a fixed prize of the Progressive",
    ExerciseKind.POOL_SHARE: "a share of the pool",
    ExerciseKind.WHOLE_POOL: "the whole pool",
    ExerciseKind.COMMUNITY_ROYAL: "a royal flush on the board",
    ExerciseKind.POOL_SPLIT: "two winners of the whole pool",
    ExerciseKind.POCKET_BONUS: "Pocket Bonus",
    ExerciseKind.TRIPS_PLUS: "Trips Plus",
    ExerciseKind.ALL_6: "All 6",
}
_COMMON = frozenset(
    {
        ExerciseKind.HANDS,
        ExerciseKind.QUALIFIED,
        ExerciseKind.NO_QUALIFIER,
        ExerciseKind.BELOW_QUALIFIER,
        ExerciseKind.ORDER,
        ExerciseKind.TRIPS_PLUS,
        ExerciseKind.POCKET_BONUS,
    }
)
# How often a kind is drawn; the others have weight 1.
_WEIGHTS = {
    ExerciseKind.QUALIFIED: 4,
    ExerciseKind.BELOW_QUALIFIER: 4,
    ExerciseKind.BAD_BEAT: 3,
    ExerciseKind.ODDS: 2,
    ExerciseKind.ORDER: 3,
    ExerciseKind.FOLDED: 3,
    ExerciseKind.COPY: 2,
}


@dataclass(frozen=True, slots=True)
class Lesson:
    number: int
    title: str
    kinds: tuple[ExerciseKind, ...]


_IRREGULARITIES = tuple(kind for kind in ExerciseKind if kind.cause is not None)
LESSONS = (
    Lesson(1, "Reading hands", (ExerciseKind.HANDS,)),
    Lesson(
        2,
        "Ante, Odds and Raise",
        (ExerciseKind.QUALIFIED, ExerciseKind.NO_QUALIFIER),
    ),
    Lesson(
        3,
        "Dealer below a pair, and copies",
        (ExerciseKind.BELOW_QUALIFIER, ExerciseKind.NO_QUALIFIER, ExerciseKind.COPY),
    ),
    Lesson(
        4,
        "Odds and Bad Beat",
        (ExerciseKind.ODDS, ExerciseKind.BAD_BEAT, ExerciseKind.BREAKAGE, ExerciseKind.CAP),
    ),
    Lesson(
        5,
        "Side wagers, folded hands and the order",
        (
            ExerciseKind.TRIPS_PLUS,
            ExerciseKind.POCKET_BONUS,
            ExerciseKind.ALL_6,
            ExerciseKind.FOLDED,
            ExerciseKind.ORDER,
        ),
    ),
    Lesson(
        6,
        "Progressive and pool",
        (
            ExerciseKind.PROGRESSIVE,
            ExerciseKind.POOL_SHARE,
            ExerciseKind.WHOLE_POOL,
            ExerciseKind.COMMUNITY_ROYAL,
            ExerciseKind.POOL_SPLIT,
        ),
    ),
    Lesson(7, "Irregularities", _IRREGULARITIES),
    Lesson(8, "Everything, mixed", tuple(ExerciseKind)),
)


def kinds_at(rules: TableRules, lesson: Lesson = LESSONS[-1]) -> tuple[ExerciseKind, ...]:
    """The lesson's kinds that can come up under these rules."""
    return tuple(kind for kind in lesson.kinds if _is_possible(rules, kind))


def draw_kind(
    rules: TableRules, number: int, bits: Bits, lesson: Lesson = LESSONS[-1]
) -> ExerciseKind | None:
    """The kind of the exercise with this number, from 1: at least every third is a rare one.

    None if these rules have nothing for the lesson.
    """
    possible = kinds_at(rules, lesson)
    rare = [kind for kind in possible if kind.is_rare]
    drawn_from = rare if rare and number % 3 == 0 else possible
    if not drawn_from:
        return None
    tickets = [kind for kind in drawn_from for _ in range(_WEIGHTS.get(kind, 1))]
    return tickets[draw_below(len(tickets), bits)]


def paying_rows(rules: TableRules, key: str) -> dict[Outcome, Pay]:
    """The rows of a paytable that win something and can be reached, except shares of the pool."""
    table = rules.paytables.get(key)
    if table is None:
        return {}
    return {
        row.outcome: row.pay
        for row in table.rows
        if row.pay.kind is PayKind.PAYS and row.pay.amount > 0
        if row.outcome is not Outcome.OTHER and not table.is_unreachable(row.outcome)
    }


def pool_rows(rules: TableRules) -> dict[Outcome, Pay]:
    """The rows of the Progressive that pay a share of the pool."""
    if not rules.offers(Wager.PROGRESSIVE):
        return {}
    rows = rules.paytables[Wager.PROGRESSIVE].rows
    return {row.outcome: row.pay for row in rows if row.pay.kind is PayKind.POOL}


def share_rows(rules: TableRules) -> tuple[Outcome, ...]:
    """The rows that pay a part of the pool to a single hand."""
    return tuple(
        outcome
        for outcome, pay in pool_rows(rules).items()
        if pay.amount < WHOLE_POOL and outcome is not Outcome.COMMUNITY_ROYAL_FLUSH
    )


def fractional_rows(rules: TableRules) -> tuple[Outcome, ...]:
    """The rows of the Odds that may not come out in whole chips, such as 3 to 2."""
    rows = paying_rows(rules, "odds").items()
    return tuple(outcome for outcome, pay in rows if pay.amount.denominator > 1)


def uneven_antes(rules: TableRules) -> tuple[Cents, ...]:
    """Antes that this table takes and whose Odds do not come out in whole chips."""
    pays = [paying_rows(rules, "odds")[row].amount for row in fractional_rows(rules)]
    limit = rules.limits.get(Wager.ANTE, Limit())
    step = limit.step or rules.chip_unit
    lowest = max(limit.min, rules.chip_unit)
    first = 500 if lowest <= 500 <= (limit.max or 500) else lowest
    antes = (
        -(-start // step) * step + place * step for start in (lowest, first) for place in range(40)
    )
    return tuple(
        ante
        for ante in antes
        if all(ante * pay % rules.chip_unit for pay in pays) and _takes_ante(rules, ante)
    )


def _takes_ante(rules: TableRules, ante: Cents) -> bool:
    stakes = {Wager.ANTE: ante, Wager.ODDS: ante}
    return not isinstance(accept_stakes(rules, stakes), Refusal)


def offered_sides(rules: TableRules) -> Iterator[SideWager]:
    for wager in SIDE_WAGERS:
        if rules.max_side_wagers and rules.offers(wager):
            yield wager


def _is_possible(rules: TableRules, kind: ExerciseKind) -> bool:
    if kind.cause is not None:
        return kind.cause in rules.book.irregularities
    offered = tuple(offered_sides(rules))
    shares = pool_rows(rules)
    possible = {
        ExerciseKind.NO_QUALIFIER: not rules.qualifier_strength,
        ExerciseKind.QUALIFIED: rules.qualifier_strength > 0,
        ExerciseKind.BELOW_QUALIFIER: rules.qualifier_strength > 0,
        ExerciseKind.BAD_BEAT: bool(paying_rows(rules, "bad_beat")),
        ExerciseKind.BREAKAGE: bool(fractional_rows(rules)) and bool(uneven_antes(rules)),
        ExerciseKind.CAP: ante_above_cap(rules) > 0,
        ExerciseKind.POCKET_BONUS: Wager.POCKET_BONUS in offered,
        ExerciseKind.TRIPS_PLUS: Wager.TRIPS_PLUS in offered,
        ExerciseKind.ALL_6: Wager.ALL_6 in offered,
        ExerciseKind.FOLDED: bool(offered),
        ExerciseKind.PROGRESSIVE: Wager.PROGRESSIVE in offered
        and bool(paying_rows(rules, Wager.PROGRESSIVE)),
        ExerciseKind.POOL_SHARE: Wager.PROGRESSIVE in offered and bool(share_rows(rules)),
        ExerciseKind.WHOLE_POOL: any(pay.amount == WHOLE_POOL for pay in shares.values()),
        ExerciseKind.COMMUNITY_ROYAL: Outcome.COMMUNITY_ROYAL_FLUSH in shares,
        ExerciseKind.POOL_SPLIT: Outcome.FLOPPED_STRAIGHT_FLUSH in shares
        and shares[Outcome.FLOPPED_STRAIGHT_FLUSH].amount == WHOLE_POOL,
    }
    return possible.get(kind, True)


def ante_above_cap(rules: TableRules) -> int:
    """An Ante, in cents, with which a royal flush wins more than the cap; 0 if none is allowed."""
    cap = rules.cap
    if cap is None or Wager.ODDS not in cap.wagers:
        return 0
    pay = rules.paytables["odds"].highest_pay
    limit = rules.limits.get(Wager.ANTE, Limit())
    step = max(rules.chip_unit, limit.step, 500)
    ante = (int(cap.amount / (pay + 2)) // step + 1) * step
    return ante if _takes_ante(rules, ante) else 0
