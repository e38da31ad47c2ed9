"""Rows read as they are asked for."""

from collections.abc import Generator
from typing import Any

from sqlalchemy import Connection, Select

from headsup.house.audit.differences import StoredRow

RowStream = Generator[StoredRow, None, None]  # who may stop before its end closes it


def stream_rows(connection: Connection, query: Select[Any]) -> RowStream:
    with connection.execute(query, execution_options={"stream_results": True}) as rows:
        for row in rows:
            yield dict(row._mapping)
