"""Credentials in text: found, named and masked, so that none is written anywhere."""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from dream.guards.secret_kinds import LEAST_WORD, SECRET_KINDS
from dream.guards.wording import replaced_text, written_text
from dream.memory.operations import Proposal, Refusal


@dataclass(frozen=True, slots=True)
class Secret:
    """A credential at `text[start:end]`; its characters are not kept."""

    kind: str
    start: int
    end: int


# Each search begins with literal characters, which the engine skips to; what has to stand around them is asked after.
_KEYWORD = re.compile(
    r"password|passwd|passphrase|passcode|pwd|pw|secret|token|apikey|credential"
    r"|api[_-]key|access[_-]?key|account[_-]?key|auth[_-]key|private[_-]?key|signing[_-]?key|encryption[_-]?key"
    r"|connection[_-]?string"
)
_ASSIGNED = re.compile(
    r"""
    (?:s|[_-][A-Za-z0-9_]{1,20}|[0-9]{1,3})?
    ["'`*\]]{0,3}[ \t]{0,3}(?:=>|:=|==?|:|\b[iI]s\b)[ \t*]{0,4}
    (?:(?P<quote>["'`])(?P<quoted>[^\s"'`]{6,256})(?P=quote)|(?P<bare>[^\s"'`,;|()<>]{8,256}))
    """,
    re.VERBOSE,
)
_CLI_FLAG = re.compile(r"--(?:password|token|secret|api-key)[ =]['\"]?(?P<bare>[^\s'\"`]{6,200})")
_CLI_USER = re.compile(r" -u ?['\"]?[A-Za-z0-9_.@-]{1,60}:(?P<bare>[^\s'\"`]{6,200})")
_BASIC_AUTH = re.compile(r"://[^\s:/?#\[\]@'\"`]{0,80}:(?P<bare>[^\s:/?#\[\]@'\"`]{3,200})@(?=[\w\[])")
_QUOTED = re.compile(r"([\"'])(?P<bare>[A-Za-z0-9+/_=-]{24,200})\1")
# What may follow the first line of a private key: lines of one word, the headers of an encrypted one, the last line.
# In JSON its lines are broken by escapes, and in what was put on one line by blanks, which part other words as well.
_LINE_BREAK = re.compile(r"[ \t\r]{0,8}(?:\n|(?:\\{1,4}r)?\\{1,4}n)[ \t>|+]{0,8}")
_KEY_LINE = re.compile(
    r"(?:[A-Za-z0-9+/=]{0,10000}|[A-Za-z-]{1,30}: [^\r\n\\]{1,200})(?=[ \t\r]{0,8}(?:\n|\Z)|\\{1,4}[rn]|[\"'`])"
)
_BLANKS = re.compile(r"[ \t]{1,8}")
_KEY_WORD = re.compile(r"[A-Za-z0-9+/=]{16,10000}(?![A-Za-z0-9+/=])|[A-Za-z0-9+/=]{1,15}(?=[ \t]{1,8}-----END )")
_KEY_LAST = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_LEAST = 3
_WORDS = tuple(kind for kind in SECRET_KINDS if kind.is_word)
_OTHERS = tuple(kind for kind in SECRET_KINDS if not kind.is_word)
_LONG_WORD = re.compile(rf"\S{{{LEAST_WORD},}}")
_BEFORE_A_VALUE = re.compile(r"[A-Za-z0-9_.\"'-][ \t]{0,3}[=:][ \t]{0,3}\Z")
_PASSWORDS = ("pass", "pw")
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)

# Values that name a secret, or stand where one would.
_MASKED = re.compile(r"x{6}|\*{3}|\.{3}|…|example|0{8}", re.IGNORECASE)
_STAND_IN = re.compile(
    r"""
    ^[$%<{\[(&@] | \$\{ | \{\{ | \$\( | <[a-z] | ^[-_]{1,64}\Z
    | ^(?:env|file|vault|ssm|op|secrets?|arn|https?|s3|gs):
    | ^(?:process\.env|os\.environ|import\.meta|settings|config|self|this|ctx|req|params|data|secrets)\.
    | ^(?:your|my|some|the|test|fake|dummy|sample|placeholder|change|redacted|removed|omitted|insert|enter|todo|none
        |null|undefined|required|optional|string|boolean|true|false)[_a-z-]{0,40}\Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/-]{0,200}")
_SEGMENT = re.compile(r"[A-Z]?[a-z]{1,200}|[A-Z]{1,200}|[0-9]{1,200}")
_MOST_DIGITS_IN_NAME = 2
_SHORTEST_SEGMENTS = 4
_PATH = re.compile(r"(?:~|\.{1,2})?/?(?:[\w.@-]{1,60}/){1,12}[\w.@-]{0,80}|[\w-]{1,60}\.[a-z]{1,5}|/[\w.-]{1,80}")
_DIGEST = re.compile(r"[0-9a-f]{7,64}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|sha[0-9]{1,3}[-:].{1,200}")

_MIN_ENTROPY = 4.0
_BARE_ENTROPY = 3.0


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return the credentials in `text`, by position, none inside another.

    Hashes, ids and paths are none, unless they are assigned to something called a password, a key or a token.
    """
    kept: list[Secret] = []
    for secret in _all(text):
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
    return tuple(kept)


def secret_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the stretches of `text` that belong to any credential, by position, those that meet taken together."""
    spans: list[tuple[int, int]] = []
    for secret in _all(text):
        if spans and secret.start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], secret.end))
        else:
            spans.append((secret.start, secret.end))
    return tuple(spans)


def redact_secrets(text: str) -> str:
    """Return `text` with every credential replaced by `[secret: kind]`."""
    parts, position = [], 0
    for secret in find_secrets(text):
        parts.append(f"{text[position : secret.start]}[secret: {secret.kind}]")
        position = secret.end
    return "".join(parts) + text[position:]


def fold_secrets(text: str) -> str:
    """Return `text` with every credential on one line, so that who looks at its lines one by one sees it whole."""
    parts, position = [], 0
    for secret in find_secrets(text):
        parts.append(text[position : secret.start] + text[secret.start : secret.end].replace("\n", " "))
        position = secret.end
    return "".join(parts) + text[position:]


def guard_secrets(proposal: Proposal) -> Refusal | None:
    """Refuse (`secret`) a credential in new text, in a path, or in the basis, which goes into commits and reports.

    One that stands already in what the operation replaces is history's, and mending a link beside it spreads nothing.
    """
    operation = proposal.operation
    standing = replaced_text(operation, proposal.before)
    texts = (
        ("text", written_text(operation)),
        ("path", "\n".join(sorted(proposal.touched))),
        ("basis", "\n".join((*operation.basis.evidence, operation.basis.why, *operation.basis.sources))),
    )
    for place, text in texts:
        for secret in find_secrets(text):
            if text[secret.start : secret.end] not in standing:
                return Refusal("secret", f"{secret.kind} of {secret.end - secret.start} characters in its {place}")
    return None


def _all(text: str) -> list[Secret]:
    """Return everything that reads as a credential, the longest first of those that begin at one place."""
    if len(text) < _LEAST:
        return []
    lowered = _lowered(text)
    words = "\n".join(_LONG_WORD.findall(lowered))  # a small part of most texts, and most kinds are to be found there
    found = [
        Secret(kind.name, match.start(), _end(kind.name, match))
        for kinds, place in ((_WORDS, words), (_OTHERS, lowered))
        for kind in kinds
        if kind.literal in place
        for match in kind.pattern.finditer(text)
        if not _continues_a_word(text, match.start()) and not _MASKED.search(match[0])
    ]
    found.extend(_assigned(text, lowered))
    for kind, pattern, accepts in _BY_PLACE:
        found.extend(Secret(kind, *match.span("bare")) for match in pattern.finditer(text) if accepts(match))
    return sorted(found, key=lambda each: (each.start, -each.end))


def _end(kind: str, match: re.Match[str]) -> int:
    """Return where a credential ends that begins with `match`: a private key is all of its lines."""
    text, end = match.string, match.end()
    while kind == "private-key":
        line_break = _LINE_BREAK.match(text, end)
        between = line_break or _BLANKS.match(text, end)
        if between is None:
            break
        last = _KEY_LAST.match(text, between.end())
        if last is not None:
            return last.end()
        line = (_KEY_LINE if line_break else _KEY_WORD).match(text, between.end())
        if line is None:
            break
        end = line.end()
    return end


def _assigned(text: str, lowered: str) -> Iterator[Secret]:
    for keyword in _KEYWORD.finditer(lowered):
        value = _ASSIGNED.match(text, keyword.end())
        if not value or (keyword[0] in {"pw", "pwd"} and lowered[keyword.start() - 1 : keyword.start()].isalpha()):
            continue
        group = "quoted" if value["quoted"] else "bare"
        if _is_secret_value(value[group], name=keyword[0], quoted=group == "quoted"):
            yield Secret("assigned-secret", *value.span(group))


def _lowered(text: str) -> str:
    """Return `text` in lower case with every character where it stood, which `lower` alone does not promise."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_LOWER)


def _continues_a_word(text: str, start: int) -> bool:
    return start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_")


def _is_secret_value(value: str, *, name: str, quoted: bool) -> bool:
    value = value.rstrip(".:*")
    if len(value) < 6 or _is_stand_in(value) or _PATH.fullmatch(value):  # noqa: PLR2004  # shorter is no credential
        return False
    has_digit = any(character.isdigit() for character in value)
    has_letter = any(character.isalpha() for character in value)
    if name.lower().startswith(_PASSWORDS):
        return not _names_itself(value) and ((has_digit and has_letter) or (quoted and not _is_name(value)))
    return has_digit and has_letter and not _is_name(value) and _entropy(value) >= _BARE_ENTROPY


def _is_random(match: re.Match[str]) -> bool:
    value = match["bare"]
    classes = (str.isupper, str.islower, str.isdigit)
    return (
        _BEFORE_A_VALUE.search(match.string, max(0, match.start() - 8), match.start()) is not None
        and all(any(test(character) for character in value) for test in classes)
        and _entropy(value) >= _MIN_ENTROPY
        and not _is_stand_in(value)
        and not _DIGEST.fullmatch(value)
        and not _PATH.fullmatch(value)
        and not _is_name(value)
    )


def _is_typed(match: re.Match[str]) -> bool:
    return _is_secret_value(match["bare"], name="password", quoted=True)


def _is_password(match: re.Match[str]) -> bool:
    return not _is_stand_in(match["bare"]) and not _names_itself(match["bare"])


def _is_stand_in(value: str) -> bool:
    return _MASKED.search(value) is not None or _STAND_IN.search(value) is not None


def _is_name(value: str) -> bool:
    """Whether a value reads as an identifier, a type or a dotted path, as values in code and schemas do."""
    if not _NAME.fullmatch(value) or sum(map(str.isdigit, value)) > _MOST_DIGITS_IN_NAME:
        return False
    return len(_SEGMENT.findall(value)) * _SHORTEST_SEGMENTS <= len(value)


def _names_itself(value: str) -> bool:
    return value.lower() in {
        "password",
        "passwd",
        "pass",
        "pwd",
        "secret",
        "token",
        "postgres",
        "admin",
        "root",
        "user",
    }


def _entropy(value: str) -> float:
    """Return Shannon's entropy of the characters, in bits for each."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)


_BY_PLACE = (
    ("command-line-secret", _CLI_FLAG, _is_typed),
    ("command-line-secret", _CLI_USER, _is_typed),
    ("basic-auth", _BASIC_AUTH, _is_password),
    ("high-entropy", _QUOTED, _is_random),
)
