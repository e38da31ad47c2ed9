"""The cost of hashing a password."""

import subprocess
import sys

from headsup.house.people.passwords import verify_password

HASH = (
    "from headsup.house.people.passwords import hash_password; print(hash_password('long enough'))"
)


def test_passwords_are_hashed_at_the_cost_recommended_by_rfc_9106() -> None:
    """In a separate process, as hashes are made cheap for the tests."""
    done = subprocess.run([sys.executable, "-c", HASH], capture_output=True, text=True, check=True)
    known = done.stdout.strip()
    assert known.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert verify_password(known, "long enough")
    assert not verify_password(known, "long enouGh")
