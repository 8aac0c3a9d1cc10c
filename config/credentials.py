"""Secrets by reference: the configuration says where one is, and only its use looks there."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, SecretStr, ValidationInfo

from dream.errors import UsageError

MAX_BYTES = 65_536
_REFERENCE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|file:[^\0\n]+")
_ENVIRONMENT = "env:"
_FILE = "file:"


def _checked(reference: str, info: ValidationInfo) -> str:
    if reference and not _REFERENCE.fullmatch(reference):
        message = "must be a reference, env:NAME or file:PATH, and never the secret itself"
        raise ValueError(message)
    folder = (info.context or {}).get("folder")
    if folder is None or not reference.startswith(_FILE):
        return reference
    return _FILE + str(Path(folder) / reference.removeprefix(_FILE))


Reference = Annotated[str, AfterValidator(_checked)]
"""`env:NAME`, `file:PATH`, or nothing; a relative path starts at the file that it is written in."""


def resolve_credential(
    reference: str, *, organisation: str, environment: Mapping[str, str] | None = None
) -> SecretStr | None:
    """Return the secret that `reference` points at, as it is at this moment, or None for no reference.

    Raises:
        UsageError: nothing is there, or nothing but blanks.
    """
    if not reference:
        return None
    if reference.startswith(_ENVIRONMENT):
        variables = os.environ if environment is None else environment
        secret = variables.get(reference.removeprefix(_ENVIRONMENT), "")
        cause, way_out = "the variable is not set", f"set {reference.removeprefix(_ENVIRONMENT)} where this runs"
    else:
        secret, cause = _read(Path(reference.removeprefix(_FILE)))
        way_out = f"write the secret to {reference.removeprefix(_FILE)}, readable for the user who runs this"
    secret = secret.strip()
    if not secret:
        message = f"organisation {organisation}: the credential {reference} is missing: {cause}"
        raise UsageError(message, way_out=way_out, organisation=organisation, reference=reference)
    return SecretStr(secret)


def _read(path: Path) -> tuple[str, str]:
    """Return the text of a secret's file and what to say if that is empty."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES).decode("utf-8"), "the file is empty"
    except OSError as error:
        return "", f"the file cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        return "", "the file is not UTF-8"
