"""Settles rounds: what each wager wins, loses or gets back, and by which clause.

All payout rules are in this package.
"""

from headsup.game.settlement.cards_needed import needs_all_6 as needs_all_6
from headsup.game.settlement.cards_needed import needs_board as needs_board
from headsup.game.settlement.cards_needed import needs_hole as needs_hole
from headsup.game.settlement.hands import HandResult as HandResult
from headsup.game.settlement.hands import HandsSoFar as HandsSoFar
from headsup.game.settlement.hands import settle_hand as settle_hand
from headsup.game.settlement.main_wagers import main_lines as main_lines
from headsup.game.settlement.model import Deal as Deal
from headsup.game.settlement.model import Line as Line
from headsup.game.settlement.model import SeatPlay as SeatPlay
from headsup.game.settlement.model import SeatSettlement as SeatSettlement
from headsup.game.settlement.model import Settlement as Settlement
from headsup.game.settlement.progressive import pool_claims as pool_claims
from headsup.game.settlement.rounds import dealer_hand as dealer_hand
from headsup.game.settlement.rounds import settle as settle
from headsup.game.settlement.rounds import sort_for_settlement as sort_for_settlement
from headsup.game.settlement.rounds import try_settle as try_settle
from headsup.game.settlement.rounds import void_hand as void_hand
from headsup.game.settlement.side_wagers import paid_line as paid_line
