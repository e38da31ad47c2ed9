"""What a decision moves between the players' wallets and their chips."""

from headsup.game.table.events import BoughtIn, CashedOut, Event, PayoutCorrected
from headsup.game.table.state import Floor
from headsup.house.floor.projections import BUY_IN, CASH_OUT, CORRECTION
from headsup.house.store.protocol import WalletMove


def wallet_moves(
    before: Floor, table_id: str, events: tuple[Event, ...], index: int
) -> list[WalletMove]:
    """Of the events of entry `index`, which were decided on the floor `before`."""
    moves = []
    for event in events:
        match event:
            case BoughtIn(seat, amount):
                player = before.tables[table_id].players[seat]
                moves.append(WalletMove(player, -amount, BUY_IN, table_id, index))
            case CashedOut(seat, amount):
                player = before.tables[table_id].players[seat]
                moves.append(WalletMove(player, amount, CASH_OUT, table_id, index))
            case PayoutCorrected(amount=amount, player=player):
                if player not in before.tables[table_id].players.values():  # paid at the cage
                    moves.append(WalletMove(player, amount, CORRECTION, table_id, index))
            case _:
                pass
    return moves
