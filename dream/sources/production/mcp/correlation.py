"""Whether the body of an answer answers the request that it was sent for, which the SDK takes for granted over HTTP."""

from __future__ import annotations

import json
from typing import Any

NOBODY = object()
"""Asked for where no message may be an answer."""


class Correlation:
    """Reads a body beside who takes it, chunk by chunk; what is no message is nothing to it."""

    def __init__(self, asked: object, *, by_events: bool) -> None:
        """Take the id of the request, None where any will do; its answer is a stream of events or one message."""
        self._asked = asked
        self._by_events = by_events
        self._rest = b""
        self._returned = False
        self._data: list[bytes] = []

    def fits(self, chunk: bytes) -> bool:
        """Return False as soon as a message answers another request."""
        if self._asked is None:
            return True
        if not self._by_events:
            self._data.append(chunk)
            return True
        if self._returned:  # a line's end may be cut in two
            chunk = chunk.removeprefix(b"\n")
        self._returned = chunk.endswith(b"\r")
        if b"\n" not in chunk and b"\r" not in chunk:
            self._rest += chunk
            return True
        lines = (self._rest + chunk).splitlines(keepends=True)
        self._rest = lines.pop() if not lines[-1].endswith((b"\n", b"\r")) else b""
        return all(self._reads(line.rstrip(b"\r\n").removeprefix(b"\xef\xbb\xbf")) for line in lines)

    def ends(self) -> bool:
        """Return False where what came last, or all that came, answers another request."""
        held, self._data = self._data, []
        return self._asked is None or self._answers((b"\n" if self._by_events else b"").join(held))

    def _reads(self, line: bytes) -> bool:
        if line.startswith(b"data:"):
            self._data.append(line.removeprefix(b"data:"))
        return bool(line) or self.ends()

    def _answers(self, text: bytes) -> bool:
        message = read_message(text)
        if "method" in message or not {"result", "error"} & message.keys():
            return True
        number = message.get("id")
        return str(number) == str(self._asked) or (number is None and "error" in message)


def read_message(text: bytes) -> dict[str, Any]:
    """Return a message, an empty one for what is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
