# ruff: noqa: INP001  # run by path, imported by nobody but its test
"""Creates the automations of a file on a Prefect server, or brings those of the same name up to date.

Run by path: `/opt/dream/bin/python deploy/automations.py [--notify TYPE/NAME | --webhook-file FILE] [FILE]`.

`--notify` names a block of Prefect that is told, such as `slack-webhook/on-call`, made on the page "Blocks". With
`--webhook-file` an address is read from a file and kept as the block `webhook/dream-on-call`; what happened is posted
to it as JSON, {"text": …}. Without either those are told who were before, or nobody; Prefect's page "Events" shows what
fired.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from prefect.blocks.webhook import Webhook
from prefect.client.orchestration import PrefectClient, get_client
from prefect.events.schemas.automations import AutomationCore
from prefect.exceptions import ObjectNotFound
from pydantic import SecretStr
from ruamel.yaml import YAML

HERE = Path(__file__).parent
BLOCK = "webhook/dream-on-call"
TELLING = ("call-webhook", "send-notification")
TEXT = (
    "{{ automation.name }}: {{ event.resource.name }}"
    "{% set why = event.payload.reason or event.resource['prefect.state-message'] %}"
    "{% if why %}: {{ why }}{% endif %}\n"
    "Since {{ event.occurred }}. {{ automation.description }}"
    "{% if event.payload.way_out %}\nAs the night says: {{ event.payload.way_out }}{% endif %}"
)
PAYLOAD = "{% set text %}" + TEXT + '{% endset %}{"text": {{ text | string | tojson }}}'


async def told(client: PrefectClient, block: str) -> dict[str, Any]:
    """Return the action that tells a block; exits with what to do where there is no such block."""
    kind, _, name = block.partition("/")
    try:
        document = await client.read_block_document_by_name(name, kind)
    except ObjectNotFound:
        sys.exit(f"There is no block {block!r}. Make it on Prefect's page Blocks, or name another: TYPE/NAME.")
    if kind == "webhook":
        return {"type": "call-webhook", "block_document_id": str(document.id), "payload": PAYLOAD}
    subject = "{{ automation.name }}: {{ event.resource.name }}"
    return {"type": "send-notification", "block_document_id": str(document.id), "subject": subject, "body": TEXT}


def read_address(file: Path) -> str:
    """Return the address that a file holds; exits with what to do where it holds none."""
    try:
        address = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        sys.exit(f"The address cannot be read from {file}: {error.strerror}. Write it there, readable for this user.")
    if not address.startswith(("http://", "https://")):
        sys.exit(f"{file} holds no http address: write one into it, on one line.")
    return address


def automation_of(raw: dict[str, Any], *, given: list[dict[str, Any]], before: AutomationCore | None) -> AutomationCore:
    """Return an automation as the file says it, with the actions `given` that tell somebody, else those it had."""
    kept = [action.model_dump(mode="json") for action in before.actions if action.type in TELLING] if before else []
    telling = given or kept
    actions = [action for action in raw["actions"] if not telling or action["type"] != "do-nothing"]
    return AutomationCore.model_validate({**raw, "actions": [*actions, *telling]})


async def keep_webhook(address: str) -> None:
    """Keep an address as a block of Prefect, which stores it encrypted."""
    await Webhook(url=SecretStr(address)).save(BLOCK.partition("/")[2], overwrite=True)


async def install(document: list[dict[str, Any]], *, notify: str) -> None:
    """Create or update each automation, with whom it tells, and print a line for each.

    Without `notify` each goes on to tell whom it told.
    """
    telling = False
    async with get_client() as client:
        given = [await told(client, notify)] if notify else []
        for raw in document:
            first, *doubles = [*await client.read_automations_by_name(raw["name"]), None]
            wanted = automation_of(raw, given=given, before=first)
            telling = telling or any(action.type in TELLING for action in wanted.actions)
            if first is None:
                await client.create_automation(wanted)
            else:
                await client.update_automation(first.id, wanted.model_copy(update={"enabled": first.enabled}))
            for double in doubles:
                if double is not None:
                    await client.delete_automation(double.id)
            sys.stdout.write(f"{'created' if first is None else 'updated'} {wanted.name}\n")
    if not telling:
        sys.stdout.write("Nobody is told of them; give --notify TYPE/NAME or --webhook-file FILE to change that.\n")


def main() -> None:
    """Read the arguments and install."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=HERE / "automations.yaml", metavar="FILE")
    parser.add_argument("--notify", default="", metavar="TYPE/NAME", help="the block that is told")
    parser.add_argument("--webhook-file", type=Path, metavar="FILE", help="the file with the address that is told")
    given = parser.parse_args()
    if given.notify and given.webhook_file:
        parser.error("--notify and --webhook-file exclude each other")
    address = read_address(given.webhook_file) if given.webhook_file else ""
    document = YAML(typ="safe").load(given.file)
    asyncio.run(run(document["automations"], address=address, notify=given.notify))


async def run(document: list[dict[str, Any]], *, address: str, notify: str) -> None:
    """Install, and tell what is posted to `address` or to the block `notify`, or nobody."""
    if address:
        await keep_webhook(address)
    await install(document, notify=BLOCK if address else notify)


if __name__ == "__main__":
    main()
