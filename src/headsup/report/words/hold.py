"""Words the house's hold: on all bets of a round together, and after many rounds."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

from headsup.analysis.exact_numbers import decimal_text, percent
from headsup.analysis.joint.combined_bets import BAND_DEVIATIONS, BAND_ROUNDS, CombinedBets
from headsup.analysis.par.par_sheet import ParSheet
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import show_dollars
from headsup.report.words.numbers import format_dollars, format_fraction, format_signed
from headsup.report.words.printout import Facts, Grid, Section


def hold_section(sheet: ParSheet, bets: Mapping[Wager, int]) -> Section:
    holds = sheet.holds(bets)
    unsolved = [sheet.rules.book.label(hold.wager) for hold in holds if hold.is_lower_bound]
    joint = sheet.combined
    grids = [_round_grid(sheet, bets)]
    if joint is not None:
        grids.append(_long_run_grid(joint))
        if joint.pairs:
            grids.append(_pairs(joint, sheet.rules.book))
    return Section(
        key="hold",
        title="What the house holds",
        about="One player's bets, best play. The Ante brings an equal Odds and, often, a Raise.",
        edge="",
        facts=_facts(sheet, bets, joint, bool(unsolved)),
        grids=tuple(grids),
        notes=tuple(_notes(unsolved, joint)),
        exact=_exact(sheet, bets, bool(unsolved)),
    )


def _sums(sheet: ParSheet, bets: Mapping[Wager, int]) -> tuple[Fraction, Fraction]:
    holds = sheet.holds(bets)
    win = sum((hold.win for hold in holds), Fraction())
    return win, sum((hold.wagered for hold in holds), Fraction())


def _facts(
    sheet: ParSheet, bets: Mapping[Wager, int], joint: CombinedBets | None, at_least: bool
) -> Facts:
    win, wagered = _sums(sheet, bets)
    facts = [] if at_least else [("Of the total wagered", percent(win / wagered))]
    if joint is not None:
        deviation = ("" if joint.exact else "≈ ") + _dollars(joint.standard_deviation)
        facts.append(("Standard deviation of a round", deviation))
    return tuple(facts)


def _exact(sheet: ParSheet, bets: Mapping[Wager, int], at_least: bool) -> Facts:
    win, wagered = _sums(sheet, bets)
    if at_least:
        return ()
    return ("House wins, in dollars", format_fraction(win / 100)), (
        "Of the total wagered",
        format_fraction(win / wagered),
    )


def _round_grid(sheet: ParSheet, bets: Mapping[Wager, int]) -> Grid:
    holds = sheet.holds(bets)
    rows = [
        (
            sheet.rules.book.label(hold.wager),
            show_dollars(hold.stake),
            format_dollars(Fraction(hold.wagered, 100)),
            *_win_cells(hold.win, hold.is_lower_bound),
        )
        for hold in holds
    ]
    win, wagered = _sums(sheet, bets)
    staked = show_dollars(sum(hold.stake for hold in holds))
    at_least = any(hold.is_lower_bound for hold in holds)
    rows.append(("Total", staked, format_dollars(wagered / 100), *_win_cells(win, at_least)))
    head = ("Wager", "Stake", "Wagered", "House wins", "In 100 rounds")
    return Grid("Per round, on average", head, tuple(rows), has_total_row=True)


def _win_cells(cents: Fraction, at_least: bool) -> tuple[str, str]:
    """The win in one round and in a hundred."""
    mark = "≥ " if at_least else ""
    return f"{mark}{format_dollars(cents / 100, 4)}", f"{mark}{format_dollars(cents)}"


def _long_run_grid(joint: CombinedBets) -> Grid:
    rows = []
    for rounds in BAND_ROUNDS:
        low, high = joint.band(rounds, BAND_DEVIATIONS)
        middle = format_dollars(joint.mean * rounds / 100)
        rows.append((f"{rounds:,}", middle, f"≈ {_dollars(low)}", f"≈ {_dollars(high)}"))
    head = ("Rounds", "House wins", "From", "To")
    return Grid("After many rounds: 90% range", head, tuple(rows))


def _dollars(cents: Decimal) -> str:
    return format_dollars(Fraction(cents) / 100)


def _pairs(joint: CombinedBets, book: RuleBook) -> Grid:
    rows = [
        (
            f"{_name(pair.first, book)} and {_name(pair.second, book)}",
            ("" if pair.exact else "≈ ") + format_signed(pair.covariance),
        )
        for pair in joint.pairs
    ]
    return Grid("Covariance, per unit of each wager", ("Wagers", "Covariance"), tuple(rows))


def _name(wager: Wager, book: RuleBook) -> str:
    return "Main game" if wager is Wager.ANTE else book.label(wager)


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
