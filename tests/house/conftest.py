"""House tests run on the same real databases as the contract tests."""

from tests.contracts.conftest import database as database
