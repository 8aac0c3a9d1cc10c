"""A served folder of repositories, and a mirror of one of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dream.repository.address import Credential
from dream.repository.limits import RepositoryLimits
from dream.repository.mirror import Mirror, open_mirror
from tests.support.repositories import Hosted

MirrorMaker = Callable[..., Mirror]


@pytest.fixture
def mirror_of(tmp_path: Path) -> MirrorMaker:
    """Opens a mirror of a hosted repository, or of any address, in one home."""

    def make(
        of: Hosted | str, *, branch: str = "main", prefix: str = "", credential: Credential | None = None, **limits: int
    ) -> Mirror:
        return open_mirror(
            tmp_path / "home",
            of if isinstance(of, str) else of.url,
            branch,
            prefix=prefix,
            credential=lambda: credential,
            limits=RepositoryLimits(kill_grace_seconds=0.2, **limits),
        )

    return make
