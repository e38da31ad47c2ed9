"""The data model of rule books: cells, paytables, options and procedures."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from headsup.game.rulebook.outcomes import Outcome, hand_outcome
from headsup.game.rulebook.wagers import Wager, felt_name
from headsup.game.values.hands import Category
from headsup.game.values.str_enum import TextEnum

# Irregularities (New York (j), R90–R95). `round.irregularities` knows when each can be reported and
# how it may be resolved. The rule books say what a void still settles, and by which clause.


class Cause(TextEnum):
    """What can go wrong at a table."""

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
    def words(self) -> str:
        return self.value.replace("_", " ")


class Resolution(TextEnum):
    """What is done about an irregularity."""

    VOID = "void"
    CORRECT = "correct"  # corrected, as if it had not happened
    PLAY_ON = "play_on"  # it stands and the round continues


class VoidScope(TextEnum):
    """Which hands an irregularity voids."""

    ALL = "all"
    HAND = "hand"  # only the reported seat's
    NONE = "none"


# The outcomes that each kind of paytable may list.
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

# The reasons for which wagers settle as they do. Each rule book cites a clause for each.
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


# The label of a Progressive whose prize belongs to the house (R82).
BONUS_JACKPOT = "bonus_jackpot"


class Basis(TextEnum):
    """`to`: the stake comes back with the winnings. `for`: the prize replaces the stake."""

    TO = "to"
    FOR = "for"


class SettlementOrder(TextEnum):
    """Whose hands are settled first; either way from the dealer's right to the left (R97)."""

    FOLDERS_FIRST = "folders_first"
    # Raisers come first when the dealer does not qualify (New York (e)(8)).
    BY_DEALERS_HAND = "by_dealers_hand"


class Dealing(TextEnum):
    """How cards are dealt; `round.dealing` has the order for each."""

    HAND = "hand"  # one at a time; the board as needed, or at once (New York (d)(1))
    SHOE = "shoe"  # automated shoe: five cards to the board, then pairs (New York (d)(2))
    MACHINE = "machine"  # pairs to each hand, then the board face down (Galaxy 4 and 6)


class PayKind(TextEnum):
    PAYS = "pays"  # a multiple of the stake
    POOL = "pool"  # a share of the progressive pool
    PUSH = "push"
    LOSS = "loss"
    BONUS = "bonus"  # left to the operator, who must fill it before a table opens


@dataclass(frozen=True, slots=True)
class Pay:
    """One cell of a paytable: what it means and how the document prints it."""

    kind: PayKind
    amount: Fraction
    printed: str

    @property
    def short(self) -> str:
        """For tables on a screen: `1.5`, `500`, `2:3`, `10%`, `push`. Never rounded."""
        if self.kind is PayKind.PAYS:
            return _exact_text(self.amount)
        if self.kind is PayKind.POOL:
            return f"{_exact_text(self.amount * 100)}%"
        return self.kind.value


@lru_cache(maxsize=1024)
def _exact_text(amount: Fraction) -> str:
    """As a decimal if that is exact, else as a ratio."""
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
    """One column of pays. Only rule book, key and id together identify it (R51)."""

    key: str
    id: str
    basis: Basis
    clause: str
    rows: tuple[Row, ...]
    custom: bool = False
    title: str = ""
    basis_clause: str = ""  # the clause that says whether it pays to 1 or for 1
    pays: Mapping[str, Pay] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pays", {row.outcome: row.pay for row in self.rows})

    def is_bonus(self, outcome: str) -> bool:
        return outcome in self.pays and self.pays[outcome].kind is PayKind.BONUS

    def with_bonus_cells(self, cells: Mapping[str, Pay]) -> "Paytable":
        """A copy with the operator's pays in its Bonus cells."""
        rows = (
            replace(row, pay=cells.get(row.outcome, self._default_pay(row)))
            if self.is_bonus(row.outcome)
            else row
            for row in self.rows
        )
        return replace(self, rows=tuple(rows))

    def _default_pay(self, row: Row) -> Pay:
        """R38: an "All Other" left blank pushes on a win and loses on a Bad Beat."""
        if row.outcome is Outcome.OTHER:
            return PUSH if self.key == "odds" else LOSS
        return LOSS if self.is_unreachable(row.outcome) else row.pay

    def unfilled_cells(self) -> tuple[str, ...]:
        """The Bonus cells that the operator still has to fill."""
        return tuple(
            row.outcome
            for row in self.rows
            if row.pay.kind is PayKind.BONUS and not self.is_unreachable(row.outcome)
        )

    @property
    def highest_pay(self) -> Fraction:
        """The highest pay that can be won, as a multiple of the stake."""
        pays = (
            row.pay.amount
            for row in self.rows
            if row.pay.kind is PayKind.PAYS and not self.is_unreachable(row.outcome)
        )
        return max(pays, default=Fraction(0))

    def is_unreachable(self, outcome: str) -> bool:
        """A royal flush cannot lose, so its Bad Beat cell is never paid or shown (R39)."""
        return self.key == "bad_beat" and outcome == Outcome.ROYAL_FLUSH


@dataclass(frozen=True, slots=True)
class TableOption:
    """One option: the document's own value, and the other values it allows."""

    value: object
    clause: str
    open: bool = False
    may_be: tuple[object, ...] = ()

    def allows(self, value: object) -> bool:
        return self.open or value == self.value or value in self.may_be


@dataclass(frozen=True, slots=True)
class Condition:
    """A paytable that may be used only with, or only without, a dealer qualifier (WA notes 7–9)."""

    key: str
    id: str
    qualifier: bool
    clause: str


@dataclass(frozen=True, slots=True)
class Limit:
    """The bounds of one wager in cents. 0 means no bound; step 0 allows any whole cent."""

    min: int = 0
    max: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class Cap:
    """The most that is paid in one round: per player, or over the table (R100–R102)."""

    amount: int
    scope: str = "player"
    wagers: tuple[Wager, ...] = (Wager.ANTE, Wager.ODDS, Wager.RAISE)
    # Prizes below this many to 1 are never cut (WAC 230-15-490). 0 = every prize counts.
    spares_below: int = 0


@dataclass(frozen=True, slots=True)
class CapLimits:
    """What a posted cap must not cut (WAC 230-15-490): prizes below `pays` to 1, the largest wager
    at up to `pays` to 1, and prizes of other kinds. 0 = the document has no such limits."""

    pays: int = 0
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A text that a regulator requires, quoted as printed."""

    text: str
    when: str
    clause: str


@dataclass(frozen=True, slots=True)
class IrregularityRule:
    """The effect of an irregularity: which hands are void, and which wagers still settle."""

    cause: Cause
    voids: VoidScope
    settles: tuple[Wager, ...]
    clause: str
    correctable: bool = False
    house_rule: bool = False


class InscriptionKind(TextEnum):
    """What an inscription on the layout shows."""

    WORDS = "words"  # its own text
    AREA = "area"  # a betting area and its position
    PAYS = "pays"  # the paytables in use
    RAISES = "raises"  # the permitted raises


@dataclass(frozen=True, slots=True)
class Inscription:
    """A text or figure printed on the layout."""

    text: str
    clause: str
    shows: InscriptionKind = InscriptionKind.WORDS


@dataclass(frozen=True, slots=True, eq=False)
class RuleBook:
    """One document, or an operator's book that extends one. Compared by identity."""

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
    optional_tables: tuple[str, ...]  # paytables that a table may do without
    needs_limit: tuple[tuple[str, str], ...]  # (key, id) that open only with a maximum or a cap
    conditions: tuple[Condition, ...]
    cap_limits: CapLimits
    bonus: Mapping[str, Mapping[str, Pay]]  # the operator's pays for Bonus cells
    limits: Mapping[Wager, Limit]
    clauses: Mapping[str, str]
    max_options: int  # wagering options that a player may use; 0 = no such rule
    max_options_clause: str
    seats: int
    seats_clause: str
    fixed_seats: bool  # the document sets the number of seats, so a house may not
    linkable_meter: bool
    any_seed: bool  # a meter may start at zero
    meter_clause: str
    layout: tuple[Inscription, ...]
    layout_tables: tuple[Paytable, ...]
    notices: tuple[Notice, ...]
    irregularities: Mapping[Cause, IrregularityRule]
    settlement_order: SettlementOrder
    settlement_clause: str
    file: str  # of an operator's book, for error messages

    @property
    def is_shipped(self) -> bool:
        return self.kind == "document"

    def tables_of(self, key: str) -> Mapping[str, Paytable]:
        """All printed paytables of this key by id. The id of the one on the layout is `layout`."""
        on_layout = {table.id: table for table in self.layout_tables if table.key == key}
        return {**self.paytables.get(key, {}), **on_layout}

    def label(self, wager: Wager) -> str:
        return self.label_for_key(wager.value)

    def label_for_key(self, key: str) -> str:
        """The name of a wager or paytable on the felt."""
        return self.labels.get(key, felt_name(key))
