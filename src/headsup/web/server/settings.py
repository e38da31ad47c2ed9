"""What a server is started with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from urllib.parse import urlsplit

from headsup.game.refusal import Code, Refused


@dataclass(frozen=True, slots=True)
class Settings:
    database: str
    server: str = ""  # this server's name, unlike every other's on the same database
    demo: bool = False  # a newcomer sits down in one click, with play money; loopback only
    origins: tuple[str, ...] = ()  # whose pages alone may talk to this server; if none, its own
    secure: bool = False  # behind HTTPS: cookies are sent over nothing else
    anchors: str = ""  # the file to which each floor's head is added
    proxies: tuple[str, ...] = ()  # addresses whose word for who asks is taken
    pace: float = 1.0  # how long the automatic dealers take, as a multiple of the usual
    spread: bool = True  # takes its share of idle floors when it has joined other servers
    alone: bool = False  # asked by this machine alone, under none but its loopback names
    approved: Callable[[], Mapping[str, str]] | None = None  # reads the signed list of files
    notebook: str = ""  # the file in which decisions are remembered; else the database does


def public_origins(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """As a browser names the pages of these addresses: scheme and host, and nothing behind."""
    found = []
    for address in addresses:
        try:
            parts = urlsplit(address)
            whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            whole = False
        if not whole or parts.path not in ("", "/") or parts.query or parts.fragment:
            raise Refused(Code.BAD_ARGUMENTS, "public", address=address)
        usual = ":443" if parts.scheme == "https" else ":80"  # which no browser names
        found.append(f"{parts.scheme}://{parts.netloc.casefold().removesuffix(usual)}")
    return tuple(found)


def proxy_networks(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """The same: each is an address or a network, since no other would ever be taken for one."""
    for address in addresses:
        try:
            ip_network(address)
        except ValueError:
            raise Refused(Code.BAD_ARGUMENTS, "proxy", address=address) from None
    return addresses
