"""Web servers as probes: what a GET of an allowed path answers."""

from dream.sources.production.http.probe import HttpProbe, HttpSource

__all__ = ["HttpProbe", "HttpSource"]
