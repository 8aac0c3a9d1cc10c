"""What `dream doctor` looks at of an organisation's models: each is asked once, with the cheapest question there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from config.models import Model as Configured
from config.prices import load_prices
from dream.errors import UsageError
from dream.models.answers import AnswerStore
from dream.models.port import Consequence, Unanswered
from dream.models.preflight import check_credential
from dream.report.checks import Check, fail, ok, warn
from flows.adapters import adapter_of, call_limits
from flows.clock import Clock
from flows.dreaming import AdapterMaker
from flows.workplace import Workplace

_PATIENCE_SECONDS = 30.0
"""Somebody waits for the answer."""


def check_models(workplace: Workplace, clock: Clock, *, adapter: AdapterMaker = adapter_of) -> Iterator[Check]:
    """Yield how each model is that is configured, whether its price is known, and where its answers are kept."""
    models = workplace.organisation.models
    if models.is_offline:
        yield ok(f"{workplace.name} models", "none is configured; what needs no model is dreamed without")
        return
    for configured in models.all:
        roles = [role for role in models.roles if models.of(role) == configured]
        thing = f"{workplace.name} {' and '.join(roles)}"
        if configured.provider == "offline":
            yield warn(thing, "has no model", f"name one under models.{roles[0]}")
            continue
        yield _reached(thing, workplace, configured, adapter)
        yield from _priced(thing, workplace, configured)
    if models.dreamer.provider != "offline" and models.of("reviewer").name == models.dreamer.name:
        cause = (
            f"is the dreamer's own model, {models.dreamer.name}, and would approve itself, so that nothing is learnt"
        )
        yield warn(f"{workplace.name} reviewer", cause, "name another model under models.reviewer")
    yield _ceilings(workplace)
    yield _store(workplace, clock)


def _reached(thing: str, workplace: Workplace, configured: Configured, adapter: AdapterMaker) -> Check:
    limits = call_limits(workplace.organisation.limits.calls, configured)
    quick = replace(limits, seconds=min(limits.seconds, _PATIENCE_SECONDS))
    asked = adapter(configured, organisation=workplace.name, limits=quick, secret=b"doctor")
    answer = check_credential(asked)
    where = f" at {configured.base_url}" if configured.base_url else ""
    if answer is None:
        return ok(thing, f"{configured.name}{where} can be asked")
    return fail(thing, f"{configured.name}{where}: {answer.reason.value}: {answer.detail}", _way_out(answer))


def _way_out(answer: Unanswered) -> str:
    if answer.consequence is Consequence.STOP:
        return "correct the credential, the model's name or the account; until then nothing that needs it is dreamed"
    return "ask again later; a night waits for it and, if it stays so, leaves its inputs to the next"


def _priced(thing: str, workplace: Workplace, configured: Configured) -> Iterator[Check]:
    try:
        prices = load_prices(workplace.settings.prices)
    except UsageError as error:
        yield fail(thing, str(error), error.way_out)
        return
    price = configured.price or prices.models.get(configured.name)
    if price is None:
        cause = f"no price is known for {configured.name}: the ceiling in US dollars does not hold for it"
        yield warn(thing, cause, "write its price under `price`, or into the list that DREAM_PRICES names")
        return
    dated = f", as of {prices.dated.isoformat()}" if configured.price is None and prices.dated else ""
    yield ok(f"{thing} price", f"{price.input:f} in and {price.output:f} out, US dollars per million tokens{dated}")


def _ceilings(workplace: Workplace) -> Check:
    spend = workplace.organisation.limits.spend
    ceilings = f"{spend.tokens:,} tokens, {spend.dollars:g} US dollars, {spend.calls} calls, {spend.minutes:g} minutes"
    return ok(f"{workplace.name} spend", f"at most {ceilings} a night")


def _store(workplace: Workplace, clock: Clock) -> Check:
    thing = f"{workplace.name} store"
    store = AnswerStore(workplace.store, organisation=workplace.name, night=clock.now().date())
    try:
        store.connect()
    except UsageError as error:
        return fail(thing, str(error), error.way_out)
    days = workplace.organisation.limits.answers.kept_days
    return ok(thing, f"answers are kept for {days} days at {workplace.store}")
