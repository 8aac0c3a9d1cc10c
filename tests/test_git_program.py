"""How git is run wherever it is: what it sees of this machine, and where a credential may go."""

from __future__ import annotations

from pathlib import Path

import pytest

from dream.git_program import Bounds, passed_on, run_git

CREDENTIAL = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "http.extraHeader", "GIT_CONFIG_VALUE_0": "x"}


def test_certificates_and_proxies_are_passed_on_and_nothing_else() -> None:
    wanted = {"PATH": "/bin", "GIT_SSL_CAINFO": "/etc/ca.pem", "no_proxy": "localhost"}
    assert passed_on({**wanted, "SECRET_KEY": "x", "GIT_DIR": "/x", "HOME": "/root"}) == wanted


def test_an_address_starts_no_program_that_lies_on_the_search_path(tmp_path: Path) -> None:
    helper = tmp_path / "git-remote-trap"
    helper.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n")
    helper.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/local/bin:/usr/bin:/bin"}
    for url in ("trap::x", f"ext::touch '{tmp_path}/ran'", "fd::3"):
        ended = run_git(
            ["ls-remote", url], repository=None, environment=environment, bounds=Bounds(seconds=10, output_bytes=10_000)
        )
        assert (ended.status, ended.errors.split(b"'")[2]) == (128, b" not allowed\n")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(("login", "followed"), [({}, "initial"), (CREDENTIAL, "false")])
def test_a_credential_is_sent_to_no_host_that_another_names(
    tmp_path: Path, login: dict[str, str], followed: str
) -> None:
    program = tmp_path / "git"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/bin:/usr/bin", **login}
    ended = run_git(["fetch"], repository=None, environment=environment, bounds=Bounds(seconds=10, output_bytes=10_000))
    assert f"http.followRedirects={followed}" in ended.output.decode().split("\n")
