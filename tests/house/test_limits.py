from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from config.limits import Limits
from config.production import CodeProbe, McpProbe
from config.pull_requests import GitHubPullRequests
from config.settings import Git
from config.teaching import Triggers
from dream.guards.statements.limits import CanaryLimits, GateLimits
from dream.guards.triggers import TriggerLimits
from dream.history.limits import HistoryLimits
from dream.memory.allowance import LossLimits
from dream.memory.limits import IndexLimits
from dream.models.budget import Budget
from dream.models.limits import CallLimits, RetryPolicy
from dream.night.breaker import BreakerLimits
from dream.report.alarms.limits import AlarmLimits
from dream.repository.limits import RepositoryLimits
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.mcp.limits import SessionLimits
from dream.sources.pull_requests.github.limits import GitHubLimits
from flows.taught import learnings_limits, trigger_limits
from tasks.teaching import LearningsLimits
from tasks.verification.limits import VerificationLimits

LIMITS = Limits().model_dump()
GITHUB = GitHubPullRequests(kind="github", repositories=("acme/web",), credential="env:TOKEN").model_dump()
SERVER = McpProbe(name="deployments", kind="mcp", url="https://mcp.acme.example/mcp").model_dump()
SYSTEM = CodeProbe(name="web", kind="code", url="https://git.acme.example/web.git").model_dump()


@pytest.mark.parametrize(
    ("mechanism", "configured"),
    [
        (LossLimits(), LIMITS["loss"]),
        (AlarmLimits(), LIMITS["alarms"]),
        (BreakerLimits(), LIMITS["breaker"]),
        (GitHubLimits(), {key: GITHUB[key] for key in ("pull_requests", "page", "seconds", "wait_seconds")}),
        (RepositoryLimits(), Git().model_dump()),
        (CallLimits(), {key: LIMITS["calls"][key] for key in asdict(CallLimits())}),
        (RetryPolicy(), {key: LIMITS["calls"][key] for key in asdict(RetryPolicy())}),
        (GateLimits(), {key: LIMITS["gates"][key] for key in asdict(GateLimits())}),
        (HistoryLimits(), LIMITS["history"]),
        (CanaryLimits(), {key: LIMITS["gates"][key] for key in asdict(CanaryLimits())}),
        (TriggerLimits(), LIMITS["triggers"]),
        (VerificationLimits(), {key: LIMITS["verification"][key] for key in asdict(VerificationLimits())}),
        (ProbeLimits(), {key: SYSTEM[key] for key in asdict(ProbeLimits())}),
        (SessionLimits(), {"deaths": SERVER["deaths"]}),
        (
            Budget(),
            {
                **{key: LIMITS["spend"][key] for key in ("tokens", "dollars", "calls")},
                "seconds": LIMITS["spend"]["minutes"] * 60,
            },
        ),
        (
            IndexLimits(),
            {
                **{key: LIMITS["index"][key] for key in ("lines", "bytes", "slack_percent", "catalog_notes")},
                "page_bytes": LIMITS["index"]["catalog_page_bytes"],
                "file_bytes": LIMITS["notes"]["most_bytes"],
            },
        ),
    ],
    ids=[
        "loss",
        "alarms",
        "breaker",
        "github",
        "git",
        "calls",
        "retries",
        "gates",
        "history",
        "canary",
        "triggers",
        "verification",
        "probes",
        "sessions",
        "spend",
        "index",
    ],
)
def test_a_mechanism_that_is_told_nothing_does_what_the_configuration_says(
    mechanism: Any, configured: dict[str, Any]
) -> None:
    own = asdict(mechanism)
    assert {key: own[key] for key in configured} == configured


def test_learning_that_is_told_nothing_does_what_the_configuration_says() -> None:
    assert learnings_limits(Limits()) == LearningsLimits()
    assert trigger_limits(Triggers()) == TriggerLimits()


def test_every_configured_number_of_a_call_is_one_that_a_mechanism_knows() -> None:
    assert set(LIMITS["calls"]) == {*asdict(CallLimits()), *asdict(RetryPolicy())}


def test_every_configured_number_of_the_gates_is_one_that_a_mechanism_knows() -> None:
    assert set(LIMITS["gates"]) == {*asdict(GateLimits()), *asdict(CanaryLimits())}
