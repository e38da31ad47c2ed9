"""The languages there are, and which of them a person gets."""

import re
from collections.abc import Mapping
from functools import lru_cache

from headsup.game.refusal import Code, Refused, closest_name
from headsup.game.words.catalogue import Catalogue
from headsup.game.words.english import ENGLISH
from headsup.game.words.german import GERMAN

CATALOGUES: Mapping[str, Catalogue] = {ENGLISH.language: ENGLISH, GERMAN.language: GERMAN}
MAX_HEADER = 200  # characters of an Accept-Language header that are read
_WEIGHT = r"(?:;\s*q\s*=\s*([01](?:\.\d*)?))?"
_WEIGHTED = re.compile(rf"\s*([A-Za-z*]{{1,8}})(?:-[A-Za-z0-9-]*)?\s*{_WEIGHT}\s*", re.ASCII)


def require_catalogue(language: str) -> Catalogue:
    """The catalogue that `--lang` names."""
    catalogue = CATALOGUES.get(language.lower().partition("-")[0])
    if catalogue is None:
        meant = closest_name(language, CATALOGUES)
        raise Refused(
            Code.BAD_ARGUMENTS, "language", value=language, known=tuple(CATALOGUES), meant=meant
        )
    return catalogue


@lru_cache(maxsize=256)
def preferred_catalogue(accepted: str) -> Catalogue:
    """The best catalogue for a browser's list, such as `de-CH,de;q=0.9,en;q=0.8`.

    English if none of the languages is known, or if the list cannot be read.
    """
    wanted: list[tuple[float, str]] = []
    for item in accepted[:MAX_HEADER].split(","):
        if match := _WEIGHTED.fullmatch(item):
            wanted.append((float(match[2] or 1), match[1].lower()))
    for weight, language in sorted(wanted, key=lambda pair: -pair[0]):
        if weight > 0 and language in CATALOGUES:
            return CATALOGUES[language]
    return ENGLISH
