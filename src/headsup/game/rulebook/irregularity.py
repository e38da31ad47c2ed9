"""What can go wrong at a table, and what may be done about it (New York (j), R90–R95).

When each can be reported and which resolutions it leaves open is in `round.irregular`; what a
void settles all the same, and by which clause, is in the rule books under these names.
"""

from headsup.game.values.str_enum import TextEnum


class Cause(TextEnum):
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
    VOID = "void"
    CORRECT = "correct"  # put right, as if it had not happened
    PLAY_ON = "play_on"  # it stands, and the round goes on


class VoidScope(TextEnum):
    """Whose hands a void is of."""

    ALL = "all"
    HAND = "hand"  # of the seat that is reported
    NONE = "none"  # nobody's: it is put right, or it stands
