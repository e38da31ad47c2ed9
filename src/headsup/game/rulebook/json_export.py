"""Exports a table's rules as JSON, with the clause that each value comes from.

Objects have a `clause`. For all other values, `clause_of` maps the path to the clause.
"""

from typing import Any

from headsup.game.rulebook.model import Limit, Paytable, RuleBook, TableOption
from headsup.game.rulebook.options import write_option
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.values.money import format_cents

JsonObject = dict[str, Any]

LABELS_CLAUSE = "R1"
EDITION_CLAUSE = "R4"
OFFERS_CLAUSE = "R7"
MAX_OPTIONS_CLAUSE = "R10"
CAP_LIMITS_CLAUSE = "R102"


def summarize_rules(rules: TableRules) -> JsonObject:
    book = rules.book
    return {
        "id": book.id,
        "title": book.title,
        "document": book.document,
        "raises": {street.value: list(rules.raises[street]) for street in Street},
        "qualifier": rules.qualifier,
        "offers": [wager.value for wager in book.offers if rules.offers(wager)],
        "paytables": {key: list(tables) for key, tables in book.paytables.items()},
    }


def export_rules(rules: TableRules) -> JsonObject:
    book = rules.book
    return {
        **summarize_rules(rules),
        "kind": book.kind,
        "version": book.version,
        "effective_from": book.effective_from,
        "source_sha256": book.sha256,
        "fingerprint": rules.fingerprint,
        "labels": {wager.value: book.label(wager) for wager in Wager},
        "seats": book.seats,
        "in_use": {key: table.id for key, table in rules.paytables.items()},
        "limits": {
            wager.value: {**_limit(limit), "clause": limit_clause(rules, wager)}
            for wager, limit in rules.limits.items()
        },
        "options": {key: _option(key, option, rules) for key, option in book.options.items()},
        "paytables": {
            key: [_paytable(book, rules.paytables.get(key), table) for table in tables.values()]
            for key, tables in book.paytables.items()
        },
        "layout_paytables": [_paytable(book, None, table) for table in book.layout_tables],
        "clauses": dict(book.clauses),
        "notices": [
            {"text": notice.text, "when": notice.when, "clause": notice.clause}
            for notice in book.notices
        ],
        "layout": [
            {"text": item.text, "shows": item.shows.value, "clause": item.clause}
            for item in book.layout
        ],
        "irregularities": {
            cause.value: {
                "voids": rule.voids.value,
                "settles": [wager.value for wager in rule.settles],
                "correctable": rule.correctable,
                "house_rule": rule.house_rule,
                "clause": rule.clause,
            }
            for cause, rule in book.irregularities.items()
        },
        "settlement_order": book.settlement_order,
        **_extra_sections(rules),
        "clause_of": _clause_of(rules),
    }


def _extra_sections(rules: TableRules) -> JsonObject:
    """Sections that are objects with a clause inside."""
    book, limits = rules.book, rules.book.cap_limits
    return {
        "after_fold": {
            wager.value: {
                "stays": rules.after_fold[wager],
                "clause": book.options[f"{wager.value}_after_fold"].clause,
            }
            for wager in book.offers
        },
        "offered": {
            wager.value: {"label": book.label(wager), "clause": clause}
            for wager, clause in book.offers.items()
        },
        "max_options": {"value": book.max_options, "clause": book.max_options_clause}
        if book.max_options
        else None,
        "meter": {
            "linkable": book.linkable_meter,
            "any_seed": book.any_seed,
            "bonus_jackpot": rules.bonus_jackpot,
            "clause": book.meter_clause,
        }
        if Wager.PROGRESSIVE in book.offers
        else None,
        "conditions": [
            {
                "key": condition.key,
                "id": condition.id,
                "qualifier": condition.qualifier,
                "clause": condition.clause,
            }
            for condition in book.conditions
        ],
        "cap_limits": {"pays": limits.pays, "clause": limits.clause} if limits.pays else None,
    }


def _clause_of(rules: TableRules) -> dict[str, str]:
    """Path of a value → its clause, for values that are not objects."""
    book = rules.book
    editions = ("id", "title", "document", "kind", "version", "effective_from", "source_sha256")
    raises = {
        f"raises.{street.value}": book.options[f"{street.value}_raises"].clause for street in Street
    }
    return {
        **dict.fromkeys((*editions, "fingerprint"), EDITION_CLAUSE),
        **raises,
        "qualifier": book.options["qualifier"].clause,
        "offers": OFFERS_CLAUSE,
        "labels": LABELS_CLAUSE,
        "seats": book.seats_clause,
        **{f"in_use.{key}": table.clause for key, table in rules.paytables.items()},
        "settlement_order": book.settlement_clause,
        "max_options": book.max_options_clause or MAX_OPTIONS_CLAUSE,
        "meter": book.meter_clause or OFFERS_CLAUSE,
        "cap_limits": book.cap_limits.clause or CAP_LIMITS_CLAUSE,
    }


def limit_clause(rules: TableRules, wager: Wager) -> str:
    """The clause of a wager's limits; SugarHouse's minimum wager is one of them too (R100)."""
    minimum = rules.options.get("minimum_wager", 0)
    if wager is Wager.ANTE and minimum and rules.limits[wager].min == minimum:
        return rules.book.options["minimum_wager"].clause
    return rules.book.clauses["limits"]


def _limit(limit: Limit) -> dict[str, str]:
    bounds = (("min", limit.min), ("max", limit.max), ("step", limit.step))
    return {name: format_cents(cents) for name, cents in bounds if cents}


def _option(key: str, option: TableOption, rules: TableRules) -> JsonObject:
    """Values in the form that `options` accepts; the cap as this table applies it."""
    value = rules.cap if key == "cap" else rules.options[key]
    return {
        "value": write_option(key, value),
        "clause": option.clause,
        "open": option.open or bool(option.may_be),
        "may_be": [write_option(key, item) for item in option.may_be],
    }


def _paytable(book: RuleBook, chosen: Paytable | None, table: Paytable) -> JsonObject:
    paytable = chosen if chosen is not None and chosen.id == table.id else table
    return {
        "key": paytable.key,
        "id": paytable.id,
        "title": paytable.title,
        "basis": paytable.basis.value,
        "basis_clause": _basis_clause(book, paytable),
        "clause": paytable.clause,
        "in_use": paytable is chosen,
        "custom": paytable.custom,
        "closed_list": book.closed.get(paytable.key, False),
        "rows": [
            {
                "outcome": row.outcome,
                "label": row.label,
                "kind": row.pay.kind.value,
                "pay": str(row.pay.amount),
                "printed": row.pay.printed,
                "never_paid": paytable.is_unreachable(row.outcome),  # R39
            }
            for row in paytable.rows
        ],
    }


def _basis_clause(book: RuleBook, table: Paytable) -> str:
    """The clause of the paytable's basis. A progressive's basis may be an option (R15)."""
    option = book.options.get("progressive_basis")
    if table.key == Wager.PROGRESSIVE and option is not None:
        return option.clause
    return table.basis_clause
