"""What an administrator has set for the whole house."""

import json
from dataclasses import asdict

from sqlalchemy import Connection, Engine, select
from sqlalchemy.dialects import postgresql, sqlite

from headsup.house.large import USUAL, Large
from headsup.house.store.notes import Incident, IncidentKind, Notes, write_notes
from headsup.house.store.schema import SETTINGS
from headsup.house.store.signals import Signal, notify

_LARGE = "large"


def kept_large(connection: Connection) -> Large:
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == _LARGE)
    value = connection.execute(query).scalar_one_or_none()
    return USUAL if value is None else Large(**json.loads(value))


def put_large(engine: Engine, large: Large, by: str, at: str) -> None:
    """With what is told of it: what it was before, and who signed."""
    row = {"name": _LARGE, "value": json.dumps(asdict(large)), "by": by, "at": at}
    with engine.begin() as connection:
        said = json.dumps(kept_large(connection).changes(large), sort_keys=True)
        dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
        putting = dialect.insert(SETTINGS).values(row)
        connection.execute(
            putting.on_conflict_do_update(index_elements=["name"], set_=dict(putting.excluded))
        )
        incident = Incident(IncidentKind.CONFIGURATION, at, by, said)
        write_notes(connection, [("", Notes(incidents=(incident,)))])
        notify(connection, [(Signal.ATTENDED, "")])
