"""What a rule book says, as values: cells, paytables, options, procedures."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from headsup.game.rulebook.irregularity import Cause, VoidScope
from headsup.game.rulebook.outcomes import Outcome, hand_outcome
from headsup.game.rulebook.wagers import Wager, felt_name
from headsup.game.values.hands import Category
from headsup.game.values.str_enum import TextEnum

# What each paytable key may list. A row is an outcome of the cards, never an event.
_HANDS = tuple(hand_outcome(category) for category in reversed(Category))
OUTCOMES: Mapping[str, tuple[Outcome, ...]] = {
    "odds": (*_HANDS, Outcome.OTHER),
    "bad_beat": (*_HANDS, Outcome.OTHER),
    "trips_plus": _HANDS,
    "pocket_bonus": (
        Outcome.PAIR_OF_ACES,
        Outcome.SUITED_ACE_FACE,
        Outcome.UNSUITED_ACE_FACE,
        Outcome.PAIR,
    ),
    "all_6": (
        Outcome.SIX_CARD_ROYAL_DIAMONDS,
        Outcome.SIX_CARD_ROYAL,
        Outcome.FIVE_CARD_ROYAL,
        *_HANDS[1:],
    ),
    "progressive": (
        Outcome.FLOPPED_ROYAL_FLUSH_IN_SPADES,
        Outcome.FLOPPED_ROYAL_FLUSH,
        Outcome.FLOPPED_STRAIGHT_FLUSH,
        Outcome.ROYAL_FLUSH,
        Outcome.COMMUNITY_ROYAL_FLUSH,
        *_HANDS[1:],
    ),
}
PAYTABLE_KEYS = tuple(OUTCOMES)

# Every reason a wager settles as it does; each rule book cites a clause for each.
SETTLEMENT_CLAUSES = (
    "fold",
    "forfeit",
    "not_qualified",
    "ante_win",
    "ante_lose",
    "ante_tie",
    "raise_win",
    "raise_lose",
    "tie",
    "odds_win",
    "odds_push",
    "odds_lose",
    "bad_beat",
    "trips_plus",
    "pocket_bonus",
    "all_6",
    "progressive",
)


# The label of a Progressive whose prize is the house's (R82).
BONUS_JACKPOT = "bonus_jackpot"


class Basis(TextEnum):
    """`to`: the stake comes back with the winnings. `for`: the prize replaces the stake."""

    TO = "to"
    FOR = "for"


class Dealing(TextEnum):
    """How cards come to the layout; `dealing` has the order of each."""

    HAND = "hand"  # one at a time, the board when it is needed (New York (d)(1))
    SHOE = "shoe"  # New York's automated shoe: five cards to the board, then pairs ((d)(2))
    MACHINE = "machine"  # pairs to each hand, then the board face down (Galaxy 4 and 6)


class PayKind(TextEnum):
    PAYS = "pays"  # a multiple of the stake
    POOL = "pool"  # a share of the progressive pool
    PUSH = "push"
    LOSS = "loss"
    BONUS = "bonus"  # left to the operator; a table opens only when it is filled


@dataclass(frozen=True, slots=True)
class Pay:
    """One cell of a paytable: what it means and how the document prints it."""

    kind: PayKind
    amount: Fraction
    printed: str

    @property
    def short(self) -> str:
        """For tables on a screen: `1.5`, `500`, `2:3`, `10%`, `push`; never rounded."""
        if self.kind is PayKind.PAYS:
            return _exact(self.amount)
        if self.kind is PayKind.POOL:
            return f"{_exact(self.amount * 100)}%"
        return self.kind.value


@lru_cache(maxsize=1024)
def _exact(amount: Fraction) -> str:
    """As a decimal or, where no decimal says it, as a ratio."""
    decimal = Decimal(amount.numerator) / amount.denominator
    if Fraction(decimal) != amount:
        return f"{amount.numerator:,}:{amount.denominator:,}"
    return f"{decimal:,f}"


LOSS = Pay(PayKind.LOSS, Fraction(0), "")
PUSH = Pay(PayKind.PUSH, Fraction(0), "")
BONUS = Pay(PayKind.BONUS, Fraction(0), "Bonus")


@dataclass(frozen=True, slots=True)
class Row:
    outcome: Outcome
    label: str
    pay: Pay


@dataclass(frozen=True, slots=True)
class Paytable:
    """One column of pays. Known by rule book + key + id: a bare number is ambiguous (R51)."""

    key: str
    id: str
    basis: Basis
    clause: str
    rows: tuple[Row, ...]
    custom: bool = False
    title: str = ""
    basis_clause: str = ""  # what says that it pays to 1 or for 1
    pays: Mapping[str, Pay] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pays", {row.outcome: row.pay for row in self.rows})

    def is_bonus(self, outcome: str) -> bool:
        return outcome in self.pays and self.pays[outcome].kind is PayKind.BONUS

    def filled(self, cells: Mapping[str, Pay]) -> "Paytable":
        """With its Bonus cells as the operator fills them."""
        rows = (
            replace(row, pay=cells.get(row.outcome, self._left_blank(row)))
            if self.is_bonus(row.outcome)
            else row
            for row in self.rows
        )
        return replace(self, rows=tuple(rows))

    def _left_blank(self, row: Row) -> Pay:
        """R38: a blank "All Other" pushes on a win and loses on a Bad Beat."""
        if row.outcome is Outcome.OTHER:
            return PUSH if self.key == "odds" else LOSS
        return LOSS if self.unreachable(row.outcome) else row.pay

    def unfilled(self) -> tuple[str, ...]:
        """Bonus cells the operator still has to fill."""
        return tuple(
            row.outcome
            for row in self.rows
            if row.pay.kind is PayKind.BONUS and not self.unreachable(row.outcome)
        )

    def unreachable(self, outcome: str) -> bool:
        """A royal flush cannot lose, so its Bad Beat cell is never paid nor shown (R39)."""
        return self.key == "bad_beat" and outcome == Outcome.ROYAL_FLUSH


@dataclass(frozen=True, slots=True)
class TableOption:
    """One option of a table: the document's own value, and what else it leaves open."""

    value: object
    clause: str
    open: bool = False
    may_be: tuple[object, ...] = ()

    def allows(self, value: object) -> bool:
        return self.open or value == self.value or value in self.may_be


@dataclass(frozen=True, slots=True)
class Condition:
    """A paytable that goes only with, or only without, a dealer qualifier (WA notes 7–9)."""

    key: str
    id: str
    qualifier: bool
    clause: str


@dataclass(frozen=True, slots=True)
class Limit:
    """Bounds of one wager in cents; `step` 0 means any whole cent."""

    min: int = 0
    max: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class Cap:
    """The most that is paid in one round: per player, or over the table (R100–R102)."""

    amount: int
    scope: str = "player"
    wagers: tuple[Wager, ...] = (Wager.ANTE, Wager.ODDS, Wager.RAISE)
    # Prizes below this many to 1 are never cut (WAC 230-15-490); 0 = every prize counts.
    spares_below: int = 0


@dataclass(frozen=True, slots=True)
class CapLimits:
    """What a posted cap must leave alone (WAC 230-15-490): prizes below `pays` to 1, the largest
    wager at up to `pays` to 1, and prizes of other kinds. 0 = the document has no such limits."""

    pays: int = 0
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """Words a regulator requires, quoted as printed."""

    text: str
    when: str
    clause: str


@dataclass(frozen=True, slots=True)
class IrregularityRule:
    """What an irregularity does: whose hands are void, and which wagers settle all the same."""

    cause: Cause
    voids: VoidScope
    settles: tuple[Wager, ...]
    clause: str
    correctable: bool = False
    house_rule: bool = False


class InscriptionKind(TextEnum):
    """What stands on the layout besides words."""

    WORDS = "words"  # the words themselves
    AREA = "area"  # a betting area and where it lies
    PAYS = "pays"  # the paytables in use
    RAISES = "raises"  # the permitted raises


@dataclass(frozen=True, slots=True)
class Inscription:
    """Something that the layout tells players."""

    text: str
    clause: str
    shows: InscriptionKind = InscriptionKind.WORDS


@dataclass(frozen=True, slots=True, eq=False)
class RuleBook:
    """One document, or an operator's own book that extends one. Read once, known by identity."""

    id: str
    title: str
    document: str
    cites: str
    version: str
    effective_from: str
    sha256: str
    kind: str  # "document", "house" or "study"
    labels: Mapping[str, str]
    offers: Mapping[Wager, str]  # optional wagers and the clause that offers each
    options: Mapping[str, TableOption]
    choices: Mapping[str, str]  # paytable key → default id
    paytables: Mapping[str, Mapping[str, Paytable]]
    closed: Mapping[str, bool]
    optional_tables: tuple[str, ...]  # paytables a table may do without
    needs_limit: tuple[tuple[str, str], ...]  # (key, id) that open only with a maximum or a cap
    conditions: tuple[Condition, ...]
    cap_limits: CapLimits
    bonus: Mapping[str, Mapping[str, Pay]]  # the operator's fillings of Bonus cells
    limits: Mapping[Wager, Limit]
    clauses: Mapping[str, str]
    max_options: int  # wagering options a player may use, 0 = no such rule
    max_options_clause: str
    seats: int
    seats_clause: str
    fixed_seats: bool  # the document says how many, so that a house may not
    linkable_meter: bool
    any_seed: bool  # a meter may begin at nothing
    meter_clause: str
    layout: tuple[Inscription, ...]
    layout_tables: tuple[Paytable, ...]
    notices: tuple[Notice, ...]
    irregularities: Mapping[Cause, IrregularityRule]
    settlement_order: str
    settlement_clause: str
    file: str  # an operator's book: the file to name when something is wrong

    @property
    def shipped(self) -> bool:
        return self.kind == "document"

    def tables_of(self, key: str) -> Mapping[str, Paytable]:
        """Every printed table of this key by its id; what the layout prints is `layout`."""
        on_layout = {table.id: table for table in self.layout_tables if table.key == key}
        return {**self.paytables.get(key, {}), **on_layout}

    def label(self, wager: Wager) -> str:
        return self.called(wager.value)

    def called(self, key: str) -> str:
        """A wager or a paytable by its key, as the felt has it."""
        return self.labels.get(key, felt_name(key))
