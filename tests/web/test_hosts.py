"""By which names the server answers, who can reach it, and whom it believes about who asks."""

import socket
from typing import Any

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus

from damier.cli import serve
from damier.core.errors import DamierError
from damier.web.headers import _length
from damier.web.hosts import Hosts, host_name, network_of
from tests.web.inside import Inside

AWKWARD = (
    "[",
    "]",
    "[]",
    "[::1",
    "::1",
    "127.0.0.1:x",
    "a@127.0.0.1",
    "127.0.0.1/",
    "127.0.0.1 ",
    "",
    "[v1.x]",
    "\x00",
)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "192.168.1.5", "0.0.0.0", "::"])
def test_another_name_is_refused_wherever_the_server_listens(host: str) -> None:
    hosts = Hosts.at(host, host, ("games.example.org",))
    assert not hosts.accept("evil.example")
    assert not hosts.accept("evil.example:8000")
    assert hosts.accept("Games.Example.org:8000")
    own = "127.0.0.1" if host == "0.0.0.0" else "[::1]" if host == "::" else f"[{host}]" if ":" in host else host
    assert hosts.accept(f"{own}:8000")
    assert hosts.accept(own)


def test_an_address_of_another_computer_is_ours_only_where_we_listen_everywhere() -> None:
    assert Hosts.at("0.0.0.0", "0.0.0.0").accept("10.1.2.3:8000")
    assert not Hosts.at("127.0.0.1", "127.0.0.1").accept("10.1.2.3:8000")
    assert not Hosts.at("192.168.1.5", "192.168.1.5").accept("10.1.2.3:8000")
    assert not Hosts().accept("10.1.2.3")


@given(st.one_of(st.text(), st.sampled_from(AWKWARD)))
def test_whatever_a_host_header_is_it_is_judged(header: str) -> None:
    name = host_name(header)
    assert Hosts().accept(header) == (name in Hosts().names)


def test_an_awkward_host_header_is_refused(inside: Inside) -> None:
    assert not any(map(Hosts().accept, AWKWARD))
    for host in AWKWARD[:6]:
        answer = inside.client.get("/api/lessons", headers={"Host": host})
        assert answer.status_code == 403
        assert "expected to be asked for as 127.0.0.1 or localhost" in answer.json()["error"]


@pytest.mark.parametrize("origin", ["http://[", "null", "", "http://evil.example", "127.0.0.1", "http://[::1"])
def test_a_page_of_another_origin_is_refused(inside: Inside, origin: str) -> None:
    body = {"game": "tictactoe"}
    assert inside.client.post("/api/positions", json=body, headers={"Origin": origin}).status_code == 403
    with pytest.raises(InvalidStatus, match="403"):
        inside.connect(Origin=origin)
    with inside.connect(Origin=f"http://127.0.0.1:{inside.port}"):
        pass


def test_an_announced_length_that_is_no_number_is_too_long() -> None:
    for length in ("9" * 5000, "-1", "²", "x"):
        assert _length({b"content-length": length}) > 10**18
    assert _length({b"content-length": "17"}) == 17
    assert _length({}) == 0


def test_a_household_is_one_address() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1") != network_of("2001:db8:0:1::1")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1") != network_of("10.0.0.2")
    assert network_of("testclient") == "testclient"


# -- the command -----------------------------------------------------------------------------------------------


def run_serve(monkeypatch: pytest.MonkeyPatch, **options: Any) -> uvicorn.Config:
    """What `damier serve` would run."""
    found: list[uvicorn.Config] = []

    def keep(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        found.append(server.config)
        for each in sockets:
            each.close()

    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setattr(uvicorn.Server, "run", keep)
    serve.command(port=0, browser=False, **options)
    return found[0]


def test_nobody_is_believed_about_who_asks_unless_there_is_a_proxy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    assert not run_serve(monkeypatch).proxy_headers
    assert "can reach" not in capsys.readouterr().err
    config = run_serve(monkeypatch, behind_proxy=True)
    assert config.proxy_headers
    assert config.forwarded_allow_ips == serve.PROXIES
    assert "Everyone who can reach the proxy can reach this server." in capsys.readouterr().err


def test_the_command_says_when_other_computers_can_reach_the_server(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_serve(monkeypatch, host="0.0.0.0", allow_host=["games.example.org"])
    told = capsys.readouterr().err
    assert "damier is at http://127.0.0.1:" in told
    assert "Other computers can reach this server at 0.0.0.0" in told
    assert "games.example.org or any address" in told
    run_serve(monkeypatch, host="127.0.0.2")
    assert "can reach" not in capsys.readouterr().err


@pytest.mark.parametrize("host", ["", " ", "x" * 300, "no such name"])
def test_a_host_that_is_none_is_refused_with_one_line(host: str) -> None:
    with pytest.raises(DamierError, match=r"--host") as refused:
        serve._listen(host, 0)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("name", ["", "http://games.example.org", "games.example.org:80", "*", "a b"])
def test_a_name_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(DamierError, match=r"expected a name like"):
        run_serve(monkeypatch, allow_host=[name])
