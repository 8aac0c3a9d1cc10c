"""Which addresses a probe may connect to: none in the network of this machine, unless the probe is said to be there."""

from __future__ import annotations

import queue
import re
import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from dream.sources.production.fields import printable
from dream.sources.production.port import Down, Refused

Resolve = Callable[[str, int], Sequence[str]]
"""The addresses of a host; raises OSError where it has none."""

_NAME = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})")
_NUMBERS = re.compile(r"(?:0[xX][0-9a-fA-F]{0,100}|[0-9]{1,100})(?:\.(?:0[xX][0-9a-fA-F]{0,100}|[0-9]{1,100}))*\.?")
_MOST_TRIED = 8
_SECONDS = 10.0

_METADATA = tuple(
    ip_network(network)
    for network in (
        "169.254.169.0/24",  # AWS, Azure, Google, Oracle, DigitalOcean and most others
        "169.254.170.0/24",  # containers and pods of AWS
        "100.100.100.200/32",  # Alibaba
        "168.63.129.16/32",  # the host of an Azure machine
        "192.0.0.192/32",  # Oracle
        "fd00:ec2::/32",  # AWS
        "fd20:ce::/32",  # Google
    )
)
_RELAYS = (ip_network("192.88.99.0/24"), ip_network("64:ff9b:1::/48"))
_NAT64 = ip_network("64:ff9b::/96")
_COMPATIBLE = ip_network("::/96")
_GLOBAL_UNICAST = ip_network("2000::/3")
_ISATAP = (0x00005EFE, 0x02005EFE)
_BROADCAST = IPv4Address(0xFFFFFFFF)
_NO_ADDRESS = "::"

Address = IPv4Address | IPv6Address


def allowed_addresses(
    host: str, port: int, *, internal: bool, seconds: float = _SECONDS, resolve: Resolve | None = None
) -> tuple[str, ...] | Down | Refused:
    """Return the addresses of a host, each of which may be connected to; the connection has to go to one of these.

    A host of which any address may not be reached is Refused, as nobody says which one a connection would take; one
    that has none within `seconds` is Down. Numbers are read in every form that the system's own calls would take.
    """
    found = _addresses_of(host, port, seconds, resolve or resolve_host)
    if not isinstance(found, tuple):
        return found
    for address in found:
        if objection := objection_to(address, internal=internal):
            return Refused(f"{printable(host)} is {objection}")
    return found[:_MOST_TRIED]


def objection_to(address: str, *, internal: bool) -> str:
    """Return what an address is that may not be connected to, "" for one that may.

    Addresses at which clouds tell a machine its credentials are never reached, nor those that are no single machine's.
    """
    try:
        meanings = _meanings(ip_address(address))
    except ValueError:
        return "no address"
    if any(meant in network for meant in meanings for network in _METADATA):
        return f"where a cloud tells a machine its credentials ({address})"
    if any(meant.is_unspecified or meant.is_multicast or meant == _BROADCAST for meant in meanings):
        return f"the address of no single machine ({address})"
    if internal or all(_is_public(meant) for meant in meanings):
        return ""
    return f"inside a network ({address}), which only `internal: true` allows"


def resolve_host(host: str, port: int) -> Sequence[str]:
    """Return the addresses that the system gives for a host; raises OSError where it gives none."""
    name = "localhost" if host.lower() == "localhost." else host
    return [str(place[0]) for *_, place in socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)]


def _addresses_of(host: str, port: int, seconds: float, resolve: Resolve) -> tuple[str, ...] | Down | Refused:
    literal = _literal(host)
    if literal:
        return (literal,)
    if not _NAME.fullmatch(host):
        return Refused("the host is no name that can be looked up")
    answers: queue.SimpleQueue[tuple[str, ...]] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            answers.put(tuple(dict.fromkeys(resolve(host, port))))
        except Exception:  # noqa: BLE001  # whatever a resolver raises, there is no address
            answers.put(())

    threading.Thread(target=look_up, daemon=True).start()  # the system's look-up knows no time-out
    try:
        found = answers.get(timeout=seconds)
    except queue.Empty:
        return Down(f"{host} was not looked up within {seconds:g} s")
    return found or Down(f"{host} has no address")


def _literal(host: str) -> str:
    """Return the address that a host is instead of a name, also as 127.1, 0x7f000001 or 2130706433."""
    bare = host.removeprefix("[").removesuffix("]")
    try:
        return str(ip_address(bare))
    except ValueError:
        pass
    if not _NUMBERS.fullmatch(bare):
        return ""
    try:
        return socket.inet_ntoa(socket.inet_aton(bare.removesuffix(".")))
    except OSError:
        return _NO_ADDRESS


def _meanings(address: Address) -> list[Address]:
    """Return an address and those within it that a connection to it may end at."""
    if isinstance(address, IPv4Address):
        return [address]
    number = int(address)
    last = IPv4Address(number & 0xFFFFFFFF)
    holds_one = address in _NAT64 or address in _COMPATIBLE or number >> 32 & 0xFFFFFFFF in _ISATAP
    within = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ()), last if holds_one else None]
    return [IPv6Address(number), *(meant for meant in within if meant is not None)]


def _is_public(address: Address) -> bool:
    if any(address in network for network in _RELAYS):
        return False
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return address in _NAT64
    return address.is_global
