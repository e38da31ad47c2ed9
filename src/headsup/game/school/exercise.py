"""Exercises: rules, kind and seed rebuild a round as it lies, and the items to answer.

The round is played by the game itself up to the moment of the exercise. The right answers are the
lines of its settlement, or the preview of the irregularity; this module only asks for them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from headsup.game.refusal import Code, Refusal, Refused
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    RoundCommand,
)
from headsup.game.round.dealing import ALL_6, BOARD, DEALER, build_deck, deal_order, seat_place
from headsup.game.round.decide import decide
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round
from headsup.game.rulebook.model import Limit
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Result, Street, Wager
from headsup.game.school.kinds import ExerciseKind, kinds_at
from headsup.game.school.layouts import Layout, PlayerLayout, draw_layout, draw_one, shuffle_cards
from headsup.game.settlement import Line, Settlement
from headsup.game.table.shuffle import Bits, bits_from_blocks, draw_below
from headsup.game.values.cards import DECK
from headsup.game.values.hands import category_of
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros, format_cents
from headsup.game.values.str_enum import TextEnum
from headsup.game.views.irregularity_preview import (
    IrregularityPreview,
    preview_irregularities,
)

MAX_ATTEMPTS = 2_000  # at a layout; a kind needs a few dozen at most


class ItemKind(TextEnum):
    """What one item asks for."""

    ORDER = "order"  # the seats in the order of settlement
    HAND = "hand"  # what a hand makes
    QUALIFIES = "qualifies"  # whether the dealer's hand qualifies
    PAYOUT = "payout"  # pay, push, take or return, with the amount
    FATE = "fate"  # what an irregularity does with a stake: return, settle or stay
    METER = "meter"  # how many contributions an irregularity takes back off the meter


@dataclass(frozen=True, slots=True)
class Item:
    """One question, its right answer, and the clause and reason behind it."""

    kind: ItemKind
    seat: int | None  # None for the dealer and the whole round
    wager: Wager | None
    right: str
    clause: str
    why: str
    strength: int = 0  # of the hand asked for

    @property
    def key(self) -> str:
        """Names the item within its exercise, such as `3 ante` or `dealer hand`."""
        place = "dealer" if self.kind in (ItemKind.HAND, ItemKind.QUALIFIES) else "round"
        return f"{self.seat or place} {self.wager or self.kind}"


@dataclass(frozen=True, slots=True)
class Exercise:
    rules: TableRules
    kind: ExerciseKind
    seed: str
    round: Round  # as it lies: before settlement, or where the irregularity happens
    meter: Micros | None
    settlement: Settlement | None
    preview: IrregularityPreview | None
    items: tuple[Item, ...]

    @property
    def target_seconds(self) -> int:
        """A round of six seats takes a good dealer 100 seconds."""
        return 100 * max(len(self.round.seats), 1) // 6


def build_exercise(rules: TableRules, kind: ExerciseKind, seed: str) -> Exercise:
    """The exercise that follows from these three, on every machine."""
    if kind not in kinds_at(rules):
        raise Refused(Code.BAD_ARGUMENTS, "no_exercise", kind=kind, rules=rules.id)
    bits = seeded_bits(rules, kind, seed)
    for _ in range(MAX_ATTEMPTS):
        layout = draw_layout(rules, kind, bits)
        if layout is not None:
            exercise = _play(rules, kind, seed, layout, bits)
            if exercise is not None:
                return exercise
    raise Refused(Code.BAD_ARGUMENTS, "no_exercise", kind=kind, rules=rules.id)


def seeded_bits(rules: TableRules, kind: str, seed: str) -> Bits:
    """Bits that depend on the rules in force, the kind and the seed alone."""

    def block(counter: int) -> bytes:
        text = f"headsup school\n{rules.fingerprint}\n{kind}\n{seed}\n{counter}"
        return sha256(text.encode()).digest()

    return bits_from_blocks(block)


# Playing the round.


def _play(
    rules: TableRules, kind: ExerciseKind, seed: str, layout: Layout, bits: Bits
) -> Exercise | None:
    numbers = sorted(shuffle_cards(range(1, rules.book.seats + 1), bits)[: len(layout.players)])
    placed = dict(zip(shuffle_cards(numbers, bits), layout.players, strict=True))
    main = next(number for number, player in placed.items() if player is layout.players[0])
    start = Round(rules, number=1)
    states = [start]
    for number in numbers:
        ante = layout.ante if number == main else 0
        stakes = _draw_stakes(rules, ante, bits)
        for wager in placed[number].sides:
            stakes[wager] = _draw_side_stake(rules, wager, bits)
        states.append(_step(states[-1], PlaceBets(number, stakes)))
    states.append(_step(states[-1], CloseBets()))
    states.append(_step(states[-1], DealCards(_deck(states[-1], layout, placed, bits))))
    raises = {
        number: draw_one(_raises(rules), bits)
        for number, player in placed.items()
        if not player.folds
    }
    while states[-1].phase is not Phase.SETTLEMENT_DUE:
        states.append(_step(states[-1], _next_command(states[-1], raises)))
    if kind.cause is not None:
        return _irregularity(rules, kind, seed, states, bits)
    meter = _draw_meter(bits) if rules.offers(Wager.PROGRESSIVE) else None
    settled = _step(states[-1], Proceed(), meter).settlement
    if settled is None or not _is_case(kind, settled):
        return None
    items = tuple(_settlement_items(states[-1], kind, settled))
    return Exercise(rules, kind, seed, states[-1], meter, settled, None, items)


def _step(state: Round, command: RoundCommand, meter: Micros | None = None) -> Round:
    answer = decide(state, command, meter)
    if isinstance(answer, Refusal):
        raise Refused.of(answer)  # the table's limits allow no stake of the exercise
    for event in answer:
        state = event.apply_to(state)
    return state


def _raises(rules: TableRules) -> list[tuple[Street, int]]:
    return [(street, multiple) for street in Street for multiple in rules.raises[street]]


def _next_command(state: Round, raises: dict[int, tuple[Street, int]]) -> RoundCommand:
    owing, street = state.seats_owing(), STREET_BY_PHASE.get(state.phase)
    if not owing or street is None:
        return Proceed()
    seat = owing[0]
    if seat in raises and raises[seat][0] is street:
        return Raise(seat, raises[seat][1])
    return Fold(seat) if street is Street.RIVER else Check(seat)


def _deck(
    state: Round, layout: Layout, placed: Mapping[int, PlayerLayout], bits: Bits
) -> tuple[int, ...]:
    rules = state.rules
    order = deal_order(rules.dealing, state.dealt_seats(), rules.offers(Wager.ALL_6))
    places = {seat_place(number): player.hole for number, player in placed.items()}
    cards = {**places, DEALER: layout.dealer, BOARD: layout.board}
    if rules.offers(Wager.ALL_6):
        used = {card for held in cards.values() for card in held}
        rest = shuffle_cards([card for card in DECK if card not in used], bits)
        cards[ALL_6] = layout.all_6 or tuple(rest[:4])
    return build_deck(order, {place: list(held) for place, held in cards.items()})


# Stakes that are usual at a table.
_ANTES = (500, 1000, 1500, 2000, 2500, 5000)
_SIDES = (500, 1000, 1500)


def _draw_stakes(rules: TableRules, ante: Cents, bits: Bits) -> dict[Wager, Cents]:
    """Ante and Odds; an Ante of 0 leaves the amount open."""
    limit = rules.limits.get(Wager.ANTE, Limit())
    ante = ante or _within(limit, draw_one(_ANTES, bits), rules)
    return {Wager.ANTE: ante, Wager.ODDS: ante}


def _draw_side_stake(rules: TableRules, wager: Wager, bits: Bits) -> Cents:
    drawn = draw_one(_SIDES, bits)
    if wager is Wager.PROGRESSIVE:
        return rules.progressive_stake
    return _within(rules.limits.get(wager, Limit()), drawn, rules)


def _within(limit: Limit, cents: Cents, rules: TableRules) -> Cents:
    """The stake moved into the limits of the wager, in whole chips and steps."""
    step = max(limit.step, rules.chip_unit)
    cents = max(-(-cents // step) * step, limit.min)
    single = rules.single_wager_max // max(multiple for _, multiple in _raises(rules))
    highest = min((most for most in (limit.max, single) if most), default=cents)
    return min(cents, highest // step * step)


def _draw_meter(bits: Bits) -> Micros:
    """A pool of 5,000 to 65,000 dollars, with a fraction of a cent."""
    cents = 500_000 + draw_below(6_000_000, bits)
    return cents * MICROS_PER_CENT + draw_below(MICROS_PER_CENT, bits)


def _is_case(kind: ExerciseKind, settled: Settlement) -> bool:
    """Conditions on money, which show only at settlement."""
    lines = [line for seat in settled.seats for line in seat.lines]
    if kind is ExerciseKind.BREAKAGE:
        return any(line.breakage for line in lines)
    if kind is ExerciseKind.CAP:
        return any(line.shortfall for line in lines)
    return True


# Items.


def _settlement_items(state: Round, kind: ExerciseKind, settled: Settlement) -> Iterator[Item]:
    book = state.rules.book
    clause, why = book.settlement_clause, "the order of settlement"
    hands_only = kind is ExerciseKind.HANDS
    if not hands_only and len(settled.seats) > 1:
        order = " ".join(str(seat.seat) for seat in settled.seats)
        yield Item(ItemKind.ORDER, None, None, order, clause, why)
    yield _hand_item(None, settled.dealer_strength)
    if settled.dealer_qualifies is not None and not hands_only:
        words = "yes" if settled.dealer_qualifies else "no"
        qualifier = f"the dealer needs {state.rules.qualifier.replace('_', ' ')} or better"
        yield Item(ItemKind.QUALIFIES, None, None, words, book.clauses["not_qualified"], qualifier)
    for seat in settled.seats:
        if not any(line.wager is Wager.RAISE for line in seat.lines) and not hands_only:
            yield from (_payout_item(seat.seat, line) for line in seat.lines)
            continue
        yield _hand_item(seat.seat, seat.strength)
        if not hands_only:
            yield from (_payout_item(seat.seat, line) for line in seat.lines)


def _hand_item(seat: int | None, strength: int) -> Item:
    right = category_of(strength).words
    return Item(ItemKind.HAND, seat, None, right, "R46", "the best five of seven cards", strength)


def _payout_item(seat: int, line: Line) -> Item:
    return Item(ItemKind.PAYOUT, seat, line.wager, payout_of(line), line.clause, line.why)


def payout_of(line: Line) -> str:
    """What the dealer does with a wager: `pay 75.00`, `push`, `take 10.00`, `return 10.00`."""
    match line.result:
        case Result.PUSH:
            return "push"
        case Result.VOID:
            return f"return {format_cents(line.stake)}"
        case Result.LOSE:
            return f"take {format_cents(line.stake)}"
        case Result.WIN:
            # A prize that is paid "for 1" includes the stake, which the house has collected.
            return f"pay {format_cents(line.net + (line.stake if line.kept else 0))}"


# Irregularities.


def _irregularity(
    rules: TableRules, kind: ExerciseKind, seed: str, states: list[Round], bits: Bits
) -> Exercise | None:
    """The irregularity at one of the moments at which it may be reported."""
    # A state in the middle of the bets is no moment to stop at.
    started = [state for state in states if state.phase is not Phase.BETTING]
    for state in shuffle_cards(started, bits):
        found = [
            preview for preview in preview_irregularities(state) if preview.cause is kind.cause
        ]
        if found:
            preview = draw_one(found, bits)
            items = tuple(_irregularity_items(state, preview))
            return Exercise(rules, kind, seed, state, None, None, preview, items)
    return None


def _irregularity_items(state: Round, preview: IrregularityPreview) -> Iterator[Item]:
    voided = {stakes.seat: stakes for stakes in preview.stakes}
    why = f"{preview.cause.words}: {preview.resolution.replace('_', ' ')}"
    for play in state.seat_plays({}):
        stakes = dict(play.stakes)
        if play.multiple:
            stakes[Wager.RAISE] = play.multiple * play.stakes[Wager.ANTE]
        for wager, cents in stakes.items():
            right = "stay"
            if play.seat in voided:
                is_settled = wager in voided[play.seat].settled
                right = "settle" if is_settled else f"return {format_cents(cents)}"
            yield Item(ItemKind.FATE, play.seat, wager, right, preview.clause, why)
    if state.rules.offers(Wager.PROGRESSIVE) and not state.rules.bonus_jackpot:
        back = sum(Wager.PROGRESSIVE in stakes.returned for stakes in preview.stakes)
        reason = "a returned Progressive takes its contribution back off the meter"
        yield Item(ItemKind.METER, None, None, str(back), "R94", reason)
