"""Irregularities as a round's text tells them."""

from collections.abc import Mapping
from typing import Any, TypeVar

from headsup.game.notation.model import WrittenReport
from headsup.game.refusal import Code, Refused, closest_name
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.state import Phase
from headsup.game.rulebook.irregularity import Cause, Resolution

W = TypeVar("W", Cause, Resolution)


def check_keys(raw: Mapping[str, Any], known: set[str], where: str) -> None:
    for key in raw:
        if key not in known:
            near = closest_name(key, known)
            raise Refused(Code.UNKNOWN_KEY, "round", where=where, key=key, near=near)


def read_text(raw: Mapping[str, Any], key: str, where: str, default: str = "") -> str:
    text = raw.get(key, default)
    if not isinstance(text, str) or len(text) > 1000:
        raise Refused(Code.BAD_ROUND, "text", where=where, key=key, value=text)
    return text


_REPORT_KEYS = {"cause", "seat", "resolution", "dealer", "supervisor", "note", "at"}


def read_reports(raw: Mapping[str, Any]) -> tuple[WrittenReport, ...]:
    """One irregularity, or a list of them in the order they were reported."""
    given = raw.get("irregularity")
    if given is None:
        return ()
    several = given if isinstance(given, list) else [given]
    return tuple(_read_report(item) for item in several)


def _read_report(raw: object) -> WrittenReport:
    where = "irregularity"
    if not isinstance(raw, Mapping):
        raise Refused(Code.BAD_IRREGULARITY, where=where, value=raw)
    check_keys(raw, _REPORT_KEYS, where)
    at, seat = raw.get("at"), raw.get("seat")
    if not isinstance(at, str) or at not in set(Phase):
        raise Refused(Code.BAD_IRREGULARITY, "at", where=where, known=tuple(Phase), value=at)
    if seat is not None and type(seat) is not int:
        raise Refused(Code.BAD_IRREGULARITY, "seat", where=where, value=seat)
    names = {key: read_text(raw, key, where) for key in ("dealer", "supervisor", "note")}
    said, solved = raw.get("cause"), raw.get("resolution", "void")
    cause, resolution = _word(Cause, said), _word(Resolution, solved)
    if cause is None:
        known = tuple(Cause)
        raise Refused(Code.UNKNOWN_IRREGULARITY, "read", where=where, known=known, cause=said)
    if resolution is None:
        words = tuple(Resolution)
        raise Refused(Code.BAD_RESOLUTION, "read", where=where, known=words, resolution=solved)
    return WrittenReport(
        Phase(at), ReportIrregularity(cause, seat=seat, resolution=resolution, **names)
    )


def _word(words: type[W], text: object) -> W | None:
    return next((word for word in words if type(text) is str and text == word), None)
