"""Who counts as one client."""

import pytest

from headsup.house.people.rate_limits import address_group


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),  # one household, one /64
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("testclient", "other", False),  # no address
    ],
)
def test_an_ipv6_network_is_one_client(one: str, other: str, same: bool) -> None:
    assert (address_group(one) == address_group(other)) is same
