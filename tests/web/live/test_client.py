"""The Python client, where no server answers it."""

import asyncio

import pytest

from headsup.web.live.client import Client, Declined

pytestmark = pytest.mark.asyncio

PAGE = b"<h1>502 Bad Gateway</h1>"


async def bad_gateway(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    head = f"HTTP/1.1 502 Bad Gateway\r\nContent-Length: {len(PAGE)}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode() + PAGE)
    await writer.drain()
    writer.close()


async def test_the_page_of_a_proxy_without_a_server_is_a_refusal() -> None:
    """An error that programs can read, not one of the JSON parser."""
    async with await asyncio.start_server(bad_gateway, "127.0.0.1", 0) as proxy:
        port = proxy.sockets[0].getsockname()[1]
        with pytest.raises(Declined, match="Bad Gateway") as declined:
            async with Client.demo(f"http://127.0.0.1:{port}"):
                pass
    assert declined.value.code == "502"
