"""The names that the server answers to; the Host header of every request is checked against them.

Otherwise another site whose name resolves to this computer (DNS rebinding) could send requests on behalf of its
visitors. Addresses are safe: a page at an address comes from that address.
"""

import ipaddress
import re
import socket
from dataclasses import dataclass

LOOPBACK = ("127.0.0.1", "localhost", "::1")

# name, address or [IPv6 address], with or without a port
_HEADER = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+))(?::\d*)?", re.ASCII)


@dataclass(frozen=True)
class Hosts:
    """The accepted names; by default only those of this computer."""

    names: tuple[str, ...] = LOOPBACK
    any_address: bool = False  # of a computer that is listened at everywhere

    @classmethod
    def at(cls, host: str, bound: str, allowed: tuple[str, ...] = ()) -> "Hosts":
        """The names of a server that listens on `host`, which resolved to the address `bound`."""
        own = (host, bound, *allowed)
        if is_local(bound):
            own = (*LOOPBACK, *own)
        else:
            name = socket.gethostname()
            own = ("localhost", name, f"{name}.local", *own)
        known = dict.fromkeys(_plain(each) for each in own if not is_everywhere(each))
        return cls(tuple(known), is_everywhere(bound))

    def accept(self, header: str) -> bool:
        """Whether a Host header names this server."""
        name = host_name(header)
        return name is not None and (name in self.names or (self.any_address and _address(name) is not None))

    def __str__(self) -> str:
        return " or ".join((*self.names, *(["any address"] if self.any_address else [])))


def host_name(header: str) -> str | None:
    """The name in a Host header, without its port; None if the header is invalid."""
    found = _HEADER.fullmatch(header)
    return None if found is None else _plain(found[1] or found[2])


def is_local(address: str) -> bool:
    """Whether only this computer can reach an address."""
    found = _address(address)
    return found is not None and found.is_loopback


def is_everywhere(address: str) -> bool:
    """Whether the address stands for all addresses of this computer."""
    found = _address(address)
    return found is not None and found.is_unspecified


def network_of(address: str) -> str:
    """The network of an address: with IPv6, a household or a single machine has 2^64 addresses."""
    found = _address(address)
    if isinstance(found, ipaddress.IPv6Address) and not found.is_loopback:
        return str(ipaddress.ip_network((found.packed, 64), strict=False))
    return str(found) if found is not None else address[:64]


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = getattr(found, "ipv4_mapped", None)  # an IPv4 address mapped to IPv6
    return mapped or found


def _plain(name: str) -> str:
    """The normal form of a name."""
    found = _address(name)
    return name.lower() if found is None else str(found)
