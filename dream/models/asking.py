"""The model that a task gets: it remembers, asks again where a reply did not fit, and stops when the night must."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256

from pydantic import BaseModel, ValidationError

from dream.models.answers import AnswerStore, KeptAnswer
from dream.models.ledger import Ledger
from dream.models.port import Consequence, Model, Replied, Reply, Role, Unanswered
from dream.models.prompt import Prompt
from dream.models.stopping import Switch

_LONGEST_COMPLAINT = 500


class AskingModel:
    """Asks `model` for one task in one role; a question that was answered before is not paid for again."""

    def __init__(
        self,
        model: Model,
        *,
        task: str,
        role: Role,
        ledger: Ledger,
        answers: AnswerStore,
        switch: Switch,
        identity: str = "",
    ) -> None:
        """Keep answers under `identity`, by default the model's name: everything about it that decides an answer."""
        self._model = model
        self._task = task
        self._role = role
        self._ledger = ledger
        self._answers = answers
        self._switch = switch
        self._identity = identity or model.name

    @property
    def name(self) -> str:
        """Who answers."""
        return self._model.name

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        """Return the kept reply to `prompt`, or else a new one, and count which it was.

        A reply that does not fit its type is asked for once more, with what was wrong with it. After an answer from
        which it follows that the night stops asking, every question that has no kept reply is STOPPED at once.
        """
        key = prompt.key(model=self._identity, schema=schema_digest(reply))
        kept = self._kept(key, reply)
        if kept is not None:
            return self._noted(kept, kept=True)
        refusal = self._switch.refusal()
        if refusal is not None:
            return self._noted(refusal)
        answer = self._asked(prompt, reply)
        if isinstance(answer, Replied):
            self._keep(key, answer)
        else:
            self._switch.heed(answer)
        return self._noted(answer)

    def _kept(self, key: str, reply: type[Reply]) -> Replied[Reply] | None:
        kept = self._answers.get(key)
        if kept is None:
            return None
        try:
            return Replied(reply=reply.model_validate_json(kept.reply, strict=True), usage=kept.usage)
        except ValidationError:
            return None

    def _keep(self, key: str, answer: Replied[Reply]) -> None:
        with suppress(ValueError):  # half a surrogate pair can stand in a reply and in no JSON; it is paid for again
            self._answers.put(key, KeptAnswer(reply=answer.reply.model_dump_json(), usage=answer.usage))

    def _asked(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        answer = self._model.ask(prompt, reply)
        if isinstance(answer, Replied) or answer.consequence is not Consequence.ASK_AGAIN:
            return answer
        again = self._model.ask(prompt.asked_again(_complaint(answer)), reply)
        return replace(again, usage=answer.usage + again.usage)

    def _noted(self, answer: Replied[Reply] | Unanswered, *, kept: bool = False) -> Replied[Reply] | Unanswered:
        self._ledger.note(self._task, self._role, self.name, answer, kept=kept)
        return answer


def schema_digest(reply: type[BaseModel]) -> str:
    """Return the digest of the form that a reply of this type has."""
    schema = json.dumps(reply.model_json_schema(), sort_keys=True)
    return sha256(schema.encode()).hexdigest()


def _complaint(answer: Unanswered) -> str:
    cause = answer.detail[:_LONGEST_COMPLAINT] or "it has not the required form"
    return f"Your last reply could not be used: {cause}. Answer again, with nothing but the required JSON."
