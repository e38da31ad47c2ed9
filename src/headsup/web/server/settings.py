"""The settings a server is started with."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from urllib.parse import urlsplit

from headsup.game.refusal import Code, Refused


@dataclass(frozen=True, slots=True)
class Settings:
    database: str
    server: str = ""  # this server's name, unique among servers on the same database
    at: str = ""  # the name under which a proxy leads to this server, if the house has several
    demo: bool = False  # guests with play money sit down in one click; loopback only
    origins: tuple[str, ...] = ()  # origins whose pages may talk to this server; by default its own
    secure: bool = False  # behind HTTPS: cookies are sent over HTTPS only
    anchors: str = ""  # the file that receives each floor's head
    proxies: tuple[str, ...] = ()  # addresses trusted to name the client (X-Forwarded-For)
    pace_factor: float = 1.0  # a factor on the seconds that automatic dealers take
    loopback_only: bool = False  # serves this machine only, by its loopback names
    approved_files: Mapping[str, str] | None = None  # digests by name; run no other program


def public_origins(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """The addresses as browsers send them in Origin: scheme and host, no path, no default port."""
    origins = []
    for address in addresses:
        try:
            parts = urlsplit(address)
            valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            valid = False
        if not valid or parts.path not in ("", "/") or parts.query or parts.fragment:
            raise Refused(Code.BAD_ARGUMENTS, "public", address=address)
        default_port = ":443" if parts.scheme == "https" else ":80"  # browsers leave it out
        origins.append(f"{parts.scheme}://{parts.netloc.casefold().removesuffix(default_port)}")
    return tuple(origins)


_SERVER_NAME = re.compile(r"[a-z0-9]{1,20}")


def server_at(name: str) -> str:
    """A server's name in addresses, checked: it stands in paths and in the proxy's settings."""
    if name and not _SERVER_NAME.fullmatch(name):
        raise Refused(Code.BAD_ARGUMENTS, "at", name=name)
    return name


def proxy_networks(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """The same addresses, each checked to be an IP address or network: a name would never match."""
    for address in addresses:
        try:
            ip_network(address)
        except ValueError:
            raise Refused(Code.BAD_ARGUMENTS, "proxy", address=address) from None
    return addresses
