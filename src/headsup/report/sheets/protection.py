"""Game protection: what seen cards are worth, and what a dealer's errors cost."""

from collections.abc import Iterator, Sequence

from headsup.analysis.exact_numbers import exact_json, percent
from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.protect.dealer_errors import DealerError
from headsup.analysis.protect.exposure import ExposureResult
from headsup.analysis.protect.face_up import FaceUpAverage, FaceUpEstimate
from headsup.analysis.protect.seen_cards import Exposure, ExposureReport
from headsup.analysis.solver.solution import pocket_class_name
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.amounts import show_count
from headsup.game.values.cards import RANKS, card_name
from headsup.report.formats import COUNT, SHARE, Format
from headsup.report.sheet import Column, Figure, Section, Sheet, Table
from headsup.report.sheets.main_game import rules_json

MAX_CASES_SHOWN = len(RANKS)
_SHARE = SHARE._replace(is_exact=False)
_ESTIMATE = Format(lambda share: f"{share:+.4%}", lambda share: f"{share:.10f}")
_CHANCE = Format(lambda chance: percent(chance, 2), exact_json)
_GAIN = Format(lambda gain: f"{float(gain):+.3f}", exact_json)
_PER_ROUND = Format(lambda gain: f"{float(gain):+.4%}", exact_json)


def dealer_cards_name(cards: tuple[int, ...]) -> str:
    """One card is named by its rank, two by their pocket class."""
    return RANKS[cards[0] >> 2] if len(cards) == 1 else pocket_class_name(pocket_class(*cards))


def _sheet(rules: TableRules, about: str, *sections: Section, note: str = "") -> Sheet:
    head = Section("", "", data=lambda: rules_json(rules))
    return Sheet(rules.book.title, about, (head, *sections), (note,) if note else ())


def exposure_sheet(rules: TableRules, report: ExposureReport) -> Sheet:
    seen, cases = report.exposure, [case for case in report.cases if case[0]]
    best = sorted(cases, key=lambda case: case[1].player_edge, reverse=True)
    columns = (
        Column("", "Dealer's cards", lambda case: dealer_cards_name(case[0])),
        Column("player_edge", "Player's edge", lambda case: case[1].player_edge, SHARE),
        Column("raise_pocket", "Raises before flop", lambda case: case[1].raise_pocket, SHARE),
        Column("classes", "", lambda case: case[1].classes),
    )
    title, shown = ("By the dealer's cards" if cases else ""), best[:MAX_CASES_SHOWN]
    left_out = len(best) - len(shown)
    names = [card_name(card) for card in report.face_up]
    others = f"; other hands: {' '.join(names)}" if names else ""
    return _sheet(
        rules,
        f"Seen before the first decision: {_describe_exposure(seen)}{others}",
        Section(
            "",
            "",
            figures=(
                Figure("see/dealer", "", seen.dealer),
                Figure("see/flop", "", seen.flop),
                Figure("see/river", "", seen.river),
                *((Figure("face_up", "", names),) if names else ()),
                *_exposure_figures(report.total, "Situations up to suits"),
            ),
            tables=(
                Table("by_dealer", "", columns, cases, lambda case: dealer_cards_name(case[0])),
                Table("", title, columns, shown),
            ),
        ),
        note=f"… and {left_out} more (--json)" if left_out else "",
    )


def _describe_exposure(see: Exposure) -> str:
    named = (
        (see.dealer, "of the dealer's cards"),
        (see.flop, "of the flop"),
        (see.river, "of the two after it"),
    )
    return ", ".join(f"{count} {cards}" for count, cards in named if count)


def _exposure_figures(result: ExposureResult, cases: str) -> Iterator[Figure]:
    yield Figure("player_edge", "Player's edge", result.player_edge, _SHARE, "per Ante")
    yield Figure("raise_pocket", "Raises before the flop", result.raise_pocket, _SHARE)
    yield Figure("classes", cases, result.classes, COUNT)


def face_up_sheet(rules: TableRules, cards: Sequence[int], result: ExposureResult) -> Sheet:
    names = [card_name(card) for card in cards]
    figures = _exposure_figures(result, "Hands up to suits")
    return _sheet(
        rules,
        f"Other hands seen: {' '.join(names)}",
        Section("", "", figures=(Figure("face_up", "", names), *figures)),
        note="Exact, over every hand that can be dealt from the other cards.",
    )


def seen_hands_sheet(rules: TableRules, result: FaceUpAverage | FaceUpEstimate) -> Sheet:
    hands, layouts = show_count(result.hands, "other hand"), show_count(result.layouts, "layout")
    counts = Figure("hands", "", result.hands), Figure("layouts", "", result.layouts)
    unseen = Figure("unseen", "Nothing seen", result.unseen, _SHARE)
    match result:
        case FaceUpAverage():
            return _sheet(
                rules,
                f"{hands} seen",
                Section(
                    "",
                    "",
                    figures=(
                        *counts,
                        *_exposure_figures(result.result, "Situations up to suits"),
                        unseen,
                        Figure("gain", "Gain from seeing", result.gain, _SHARE),
                    ),
                ),
                note=f"Exact, over all {layouts} up to suits.",
            )
        case FaceUpEstimate():
            return _sheet(
                rules,
                f"{hands} seen; {layouts} solved",
                Section("", "", figures=(*counts, *_estimate_figures(result), unseen)),
            )


def _estimate_figures(result: FaceUpEstimate) -> Iterator[Figure]:
    interval = Format(
        lambda ends: "{:+.4%} to {:+.4%}".format(*ends),
        lambda ends: [f"{end:.10f}" for end in ends],
    )
    yield Figure("seed", "", result.seed)
    yield Figure("player_edge/mean", "Player's edge", result.mean, _ESTIMATE, "per Ante")
    yield Figure("player_edge/standard_error", "", result.standard_error, _ESTIMATE)
    yield Figure("player_edge/interval", "95% interval", result.interval, interval)
    yield Figure("gain", "Gain from seeing", result.gain, _ESTIMATE)


def errors_sheet(rules: TableRules, errors: Sequence[DealerError]) -> Sheet:
    columns = (
        Column("what", "Error", lambda error: error.description),
        Column("chance", "Occasion", lambda error: error.probability, _CHANCE),
        Column("each", "Each time", lambda error: error.gain, _GAIN),
        Column("per_round", "Per round", lambda error: error.per_round, _PER_ROUND),
    )
    rows = sorted(errors, key=lambda error: -abs(error.per_round))
    return _sheet(
        rules,
        "If made every time, with unchanged play; + is the player's gain, per Ante",
        Section(
            "",
            "",
            tables=(
                Table("errors", "What each error costs", columns, rows, lambda error: error.key),
            ),
        ),
    )
