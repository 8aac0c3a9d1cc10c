"""Where git may go for a code repository, as settings that hold it to the addresses that were checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from dream.sources.production.networks import Resolve, allowed_addresses
from dream.sources.production.port import Down, Refused

_SCP = re.compile(r"(?:[^/:@]{1,200}@)?(\[[0-9A-Fa-f:.]{1,60}\]|[^/:@\[\]]{1,253}):(?!//)")
_PORTS = {"http": 80, "https": 443, "ssh": 22, "git+ssh": 22, "ssh+git": 22, "git": 9418}
_WEB = frozenset({"http", "https"})


def git_settings(
    url: str, *, internal: bool, environment: Mapping[str, str], resolve: Resolve | None = None
) -> tuple[str, ...] | Down | Refused:
    """Return the settings (`name=value`) by which git reaches `url` and nothing else; none for a place on a disk.

    Of http, git connects to the addresses that were checked, and follows no redirect, which could lead elsewhere;
    other protocols look the host up again. Behind a proxy that `environment` names it is the proxy that connects, and a
    host that only the proxy knows is left to it.
    """
    scheme, host, port = _place(url)
    if not scheme:
        return ()
    if scheme not in _PORTS or not host:
        return Refused("its address is of no kind that is read")
    found = allowed_addresses(host, port, internal=internal, resolve=resolve)
    held = () if internal else ("http.followRedirects=false",)
    match found:
        case Refused():
            return found
        case Down():
            return held if _is_proxied(scheme, environment) else found
        case _:
            shown = ",".join(f"[{address}]" if ":" in address else address for address in found)
            return (*held, f"http.curloptResolve={host}:{port}:{shown}") if scheme in _WEB else held


def _place(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an address, "" as the scheme of what is no address but a path."""
    if "://" in url:
        try:
            parts = urlsplit(url)
            scheme, host, port = parts.scheme.lower(), parts.hostname or "", parts.port
        except ValueError:
            return "unknown", "", 0
        return ("", "", 0) if scheme == "file" else (scheme, host, port or _PORTS.get(scheme, 0))
    scp = _SCP.match(url)
    return ("ssh", scp[1].strip("[]"), 22) if scp else ("", "", 0)


def _is_proxied(scheme: str, environment: Mapping[str, str]) -> bool:
    names = (f"{scheme}_proxy", f"{scheme.upper()}_PROXY", "all_proxy", "ALL_PROXY")
    return scheme in _WEB and any(environment.get(name) for name in names)
