"""What the house holds put into words: a round's bets together, and many rounds."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

from headsup.analysis.joint.combined_bets import BAND_DEVIATIONS, BAND_ROUNDS, CombinedBets
from headsup.analysis.par.exact_numbers import decimal_text, percent
from headsup.analysis.par.par_sheet import ParSheet
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import show_dollars
from headsup.report.words.numbers import format_dollars, format_fraction, format_signed
from headsup.report.words.printout import Facts, Grid, Section


def hold_section(sheet: ParSheet, bets: Mapping[Wager, int]) -> Section:
    holds = sheet.holds(bets)
    unsolved = [sheet.rules.book.label(hold.wager) for hold in holds if hold.at_least]
    joint = sheet.together
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
    facts = [] if at_least else [("Of all that is wagered", percent(win / wagered))]
    if joint is not None:
        deviation = ("" if joint.exact else "≈ ") + _dollars(joint.standard_deviation)
        facts.append(("Standard deviation of a round", deviation))
    return tuple(facts)


def _exact(sheet: ParSheet, bets: Mapping[Wager, int], at_least: bool) -> Facts:
    win, wagered = _sums(sheet, bets)
    if at_least:
        return ()
    return ("House wins, in dollars", format_fraction(win / 100)), (
        "Of all wagered",
        format_fraction(win / wagered),
    )


def _round_grid(sheet: ParSheet, bets: Mapping[Wager, int]) -> Grid:
    holds = sheet.holds(bets)
    rows = [
        (
            sheet.rules.book.label(hold.wager),
            show_dollars(hold.stake),
            format_dollars(Fraction(hold.wagered, 100)),
            *_win_cells(hold.win, hold.at_least),
        )
        for hold in holds
    ]
    win, wagered = _sums(sheet, bets)
    staked = show_dollars(sum(hold.stake for hold in holds))
    at_least = any(hold.at_least for hold in holds)
    rows.append(("Together", staked, format_dollars(wagered / 100), *_win_cells(win, at_least)))
    head = ("Wager", "Stake", "Wagered", "House wins", "In 100 rounds")
    return Grid("Per round, on average", head, tuple(rows), total=True)


def _win_cells(cents: Fraction, at_least: bool) -> tuple[str, str]:
    """In one round, and in a hundred."""
    mark = "≥ " if at_least else ""
    return f"{mark}{format_dollars(cents / 100, 4)}", f"{mark}{format_dollars(cents)}"


def _long_run_grid(joint: CombinedBets) -> Grid:
    rows = []
    for rounds in BAND_ROUNDS:
        low, high = joint.band(rounds, BAND_DEVIATIONS)
        middle = format_dollars(joint.mean * rounds / 100)
        rows.append((f"{rounds:,}", middle, f"≈ {_dollars(low)}", f"≈ {_dollars(high)}"))
    head = ("Rounds", "House wins", "From", "To")
    return Grid("After many rounds: nine times in ten between", head, tuple(rows))


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
            f"{label}, marked ≥, is counted as if no hand were ever folded: the house wins at "
            "least this much, together too, however the player decides."
        )
    if joint is None:
        yield (
            "No standard deviation of these bets together: a wager that a fold forfeits, or that "
            "a hand of its own decides, is not solved with the main game."
        )
        return
    yield (
        "After many rounds, marked ≈: by a normal distribution. headsup session gives the "
        "quantiles exactly."
    )
    if joint.pairs:
        apart = decimal_text(Fraction(joint.deviation_if_independent) / 100, 2)
        yield (
            "The bets lie on the same cards. Were they independent, the standard deviation would "
            f"be ${apart}."
        )
    if not joint.exact:
        yield ("Also marked ≈: All 6's four cards are counted as if they came from another deck.")
