"""Pages to look up during a game: the keys, the table's posted rules, and the shuffle's seal."""

from collections.abc import Iterator
from textwrap import wrap

from rich.text import Text

from headsup.cli.play.bets import BET_LABEL_WIDTH, SIDE_KEYS
from headsup.cli.screens import felt
from headsup.cli.screens.style import printable, shorten
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.sealing import PublishedShuffle, write_published
from headsup.game.values.money import Cents, show_dollars
from headsup.game.views.model import TableView
from headsup.game.views.posted import PostedLimit, PostedTable, PostedView
from headsup.house.fairness import verifier
from headsup.house.solo.bankroll import STARTING_CENTS


def key_lines(rules: TableRules) -> list[Text]:
    offered = [(key, wager) for key, wager in SIDE_KEYS.items() if rules.offers(wager)]
    raise_word = shorten(rules.book.label(Wager.RAISE).lower(), BET_LABEL_WIDTH)
    lines = [
        "Before the deal",
        "  Enter  deal with the bets shown",
        "  a      Ante and Odds (always the same amount)",
        *(
            f"  {key}      {shorten(rules.book.label(wager), BET_LABEL_WIDTH)}"
            + (" on or off" if wager is Wager.PROGRESSIVE else ", in dollars; 0 for none")
            for key, wager in offered
        ),
        *(["  x      clear the side bets"] if offered else []),
        *(["  u      bet a coupon, or take it back"] if rules.coupons else []),
        f"  n      buy in for {show_dollars(STARTING_CENTS)} more, when you have less than that",
        "  s      show the last round again",
        "During the round",
        f"  r      {raise_word}; then 1, 2 or 3 times the Ante if there is a choice",
        "  c      check, before or after the flop",
        "  f      fold, once the whole board is out",
        "Any time",
        "  k      coach: after each decision, before it, or off",
        "  l      posted at this table: limits, paytables, notices",
        "  v      the seal of this shuffle, and the check of the last one",
        "  q      leave; mid-hand it asks first (Ctrl-C and Ctrl-D do not)",
        "  ? h    this help",
    ]
    return [Text(line) for line in lines]


def posted_lines(view: TableView, ante: Cents, width: int = felt.WIDTH) -> list[Text]:
    """Limits, raises with their amounts for this Ante, paytables, notices and layout texts."""
    posted = view.posted
    lines = [*_limits(posted), *_raises(posted, ante)]
    for table in posted.paytables:
        lines += [Text(), *_paytable(table, posted, width)]
        if table.key == Wager.PROGRESSIVE and view.meter is not None:
            # WA App. D note 5: required with every display of a Bonus amount.
            lines += [
                line
                for notice in view.meter.notices
                for line in _wrap_lines(notice, width, "italic")
            ]
    for title, texts in (("Notices", posted.notices), ("On the layout", posted.layout)):
        if texts:
            lines += [Text(), Text(title, style="bold")]
            lines += [
                line
                for text in texts
                for line in _wrap_lines(f"{text.text} ({text.clause})", width)
            ]
    for table in posted.layout_paytables:
        lines += [Text(), *_paytable(table, posted, width)]
    return lines


def fairness_lines(view: TableView, width: int = felt.WIDTH) -> list[Text]:
    """The seal of the current or next shuffle, and the check of the last one opened."""
    fair = view.fair
    if fair is None:
        return [Text("Shuffles are not sealed in this game: the cards come from a seed.")]
    lines = []
    if fair.sealed is not None:
        lines += [Text(f"Round {fair.sealed.round} is sealed", style="bold")]
        lines += [Text(f"  {fair.sealed.commitment}")]
        lines += [Text(f"  your seed: {printable(text)}") for text in fair.sealed.seeds.values()]
    if fair.opened is not None:
        lines += [Text(), Text(f"Round {fair.opened.round} is opened", style="bold")]
        lines += [*_opened_seal_lines(fair.opened), Text()]
    lines += _wrap_lines(
        "The seal commits to the cards before you bet. Once opened, it proves that those cards "
        "were dealt; docs/fairness.md explains how. To check a game recorded with --log, use "
        "headsup replay LOG --fair and headsup verify.",
        width,
    )
    return lines


def _opened_seal_lines(published: PublishedShuffle) -> Iterator[Text]:
    try:
        verifier.verify(write_published(published))
        answer = Text("  fair: seal, seeds and cards match", style="green")
    except verifier.Unfair as unfair:
        answer = Text(f"  NOT FAIR: {unfair}", style="red")
    yield Text(f"  sealed as    {published.commitment}")
    yield Text(f"  server seed  {published.server_seed}")
    for text in published.seeds.values():
        yield Text(f"  your seed    {printable(text)}")
    yield answer


def _limits(posted: PostedView) -> Iterator[Text]:
    yield Text("Limits", style="bold")
    limits = [(posted.labels[limit.wager], _limit_words(limit)) for limit in posted.limits]
    if posted.progressive_stake is not None:
        stake_words = f"always {show_dollars(posted.progressive_stake)}"
        limits.append((posted.labels[Wager.PROGRESSIVE], stake_words))
    if posted.single_wager_max is not None:
        limits.append(("Any one wager", f"up to {show_dollars(posted.single_wager_max)}"))
    for name, words in limits or [("None posted", "")]:
        yield Text(f"  {shorten(name, BET_LABEL_WIDTH, pad=True)} {words}".rstrip())
    if posted.cap is not None:
        yield Text(f"  {posted.cap.text}")


def _limit_words(limit: PostedLimit) -> str:
    words = [f"from {show_dollars(limit.min)}"] if limit.min else []
    words += [f"up to {show_dollars(limit.max)}"] if limit.max else []
    words += [f"in steps of {show_dollars(limit.step)}"] if limit.step else []
    return " ".join(words)


def _raises(posted: PostedView, ante: Cents) -> Iterator[Text]:
    yield Text()
    yield Text(shorten(posted.labels[Wager.RAISE], BET_LABEL_WIDTH), style="bold")
    for street in posted.raises:
        times = "/".join(f"{multiple}×" for multiple in street.multiples)
        values = "/".join(show_dollars(multiple * ante) for multiple in street.multiples)
        line = Text(f"  on the {street.street:<7} {times} the Ante: {values}")
        yield line.append(f"  {street.clause}", style="dim")


def _paytable(table: PostedTable, posted: PostedView, width: int) -> Iterator[Text]:
    title = "Odds, Bad Beat" if table.key == "bad_beat" else posted.labels[Wager(table.key)]
    head = Text(shorten(f"{title} {table.id}", 2 * BET_LABEL_WIDTH), style="bold")
    yield head.append(f"  pays {table.basis} 1 · {table.clause}", style="not bold dim")
    for row in table.rows:
        yield Text(f"  {shorten(row.label, min(44, width - 15), pad=True)} {row.pays.short:>10}")


def _wrap_lines(text: str, width: int, style: str = "") -> list[Text]:
    return [Text(f"  {line}", style=style) for line in wrap(printable(text), width - 4)]
