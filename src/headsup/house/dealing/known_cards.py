"""Whether somebody may know cards that are still played for.

That can only be after a house was restored from a backup: play went on after the backup, and the
seeds of its sealed shuffles have been published.
"""

from collections.abc import Mapping

from headsup.game.round.state import Phase
from headsup.game.table.state import Table

# Later phases have no choices left, so known cards are of no use.
_PHASES_WITH_CHOICES = frozenset(
    {Phase.BETTING, Phase.NO_MORE_BETS, Phase.POCKET, Phase.FLOP_DUE, Phase.FLOP}
    | {Phase.RIVER_DUE, Phase.RIVER}
)


def has_known_cards(table: Table, known_rounds: Mapping[str, int]) -> bool:
    """Whether the cards of the table's open round may be known, so that it must not be played.

    `known_rounds` gives, by table, the round whose cards may be known.
    """
    return known_rounds.get(table.id) == dealt_round(table) and may_have_known_cards(table)


def dealt_round(table: Table) -> int:
    """The number of the open round, or of the next one if it is sealed already."""
    return table.sealed.round if table.sealed else table.rounds


def may_have_known_cards(table: Table) -> bool:
    """Whether cards were dealt or sealed while a player still has a choice."""
    if table.closed or not table.is_playing:
        return not table.closed and table.sealed is not None and table.sealed.round > table.rounds
    round = table.round
    has_cards = round is not None and (table.sealed is not None or round.dealt)
    is_open = round is not None and not round.void and round.phase in _PHASES_WITH_CHOICES
    return has_cards and is_open
