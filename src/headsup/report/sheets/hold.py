"""The house's hold: on all bets of a round together, and after many rounds."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from headsup.analysis.exact_numbers import decimal_text, exact_json
from headsup.analysis.joint.combined_bets import (
    BAND_DEVIATIONS,
    BAND_ROUNDS,
    CombinedBets,
    WagerCovariance,
)
from headsup.analysis.par.par_sheet import Hold, ParSheet
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import format_cents, show_dollars
from headsup.report.formats import COUNT, DOLLARS, SHARE, Format, format_dollars, format_signed
from headsup.report.sheet import Column, Figure, Section, Table

_STAKE = Format(show_dollars, format_cents)


def hold_section(sheet: ParSheet, bets: Mapping[Wager, int]) -> Section:
    """In dollars per round. Where the bound is `lower`, the house wins this much or more."""
    holds, joint, book = sheet.holds(bets), sheet.combined, sheet.rules.book
    unsolved = [book.label(hold.wager) for hold in holds if hold.is_lower_bound]
    win = sum((hold.win for hold in holds), Fraction())
    wagered = sum((hold.wagered for hold in holds), Fraction())
    tables = [_round_table(holds, book, wagered, win)]
    if joint is not None:
        tables.append(_long_run_table(joint))
        tables.append(_pairs(joint, book))
    return Section(
        key="hold",
        title="What the house holds",
        about="One player's bets, best play. The Ante brings an equal Odds and, often, a Raise.",
        figures=(
            Figure("wagered", "", wagered / 100, DOLLARS),
            Figure("house_wins", "House wins", win / 100, _win(bool(unsolved)), "in dollars"),
            Figure("bound", "", _bound(bool(unsolved))),
            Figure(
                "of_all_wagered",
                *("Of the total wagered", None if unsolved else win / wagered, SHARE),
                absent="",
            ),
            *_joint_figures(joint),
        ),
        tables=tuple(tables),
        notes=tuple(_notes(unsolved, joint)),
    )


def _bound(at_least: bool) -> str:
    return "lower" if at_least else "exact"


def _win(at_least: bool, places: int = 4) -> Format:
    mark = "≥ " if at_least else ""
    return DOLLARS._replace(
        text=lambda win: f"{mark}{format_dollars(win, places)}", is_exact=not at_least
    )


def _round_table(
    holds: tuple[Hold, ...], book: RuleBook, wagered: Fraction, win: Fraction
) -> Table:
    at_least = any(hold.is_lower_bound for hold in holds)
    every = replace(
        holds[0],
        stake=sum(hold.stake for hold in holds),
        wagered=wagered,
        win=win,
        is_lower_bound=at_least,
    )
    columns = (
        Column("", "Wager", lambda hold: book.label(hold.wager)),
        Column("stake", "Stake", lambda hold: hold.stake, _STAKE),
        Column("wagered", "Wagered", lambda hold: hold.wagered / 100, DOLLARS),
        Column("", "House wins", lambda hold: _win(hold.is_lower_bound).text(hold.win / 100)),
        Column("house_wins", "", lambda hold: hold.win / 100, DOLLARS),
        Column("bound", "", lambda hold: _bound(hold.is_lower_bound)),
        Column("", "In 100 rounds", lambda hold: _win(hold.is_lower_bound, 2).text(hold.win)),
    )
    return Table(
        "wagers",
        "Per round, on average",
        columns,
        holds,
        row_name=lambda hold: hold.wager.value,
        total={column.label: column.get(every) for column in columns} | {"Wager": "Total"},
    )


def _joint_figures(joint: CombinedBets | None) -> Iterator[Figure]:
    if joint is None:
        yield Figure("together", "", None)
        return
    yield Figure(
        "together/standard_deviation",
        "Standard deviation of a round",
        joint.standard_deviation,
        _cents("" if joint.exact else "≈ "),
    )
    yield Figure("together/if_independent", "", joint.independent_deviation, _cents())
    yield Figure("together/exact", "", joint.exact)
    yield Figure("together/bands_exact", "", False)  # normal, even with exact mean and deviation


def _cents(mark: str = "") -> Format:
    """Decimal cents, in dollars."""
    return Format(
        lambda cents: mark + format_dollars(Fraction(cents) / 100),
        lambda cents: decimal_text(Fraction(cents) / 100, 2),
    )


def _long_run_table(joint: CombinedBets) -> Table:
    """The range contains 90% of the house's wins if they are normally distributed."""
    about, wins = _cents("≈ "), _cents()

    def band(rounds: int) -> tuple[Decimal, Decimal]:
        return joint.band(rounds, BAND_DEVIATIONS)

    return Table(
        "together/after",
        "After many rounds: 90% range",
        (
            Column("rounds", "Rounds", lambda rounds: rounds, COUNT),
            Column("house_wins", "House wins", lambda rounds: joint.mean * rounds, wins),
            Column("band", "", lambda rounds: [wins.json(end) for end in band(rounds)]),
            Column("", "From", lambda rounds: band(rounds)[0], about),
            Column("", "To", lambda rounds: band(rounds)[1], about),
        ),
        BAND_ROUNDS,
    )


def _pairs(joint: CombinedBets, book: RuleBook) -> Table:
    def names(pair: WagerCovariance) -> str:
        both = (pair.first, pair.second)
        return " and ".join("Main game" if w is Wager.ANTE else book.label(w) for w in both)

    def covariance(pair: WagerCovariance) -> str:
        return ("" if pair.exact else "≈ ") + format_signed(pair.covariance)

    per_unit = Format(str, exact_json)
    return Table(
        "together/covariances",
        "Covariance, per unit of each wager" if joint.pairs else "",
        (
            Column("wagers", "", lambda pair: [pair.first.value, pair.second.value]),
            Column("", "Wagers", names),
            Column("per_unit", "", lambda pair: pair.covariance, per_unit),
            Column("", "Covariance", covariance),
            Column("exact", "", lambda pair: pair.exact),
        ),
        joint.pairs,
    )


def _notes(unsolved: list[str], joint: CombinedBets | None) -> Iterator[str]:
    for label in unsolved:
        yield (
            f"{label}, marked ≥, is counted as if no hand were ever folded. The house wins at "
            "least this much, on it and in total, whatever the player decides."
        )
    if joint is None:
        yield (
            "The standard deviation of these bets together is not known: a wager that a fold "
            "forfeits, or that has a hand of its own, is not solved with the main game."
        )
        return
    yield (
        "Results after many rounds, marked ≈, assume a normal distribution. headsup session gives "
        "exact quantiles."
    )
    if joint.pairs:
        independent = decimal_text(Fraction(joint.independent_deviation) / 100, 2)
        yield (
            "The bets depend on the same cards. If they were independent, the standard deviation "
            f"would be ${independent}."
        )
    if not joint.exact:
        yield "Also marked ≈: the four All 6 cards are treated as if they came from another deck."
