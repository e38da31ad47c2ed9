"""The keys allowed in each part of a rule book, and those that an operator's book may set."""

from collections.abc import Mapping, Set

from headsup.game.rulebook.model import BONUS_JACKPOT, PAYTABLE_KEYS, SETTLEMENT_CLAUSES, Cause
from headsup.game.rulebook.options import OPTIONS
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager

# "book" is the top level of the file, "option" an option as a document declares it, "choice" an
# option's value as an operator may write it with its clause.
BOOK_KEYS: Mapping[str, Set[str]] = {
    "book": {
        "id", "extends", "kind", "title", "document", "cites", "version", "effective_from",
        "sha256", "labels", "seats", "offers", "max_options", "options", "clauses", "settlement",
        "meter", "paytables", "paytable", "layout_table", "layout", "notice", "condition",
        "cap_limits",
        "irregularities", "bonus", "limits",
    },
    "labels": {*Wager, BONUS_JACKPOT},
    "seats": {"value", "clause", "fixed"},
    "offers": set(SIDE_WAGERS),
    "max_options": {"value", "clause"},
    "options": set(OPTIONS),
    "option": {"value", "may_be", "open", "clause"},
    "choice": {"value", "clause"},
    "clauses": {
        *SETTLEMENT_CLAUSES, "limits", "ante_equals_odds", "closing_of_bets", "information",
        "remain_seated",
    },
    "settlement": {"order", "clause"},
    "cap_limits": {"pays", "clause"},
    "meter": {"linkable", "any_seed", "clause"},
    "paytables": set(PAYTABLE_KEYS),
    "paytable": {
        "key", "title", "clause", "basis", "basis_clause", "closed", "optional", "custom",
        "needs_limit", "ids", "rows",
    },
    "layout_table": {"key", "clause", "rows"},
    "layout": {"text", "shows", "clause"},
    "notice": {"text", "when", "clause"},
    "condition": {"key", "id", "qualifier", "clause"},
    "irregularities": {"inherit", *Cause},
    "irregularity": {"voids", "settles", "clause", "correctable", "house_rule"},
}  # fmt: skip

# A house may set every key of the parts that are not listed here. Everything else belongs to the
# document: a house that changed it would no longer play by the document it cites.
HOUSE_MAY_SET: Mapping[str, Set[str]] = {
    "book": {
        "id", "extends", "kind", "title", "version", "effective_from", "labels", "seats", "offers",
        "options", "settlement", "meter", "paytables", "paytable", "layout", "notice",
        "irregularities", "bonus", "limits",
    },
    "seats": {"value"},
    "settlement": {"order"},
    "meter": {"linkable"},
    "paytable": BOOK_KEYS["paytable"] - {"closed", "optional"},
}  # fmt: skip
