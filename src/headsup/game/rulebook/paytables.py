"""Paytables: reading their columns and Bonus cells, and choosing one by its id."""

import re
from collections.abc import Mapping

from headsup.game.refusal import shown
from headsup.game.rulebook.cells import UnreadableCell, parse_cell
from headsup.game.rulebook.fields import Fields, Raw, Wrong
from headsup.game.rulebook.model import (
    BONUS,
    LOSS,
    OUTCOMES,
    PAYTABLE_KEYS,
    Basis,
    Pay,
    PayKind,
    Paytable,
    Row,
    RuleBook,
)
from headsup.game.wagers import Wager

# Reading.


def read_columns(fields: Fields, at: str, block: Raw, *, custom: bool, cite: str) -> list[Paytable]:
    """One `Paytable` per printed column; `cite` is the clause of a block that names none."""
    ids = block.get("ids", [])
    if not isinstance(ids, list) or not ids or not all(map(_is_id, ids)):
        fields.wrong(f"{at}.ids", "must list the paytables' ids as text")
        return []
    key = block["key"]
    basis = Basis(fields.one_of(block, "basis", tuple(Basis), f"{at}."))
    clause = fields.text(block, "clause", f"{at}.", cite)
    rows = _rows(fields, at, key, block.get("rows", []), len(ids), basis)
    return [
        Paytable(
            key=key,
            id=id,
            basis=basis,
            clause=clause,
            rows=tuple(Row(outcome, label, cells[i]) for outcome, label, cells in rows),
            custom=custom,
        )
        for i, id in enumerate(ids)
    ]


def _is_id(id: object) -> bool:
    return isinstance(id, str) and plain_id(id) not in ("", "none")


def _rows(
    fields: Fields, at: str, key: str, raw: object, columns: int, basis: Basis
) -> list[tuple[str, str, list[Pay]]]:
    if not isinstance(raw, list) or not raw:
        fields.wrong(f"{at}.rows", "must list [outcome, label, pay, …] rows")
        return []
    rows: list[tuple[str, str, list[Pay]]] = []
    for number, cells in enumerate(raw, 1):
        here = f"{at}.rows[{number}]"
        if not isinstance(cells, list) or len(cells) != columns + 2:
            wanted = "1 pay" if columns == 1 else f"{columns} pays"
            fields.wrong(here, f"must be [outcome, label, and {wanted}]")
            continue
        outcome, label, *printed = cells
        if outcome not in OUTCOMES[key]:
            fields.wrong(here, f"{shown(outcome)} is not an outcome of {key}")
            continue
        if not isinstance(label, str):
            fields.wrong(here, "the label must be text")
        if outcome in [row[0] for row in rows]:
            fields.wrong(here, f"{outcome} stands twice")
        pays = [_pay(fields.wrong, here, key, cell, basis) for cell in printed]
        rows.append((outcome, str(label), [pay or LOSS for pay in pays]))
    return rows


def _pay(wrong: Wrong, at: str, key: str, cell: object, basis: Basis) -> Pay | None:
    try:
        pay = parse_cell(cell, basis)
    except UnreadableCell as error:
        wrong(at, str(error), "bad_pay")
        return None
    if pay.kind is PayKind.POOL and key != "progressive":
        wrong(at, "only a progressive pays a share of the pool", "bad_pay")
        return None
    return pay


def read_bonus(raw: object, wrong: Wrong) -> dict[str, dict[str, Pay]]:
    """`{trips_plus: {royal_flush: "50", …}}`: what the operator puts in the Bonus cells.

    A cell that cannot be read stays "Bonus": it is named, so nothing more is said about it.
    """
    filled: dict[str, dict[str, Pay]] = {}
    if not isinstance(raw, Mapping):
        wrong("bonus", "must be a table of paytable keys")
        return filled
    for key, cells in raw.items():
        if key not in PAYTABLE_KEYS:
            wrong(f"bonus.{key}", "unknown key", "unknown_key")
            continue
        if not isinstance(cells, Mapping):
            wrong(f"bonus.{key}", "must be a table of cells and what each pays")
            continue
        basis = Basis.FOR if key == "progressive" else Basis.TO
        for outcome, value in cells.items():
            at = f"bonus.{key}.{outcome}"
            if outcome not in OUTCOMES[key]:
                wrong(at, f"'{outcome}' is not an outcome of {key}", "unknown_key")
                continue
            pay = _pay(wrong, at, key, value, basis)
            if pay is not None and (pay.kind is PayKind.BONUS or _says_nothing(pay)):
                wrong(at, "must say what the cell pays", "bonus_unfilled")
            elif pay is not None and pay.kind is PayKind.LOSS and key == "odds":
                wrong(at, "a hand that beats the dealer is paid or pushes", "bad_pay")
            filled.setdefault(key, {})[outcome] = pay or BONUS
    return filled


def _says_nothing(pay: Pay) -> bool:
    """Printed tables leave impossible and losing cells blank; an operator must say Loss."""
    return pay.kind is PayKind.LOSS and pay.printed.lower() in ("", "n/a")


# Choosing.


class NotToBeHad(ValueError):
    """The rule book has no such paytable, or may not do without one."""

    def __init__(self, reason: str, code: str) -> None:
        self.reason = reason
        self.code = code
        super().__init__(reason)


def pick(book: RuleBook, key: str, id: object) -> Paytable | None:
    """The paytable that `id` names; None where `none` takes the wager off the layout."""
    if id in (None, "none"):
        optional = key in book.optional_tables or book.kind == "study"
        if key == "odds" or (key == "bad_beat" and not optional):
            raise NotToBeHad(f"{book.id} always pays it", "unknown_paytable")
        return None
    if key not in ("odds", "bad_beat") and Wager(key) not in book.offers:
        raise NotToBeHad(f"{book.id} does not offer {key}", "wager_not_offered")
    if isinstance(id, bool) or not isinstance(id, str | int):
        raise NotToBeHad("must be the id of a paytable", "unknown_paytable")
    known = book.paytables.get(key, {})
    for table in known.values():
        if plain_id(table.id) == plain_id(str(id)):
            return table
    reason = f"{book.id} has no paytable '{str(id)[:40]}'; there are {', '.join(known)}"
    raise NotToBeHad(reason, "unknown_paytable")


def plain_id(id: str) -> str:
    """`HH/TP 5`, `hh/tp-5` and the printed `HH/OW/BB Bad Beat - 1` name the same tables."""
    text = id.lower()
    if text.startswith("hh/"):
        text = re.sub(r"bad\s*beat", "", text)
    return re.sub(r"[\s–-]+", "-", text.strip())
