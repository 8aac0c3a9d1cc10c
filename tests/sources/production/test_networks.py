"""Which addresses may be connected to: these are only ever checked, none is reached."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.production.networks import allowed_addresses, objection_to
from dream.sources.production.port import Down, Refused

_PUBLIC = ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822", "2a00:1450:4001::8")
_INSIDE = (
    "127.0.0.1",
    "127.8.9.10",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.1.1",
    "100.64.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "240.0.0.1",
    "0.1.2.3",
    "::1",
    "::2",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "2001:db8::1",
    "100::1",
    "4000::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "64:ff9b::7f00:1",
    "64:ff9b::c0a8:101",
    "64:ff9b:1::1",
    "2001:0:5db8:d822:0:0:80ff:fffe",
    "2a00:1450:4001:8::5efe:10.0.0.1",
    "2a00:1450:4001:8:200:5efe:10.0.0.1",
)
_NEVER = (
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd20:ce::254",
    "::ffff:169.254.169.254",
    "2002:a9fe:a9fe::",
    "64:ff9b::a9fe:a9fe",
    "0.0.0.0",  # noqa: S104  # only checked
    "::",
    "::ffff:0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "ff02::1",
    "::ffff:224.0.0.1",
)


def _fixed(*addresses: str) -> Callable[[str, int], Sequence[str]]:
    return lambda _host, _port: addresses


@pytest.mark.parametrize("address", _PUBLIC)
def test_an_address_of_the_internet_may_be_reached(address: str) -> None:
    assert objection_to(address, internal=False) == ""


@pytest.mark.parametrize("address", _INSIDE)
def test_an_address_inside_a_network_is_for_internal_probes_alone(address: str) -> None:
    assert objection_to(address, internal=False) == (
        f"inside a network ({address}), which only `internal: true` allows"
    )
    assert objection_to(address, internal=True) == ""


@pytest.mark.parametrize("address", _NEVER)
def test_metadata_and_what_is_no_machine_is_never_reached(address: str) -> None:
    assert objection_to(address, internal=False) != ""
    assert objection_to(address, internal=True) != ""


@pytest.mark.parametrize(
    "host",
    [
        *("2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "127.1", "127.0.1", "127.0.0.1."),
        *("[::1]", "0X7F.0.0.0x1", "10.1", "[::ffff:127.0.0.1]", "3232235777"),
    ],
)
def test_a_number_is_the_address_that_the_system_would_read(host: str) -> None:
    answer = allowed_addresses(host, 80, internal=False, resolve=_never)
    assert isinstance(answer, Refused)
    assert "inside a network" in answer.reason


@pytest.mark.parametrize("host", ["", ".", "a b", "a\nb", "ѕite.example", "a/b", "-x", "@", "x" * 300])  # noqa: RUF001
def test_what_is_no_name_is_not_looked_up(host: str) -> None:
    assert allowed_addresses(host, 80, internal=True, resolve=_never) == Refused(
        "the host is no name that can be looked up"
    )


def test_a_number_that_is_no_address_is_nobodys() -> None:
    answer = allowed_addresses("999999999999", 80, internal=True, resolve=_never)
    assert answer == Refused("999999999999 is the address of no single machine (::)")


def test_a_host_with_one_address_inside_is_refused_whichever_comes_first() -> None:
    for addresses in (("93.184.216.34", "10.0.0.1"), ("10.0.0.1", "93.184.216.34")):
        answer = allowed_addresses("api.example", 443, internal=False, resolve=_fixed(*addresses))
        assert answer == Refused("api.example is inside a network (10.0.0.1), which only `internal: true` allows")


def test_an_address_past_those_that_are_tried_is_checked_all_the_same() -> None:
    many = [f"93.184.216.{number}" for number in range(20)]
    assert allowed_addresses("api.example", 443, internal=False, resolve=_fixed(*many)) == tuple(many[:8])
    answer = allowed_addresses("api.example", 443, internal=False, resolve=_fixed(*many, "127.0.0.1"))
    assert isinstance(answer, Refused)


def test_localhost_is_loopback_with_its_dot_too() -> None:
    for host in ("localhost", "localhost.", "LOCALHOST."):
        assert isinstance(allowed_addresses(host, 80, internal=False), Refused)
    assert "127.0.0.1" in _addresses(allowed_addresses("localhost.", 80, internal=True))


def test_a_name_without_an_address_is_down() -> None:
    assert allowed_addresses("gone.example", 80, internal=False, resolve=_failing) == Down(
        "gone.example has no address"
    )
    assert allowed_addresses("gone.example", 80, internal=False, resolve=_fixed()) == Down(
        "gone.example has no address"
    )


def test_a_look_up_that_hangs_ends_with_the_time() -> None:
    over = threading.Event()

    def hang(_host: str, _port: int) -> Sequence[str]:
        over.wait(60)
        return ()

    answer = allowed_addresses("slow.example", 80, internal=False, seconds=0.05, resolve=hang)
    over.set()
    assert answer == Down("slow.example was not looked up within 0.05 s")


def test_a_resolver_that_answers_nonsense_is_refused() -> None:
    answer = allowed_addresses("api.example", 80, internal=True, resolve=_fixed("not an address"))
    assert answer == Refused("api.example is no address")


_PRIVATE = st.sampled_from(["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"])


@given(
    _PRIVATE.flatmap(
        lambda network: st.integers(0, ip_network(network).num_addresses - 1).map(
            lambda place: IPv4Address(int(ip_network(network)[0]) + place)
        )
    )
)
def test_a_private_address_is_inside_however_it_is_wrapped(address: IPv4Address) -> None:
    number = int(address)
    for wrapped in (
        str(address),
        str(number),
        hex(number),
        f"[::ffff:{address}]",
        f"[{IPv6Address(0x2002 << 112 | number << 80 | 1)}]",
        f"[{IPv6Address(0x0064FF9B << 96 | number)}]",
    ):
        assert isinstance(allowed_addresses(wrapped, 80, internal=False, resolve=_never), Refused)


def _addresses(answer: tuple[str, ...] | Down | Refused) -> tuple[str, ...]:
    assert isinstance(answer, tuple)
    return answer


def _never(host: str, _port: int) -> Sequence[str]:
    raise AssertionError(host)


def _failing(host: str, _port: int) -> Sequence[str]:
    raise OSError(host)
