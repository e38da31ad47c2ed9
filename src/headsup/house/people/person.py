"""People of a house: their names and roles, and what they get when they log in."""

from dataclasses import dataclass
from functools import lru_cache
from unicodedata import is_normalized, normalize

from headsup.game.table.chips.felt import is_guest_name
from headsup.game.values.str_enum import TextEnum


class Role(TextEnum):
    """A person's role; what each role may do is in `permissions`."""

    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    name: str
    role: Role
    locked: bool = False


class AccountRefusal(TextEnum):
    """Why a log-in or a new account was refused."""

    WRONG = "wrong_name_or_password"
    LOCKED = "locked"
    NAME_TAKEN = "name_taken"
    BAD_NAME = "bad_name"
    BAD_PASSWORD = "bad_password"
    BAD_INVITATION = "bad_invitation"


@dataclass(frozen=True, slots=True)
class LogIn:
    """A person who has just logged in, and the token of the log-in."""

    person: Person
    token: str


@dataclass(frozen=True, slots=True)
class Admission:
    """A ticket that was redeemed. It is valid as long as its log-in or display key."""

    person: Person
    login_digest: str  # the digest of that log-in's or key's token
    bound_to: str = ""  # the seat or table it is bound to, "" for none


def is_path_part(name: str) -> bool:
    """Whether a name can be part of a URL path: "/" separates parts, "." and ".." are resolved."""
    return "/" not in name and name not in (".", "..")


MAX_NAME_CHARS = 40
# The house signs with these names, so a person's would be ambiguous in the log.
_RESERVED_NAMES = frozenset({"dealer", "clock", "house"})


# Letters of other scripts that look like Latin ones, in lower case or as capitals.
_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԛԝ" + "αβεζηικμνορτυχ",
    "abekmhopctyxijsqw" + "abezhikmnoptyx",
)


@lru_cache(maxsize=16_384)  # a new name is compared with all others
def name_appearance(name: str) -> str:
    """The same for names that look alike: `Ann`, `ANN`, and `Аnn` with a Cyrillic A."""
    folded = normalize("NFKC", normalize("NFKC", name).casefold())
    return " ".join(folded.translate(_LOOKALIKES).split())


def is_valid_name(name: str) -> bool:
    if not is_normalized("NFC", name):  # the same letters would be another name
        return False
    if is_guest_name(name_appearance(name)) or name.casefold() in _RESERVED_NAMES:
        return False
    if not 1 <= len(name) <= MAX_NAME_CHARS or not is_path_part(name):
        return False
    return name.isprintable() and name == name.strip()
