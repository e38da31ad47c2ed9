"""The audit finds every trigger that is not as the program made it."""

from sqlalchemy import text

from headsup.house.audit.house import audit_house
from headsup.house.store.database import Database
from headsup.house.store.triggers import trigger_differences

SQLITE = {
    "missing": ("DROP TRIGGER hands_no_update", "table hands: trigger hands_no_update is missing"),
    "altered": (
        "DROP TRIGGER hands_no_update THEN CREATE TRIGGER hands_no_update BEFORE UPDATE ON hands "
        "WHEN OLD.net > 0 BEGIN SELECT RAISE(ABORT, 'hands is append-only'); END",
        "table hands: trigger hands_no_update was altered or switched off",
    ),
    "foreign": (
        "CREATE TRIGGER gift AFTER INSERT ON wallet_moves BEGIN UPDATE wallets SET cents = 9; END",
        "table wallet_moves: trigger gift is not headsup's",
    ),
}
POSTGRESQL = {
    "missing": ("DROP TRIGGER hands_kept ON hands", "table hands: trigger hands_kept is missing"),
    "switched off": (
        "ALTER TABLE hands DISABLE TRIGGER hands_kept",
        "table hands: trigger hands_kept was altered or switched off",
    ),
    "another function": (
        "CREATE OR REPLACE FUNCTION hands_kept() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RETURN NEW; END $$",
        "table hands: trigger hands_kept was altered or switched off",
    ),
    "only some rows": (
        "DROP TRIGGER hands_kept ON hands THEN CREATE TRIGGER hands_kept BEFORE DELETE ON hands "
        "FOR EACH STATEMENT EXECUTE FUNCTION hands_kept()",
        "table hands: trigger hands_kept was altered or switched off",
    ),
    "foreign": (
        "CREATE TRIGGER gift AFTER INSERT ON hands FOR EACH ROW EXECUTE FUNCTION hands_kept()",
        "table hands: trigger gift is not headsup's",
    ),
    "a rule": (
        "CREATE RULE gift AS ON INSERT TO hands DO ALSO UPDATE wallets SET cents = 9",
        "table hands: trigger gift is not headsup's",
    ),
}


def test_every_trigger_is_there(database: Database) -> None:
    with database.read_connection() as connection:
        assert list(trigger_differences(connection)) == []
    assert audit_house(database, {}).holds


def test_a_trigger_that_was_tampered_with_is_named(database: Database) -> None:
    for kind, (statements, sentence) in (SQLITE if database.is_alone else POSTGRESQL).items():
        with database.engine.connect() as connection, connection.begin() as undone:
            for statement in statements.split(" THEN "):
                connection.execute(text(statement))
            assert list(trigger_differences(connection)) == [sentence], kind
            undone.rollback()


def test_the_audit_of_a_house_fails_without_its_triggers(database: Database) -> None:
    statement, sentence = (SQLITE if database.is_alone else POSTGRESQL)["missing"]
    with database.engine.begin() as connection:
        connection.execute(text(statement))
    audited = audit_house(database, {})
    assert not audited.holds
    assert audited.differences == (sentence,)
