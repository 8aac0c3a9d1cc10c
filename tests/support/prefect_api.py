"""What a Prefect server tells of its runs over HTTP, read by no code of Prefect's."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx

_PAGE = 200
_ENDED = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefectApi:
    """The API at `url`."""

    url: str

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return what the API answers to a POST; raises httpx.HTTPError."""
        return self._sent("POST", path, body)

    def get(self, path: str) -> Any:
        """Return what the API answers to a GET; raises httpx.HTTPError."""
        return self._sent("GET", path, None)

    def deployment(self, name: str) -> dict[str, Any]:
        """Return the deployment `FLOW/DEPLOYMENT`."""
        found: dict[str, Any] = self.get(f"/deployments/name/{name}")
        return found

    def start(
        self, deployment: str, *, at: datetime | None = None, name: str = "", key: str = "", **parameters: Any
    ) -> str:
        """Have a deployment run, as if its schedule had planned that for `at`; return the flow run's id."""
        details = {"scheduled_time": at.isoformat()} if at else {}
        run = self.post(
            f"/deployments/{self.deployment(deployment)['id']}/create_flow_run",
            {
                "parameters": parameters,
                "state": {"type": "SCHEDULED", "state_details": details},
                **({"name": name} if name else {}),
                **({"idempotency_key": key} if key else {}),
            },
        )
        return str(run["id"])

    def run(self, flow_run: str) -> dict[str, Any]:
        """Return a flow run."""
        found: dict[str, Any] = self.get(f"/flow_runs/{flow_run}")
        return found

    def runs(self, *, flow: str = "", state: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Return every flow run, of one flow and in these types of state where they are named, oldest first."""
        wanted: dict[str, Any] = {}
        if flow:
            wanted["flows"] = {"name": {"any_": [flow]}}
        if state:
            wanted["flow_runs"] = {"state": {"type": {"any_": list(state)}}}
        return self._pages("/flow_runs/filter", {**wanted, "sort": "START_TIME_ASC"})

    def task_runs(self, flow_runs: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Return every task run, of these flow runs where they are named."""
        wanted = {"flow_runs": {"id": {"any_": list(flow_runs)}}} if flow_runs else {}
        return self._pages("/task_runs/filter", {**wanted, "sort": "EXPECTED_START_TIME_ASC"})

    def cancel(self, flow_run: str) -> None:
        """Ask for a run to be cancelled, as the button of Prefect's page does."""
        self.post(f"/flow_runs/{flow_run}/set_state", {"state": {"type": "CANCELLING"}})

    def wait(self, flow_run: str, *, seconds: float = 600, state: Sequence[str] = ()) -> dict[str, Any]:
        """Return a flow run once it has ended, or is in one of these types of state; raises TimeoutError.

        A server that does not answer meanwhile is asked again.
        """
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                found = self.run(flow_run)
            except httpx.TransportError:
                found = {"state_type": ""}
            if found["state_type"] in (state or _ENDED):
                return found
            time.sleep(0.25)
        message = f"the run {flow_run} is {found['state_type'] or 'not to be read'} after {seconds:.0f} s"
        raise TimeoutError(message)

    def _pages(self, path: str, body: Mapping[str, Any]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        while True:
            page = self.post(path, {**body, "limit": _PAGE, "offset": len(found)})
            found += page
            if len(page) < _PAGE:
                return found

    def _sent(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        answer = httpx.request(method, f"{self.url}{path}", json=body, timeout=60, trust_env=False)
        answer.raise_for_status()
        return answer.json() if answer.content else None
