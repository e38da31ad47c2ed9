"""The house is tested on the same real databases as its store."""

from tests.contracts.conftest import database as database
