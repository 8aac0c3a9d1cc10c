"""How long, how much and how often a model is asked."""

from __future__ import annotations

from dataclasses import dataclass

REPLY_BYTES = 1_000_000
REPLY_DEPTH = 32
CHECK_SECONDS = 30.0
"""The longest wait for what a vendor says of a model, which it need not think about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLimits:
    """What one request may take: seconds, tokens of output, bytes and nesting of the reply.

    `seconds` bounds the wait for the first byte and, counted from the start, the end of the body, however slowly that
    comes; so a request ends after at most twice as long.
    """

    seconds: float = 600.0
    connect_seconds: float = 10.0
    output_tokens: int = 16_000
    reply_bytes: int = REPLY_BYTES
    reply_depth: int = REPLY_DEPTH


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often one question is put, and how long all its tries and the waits between them may take.

    Vendors' buckets were seen to fill up again within three minutes, so a wait of five is still worth it at night. A
    vendor that asks for more than `longest_wait_seconds` is not waited for at all: asking sooner is refused again.
    """

    tries: int = 5
    deadline_seconds: float = 1_200.0
    longest_wait_seconds: float = 300.0
    first_wait_seconds: float = 2.0
