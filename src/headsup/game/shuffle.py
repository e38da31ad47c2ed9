"""Where the order of a table's cards comes from: the game is told, and has no chance of its own."""

from headsup.game.word import Word


class Shuffle(Word):
    NOT_STATED = "not_stated"  # as in a written round, whose cards are named
    SYSTEM = "operating_system"  # nobody can foresee them
    SEED = "seed"  # the same cards again: who knows the seed knows them all
