"""Pages a player may turn to during a game: what the keys do."""

from rich.text import Text

from headsup.cli.bets import LABEL, SIDE_KEYS
from headsup.cli.screen import short
from headsup.game.money import dollars
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.wagers import Wager
from headsup.house.purse import START


def key_lines(rules: TableRules) -> list[Text]:
    offered = [(key, wager) for key, wager in SIDE_KEYS.items() if rules.offers(wager)]
    lines = [
        "Before the cards",
        "  enter  deal with the bets shown",
        "  a      Ante and Odds, always the same amount",
        *(
            f"  {key}      {short(rules.book.label(wager), LABEL)}"
            + (" on or off" if wager is Wager.PROGRESSIVE else ", in dollars; 0 for none")
            for key, wager in offered
        ),
        *(["  x      no side bets"] if offered else []),
        f"  n      {dollars(START)} more, when you have less than that",
        "With the cards",
        "  r      raise; then 1, 2 or 3 times the Ante where there is a choice",
        "  c      check, before the flop and after it",
        "  f      fold, when the whole board is out",
        "Any time",
        "  q      leave, as with Ctrl-C and Ctrl-D; an open hand is checked and folded",
        "  ? h    this help",
    ]
    return [Text(line) for line in lines]
