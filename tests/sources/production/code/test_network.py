from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dream.sources.production.code.network import git_settings
from dream.sources.production.code.reading import read_code
from dream.sources.production.code.values import CodeSource
from dream.sources.production.port import Down, Refused
from tests.support.repositories import host
from tests.support.served import Served, serve

INSIDE = [
    "http://127.0.0.1:8080/web.git",
    "https://10.0.0.7/web.git",
    "http://169.254.169.254/latest",
    "ssh://git@192.168.1.5/web.git",
    "git@192.168.1.5:acme/web.git",
    "192.168.1.5:acme/web.git",
    "git://[::1]/web.git",
    "http://2130706433/web.git",
]


def public(_host: str, _port: int) -> Sequence[str]:
    return ["93.184.216.34", "2606:2800:220:1::1"]


def loopback(_host: str, _port: int) -> Sequence[str]:
    return ["127.0.0.1"]


def nothing(_host: str, _port: int) -> Sequence[str]:
    raise OSError


@pytest.mark.parametrize("url", INSIDE)
def test_a_host_inside_the_network_is_refused_whatever_the_protocol(url: str) -> None:
    assert isinstance(git_settings(url, internal=False, environment={}), Refused)


@pytest.mark.parametrize(
    ("url", "pinned"),
    [
        ("https://git.acme.example/web.git", "git.acme.example:443"),
        ("http://git.acme.example/web.git", "git.acme.example:80"),
        ("https://git.acme.example:8443/web.git", "git.acme.example:8443"),
    ],
)
def test_git_is_held_to_the_addresses_that_were_checked_and_follows_no_redirect(url: str, pinned: str) -> None:
    assert git_settings(url, internal=False, environment={}, resolve=public) == (
        "http.followRedirects=false",
        f"http.curloptResolve={pinned}:93.184.216.34,[2606:2800:220:1::1]",
    )


@pytest.mark.parametrize("url", ["git@git.acme.example:acme/web.git", "ssh://git.acme.example/web.git"])
def test_the_host_of_another_protocol_is_checked(url: str) -> None:
    assert git_settings(url, internal=False, environment={}, resolve=public) == ("http.followRedirects=false",)
    assert isinstance(git_settings(url, internal=False, environment={}, resolve=loopback), Refused)
    assert isinstance(git_settings(url, internal=False, environment={}, resolve=nothing), Down)


def test_a_host_that_only_a_proxy_knows_is_left_to_it() -> None:
    url = "https://git.acme.example/web.git"
    assert isinstance(git_settings(url, internal=False, environment={}, resolve=nothing), Down)
    proxied = {"HTTPS_PROXY": "http://proxy.acme.example:3128"}
    assert git_settings(url, internal=False, environment=proxied, resolve=nothing) == ("http.followRedirects=false",)
    assert isinstance(git_settings(url, internal=False, environment=proxied, resolve=loopback), Refused)


@pytest.mark.parametrize("url", ["/srv/git/web.git", "../web.git", "file:///srv/git/web.git", "./a:b"])
def test_a_place_on_a_disk_is_no_network(url: str) -> None:
    assert git_settings(url, internal=False, environment={}) == ()


@pytest.mark.parametrize("url", ["ftp://git.acme.example/web.git", "https:///web.git", "http://[::1/web.git"])
def test_an_address_of_no_known_kind_is_refused(url: str) -> None:
    assert git_settings(url, internal=True, environment={}) == Refused("its address is of no kind that is read")


def test_git_goes_to_the_address_that_was_checked_whatever_the_name_means_by_then(
    served: Served, tmp_path: Path
) -> None:
    hosted = host(served, "web", {"a.md": "a"})
    url = hosted.url.replace("127.0.0.1", "git.acme.invalid")
    source = CodeSource(name="web", url=url, internal=True)
    tree = read_code(source, home=tmp_path / "mirrors", resolve=loopback)
    assert (tree.unknown, tree.paths) == ("", frozenset({"a.md"}))


def test_code_inside_the_network_is_unknown_unless_it_may_be_there(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "web", {"a.md": "a"})
    tree = read_code(CodeSource(name="web", url=hosted.url), home=tmp_path / "mirrors")
    assert "inside a network" in tree.unknown
    assert served.requests == []
    assert not (tmp_path / "mirrors").exists()


def test_a_redirect_is_followed_only_from_a_server_that_may_be_inside(served: Served, tmp_path: Path) -> None:
    hosted = host(served, "web", {"a.md": "a"})
    with serve(tmp_path) as elsewhere:
        elsewhere.redirect_to = hosted.url
        url = elsewhere.url("web").replace("127.0.0.1", "git.acme.invalid")
        source = CodeSource(name="web", url=url, internal=True)
        assert read_code(source, home=tmp_path / "one", resolve=loopback).paths == {"a.md"}
