"""The git server of tests, which starts fewer programs than `git http-backend`, says what that says."""

from __future__ import annotations

import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.support.served import serve

UPLOAD, RECEIVE = "git-upload-pack", "git-receive-pack"
LS_REFS = b"0014command=ls-refs\n0000"


def ask(address: str, protocol: str, body: bytes | None, method: str) -> tuple[int, str | None, bytes]:
    """Return the status, the kind and the body of an answer."""
    headers = {"Git-Protocol": protocol} if protocol else {}
    if body is not None:
        headers["Content-Type"] = f"application/x-{UPLOAD}-request"
    request = urllib.request.Request(address, data=body, headers=headers, method=method)  # noqa: S310
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.headers["Content-Type"], refusal.read()


@pytest.mark.parametrize(
    ("path", "body", "method", "status"),
    [
        (f"/a.git/info/refs?service={UPLOAD}", None, "GET", 200),
        (f"/filtering.git/info/refs?service={UPLOAD}", None, "GET", 200),
        (f"/a.git/info/refs?service={RECEIVE}", None, "GET", 200),
        (f"/a.git/{UPLOAD}", LS_REFS, "POST", 200),
        (f"/none.git/info/refs?service={UPLOAD}", None, "GET", 404),
        (f"/a.git/{UPLOAD}", None, "GET", 400),
        ("/a.git/HEAD", None, "GET", 200),
    ],
)
def test_it_says_what_http_backend_says(
    tmp_path: Path, path: str, body: bytes | None, method: str, status: int
) -> None:
    for name in ("a", "filtering"):
        subprocess.run(["git", "init", "--quiet", "--bare", str(tmp_path / f"{name}.git")], check=True)
    subprocess.run(["git", "-C", tmp_path / "filtering.git", "config", "uploadpack.allowFilter", "true"], check=True)
    with serve(tmp_path, direct=True) as short, serve(tmp_path, direct=False) as long:
        said = [
            [
                (ask(served.origin + first, protocol, None, "GET"), ask(served.origin + path, protocol, body, method))
                for protocol in ("version=2", "version=1", "")
            ]
            for served, first in ((server, f"/a.git/info/refs?service={UPLOAD}") for server in (short, long))
        ]
    assert said[0] == said[1]
    assert {answer[0] for _, answer in said[0]} == {status}
