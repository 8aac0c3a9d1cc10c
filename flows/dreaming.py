"""A night's models: who answers in which role, within one budget, with what was answered before."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Protocol

import structlog

from config.models import Model as Configured
from config.models import Price as ConfiguredPrice
from config.prices import PriceList, load_prices
from dream.cached import cached_property
from dream.errors import FatalError
from dream.models.answers import AnswerStore
from dream.models.asking import AskingModel
from dream.models.budget import Budget, Spent
from dream.models.ledger import Ledger
from dream.models.limits import CallLimits
from dream.models.metering import MeteredModel
from dream.models.offline import OfflineModel
from dream.models.port import Consequence, Model, Reason, Role, Unanswered, Usage
from dream.models.preflight import check_credential
from dream.models.prices import Price, PriceTable
from dream.models.stopping import Switch
from dream.models.waiting import PatientModel
from flows.adapters import adapter_of, call_limits, retry_policy
from flows.clock import Clock
from flows.fences import fence_secret
from flows.spending import read_spent, write_spent
from flows.workplace import Workplace

log = structlog.get_logger()

_CHECKED = (Role.DREAMER, Role.SUMMARISER, Role.JUDGE)
"""The roles without which nothing is written: they are checked before anything is paid for."""


class AdapterMaker(Protocol):
    """Makes what asks a configured model, one request a question."""

    def __call__(self, configured: Configured, *, organisation: str, limits: CallLimits, secret: bytes) -> Model:
        """Return the adapter."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What asks in one role: the adapter, the same patient and within the budget, and all that decides its answers."""

    adapter: Model
    model: Model
    identity: str


class NightModels:
    """Hands each task the models of its roles; adapters are made, and credentials looked at, before the first question.

    A role without a model answers that it has none. `prices` are those of the configured models, as far as they are
    known; `ledger` counts what all of them are asked; `examined` holds, by name, what a judge's examination of tonight
    came to, which is one for all tasks.
    """

    def __init__(
        self, workplace: Workplace, *, night: date, clock: Clock, prices: PriceList, adapter: AdapterMaker
    ) -> None:
        """Go on from what the runs of `night` have spent; nothing else is looked at yet."""
        organisation = workplace.organisation
        self._workplace = workplace
        self._night = night
        self._clock = clock
        self._adapter = adapter
        self._limits = organisation.limits
        models = organisation.models
        self._configured: Mapping[Role, Configured] = {
            Role.DREAMER: models.of("dreamer"),
            Role.SUMMARISER: models.of("summariser"),
            Role.JUDGE: models.of("judge"),
            Role.REVIEWER: models.of("reviewer"),
        }
        self._asked: dict[Role, _Asked] = {}
        self.examined: dict[str, str] = {}
        self._switch = Switch(self._check)
        self._trouble = ""
        self.prices = _price_table(prices, self._configured)
        self.ledger = self._ledger()
        self.answers = AnswerStore(workplace.store, organisation=workplace.name, night=night)

    def dreamer(self, task: str) -> Model:
        """Return who proposes, for `task`."""
        return self._model(Role.DREAMER, task)

    def summariser(self, task: str) -> Model:
        """Return who sums up conversations, for `task`: the dreamer where nobody else is named."""
        named = self._workplace.organisation.models.summariser
        return self._model(Role.SUMMARISER if named and self.has(Role.SUMMARISER) else Role.DREAMER, task)

    def judge(self, task: str) -> Model:
        """Return who says whether evidence supports a statement, for `task`."""
        return self._model(Role.JUDGE, task)

    def reviewer(self, task: str) -> Model:
        """Return who approves what `task` would teach."""
        return self._model(Role.REVIEWER, task)

    def has(self, role: Role) -> bool:
        """Whether anybody is configured to answer in `role`."""
        return self._configured[role].provider != "offline"

    @property
    def has_own_judge(self) -> bool:
        """Whether somebody other than the dreamer judges."""
        return self._workplace.organisation.models.has_own_judge

    @property
    def has_own_reviewer(self) -> bool:
        """Whether somebody other than the dreamer reviews."""
        return self._workplace.organisation.models.has_own_reviewer

    @property
    def _is_offline(self) -> bool:
        return self._workplace.organisation.models.is_offline

    @property
    def stopped_by(self) -> Unanswered | None:
        """Why this night asks no more; None while it does."""
        return self._switch.closed_by

    @cached_property
    def fence_secret(self) -> bytes:
        """What the fences around others' text are made of: nobody who writes such text knows it."""
        return fence_secret(self._workplace)

    @property
    def configuration(self) -> str:
        """Everything configured that decides how a night goes, credentials left out, as one text."""
        prices = {
            name: [str(price.input), str(price.cached), str(price.cache_written), str(price.output)]
            for name, price in sorted(self.prices.prices.items())
        }
        dated = self.prices.dated.isoformat() if self.prices.dated and prices else ""
        return json.dumps([self._workplace.organisation.without_credentials(), prices, dated])

    def findings(self) -> tuple[str, ...]:
        """Return what a person should be told of this run's models beside what each task tells."""
        found = [self._trouble] if self._trouble else []
        if self.stopped_by is not None:
            found.append(f"models were asked no more: {self.stopped_by.reason.value}: {self.stopped_by.detail}")
        if self.answers.troubles:
            found.append(f"answers could not be read or kept {self.answers.troubles} times; a run more pays for them")
        return tuple(found)

    def end(self) -> None:
        """Log what the night has spent, and take away answers that are kept long enough."""
        if self._is_offline:
            return
        spent = self.ledger.spent(now=self._clock.monotonic())
        log.info(
            "night.spent",
            tokens=spent.tokens,
            dollars=str(spent.dollars),
            calls=spent.calls,
            seconds=round(spent.seconds, 1),
            questions=sum(row.questions for row in self.ledger.rows()),
            kept=sum(row.kept for row in self.ledger.rows()),
        )
        self.answers.forget(self._night - timedelta(days=self._limits.answers.kept_days))

    def _model(self, role: Role, task: str) -> Model:
        if not self.has(role):
            return OfflineModel()
        asked = self._of_role(role)
        return AskingModel(
            asked.model,
            task=task,
            role=role,
            ledger=self.ledger,
            answers=self.answers,
            switch=self._switch,
            identity=asked.identity,
        )

    def _of_role(self, role: Role) -> _Asked:
        if role not in self._asked:
            configured, calls = self._configured[role], self._limits.calls
            limits = call_limits(calls, configured)
            adapter = self._adapter(
                configured, organisation=self._workplace.name, limits=limits, secret=self.fence_secret
            )
            metered = MeteredModel(
                adapter, ledger=self.ledger, most_output=limits.output_tokens, now=self._clock.monotonic
            )
            patient = PatientModel(
                metered,
                retry_policy(calls),
                sleep=self._wait,
                clock=self._clock.monotonic,
                draw=lambda: self._clock.jitter(1.0),
            )
            identity = f"{configured.name}@{configured.base_url}"
            self._asked[role] = _Asked(adapter=adapter, model=patient, identity=identity)
        return self._asked[role]

    def _wait(self, seconds: float) -> None:
        self._clock.sleep(seconds)
        self.ledger.wait(seconds)

    def _check(self) -> Unanswered | None:
        """Return why the models without which nothing is written cannot be asked; each costs a call, if that."""
        seen = set()
        for role in _CHECKED:
            configured = self._configured[role]
            if configured.provider == "offline" or configured in seen:
                continue
            seen.add(configured)
            answer = self._checked(role)
            if answer is not None and answer.consequence is Consequence.STOP:
                whose = "" if answer.reason is Reason.OVER_BUDGET else f"{role.value} {configured.name}: "
                return replace(answer, detail=f"{whose}{answer.detail}")
        return None

    def _checked(self, role: Role) -> Unanswered | None:
        """Check the adapter of one role; that is a call like any other, so that no number of runs makes many."""
        adapter = self._of_role(role).adapter
        room = self.ledger.reserve(adapter.name, Usage(calls=1), now=self._clock.monotonic())
        if isinstance(room, str):
            return Unanswered(reason=Reason.OVER_BUDGET, detail=room)
        try:
            return check_credential(adapter)
        finally:
            self.ledger.charge(room, Usage(calls=1), now=self._clock.monotonic())

    def _ledger(self) -> Ledger:
        home, night = self._workplace.home, self._night
        try:
            before = Spent() if self._is_offline else read_spent(home, night)
        except FatalError as error:
            self._trouble = f"{error}; {error.way_out}"
            unknown = "what this night has spent before is not known"
            self._switch.heed(Unanswered(reason=Reason.OVER_BUDGET, detail=unknown))
            before = Spent()
        return Ledger(
            budget_of(self._workplace),
            self.prices,
            before=before,
            keep=lambda spent: write_spent(home, night, spent),
        )


ModelMaker = Callable[..., NightModels]


def build_models(workplace: Workplace, *, night: date, clock: Clock, adapter: AdapterMaker = adapter_of) -> NightModels:
    """Return the models of one organisation's night; nothing of a vendor is loaded before the first question.

    Raises:
        UsageError: the price list cannot be read.
    """
    prices = load_prices(workplace.settings.prices)
    return NightModels(workplace, night=night, clock=clock, prices=prices, adapter=adapter)


def budget_of(workplace: Workplace) -> Budget:
    """Return what a night of the organisation may spend."""
    spend = workplace.organisation.limits.spend
    return Budget(
        tokens=spend.tokens, dollars=Decimal(str(spend.dollars)), calls=spend.calls, seconds=spend.minutes * 60
    )


def _price_table(prices: PriceList, configured: Mapping[Role, Configured]) -> PriceTable:
    """Return the prices of the configured models: their own, else those of the list."""
    known = {}
    for model in configured.values():
        price = model.price or prices.models.get(model.name)
        if price is not None:
            known[model.name] = _price(price)
    return PriceTable(dated=prices.dated, prices=known)


def _price(price: ConfiguredPrice) -> Price:
    return Price(
        input=price.input,
        output=price.output,
        cached=price.input if price.cached is None else price.cached,
        cache_written=price.input if price.cache_written is None else price.cache_written,
    )
