from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

import pytest

from tests import isolation

pytest_plugins = ["pytester"]


def _refusals() -> list[str]:
    attempts = list(isolation.refused)
    isolation.refused.clear()
    return attempts


@pytest.mark.parametrize(
    ("family", "host"), [(socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")], ids=["IPv4", "IPv6"]
)
def test_a_connection_out_of_this_machine_is_refused(family: socket.AddressFamily, host: str) -> None:
    with socket.socket(family) as outside, pytest.raises(isolation.NetworkRefusedError, match="loopback"):
        outside.connect((host, 443))
    assert _refusals() == [f"socket.connect {host}"]


def test_a_datagram_out_of_this_machine_is_refused() -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outside,
        pytest.raises(isolation.NetworkRefusedError),
    ):
        outside.sendto(b"", ("192.0.2.1", 53))
    assert _refusals() == ["socket.sendto 192.0.2.1"]


def test_no_name_but_localhost_is_resolved() -> None:
    with pytest.raises(isolation.NetworkRefusedError):
        socket.getaddrinfo("models.example", 443)
    assert _refusals() == ["socket.getaddrinfo models.example"]


def test_loopback_is_reachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()


def test_a_refused_attempt_that_was_swallowed_fails_its_test(pytester: pytest.Pytester) -> None:
    _with_the_guards_of_this_suite(pytester)
    pytester.makepyfile(
        test_swallowing="""
        import contextlib
        import socket

        def test_quiet():
            with contextlib.suppress(Exception), socket.socket() as outside:
                outside.connect(("192.0.2.1", 443))
        """
    )
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1, errors=1)


def test_git_finds_no_way_out() -> None:
    answer = subprocess.run(
        ["git", "ls-remote", "https://192.0.2.1/memory.git"], capture_output=True, text=True, check=False
    )
    assert answer.returncode != 0
    assert "127.0.0.1" in answer.stderr


def test_home_git_and_prefect_are_the_tests_own() -> None:
    home = Path.home()
    assert home.name.startswith("dream-test-home-")
    assert os.environ["GIT_CONFIG_GLOBAL"] == str(home / ".gitconfig")
    assert os.environ["PREFECT_HOME"] == str(home / "prefect")
    identity = subprocess.run(["git", "config", "user.email"], capture_output=True, text=True, check=True, cwd=home)
    assert identity.stdout == "person@test.invalid\n"


def test_credentials_and_settings_of_the_person_are_forgotten(tmp_path: Path) -> None:
    environment = {
        "ANTHROPIC_API_KEY": "x",
        "OPENAI_API_KEY": "x",
        "ACME_GIT_TOKEN": "x",
        "AWS_PROFILE": "x",
        "DREAM_HOME": "/srv/dream",
        "NIGHTLY_TEST_PROFILE": "ci",
        "GIT_AUTHOR_NAME": "x",
        "PREFECT_API_URL": "x",
        "SSH_AUTH_SOCK": "x",
        "XDG_CONFIG_HOME": "x",
    }
    isolation.isolate(environment, tmp_path)
    assert sorted(environment) == sorted(
        {
            "ALL_PROXY", "DO_NOT_TRACK", "NIGHTLY_TEST_PROFILE", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM",
            "GIT_TERMINAL_PROMPT", "HOME", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "PREFECT_HOME",
            "PREFECT_SERVER_ANALYTICS_ENABLED", "TZ", "USERPROFILE", "all_proxy", "http_proxy", "https_proxy",
            "no_proxy",
        }
    )  # fmt: skip


def test_no_model_can_be_paid_from_here() -> None:
    assert [name for name in os.environ if name.endswith("_API_KEY")] == []


def test_a_warning_fails_its_test(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getini("filterwarnings")[0] == "error"


@pytest.mark.parametrize(("required", "outcome"), [("0", {"skipped": 2}), ("1", {"errors": 2})])
def test_a_skip_for_want_of_data_fails_where_data_is_required(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, required: str, outcome: dict[str, int]
) -> None:
    monkeypatch.setenv("NIGHTLY_TEST_REQUIRE_DATA", required)
    _with_the_guards_of_this_suite(pytester)
    pytester.makepyfile(test_reading="def test_real_memories(shared_data): pass")
    pytester.makepyfile(
        test_whole_module="import pytest; pytest.skip('../shared/data is not here', allow_module_level=True)"
    )
    pytester.runpytest_subprocess("-p", "no:cacheprovider", "--continue-on-collection-errors").assert_outcomes(
        **outcome
    )


def _with_the_guards_of_this_suite(pytester: pytest.Pytester) -> None:
    suite = Path(__file__).parents[1]
    folder = pytester.mkdir("tests")
    for source, target in (("conftest.py", pytester.path), ("isolation.py", folder)):
        (target / source).write_text((suite / source).read_text(encoding="utf-8"), encoding="utf-8")
