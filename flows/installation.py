"""This installation as the commands see it: its settings, its organisations, its environment."""

from __future__ import annotations

from config.loading import Organisations, load_organisations
from config.settings import Settings, load_settings
from dream.errors import UsageError
from dream.sources.sessions.formats.registry import formats
from flows.telling.logs import configure_logs
from flows.workplace import Workplace


def open_installation() -> Settings:
    """Return the settings of this process, with its logs set up by them; raises UsageError."""
    settings = load_settings()
    configure_logs(level=settings.log_level, form=settings.log_format)
    return settings


def all_organisations(settings: Settings) -> Organisations:
    """Return what the folder of organisations holds; raises UsageError where it cannot be read."""
    return load_organisations(settings.organisations, limits=settings.limits, session_kinds=formats())


def some_organisations(settings: Settings) -> Organisations:
    """Return what the folder of organisations holds; raises UsageError where that is none, or it cannot be read."""
    found = all_organisations(settings)
    if not found.organisations and not found.broken:
        message = f"there is no organisation in {settings.organisations}"
        raise UsageError(message, way_out="write one YAML file for each, or set DREAM_ORGANISATIONS")
    return found


def open_workplace(settings: Settings, name: str) -> Workplace:
    """Return where the organisation called `name` works; raises UsageError where there is none, or it is broken."""
    return Workplace(organisation=all_organisations(settings).get(name), settings=settings)
