"""How the git program is run: bounded in time and output, with nothing of the machine's, and no secret in any text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.repository.address import Address, Credential, parse_address, scrub
from dream.repository.git import Git
from dream.repository.limits import RepositoryLimits


def _fake_git(folder: Path, script: str, **limits: float) -> Git:
    folder.mkdir(exist_ok=True)
    program = folder / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    bounded = RepositoryLimits(kill_grace_seconds=0.2, **limits)  # type: ignore[arg-type]
    return Git(limits=bounded, environment={"PATH": f"{folder}:{os.environ['PATH']}"})


def _is_running(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_run_over_its_time_is_ended_with_everything_it_started(tmp_path: Path) -> None:
    script = f"trap '' TERM\nsleep 60 & echo $! > {tmp_path}/child\nwait\nsleep 60"
    finished = _fake_git(tmp_path / "bin", script, local_seconds=0.5).run(["status"])
    assert finished.timed_out
    assert not finished.ok
    assert not _is_running(int((tmp_path / "child").read_text()))


def test_only_so_much_of_what_git_says_is_kept(tmp_path: Path) -> None:
    script = "head -c 300000 /dev/zero | tr '\\0' a; head -c 300000 /dev/zero | tr '\\0' b >&2; echo the cause >&2"
    finished = _fake_git(tmp_path / "bin", script, output_bytes=1000).run(["status"])
    assert finished.ok
    assert finished.output == b"a" * 1000
    assert finished.errors == "b" * 990 + "the cause\n"


def test_git_sees_only_what_is_passed_on(tmp_path: Path) -> None:
    git = _fake_git(tmp_path / "bin", "env")
    passed = {**git.environment, "https_proxy": "http://proxy", "SECRET_KEY": "x", "GIT_DIR": "/x", "HOME": "/root"}
    output = Git(limits=git.limits, environment=passed).run(["status"]).output.decode()
    seen = dict(line.split("=", 1) for line in output.split("\n") if "=" in line)
    assert seen["https_proxy"] == "http://proxy"
    assert seen["HOME"] == "/dev/null"
    assert seen["GIT_CONFIG_GLOBAL"] == "/dev/null"
    assert seen["GIT_TERMINAL_PROMPT"] == "0"
    assert not {"SECRET_KEY", "GIT_DIR"} & seen.keys()


def test_hooks_filters_and_monitors_are_off_in_every_call(tmp_path: Path) -> None:
    arguments = _fake_git(tmp_path / "bin", 'printf "%s\\n" "$@"').run(["status"]).output.decode().split("\n")
    for setting in ("core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null"):
        assert setting in arguments


def test_a_secret_is_in_the_environment_and_in_no_argument(tmp_path: Path) -> None:
    git = _fake_git(tmp_path / "bin", 'printf "%s\\n" "$@" >&2; env')
    credential = Credential(secret="s3cr3t")
    finished = git.run_remote(
        ["fetch"],
        repository=None,
        address=parse_address("https://git.acme.example:8443/memory.git"),
        credential=lambda: credential,
        seconds=10,
    )
    assert b"GIT_CONFIG_KEY_0=http.https://git.acme.example:8443/.extraHeader\n" in finished.output
    assert f"GIT_CONFIG_VALUE_0={credential.header()}\n".encode() in finished.output
    assert "***" not in finished.errors
    assert "s3cr3t" not in finished.errors


def test_whatever_git_says_the_secret_is_taken_out(tmp_path: Path) -> None:
    credential = Credential(secret="s3/cr3t", user="ada")
    script = 'echo "$GIT_CONFIG_VALUE_0 s3/cr3t s3%2Fcr3t http://ada:s3%2Fcr3t@host/x" >&2; exit 1'
    finished = _fake_git(tmp_path / "bin", script).run_remote(
        ["fetch"], repository=None, address=parse_address("http://host/x"), credential=lambda: credential, seconds=10
    )
    assert finished.errors == "Authorization: Basic *** *** *** http://***@host/x\n"
    assert credential.secret not in repr(credential)


def test_a_login_is_taken_out_of_an_address() -> None:
    assert parse_address("https://ada:p%40ss@[::1]:8443/m.git") == Address(
        url="https://[::1]:8443/m.git", login=Credential(user="ada", secret="p@ss")
    )
    assert parse_address("https://token@host/m.git") == Address(
        url="https://host/m.git", login=Credential(user="token", secret="")
    )
    for plain in ("https://host/m.git", "git@host:acme/m.git", "ssh://git@host/m.git", "/srv/m.git"):
        assert parse_address(plain) == Address(url=plain)


@given(st.text(st.characters(exclude_characters=" /@", min_codepoint=33, max_codepoint=126), min_size=1))
def test_no_password_in_an_address_is_ever_shown(password: str) -> None:
    for scheme in ("https", "http", "ssh", "git"):
        assert scrub(f"cannot read {scheme}://ada:{password}@host/x now", ()).endswith("***@host/x now")


def test_control_characters_of_a_remote_do_not_reach_a_terminal(tmp_path: Path) -> None:
    finished = _fake_git(tmp_path / "bin", "printf 'remote: \\033[31mred\\007\\n' >&2; exit 1").run(["fetch"])
    assert finished.errors == "remote: \\x1b[31mred\\x07\n"


@pytest.mark.parametrize("text", ["://" * 30_000, "http://" + "a:" * 50_000, "\x1b" * 100_000, "http://a:b@" * 9_000])
def test_scrubbing_is_linear(text: str) -> None:
    assert len(scrub(text, ("secret",))) >= len(text) // 10


def test_input_reaches_git(tmp_path: Path) -> None:
    git = Git()
    git.run(["init", "--quiet", "--bare", str(tmp_path / "x.git")])
    stored = git.run(["hash-object", "-w", "--stdin"], repository=tmp_path / "x.git", stdin=b"hello\n")
    assert stored.output == b"ce013625030ba8dba906f756967f9e9ca394464a\n"
