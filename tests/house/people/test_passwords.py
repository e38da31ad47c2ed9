"""What a password's hash costs whoever tries them all."""

import subprocess
import sys

from headsup.house.people.passwords import verify_password

HASH = (
    "from headsup.house.people.passwords import hash_password; print(hash_password('long enough'))"
)


def test_a_house_hashes_at_the_cost_that_rfc_9106_recommends() -> None:
    """In a process of its own: the tests' own hashes are cheap."""
    done = subprocess.run([sys.executable, "-c", HASH], capture_output=True, text=True, check=True)
    known = done.stdout.strip()
    assert known.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert verify_password(known, "long enough")
    assert not verify_password(known, "long enouGh")
