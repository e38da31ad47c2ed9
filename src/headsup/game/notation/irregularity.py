"""Irregularities as a round's text tells them."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from headsup.game.irregularity import Cause, Resolution
from headsup.game.refusal import Code, Refused, shown
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.state import Phase

W = TypeVar("W", Cause, Resolution)


class Reported(NamedTuple):
    """An irregularity as a round's text tells it: where the round stood, and the report."""

    at: Phase
    report: ReportIrregularity


def check_keys(raw: Mapping[str, Any], known: set[str], where: str) -> None:
    for key in raw:
        if key not in known:
            raise Refused("unknown_key", f"{where}: there is no key {shown(key)}")


def read_text(raw: Mapping[str, Any], key: str, where: str, default: str = "") -> str:
    text = raw.get(key, default)
    if not isinstance(text, str) or len(text) > 1000:
        raise Refused("bad_round", f"{where}: {key} must be text, not {shown(text)}")
    return text


_REPORT_KEYS = {"cause", "seat", "resolution", "dealer", "supervisor", "note", "at"}


def read_reports(raw: Mapping[str, Any]) -> tuple[Reported, ...]:
    """One irregularity, or a list of them in the order they were reported."""
    given = raw.get("irregularity")
    if given is None:
        return ()
    several = given if isinstance(given, list) else [given]
    return tuple(_read_report(item) for item in several)


def _read_report(raw: object) -> Reported:
    where = "irregularity"
    if not isinstance(raw, Mapping):
        raise Refused("bad_irregularity", f"{where}: must be an object, not {shown(raw)}")
    check_keys(raw, _REPORT_KEYS, where)
    at, seat = raw.get("at"), raw.get("seat")
    if not isinstance(at, str) or at not in set(Phase):
        known = ", ".join(Phase)
        raise Refused("bad_irregularity", f"{where}: at must be one of {known}, not {shown(at)}")
    if seat is not None and type(seat) is not int:
        raise Refused("bad_irregularity", f"{where}: seat must be a number, not {shown(seat)}")
    names = {key: read_text(raw, key, where) for key in ("dealer", "supervisor", "note")}
    cause = _read_word(Cause, raw, "cause")
    resolution = _read_word(Resolution, {"resolution": "void", **raw}, "resolution")
    return Reported(Phase(at), ReportIrregularity(cause, seat=seat, resolution=resolution, **names))


def _read_word(words: type[W], raw: Mapping[str, Any], key: str) -> W:
    text = raw.get(key)
    for word in words:
        if type(text) is str and text == word:
            return word
    code = Code.UNKNOWN_IRREGULARITY if key == "cause" else Code.BAD_RESOLUTION
    raise Refused(code, "read", where="irregularity", known=tuple(words), **{key: text})
