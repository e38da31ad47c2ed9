"""Reads paytables and Bonus cells, and finds a paytable by its id."""

import re
from collections.abc import Mapping

from headsup.game.refusal import Code, Refused, refusal
from headsup.game.rulebook.cells import parse_cell
from headsup.game.rulebook.fields import MAX_NAME_CHARACTERS, FieldReader, Raw, ReportMistake
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
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.wagers import Wager

# Reading.


def read_columns(
    fields: FieldReader, path: str, block: Raw, *, custom: bool, cite: str
) -> list[Paytable]:
    """One `Paytable` per printed column. `cite` is the clause for a block that names none."""
    ids = block.get("ids", [])
    if not isinstance(ids, list) or not ids or not all(map(_is_id, ids)):
        fields.report_mistake(f"{path}.ids", refusal(Code.BAD_RULES, "ids"))
        return []
    key = block["key"]
    basis = Basis(fields.read_choice(block, "basis", tuple(Basis), f"{path}."))
    clause = fields.read_text(block, "clause", f"{path}.", cite)
    title = fields.read_text(block, "title", f"{path}.")
    basis_clause = fields.read_text(block, "basis_clause", f"{path}.", clause)
    rows = _read_rows(fields, path, key, block.get("rows", []), len(ids), basis)
    return [
        Paytable(
            key=key,
            id=id,
            basis=basis,
            clause=clause,
            rows=tuple(Row(outcome, label, cells[i]) for outcome, label, cells in rows),
            custom=custom,
            title=title,
            basis_clause=basis_clause,
        )
        for i, id in enumerate(ids)
    ]


def _is_id(id: object) -> bool:
    is_text = isinstance(id, str) and id.isprintable() and len(id) <= MAX_NAME_CHARACTERS
    return is_text and normalize_id(str(id)) not in ("", "none")


def _read_rows(
    fields: FieldReader, path: str, key: str, raw: object, columns: int, basis: Basis
) -> list[tuple[Outcome, str, list[Pay]]]:
    if not isinstance(raw, list) or not raw:
        fields.report_mistake(f"{path}.rows", refusal(Code.BAD_RULES, "rows"))
        return []
    rows: list[tuple[Outcome, str, list[Pay]]] = []
    for number, cells in enumerate(raw, 1):
        row_path = f"{path}.rows[{number}]"
        if not isinstance(cells, list) or len(cells) != columns + 2:
            wrong_row = refusal(Code.BAD_RULES, "row", columns=columns)
            wrong_single = refusal(Code.BAD_RULES, "row_of_one")
            fields.report_mistake(row_path, wrong_row if columns > 1 else wrong_single)
            continue
        outcome, label, *printed = cells
        if outcome not in OUTCOMES[key]:
            fields.report_mistake(
                row_path, refusal(Code.BAD_RULES, "outcome", outcome=outcome, key=key)
            )
            continue
        if not isinstance(label, str):
            fields.report_mistake(row_path, refusal(Code.BAD_RULES, "label"))
        elif not fields.check_printable(row_path, label, MAX_NAME_CHARACTERS):
            label = ""
        if outcome in [row[0] for row in rows]:
            fields.report_mistake(
                row_path, refusal(Code.BAD_RULES, "outcome_twice", outcome=outcome)
            )
        pays = [_read_pay(fields.report_mistake, row_path, key, cell, basis) for cell in printed]
        rows.append((Outcome(outcome), str(label), [pay or LOSS for pay in pays]))
    return rows


def _read_pay(report: ReportMistake, path: str, key: str, cell: object, basis: Basis) -> Pay | None:
    try:
        pay = parse_cell(cell, basis)
    except Refused as refused:
        report(path, refused.refusal)
        return None
    if pay.kind is PayKind.POOL and key != "progressive":
        report(path, refusal(Code.BAD_PAY, "pool"))
        return None
    return pay


def read_bonus_cells(raw: object, report: ReportMistake) -> dict[str, dict[str, Pay]]:
    """The operator's amounts for Bonus cells: `{trips_plus: {royal_flush: "50", …}}`.

    An unreadable cell is reported and stays "Bonus", so that it is not also reported as missing.
    """
    filled: dict[str, dict[str, Pay]] = {}
    if not isinstance(raw, Mapping):
        report("bonus", refusal(Code.BAD_RULES, "bonus"))
        return filled
    for key, cells in raw.items():
        if key not in PAYTABLE_KEYS:
            report(f"bonus.{key}", refusal(Code.UNKNOWN_KEY, "rules"))
            continue
        if not isinstance(cells, Mapping):
            report(f"bonus.{key}", refusal(Code.BAD_RULES, "cells"))
            continue
        basis = Basis.FOR if key == "progressive" else Basis.TO
        for outcome, value in cells.items():
            path = f"bonus.{key}.{outcome}"
            if outcome not in OUTCOMES[key]:
                report(path, refusal(Code.UNKNOWN_KEY, "bonus_outcome", outcome=outcome, key=key))
                continue
            pay = _read_pay(report, path, key, value, basis)
            if pay is not None and (pay.kind is PayKind.BONUS or _is_blank(pay)):
                report(path, refusal(Code.BONUS_UNFILLED, "cell"))
            elif pay is not None and pay.kind is PayKind.LOSS and key == "odds":
                report(path, refusal(Code.BAD_PAY, "odds_loss"))
            filled.setdefault(key, {})[outcome] = pay or BONUS
    return filled


def _is_blank(pay: Pay) -> bool:
    """Printed tables leave impossible and losing cells blank; operators must write Loss."""
    return pay.kind is PayKind.LOSS and pay.printed.lower() in ("", "n/a")


# Choosing.


def choose_paytable(book: RuleBook, key: str, id: object) -> Paytable | None:
    """The paytable with this id; None for `none`, which takes the wager off the layout."""
    if id in (None, "none"):
        optional = key in book.optional_tables or book.kind == "study"
        if key == "odds" or (key == "bad_beat" and not optional):
            raise Refused(Code.UNKNOWN_PAYTABLE, "always", book=book.id)
        return None
    if key not in ("odds", "bad_beat") and Wager(key) not in book.offers:
        raise Refused(Code.WAGER_NOT_OFFERED, "by_book", book=book.id, key=key)
    if not _is_id_like(id):
        raise Refused(Code.UNKNOWN_PAYTABLE, "id")
    known = book.tables_of(key)
    for table in known.values():
        if normalize_id(table.id) == normalize_id(str(id)):
            return table
    raise Refused(Code.UNKNOWN_PAYTABLE, book=book.id, id=str(id), known=tuple(known))


def _is_id_like(id: object) -> bool:
    if isinstance(id, str):
        return len(id) <= MAX_NAME_CHARACTERS
    return type(id) is int and id.bit_length() <= 64


def normalize_id(id: str) -> str:
    """Folds spellings of an id: `HH/TP 5` and `hh/tp-5`, or a printed `HH/OW/BB Bad Beat - 1`."""
    text = id.lower()
    if text.startswith("hh/"):
        text = re.sub(r"bad\s*beat", "", text)
    return re.sub(r"[\s–-]+", "-", text.strip())
