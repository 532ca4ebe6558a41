"""A site under load answers everybody; how fast it does is measured by `load.py`, by hand."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from arena.site.server import _listening
from languages.toolchains import need

from .load import trial
from .served import awaited

pytestmark = pytest.mark.source_only


def test_a_site_under_load_answers_everybody(tmp_path: Path) -> None:
    """All requests are answered as they should be, all streams stay, all that is handed in ends."""
    need("site", [] if Path("/usr/bin/bwrap").exists() else ["bwrap"])
    found = trial(tmp_path / "trial", 6, alone=0.5, rate=15, streams=30, authors=3, pinned=False)
    assert not found.wrong, found.wrong
    assert found.streams == 30
    assert found.handed_in == {"accepted": 3}
    assert found.states == {"playing": 3}
    assert len(found.answered) > 30
    assert "all decided" in "\n".join(found.lines())


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_end_of_an_answer_does_not_wait_for_its_beginning(host: str) -> None:
    """Connections send at once; else each answer in two parts would take 40 ms longer."""

    async def waits() -> int:
        accepted: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
        with _listening(host, 0) as listener:
            server = await asyncio.start_server(
                lambda _, writer: accepted.put(writer), sock=listener
            )
            async with server:
                where = listener.getsockname()[:2]
                _, writer = await asyncio.open_connection(*where)
                own = await accepted.get()
                found = own.get_extra_info("socket")
                delay = found.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                for each in (writer, own):
                    each.close()
                return int(delay)

    assert awaited(waits()) == 1
