"""The log of a real deck: audited, and continued wherever it was cut off."""

from random import Random

from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import Link, format_link
from headsup.game.record.journal import Journal, record_command, replay_entry, start_log
from headsup.game.refusal import Refusal
from headsup.game.round.commands import CorrectCards
from headsup.game.table.commands import Actor, Command
from tests.support.tables import STAFF, default_actor
from tests.support.turned_over import evening


def logged(script: list[tuple[Actor, Command]]) -> tuple[Journal, list[Link]]:
    journal, header = start_log()
    links = [header]
    for by, command in script:
        journal, answer = record_command(journal, "2026-01-31T12:00:00Z", "T1", by, command)
        assert not isinstance(answer, Refusal), (command, answer)
        links += answer
    return journal, links


def script_of_an_evening() -> list[tuple[Actor, Command]]:
    return [(default_actor(command), command) for command in evening(Random(3), rounds=4)]


def test_an_evening_is_audited() -> None:
    journal, links = logged(script_of_an_evening())
    report = audit([format_link(link) for link in links])
    assert report.is_valid, str(report.finding)
    assert report.journal.floor == journal.floor


def test_a_log_goes_on_wherever_it_was_cut_off() -> None:
    """A server that was killed reads its log and does the next command, with the same result."""
    script = script_of_an_evening()
    whole, links = logged(script)
    for cut in range(1, len(script), 7):
        journal = Journal()
        for link in links[: cut + 1]:
            journal = replay_entry(journal, link).journal
        for by, command in script[cut:]:
            journal, answer = record_command(journal, "2026-01-31T12:00:00Z", "T1", by, command)
            assert not isinstance(answer, Refusal)
        assert journal.floor == whole.floor
        assert journal.head == whole.head


def test_another_card_in_the_log_is_found() -> None:
    _, links = logged(script_of_an_evening())
    lines = [format_link(link) for link in links]
    index = next(i for i, line in enumerate(lines) if "TurnOver" in line)
    altered = lines[index].replace('"event":"CardsSeen"', '"event":"CardsLost"')
    assert audit([*lines[:index], altered, *lines[index + 1 :]]).finding is not None


def test_a_correction_keeps_both_readings() -> None:
    script = script_of_an_evening()
    index = next(i for i, (_, one) in enumerate(script) if isinstance(one, CorrectCards))
    _, links = logged(script)
    text = links[index + 1].text
    assert '"was":' in text
    assert '"now":' in text
    assert STAFF.name in text
