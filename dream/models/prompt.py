"""What a model is asked: fixed words first, and text of others behind a fence."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, replace
from hashlib import sha256

_FENCE_CHARACTERS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Untrusted:
    """Text that somebody else wrote; `label` says what it is, in words of this package and nobody else's."""

    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a model.

    `name` is the template's (`distil/propose`), `version` the digest of its text. `system` is the same for all
    questions of a template, so that a provider's cache hits; `parts` follow in order, the stable ones first. `salt`
    makes an equal question another one, for what must be asked anew every night. `complaint` says what was wrong with
    the reply before.
    """

    name: str
    version: str
    system: str
    parts: tuple[str | Untrusted, ...] = ()
    salt: str = ""
    complaint: str = ""

    def key(self, *, model: str, schema: str) -> str:
        """Return the digest under which an answer is kept: of version, schema, model and the text without fences."""
        digest = sha256()
        for part in (self.name, self.version, schema, model, self.salt, self.complaint, self.system):
            _absorb(digest, part)
        for piece in self.parts:
            _absorb(digest, f"<{piece.label}>{piece.text}" if isinstance(piece, Untrusted) else piece)
        return digest.hexdigest()

    def user_text(self, secret: bytes) -> str:
        """Return the user's turn, each piece of untrusted text between two lines that its author could not foresee."""
        pieces = [_fenced(piece, secret) if isinstance(piece, Untrusted) else piece for piece in self.parts]
        return "\n\n".join([*pieces, self.complaint] if self.complaint else pieces)

    def asked_again(self, complaint: str) -> Prompt:
        """Return the same question with what was wrong with the first reply."""
        return replace(self, complaint=complaint)

    @property
    def characters(self) -> int:
        """How long the question is."""
        texts = (piece.text if isinstance(piece, Untrusted) else piece for piece in self.parts)
        return len(self.system) + len(self.complaint) + sum(map(len, texts))


def _absorb(digest: hashlib._Hash, text: str) -> None:
    data = text.encode(errors="surrogatepass")
    digest.update(len(data).to_bytes(8, "big"))
    digest.update(data)


def _fenced(piece: Untrusted, secret: bytes) -> str:
    data = piece.text.encode(errors="surrogatepass")
    mark = hmac.new(secret, data, sha256).hexdigest()[:_FENCE_CHARACTERS]
    return f"<<<{mark} {piece.label}\n{piece.text}\n{mark}>>>"
