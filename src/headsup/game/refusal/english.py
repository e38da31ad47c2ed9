"""The sentence of every refusal, in English: another language is another file like this one.

A sentence is known by its code, and by a case where one code has several: `wrong_phase/closed`.
Its fields are the refusal's data. After a colon stands how a value is told: `$` cents as dollars,
`u$` micro-dollars as dollars, `words` a name without its underscores, `felt` a key as the felt has
it where no rule book is at hand that may call it otherwise, `text` a value as it was given, `list`
and `or` several values, `times` multiples of the Ante, `flaw` what a value is not, `message`
another refusal, `mean` the name that was meant (`formatter`).
"""

from collections.abc import Mapping

OR_SEPARATOR = " or "  # between several values
SUGGESTION = " (did you mean {name}?)"  # behind a name that is nearly right
_STUDY = 'only kind = "study" may depart from it'

SENTENCES: Mapping[str, str] = {
    # Stakes and decisions.
    "missing_wager": "{wager} is missing",
    "wager_not_offered": "{rules} does not offer {wager}",
    "stake_not_positive": "{wager} is {stake:$}; a stake is positive",
    "amount_too_large/stake": "{wager} is above {most:$}, the most handled",
    "ante_not_equal_odds": "{one} {ante:$} and {other} {odds:$} must be equal ({clause})",
    "below_minimum": "{wager} {stake:$} is below the minimum {least:$}",
    "above_maximum": "{wager} {stake:$} is above the maximum {most:$}",
    "above_maximum/single": "{wager} {stake:$} is above {most:$}: no single wager may pass "
    "{single:$}, the largest Raise included",
    "off_step": "{wager} {stake:$} is not a multiple of {step:$}",
    "progressive_stake": "{wager} is {stake:$}; this table takes exactly {only:$} ({clause})",
    "too_many_wagers": "{sides:list}: at most {options} wagering options, so {allowed} optional "
    "wagers ({clause})",
    "too_many_wagers/one": "{sides:list}: at most {options} wagering options, so one optional "
    "wager ({clause})",
    "too_many_wagers/none": "{sides:list}: at most {options} wagering options, so no optional "
    "wager ({clause})",
    "raise_not_allowed": "a {name} of {multiple:shown}× on the {street} is not allowed; {rules} "
    "allows {allowed:times} ({clause})",
    "must_raise_or_fold": "seat {seat} must raise or fold on the river",
    "no_early_fold": "seat {seat} may fold only on the river",
    "already_acted": "seat {seat} has no decision to make on this street",
    "not_your_turn": "seat {first} acts first",
    "too_soon": "seat {seat} has {left} seconds more to decide ({clause})",
    "bad_amount/extension": "an extension is 1 to {most:,} seconds",
    "no_such_seat/no_wager": "seat {seat} has no wager in this round",
    "no_such_seat/numbered": "seats are numbered 1 to {seats}",
    "no_wagers": "nobody has placed a wager",
    "bad_deck": "a deck is 52 different cards",
    "wrong_phase/no_decision": "no decision is open (the round is at {phase})",
    "wrong_phase/no_more_bets": "no more bets (the round is at {phase})",
    "wrong_phase/wagers_stand": "wagers stand once bets are closed (the round is at {phase})",
    "wrong_phase/bets_closed": "bets are closed already (the round is at {phase})",
    "wrong_phase/before_the_deal": ("cards are dealt after no more bets (the round is at {phase})"),
    "not_due_any_more": "the table has moved on; look again",
    "paused": "the table is paused: {why}",
    "nothing_due": "nothing is due from the dealer (the round is at {phase})",
    "no_coupons": "{rules} takes no promotional coupons at this table (R12)",
    "no_coupons/no_stake": "{wager} is said to be a coupon and is not staked on",
    "no_coupons/in_chips": "{wager} is staked in chips, not by coupon (R12)",
    "no_coupons/list": "coupons must be a list of wagers such as ante",
    # Sealed shuffles.
    "not_sealed/table": "the shuffles of table {table} are not sealed",
    "not_sealed/before_the_round": "the shuffle of round {round} is not sealed yet",
    "not_sealed/no_round": "no round that is sealed has been played",
    "still_sealed": "the shuffle of round {round} is sealed and has yet to be opened",
    "bad_seed/commitment": "a commitment is 64 hexadecimal digits in lower case",
    "bad_seed/server": "a server seed is 64 hexadecimal digits in lower case",
    "bad_seed/player": "a seed of one's own is 1 to {most} printable characters",
    "seed_differs/commitment": (
        "round {round}: the server seed is not the one that was committed to"
    ),
    "seed_differs/deck": "round {round}: the deck that was dealt does not follow from the seeds",
    "wrong_phase/seeds_are_in": "seeds are added until bets close (the round is at {phase})",
    # Irregularities.
    "unknown_irregularity": "'{cause}' is not one of {known:list}",
    "unknown_irregularity/read": "{cause:shown} is not one of {known:list}",
    "bad_resolution/read": "{resolution:shown} is not one of {known:list}",
    "already_void": "the round is void already",
    "already_void/hand": "seat {seat}'s hand is void already",
    "wrong_phase/report": "{cause:words} cannot be reported at {phase}",
    "needs_two_people/irregularity": "an irregularity needs a dealer and another supervisor",
    "no_such_seat/of_the_table": "{cause:words} concerns the whole table, not one seat",
    "no_such_seat/of_a_seat": "{cause:words} needs a seat that has a wager in this round",
    "bad_resolution": "{cause:words} cannot be resolved by '{resolution}'",
    "bad_resolution/turned_face_up": (
        "cards that would follow in sequence are face up already (NY (j)(3))"
    ),
    "bad_resolution/nothing_to_take_back": (
        "seat {seat} has not passed since the last card was turned up; nothing is taken back"
    ),
    "bad_irregularity/hand_folded": "seat {seat}'s hand is folded, and is no longer played",
    "bad_irregularity/hand_not_folded": "seat {seat}'s hand is not folded",
    "bad_irregularity/has_raised": "seat {seat} has raised: no Raise was missed",
    "bad_resolution/street_open": ("an early board card stands only once its street is closed"),
    # Tables, seats and chips.
    "no_such_table": "there is no table {table:shown}",
    "table_occupied": "{table} is closed when everybody has left; seats {seats:list} are taken",
    "table_closed": "{table} is closed: {reason:shown}",
    "closing_record": "closing a table needs its reason and who says so",
    "table_open": "table {table:shown} is open already or has no name",
    "bad_name/table": "a table's name is neither . nor .., but printable text without a slash "
    "or spaces around it",
    "bad_name/floor": "a floor's name is neither . nor .., but of letters, digits, dots and "
    "dashes, such as main-floor",
    "bad_name/staff": "staff need a printable name, without spaces around it, and not a seat's",
    "bad_name/person": "a name is printable text of at most {most} characters, without a slash or "
    "spaces around it, neither . nor .., and not a seat's or one that the house signs with",
    "bad_name/player": "a player needs a name, without a slash or spaces around it",
    "no_such_seat/empty": "nobody sits in seat {seat:shown}",
    "seat_taken": "seat {seat} is taken",
    "one_position": "{player} holds a position already; {allowed} allowed ({clause})",
    "not_your_seat": "seat {own:shown} may not act for seat {seat:shown}",
    "staff_only": "only the dealer or the house may do that",
    "player_only": "seat {seat:shown} decides for itself",
    "no_round": "no round is open",
    "no_round/paid": "no round has been paid yet",
    "no_round/recalled": "round {round:shown} is not shown to have been settled at this table so",
    "round_open/not_closed": "round {round} is not closed yet",
    "round_open/equipment": "round {round} is not closed yet; the equipment waits for it",
    "round_open/rules": "a paytable is changed between rounds; {table} is playing",
    "round_open/meter": "the meter is changed between rounds; {table} is playing",
    "round_open/shared_meter": (
        "the meter is changed between rounds; tables that play for {meter}: {playing} in a round"
    ),
    "in_round": "seat {seat} stays to the end of the round it has wagered in ({clause})",
    "not_in_round": "its player was not in round {round}",
    "not_enough_chips/you": "you have {chips:$}, not {cents:$}",
    "not_enough_chips": "seat {seat} has {chips:$}, not {cents:$}",
    "bad_amount": "must be a positive amount in cents",
    "bad_amount/most": "is above {most:$}, the most handled",
    "bad_amount/correction": "must be an amount in cents, given or, below zero, taken back",
    "needs_two_people/correction": "a correction needs a dealer and another supervisor",
    "needs_reason/correction": "a correction needs its reason",
    "needs_limit": "{name} paytable {id} needs limits.{key}.max or a cap on {name} (R63)",
    "needs_limit/exposure": "{name} paytable {id} could win {won:$} on one wager, above the "
    "exposure_max of {most:$}: lower limits.{key}.max or cap {name} (R63)",
    "needs_approval/face_up": "dealing face up needs face_up_approval and face_up_from, the "
    "approval and the day on which it begins ({clause})",
    "needs_approval/face_up_from": (
        "cards are dealt face up here from {day} on, not before ({clause})"
    ),
    "needs_approval/approved_from": (
        "this table's approval counts from {day} on, so it does not play before ({clause})"
    ),
    "bad_options/not_an_object": "options must be a JSON object, not {value:shown}",
    "bad_options/nested": "options are nested too deeply",
    "bad_options/not_a_value": "options hold {value:shown}; amounts are text such as 10.00",
    # Meters.
    "no_such_meter/none_needed": "{rules} as chosen has no wager that needs a meter",
    "no_such_meter/to_link": "there is no meter {meter:shown} to link to",
    "no_such_meter/named": "there is no meter {meter:shown}",
    "no_such_meter/of_table": "table {table} has no meter",
    "meter_unset": "a progressive needs the option {option}, above $0.00 (R77)",
    "meter_rules/seed_below_zero": "the seed is below zero",
    "meter_rules/contribution_below_zero": "the contribution is below zero",
    "meter_rules/contribution_above_stake": "the contribution is more than the stake",
    "meter_rules/maximum_below_seed": "maximum below seed",
    "meter_rules/too_large": "the maximum is more than is handled",
    "meter_rules/funded_bonus": "a bonus is not funded by wagers",
    "meter_rules/linked": "{meter} has its own seed and contribution; a linked table has no other",
    "meter_regime/bonus": "{meter} is a bonus: the house's own, and no wager adds to it",
    "meter_regime/progressive": (
        "{meter} is a progressive: the players' money, not a prize to be set"
    ),
    "meter_ended": "{meter} is no longer played for",
    "meter_ended/closing": "{meter} is closing or no longer played for",
    "meter_ended/stake": "{meter} is no longer played for (R84)",
    "meter_frozen": "{meter} is frozen: {reason}",
    "meter_table/one_each": "{rules} has one meter per table (NY (k)(2))",
    "meter_table/another_prize": "{meter} is another kind of prize than {rules} plays for",
    "meter_amount/above_stake": "a wager cannot add more than its stake",
    "meter_amount/contribution": (
        "{wagers} wagers of {stake} cannot give {each} micro-dollars each"
    ),
    "meter_amount/correction": (
        "a meter of {pool} micro-dollars cannot be corrected by {amount:shown}"
    ),
    "meter_amount/prize_below_zero": "the prize is below zero",
    "meter_amount/too_large": "no meter handles more than {most:u$}",
    "meter_record/correction": "a correction needs its reason",
    "meter_record/freeze": "a frozen meter shows why",
    "meter_record/plan_date": "the plan needs the anticipated date",
    "meter_record/no_date": "{value:shown} is not a date like 2026-12-31",
    "meter_record/plan_approval": "the plan needs the reference of its approval",
    "meter_record/prize_reason": "a change of the prize needs its reason",
    "meter_record/prize_by": "a change of the prize names who made it",
    "meter_approvals": "two different people approve a correction",
    "meter_phase/closing": "{meter} is closing or closed",
    "meter_phase/no_plan": "{meter} has no approved plan to close",
    "meter_target/not_planned": "the plan names {planned} to receive the pool, not {meter}",
    "meter_target": "{meter} is not another active meter in the same custody",
    # The tabulator.
    "sensor_layout": (
        "up to {positions} positions of {sensors} sensors, one sensor for each wager"
    ),
    "no_such_sensor": "there is no sensor for {wager} at position {seat:shown}",
    "no_such_sensor/no_tabulator": "no wager of table {table} is counted",
    "same_reading": "the sensor for {wager} at position {seat} has said so",
    "equipment_down": "the equipment is down ({reason}): count by hand",
    "equipment_down/count_first": (
        "the equipment is down ({reason}): wagers are counted by hand before the cards"
    ),
    "equipment_runs": "the equipment is running",
    "no_round_registered": "no wagers are registered, or their cards are dealt",
    "no_round_registered/nothing_to_count": "no wagers wait to be counted",
    "no_mismatch": "seat {seat:shown}'s {wager} counts as the felt shows it",
    "flag_mismatch": (
        "the count of {wager} differs from the felt at seat {seats:or}: a supervisor "
        "corrects it before the cards (R87)"
    ),
    "tabulator_record": "the log needs a reason",
    "hand_count": "the felt shows {felt} of {wager}, not {counted:shown}",
    "hand_count/missing": "the count is of {wagers:list}",
    # Rule books and choices of rules.
    "mistakes": "{mistakes:mistakes}",
    "mistakes/more": "and {more} more, {all} mistakes in all",
    "unknown_rules": "there is no rule book {name:shown}{near:mean}; there are "
    "{books:list}, or name a .toml file",
    "unreadable_file/book": "cannot be read: {reason}",
    "unreadable_file/book_encoding": "is not UTF-8 text",
    "unreadable_file/book_size": "is longer than {most:,} bytes, and no rule book is",
    "unknown_key/rules": "unknown key",
    "unknown_key/bonus_outcome": "{outcome:shown} is not an outcome of {key}",
    "unknown_key/paytables": "there is no such key{near:mean}; there are {known:list}",
    "unknown_option": "there is no such option{near:mean}; there are {known:list}, and the "
    "paytables {paytables:list}",
    "bad_rules/text": "must be text",
    "bad_rules/words": "must be text that is not empty",
    "bad_rules/printable": "must be printable text on one line",
    "bad_rules/long": "must be at most {most} characters long",
    "bad_rules/table": "must be a table",
    "bad_rules/blocks": "must be blocks headed [[{key}]]",
    "bad_rules/one_of": "must be one of {choices:list}",
    "bad_rules/whole": "must be a whole number from {low} to {high}",
    "bad_rules/flag": "must be true or false",
    "bad_rules/shipped_id": "must be other than a shipped rule book's id",
    "bad_rules/extends": "must name the shipped rule book to start from: {books:list}",
    "bad_rules/offered": "must be false, or left out: the document offers it",
    "bad_rules/offer": "must be the clause that offers it, or false",
    "bad_rules/inherit": "must name a shipped rule book",
    "bad_rules/irregularity": "must be a table, with voids and settles",
    "bad_rules/voids": "voids must be one of {choices:list}",
    "bad_rules/settles": "settles must be a list of some of {wagers:list}",
    "bad_rules/own_ids": "must list some of this block's ids",
    "bad_rules/side_wagers": "is only for {wagers:list}",
    "bad_rules/same_id": "{key} has two paytables {id:shown}",
    "bad_rules/basis": "a progressive pays {basis} 1 ({clause})",
    "bad_rules/ids": "must list the paytables' ids as text",
    "bad_rules/rows": "must list [outcome, label, pay, …] rows",
    "bad_rules/row_of_one": "must be [outcome, label, and 1 pay]",
    "bad_rules/row": "must be [outcome, label, and {columns} pays]",
    "bad_rules/outcome": "{outcome:shown} is not an outcome of {key}",
    "bad_rules/label": "the label must be text",
    "bad_rules/outcome_twice": "{outcome} stands twice",
    "bad_rules/bonus": "must be a table of paytable keys",
    "bad_rules/cells": "must be a table of cells and what each pays",
    "bad_rules/limits": "must be a table of wagers",
    "bad_rules/limit": "must be {wagers:list}, each with min, max or step",
    "bad_rules/no_paytable": "no {key:felt} paytable is in use",
    "bad_rules/not_bonus": "is not a Bonus cell of paytable {id}",
    "not_open/document": "is for the document to say; " + _STUDY,
    "not_open/offers": "{book} does not offer {key:felt}; " + _STUDY,
    "not_open/seats": "{clause} says {seats}; " + _STUDY,
    "not_open/own_meter": "{clause} gives each table its own; " + _STUDY,
    "not_open/no_progressive": "there is no progressive; " + _STUDY,
    "not_open/settled": "{clause} settles this; " + _STUDY,
    "option_not_open/none": "{book} has no such choice: its document leaves no such option",
    "option_not_open": "{book} allows only {allowed:or} ({clause})",
    "option_not_open/house": "{because:message}; " + _STUDY,
    "bad_option/because": "{because:message}",
    "bad_option/raises": "must be whole multiples of the Ante, such as 1,2,3",
    "bad_option/no_raise": "is empty: a street needs at least one Raise",
    "bad_option/multiple": "holds {multiple:shown}; a Raise is 1 to {most} times the Ante",
    "bad_option/twice": "names a multiple twice",
    "bad_option/qualifier": "must be none, a category ({categories:list}) or ranks such as 44 or "
    "AK",
    "bad_option/one_of": "must be one of {choices:list}",
    "bad_option/positive": "must be a positive amount in dollars",
    "bad_option/amount": "must be an amount in dollars",
    "bad_option/not_negative": "must be an amount in dollars, not below zero",
    "bad_option/flag": "must be true or false",
    "bad_option/whole": "must be a whole number from {low} to {high}",
    "bad_option/cap_key": "has an unknown key {key:shown}",
    "bad_option/cap_amount": "needs an amount",
    "bad_option/cap_wagers": "wagers must be some of {wagers:list}",
    "bad_option/reference": "must be the reference of an approval, up to {most} characters",
    "bad_option/day": "must be a day such as 2020-06-15",
    "bad_option/cap_spares": "a cap may not cut prizes below {least} to 1, so spares_below is at "
    "least {least} ({clause})",
    "bad_option/cap_mixed": "one cap may not count prizes of different kinds ({clause})",
    "bad_option/cap_unposted": "a cap needs a posted maximum, limits.{wager}.max ({clause})",
    "bad_option/cap_low": "a cap may not be below {least:$}, the largest {wager} at {pays} "
    "to 1 ({clause})",
    "bad_pay/unreadable": "{value:shown} is not a pay such as 3:2, 1.5, 1,000, 10%, Push or Loss",
    "bad_pay/basis": "{value:shown} stands in a table that pays {basis} 1",
    "bad_pay/share": "{value:shown} is not a share of the pool between 0% and 100%",
    "bad_pay/zero": "{value:shown} divides by zero",
    "bad_pay/above": "{value:shown} is above {most:,}, the highest pay handled",
    "bad_pay/fine": "{value:shown} is finer than a thousandth of the stake",
    "bad_pay/pool": "only a progressive pays a share of the pool",
    "bad_pay/odds_loss": "a hand that beats the dealer is paid or pushes",
    "bonus_unfilled/cell": "must say what the cell pays",
    "bonus_unfilled": "paytable {id} leaves these cells to the operator; say what each pays: "
    "{cells:list}",
    "bad_limit/because": "{because:message}",
    "bad_limit/positive": "must be a positive amount",
    "bad_limit/most": "is above {most:$}, the most handled on one wager",
    "bad_limit/min_above_max": "min is above max",
    "wager_not_offered/by_book": "{book} does not offer {key:felt}",
    "wager_not_offered/limits": "{key:felt} is not offered",
    "unknown_paytable": "{book} has no paytable {id:shown}; there are {known:list}",
    "unknown_paytable/always": "{book} always pays it",
    "unknown_paytable/id": "must be the id of a paytable",
    "closed_list": "{clause} is a closed list of {key:felt} paytables; " + _STUDY,
    "not_labelled_custom": "must say custom = true",
    "illegal_combination/with": "{id} goes only with a dealer qualifier ({clause})",
    "illegal_combination/without": "{id} goes only without a dealer qualifier ({clause})",
    "bad_set": "--set {text}: must be KEY=VALUE",
    "bad_set/nested": "--set {text}: no key is nested so deeply",
    "bad_set/set_already": "--set {text}: {name} is set already",
    "bad_set/twice": "--set {text}: {name} is set twice",
    "unknown_rules/not_recorded": "a table opens with the id of a shipped rule book or with the "
    "whole text of one, not with {name:shown}",
    # Rounds as text.
    "bad_round": "a round is an object with dealer, board and seats",
    "bad_round/object": "must be an object, not {value:shown}",
    "bad_round/nested": "is nested too deeply",
    "bad_round/text": "{key} must be text, not {value:shown}",
    "bad_round/dealing": "differs from the option of the same name",
    "bad_round/id": "must be text or a whole number",
    "bad_round/long_id": "must be at most {most} characters that can be printed",
    "bad_round/number": "must be a whole number from 1, not {value:shown}",
    "bad_seats": "must be a list of at least one seat",
    "bad_seats/object": "must be an object, not {value:shown}",
    "bad_seats/number": "seat must be a whole number, not {value:shown}",
    "bad_seats/numbered": "seat {seat:shown}: seats are numbered 1 to {seats}",
    "bad_seats/twice": "seat {seat} is named twice",
    "bad_seats/player": "player must be a name, not {value:shown}",
    "bad_seats/long_player": "player must be at most {most} characters",
    "one_position/round": "{player:shown} holds several positions; {allowed} allowed ({clause})",
    "bad_decision/flag": "{key} must be true or false",
    "bad_decision/both": "both a raise and a fold; every hand ends in one of them",
    "bad_decision/neither": "neither a raise nor a fold; every hand ends in one of them",
    "bad_decision/raise": "raise must be an object of street and multiple",
    "bad_decision/street": "street must be one of {streets:list}",
    "bad_decision/multiple": "multiple must be a whole number, not {value:shown}",
    "bad_decision/void": "was void before it could decide so",
    "bad_meter": "{value:shown} is not from $0.00 to {most:u$}",
    "unknown_rules/round": "must be the id of a rule book or a .toml file",
    "unknown_key/round": "there is no key {key:shown}{near:mean}",
    "missing_cards": "{count} cards are missing",
    "missing_cards/dealt": "the round was dealt, so its cards are needed",
    "missing_all_6": "an All 6 wager needs the four All 6 cards",
    "wager_not_offered/all_6": "{rules} does not offer All 6",
    "unknown_card/not_text": "cards are written as text, like AsKd",
    "unknown_card/long": "the text is far too long for {count} cards",
    "wrong_card_count": "{count} cards expected, {given} given",
    "duplicate_card/deck": "{card} is in it twice",
    "duplicate_card/in_one_place": "{card} is twice in {place}",
    "deck_differs": "is {there}, but the deck deals {deck} there",
    "bad_irregularity": "must be an object, not {value:shown}",
    "bad_irregularity/at": "at must be one of {known:list}, not {value:shown}",
    "bad_irregularity/seat": "seat must be a number, not {value:shown}",
    "bad_irregularity/decided": "every seat had decided by then, so the round was not at {at}",
    "bad_irregularity/never": "{cause} never came about at {at}",
    "bad_irregularity/undealt": "no card was dealt, yet cards are named",
    "round_open/unsettled": "a round is written down when it is settled",
    "missing_meter": "seat {seat} wins {share} of the pool, so the meter's amount is needed",
    "bad_json": "this is not JSON: {reason}",
    "bad_json/nested": "the JSON is nested too deeply",
    "bad_json/size": "the JSON has {size:,} characters; at most {most:,} are read",
    "bad_toml": "this is not TOML: {reason}",
    "bad_toml/nested": "the TOML is nested too deeply",
    "bad_toml/size": "the TOML has {size:,} characters; at most {most:,} are read",
    "bad_toml/word": "a name or number in the TOML has {size:,} characters; at most {most}",
    "not_a_published_round": "is not a published round: {reason}",
    "not_a_published_round/size": "is far too long for a published round",
    "repeated_key": "the key {key:shown} stands twice in one object",
    "bad_money": "{value:shown} is not an amount in dollars",
    "bad_money/such_as": "{value:shown} is not an amount in dollars such as 10.00",
    "fractional_cents": "{value:shown} has a fraction of a {least}",
    "fractional_micros": "{value:shown} has a fraction of a {least}",
    "amount_too_large/far": "{value:shown} is far too large an amount",
    "bad_money/below_zero": "a bet is not below zero",
    # Records and viewers.
    "unwritable_log/halt": "the table halts: {reason}; you leave with {chips:$}",
    "unwritable_log/felt": (
        "the table halts: {reason}; the {felt:$} on the felt stay there, as the log has them, "
        "and you leave with {chips:$}"
    ),
    "not_a_log": "is not an event log (JSON Lines)",
    "bad_anchor": "must be COUNT:HASH as audit prints it",
    "bad_anchor/floors": "is of one log: a database is held against a file of --anchors",
    "bad_anchor/database": "is the database itself: anchors are kept in a file elsewhere",
    "bad_anchor/line": "is no anchor as the server writes them",
    "bad_anchor/other_house": (
        "these anchors are of another house than the database (or the database was written anew "
        "from its beginning): name the file of this house, or a new one"
    ),
    "bad_anchor/new_house": (
        "these anchors are of a house, and nothing is kept in the database: look at --database, or "
        "name a new file"
    ),
    "bad_anchor/past_end": (
        "the database ends before these anchors: {count:,} entries of {what} were anchored at "
        "{at}, and are not all there. After a restore name a new file and keep this one for the "
        "auditor; if nothing was restored, entries are lost: keep everything, and audit it"
    ),
    "bad_anchor/otherwise": (
        "the database is not the one that was anchored: entry {entry:,} of {what} was another at "
        "{at}. After a restore name a new file and keep this one for the auditor; if nothing was "
        "restored, somebody changed the database: keep everything, and audit it"
    ),
    "bad_anchor/which": "there are anchors of {floors:list}: name the log's floor with --floor",
    "no_such_viewer": "nobody sits in seat {seat}",
    "nothing_to_replay": "holds nothing of the kind to replay",
    "nothing_to_replay/round": "there is no round {round}{at}; it has {rounds:list}",
    "not_one_round/none": "holds no settled round; choose with --table and --round",
    "not_one_round/several": ("holds {rounds:,} settled rounds; choose with --table and --round"),
    "unknown_viewer": "'{viewer}' is not seat N, dealer, rail or tablevision{meant:mean}",
    "unknown_event": "{flaw:flaw}",
    "bad_command": "{flaw:flaw}",
    "unreadable_line/nested": "not a line of a log: nested too deeply",
    "unreadable_line/not_json": "not a line of a log: {reason}",
    "unreadable_line/no_link": "not an index, a SHA-256 hash and an entry",
    "unreadable_line/spelling": "not in the one spelling of a log, or cut off",
    "broken_log": "nothing is added to a broken log: {finding}",
    "broken_log/copy": "the log does not hold, so it is not copied: {finding}",
    "log_in_use": "another table is writing this log",
    "unwritable_log": "the log cannot be kept: {reason}",
    "other_format": "a log in format {found}, written by headsup {program}; "
    "this version reads format {read}",
    # What a value is not; `field` says where in it.
    "flaw/whole": "{field}: {found:shown} is not a whole number",
    "flaw/text": "{field}: {found:shown} is not text",
    "flaw/flag": "{field}: {found:shown} is not true or false",
    "flaw/nothing": "{field}: {found:shown} stands where nothing belongs",
    "flaw/cards": "{field}: {found:shown} is not a row of cards",
    "flaw/fraction": "{field}: {found:shown} is not a fraction in lowest terms",
    "flaw/word": "{field}: {found:shown} is not one of {among:list}",
    "flaw/list": "{field}: {found:shown} is not a list",
    "flaw/length": "{field}: {found:shown} has not as many items as belong there",
    "flaw/object": "{field}: {found:shown} is not an object",
    "flaw/values": "{field}: {found:shown} is not a shallow object of whole numbers and text",
    "flaw/fields": "{field} has the fields {among:list}",
    "flaw/kind": "{found:shown} is none of {among:list}",
    # The house.
    "busy": "floor {floor} has too many commands waiting; try again",
    "busy/person": "{name} asks too often at several servers; try again in a moment",
    "busy/passwords": "too many passwords are being looked at now; try again in a moment",
    "id_used": "the id {id:shown} was used for another command",
    "wallet_short": "there is not so much in the wallet",
    "bad_place": "no cards are dealt to {place:shown} in this round; they go to {known:list}",
    "bad_place/form": "{text:shown} is not PLACE=CARDS, such as board=Kd9c5h5s2d",
    "bad_place/twice": "{place:shown} is named twice",
    "bad_timing": "{value:shown} is not a number of seconds from 0 to {most:,.0f}",
    "bad_threshold": "an amount may be large from {least:$} up to {most:$} on",
    "bad_timing/by_hand": "a person deals at this table, at their own pace",
    "demo_not_here": "--demo is for this machine alone: --host is one of {known:list}, not {host}",
    "demo_not_here/proxy": "--demo is for this machine alone: no --proxy or --public with it",
    "demo_not_here/house": "a house is kept there: no place for --demo",
    "demo_not_here/play_money": (
        "a demonstration with play money is kept there: serve it with --demo, or name another "
        "--database for a house"
    ),
    "demo_not_here/mixed": (
        "play money of a demonstration is kept there among the books of a house: name another "
        "--database"
    ),
    "foreign_host": "{name:shown} is not this machine: ask for localhost or 127.0.0.1",
    "foreign_host/house": (
        "{name:shown} is not this machine: ask for localhost, or start the server with --public "
        "and the address that people see"
    ),
    "port_unavailable": (
        "{host} port {port} is not to be had: {reason}; name another with --port "
        "(make run PORT=8500)"
    ),
    "unusable_database": "cannot be used as a database: {reason}",
    "unusable_database/not_opened": "the tables kept there cannot be opened; see the log above",
    "unusable_database/no_house": "no house is kept there",
    "unusable_database/older": (
        "it was last used by an older version: start the server of this one there once, "
        "which brings the database up to date"
    ),
    "no_such_floor": "there is no floor {floor:shown}; there are {known:list}",
    "no_such_floor/none": "no floor is kept there",
    "not_a_file/backup": (
        "a database server is not copied as a file; with its own tools: "
        "pg_dump --format=custom --file={file} {address}"
    ),
    "not_a_file/restore": (
        "a database server is not restored from a file; with its own tools, into an empty "
        "database: pg_restore --no-owner --dbname={address} {file}; then this command again, "
        "without the file"
    ),
    "known_cards": (
        "the house was restored, and the cards of round {round} may be known: it is not played on, "
        "the dealer closes the bets and reports a foul deck, and the stakes go back"
    ),
    "fault": "the house could not decide this: nothing was done, and those who run it are told",
    "not_allowed": "that is not for a {role} to ask here",
    "not_allowed/seat": "{name} asks only for a seat of their own",
    "not_allowed/place": "this connection is for {viewer} at table {table} alone",
    "needs_two_people/approval": "that takes two: a supervisor gives name and password for it",
    "needs_two_people/staff": "an account of the staff takes two: a supervisor or another "
    "administrator gives name and password for it",
    "needs_two_people/same": "{name} cannot approve what {name} asks",
    "bad_approval/wrong": "the approval's name or password is wrong",
    "bad_approval/locked": "the account that approves is locked",
    "bad_approval/role": "{name} is no supervisor",
    "bad_approval/staff": "{name} is no supervisor and no administrator",
    "locked": "this account is locked, after {most} wrong passwords in a row or by the house; "
    "an administrator of the house can unlock it",
    "not_your_view": "{viewer} is not yours to see",
    "bad_message": "that is not a message of this protocol",
    "bad_message/missing": "is missing",
    "bad_message/unknown": "is not known here",
    "bad_message/pattern": "has characters that may not stand there",
    "bad_message/short": "must have at least {least} characters",
    "bad_message/long": "must have at most {most} characters",
    "bad_message/unfit": "is not a value that fits there",
    "bad_message/binary": "messages are text",
    "bad_message/hello": "this socket is open already",
    "unavailable": "the table is not to be had at this moment; try again",
    "program_changed": (
        "the program was changed while it ran ({file}): until it is put back or started again, "
        "no table and no round is opened"
    ),
    "program_changed/approved": (
        "the program is not the one that was approved ({file}): as long as it is not, no table and "
        "no round is opened"
    ),
    "bad_manifest": "is not a list of a program's files, as headsup manifest prints it",
    "bad_manifest/signature": "is not the signature of that list by that key",
    "bad_manifest/key": "is not a public Ed25519 key (PEM)",
    # Files and arguments.
    "unreadable_file": "cannot be read: {reason}",
    "unwritable_file": "cannot be written: {reason}",
    "empty_file": "there is nothing in it",
    "empty_file/settle": "there is nothing to settle: the input is empty",
    "unreadable_file/encoding": "is not UTF-8 text",
    "unreadable_file/strategy": "is no file, and no strategy that comes with "
    "headsup{meant:mean}; those are {known:list}",
    "unreadable_file/best_play": "is the solved strategy itself, which costs nothing and is what "
    "others are held against; its own figures: headsup solve",
    "unreadable_file/size": "is longer than {most:,} bytes",
    "bad_arguments/seed": "must be text",
    "bad_arguments/chance": "must be a chance from 0 to 1, not {value:shown}",
    "bad_arguments/text": "must be text, not {value:shown}",
    "bad_arguments/both_seeds": "--seed deals the same cards again, so --my-seed has no place",
    "bad_arguments/one_file": "replay takes one file",
    "bad_arguments/proxy": (
        "--proxy is an address or a network, such as 10.0.0.7 or 10.0.0.0/24, not {address:shown}"
    ),
    "bad_arguments/public": (
        "--public is the address of the page, such as https://tables.example, not {address:shown}"
    ),
    "bad_arguments/database": "--database: {reason}",
    "bad_arguments/restore": "restore takes a backup, --database, or both",
    "bad_arguments/file_or_database": "audit takes a file or --database, one of them",
    "wrong_card_count/five_to_seven": "a hand is the best of 5 to 7 cards, and {count} are named",
    "unknown_card/number": "a card is a number from 0 to 51, not {card}",
    "bad_arguments/drill": "--drill asks you, so neither a log nor --json has a place",
    "bad_arguments/forget": "--forget is about what is remembered of you, so no log has a place",
    "bad_arguments/protect": (
        "protect takes one of --see, --face-up, --hands and --errors: what has the player seen?"
    ),
    "bad_arguments/see": (
        "'{text}' is not dealer=0, 1 or 2, flop=0 to 3 or river=0 or 1 (of the two cards after the "
        "flop), each named once"
    ),
    "bad_arguments/see_nothing": "at least one card must be seen",
    "bad_arguments/number": "must be a whole number from {least:,} to {most:,}",
    "bad_arguments/strategies": "at most one for each seat, so {most} here",
    "bad_arguments/only_with": "has a place only with {other}",
    "bad_arguments/either": "says who works, and so does {other}: one of them",
    "bad_arguments/number_least": "must be a whole number from {least:,}",
    "bad_arguments/number_any": "must be a whole number",
    "bad_arguments/one_action_each": "must be one action for each of the {count:,} environments",
    "bad_arguments/one_seed": "must be one number, of all the rounds together, and not a list",
    "bad_arguments/cards_of_one": "cards are named to an environment of one round, not of many",
    "bad_arguments/measure": "must be a number from {least:g} to {most:g}",
    "bad_arguments/command": "there is no command '{typed}'{meant:mean}; {command} --help lists "
    "them",
    "bad_arguments/option": "there is no option {typed}{meant:mean}; {command} --help lists them",
    "bad_arguments/option_place": "{typed} stands behind a command, as in {example}",
    "bad_arguments/value_missing": "{option} needs a value: {option} {metavar}",
    "bad_arguments/no_value_taken": "{option} takes no value",
    "bad_arguments/extra": "'{typed}' has no place here{meant:mean}; {command} --help says what "
    "has",
    "bad_arguments/missing": "{what} is missing; {command} --help says what it is",
    "bad_arguments/usage": "{text}; {command} --help says what may be written",
    "bad_arguments/target": "a target needs a bankroll to begin from",
    "bad_arguments/too_wide": (
        "so many rounds at stakes so fine need a grid of {places:,} places, more than is kept; "
        "take fewer rounds or rounder stakes"
    ),
    "bad_strategy/key": "{key} is not a key here{meant:mean}; there are {keys:list}",
    "bad_strategy/text": "must be text, or a list of lines",
    "bad_strategy/printable": "must be printable text",
    "bad_strategy/no_street": "there is no [{street}]: what is done on the {street}?",
    "bad_strategy/otherwise": "otherwise must be one of {choices:list}, "
    "not {found:shown}{meant:mean}",
    "bad_strategy/range": "'{text}' is not a range such as 33+, A2+, K4s+, QTo+, JTs or 55-77",
    "bad_strategy/rule": "'{text}' is not a rule; rules are: {forms:list}",
    "bad_strategy/street": "'{text}' is a rule of the {street}",
    "bad_strategy/twice": "two choices apply to {at}: {first} by '{one}', "
    "and {second} by '{other}'",
    "bad_strategy/never": "nothing is said of {at}; add a line, or otherwise",
    "bad_design/row": "{table} has no row {row:shown}{meant:mean}; rows are {rows:list}",
    "bad_design/table": "'{table}' is none of {known:list}{meant:mean}",
    "bad_design/share": "{row} pays a share of the pool, which is no pay to choose",
    "bad_design/too_many": (
        "these rows make {tables:,} tables, more than {most:,}; fix some rows or name fewer pays"
    ),
    "bad_design/order": (
        "no table is left: a hand would pay less than a lower one (--any-order allows it)"
    ),
    "bad_design/no_share": "table {table} pays no share of a meter, so there is none to plan",
    "bad_design/no_reseed": "no row pays the whole pool, so that the seed is never paid again",
    "bad_design/share_of": "'{text}' is not a share such as 2.5% or 0.025{meant:mean}",
    "bad_design/deviation": "'{text}' is not a standard deviation such as 4.5",
    "bad_design/amount": "'{text}' is below nothing",
    "bad_design/pays": "'{text}' is not a row and its pays such as flush=5 or flush=4..8",
    "bad_design/twice": "{row} is named twice: say once what it may pay, as in flush=4,6",
    "bad_design/contribution": (
        "a contribution of {contribution:u$} is more than the wager itself, which is {stake:$}"
    ),
    "bad_design/falling": "'{text}' falls: a range begins with its lower pay, as in flush=4..8",
    "bad_design/range": "'{text}' has {count:,} pays, and a range at most {most:,}",
    "bad_design/largest": "'{text}': a pay is at most {most:,}",
    "bad_design/meter": "only a progressive has a meter; this is {table}",
    "bad_design/not_offered": "{rules} offers no {table:felt} here",
    "out_of_reach/table": (
        "no {table:felt} table made of these pays comes within {within} of a house edge of "
        "{edge} with all that is asked; the nearest has {nearest}, hits {hits} and deviation "
        "{deviation}: {pays:list}"
    ),
    "out_of_reach/meter": (
        "no contribution and seed give a house edge of {edge} in the long run; the nearest is "
        "{nearest}, with a seed of {seed:$} and a contribution of ${contribution}"
    ),
    "bad_bankroll/round": "does not cover one round, which may take {needed:$}",
    "bad_bankroll/target": "must be above the bankroll of {bankroll:$}",
    "wrong_card_count/hands": "one to five hands of 2 cards expected, {count} cards given",
    "wrong_card_count/two": "2 cards expected, {count} given",
    "wrong_card_count/board_so_far": (
        "no card, 3 or 5 expected, {count} given (turn and river come together)"
    ),
    "wrong_card_count/none_left": "too few cards are left for board and dealer",
    "duplicate_card/named_twice": "{card} is in {first} and again in {second}",
    "unknown_card/unreadable": "{reason}",
    "bad_meter/no_progressive": "{rules} offers no Progressive here, so --meter has no place",
    "bad_choice/none_of": "'{name}' is none of {known:list}{meant:mean}",
    "bad_choice/every_paytable": "--all compares every paytable, so {option} has no place",
    "bad_bets/form": "'{bet}' is not WAGER=AMOUNT with {wagers:list}{meant:mean}",
    "bad_bets/no_ante": "an ante is needed to play",
    "bad_bets/twice": "{wager} stands twice",
    "not_solvable/amounts": (
        "{rules} pays amounts too large or too fine for the solver's whole numbers ({reason})"
    ),
    "not_solvable/stakes": "stakes so large cannot be added up in whole numbers",
    "not_solvable/shared_cap": (
        "{rules} has a cap that cuts one wager by what another wins at these stakes, which is not "
        "counted exactly; headsup simulate deals it by chance"
    ),
    "not_solvable/forfeited": (
        "{wager} is forfeited by a fold, and best play with it is not solved"
    ),
    "not_solvable/both_hole_cards": (
        "trips_plus_hand=both_hole_cards does not follow from the hand of seven cards"
    ),
    "missing_extra": (
        "HTML and PDF need {library}, which is not installed: pip install 'headsup[reports]'"
    ),
    "missing_extra/server": (
        "serving tables needs {library}, which is not installed: pip install 'headsup[server]'"
    ),
    "missing_extra/cluster": (
        "a cluster needs {library}, which is not installed: pip install 'headsup[cluster]'"
    ),
    "missing_extra/signed": (
        "checking a signature needs {library}, which is not installed: pip install "
        "'headsup[signed]'"
    ),
    "no_cluster": "no Dask scheduler answers there ({reason})",
    "no_cluster/no_workers": "the scheduler has no workers; start some with: dask worker ADDRESS",
    "no_cluster/other": (
        "its workers do not run this version of headsup ({reason}); install the same on all"
    ),
    "no_cluster/lost": "the scheduler is gone, or workers died again and again at the same work",
    "bad_bankroll": "must be above $0.00, up to {most:$}",
}
