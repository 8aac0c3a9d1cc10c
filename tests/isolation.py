"""What a test may reach: this machine's loopback and a home of its own; no network, no model, no person's settings."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import MutableMapping
from pathlib import Path

# A refused attempt is kept as well as raised: code under test that swallows the error still fails its test.
refused: list[str] = []

_FORGOTTEN = re.compile(
    r"(?:DREAM_(?!TEST_)|PREFECT_|GIT_|XDG_|AWS_|AZURE_|GOOGLE_|SSH_)[A-Z0-9_]*|[A-Z0-9_]*_(?:API_KEY|TOKEN)"
)
_CLOSED_PORT = "http://127.0.0.1:9"


class NetworkRefusedError(RuntimeError):
    """A test tried to reach something that is not on this machine's loopback."""


def refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    """Serve as an audit hook that lets only loopback and Unix sockets be connected to or resolved.

    An audit hook sees every library and every thread, whichever way it got hold of its socket.
    """
    match event, arguments:
        case (("socket.connect" | "socket.sendto"), (_, (host, *_))) if not _is_loopback(host):
            _refuse(f"{event} {host!s}")
        case (("socket.getaddrinfo" | "socket.gethostbyname"), (host, *_)) if not _is_loopback(
            host
        ) and not _is_address(host):
            _refuse(f"{event} {host!s}")
        case _:
            pass


def isolate(environment: MutableMapping[str, str], home: Path) -> None:
    """Give `environment` an empty home, git and Prefect settings of its own, and no credential.

    Programs started by a test see no audit hook: their way out is a proxy that refuses.
    """
    for name in [name for name in environment if _FORGOTTEN.fullmatch(name)]:
        del environment[name]
    settings = home / ".gitconfig"
    settings.write_text(
        "[user]\n\tname = A Person\n\temail = person@test.invalid\n"
        "[init]\n\tdefaultBranch = main\n[commit]\n\tgpgSign = false\n",
        encoding="utf-8",
    )
    environment.update(
        {
            "HOME": str(home),
            "USERPROFILE": str(home),
            "GIT_CONFIG_GLOBAL": str(settings),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "PREFECT_HOME": str(home / "prefect"),
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "DO_NOT_TRACK": "1",
            # Far from UTC and off the hour, so that a naive local time shows.
            "TZ": "Pacific/Chatham",
        }
    )
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        environment[name] = environment[name.upper()] = _CLOSED_PORT
    environment["no_proxy"] = environment["NO_PROXY"] = "localhost,127.0.0.1,::1"


def _refuse(attempt: str) -> None:
    refused.append(attempt)
    message = f"{attempt}: tests reach nothing but loopback"
    raise NetworkRefusedError(message)


def _text(host: object) -> str:
    return host.decode("utf-8", "replace") if isinstance(host, bytes) else str(host)


def _is_loopback(host: object) -> bool:
    if host is None or _text(host) in {"", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(_text(host)).is_loopback
    except ValueError:
        return False


def _is_address(host: object) -> bool:
    try:
        ipaddress.ip_address(_text(host))
    except ValueError:
        return False
    return True
