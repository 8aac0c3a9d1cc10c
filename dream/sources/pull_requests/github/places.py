"""Where a GitHub has its two interfaces and its repositories. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit, urlunsplit

_ENTERPRISE = "/api/v3"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Addresses without a final slash: of GraphQL, of REST, and of what repositories are cloned from."""

    graphql: str
    rest: str
    clone: str

    def compare(self, repository: str, base: str, head: str) -> str:
        """Return the address that tells what differs between two commits."""
        return f"{self.rest}/repos/{quote(repository)}/compare/{quote(base, safe='')}...{quote(head, safe='')}"

    def token(self, installation: int) -> str:
        """Return the address that gives an app's installation a token."""
        return f"{self.rest}/app/installations/{installation}/access_tokens"

    def git(self, repository: str) -> str:
        """Return the address that a repository is fetched from."""
        return f"{self.clone}/{quote(repository)}.git"


def places_of(url: str) -> Places:
    """Return the places of the GitHub at `url`: `https://api.github.com`, or a server's `/api/v3` or `/api`."""
    parts = urlsplit(url.rstrip("/"))
    path = parts.path.rstrip("/")
    host = parts.netloc
    if path in {_ENTERPRISE, "/api", _ENTERPRISE + "/graphql", "/api/graphql"}:
        root = urlunsplit((parts.scheme, host, "", "", ""))
        return Places(graphql=f"{root}/api/graphql", rest=f"{root}{_ENTERPRISE}", clone=root)
    whole = urlunsplit((parts.scheme, host, path.removesuffix("/graphql"), "", ""))
    clone = urlunsplit((parts.scheme, host.removeprefix("api."), path.removesuffix("/graphql"), "", ""))
    return Places(graphql=f"{whole}/graphql", rest=whole, clone=clone)
