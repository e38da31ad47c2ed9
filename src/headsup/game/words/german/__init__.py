"""The German catalogue."""

from headsup.game.words.catalogue import Catalogue
from headsup.game.words.german.events import EVENTS
from headsup.game.words.german.hands import GERMAN_HANDS
from headsup.game.words.german.labels import LABELS

GERMAN = Catalogue("de", EVENTS, LABELS, GERMAN_HANDS)
