"""The secret that fences around others' text are made of: an organisation's own, and the same every night."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from pathlib import Path

from dream.repository.failures import writing
from dream.repository.kept_files import private_folder, replace_file
from flows.workplace import Workplace

FILE = "fence.key"
_BYTES = 32


def fence_secret(workplace: Workplace) -> bytes:
    """Return the secret: of the organisation's key where it has one, else kept in its own folder.

    Raises:
        DreamError: the key is missing, or the folder cannot be written.
    """
    key = workplace.keeper().key
    if key is not None:
        return hmac.new(key, b"fences of prompts", sha256).digest()
    path = workplace.home / FILE
    kept = _read(path)
    if kept:
        return kept
    made = secrets.token_bytes(_BYTES)
    private_folder(workplace.home)
    replace_file(path, made, "the secret of the fences", mode=0o600)
    return made


def _read(path: Path) -> bytes:
    """Return what is kept, or nothing where it is not whole: another secret serves as well."""
    if not path.exists():
        return b""
    with writing(path.parent, "the secret of the fences"):
        data = path.read_bytes()
    return data if len(data) == _BYTES else b""
