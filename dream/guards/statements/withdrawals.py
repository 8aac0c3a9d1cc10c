"""What somebody says and takes back later in the same thread. English, by open marks alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dream.guards.statements.quotes import Located, split_sentences
from dream.guards.statements.utterances import Speaker, Utterance
from dream.guards.vocabulary import content_words, is_negation
from dream.memory.similarity import specifics

_I = re.IGNORECASE
# It takes back what came just before, whatever that was.
_POINTS_BACK = re.compile(
    r"\b(?:scratch that|strike that|never ?mind|nvm|forget (?:that|it|what i said)|ignore that|on second thought"
    r"|changed my mind|i take (?:that|it) back|i was wrong|i misspoke|my mistake"
    r"|(?:that|this|it)(?: [a-z]{2,15})?(?:'s| is| was) (?:wrong|incorrect|a mistake)"
    r"|(?:revert|undo|cancel|drop|roll back) (?:that|this|it|all(?: of)?(?: (?:that|this|it))?)"
    r"(?=\s{0,2}(?:[,.;!?]|\Z|and\b|please\b|now\b))"
    r"|(?:reverted|undid|undone) (?:that|this|it))",
    _I,
)
# It takes back what it names.
_TAKES_BACK = re.compile(
    r"\b(?:revert(?:ed|ing)?|und(?:o|id|one|oing)|roll(?:ed|ing)? back|scrap(?:ped)?|ditch(?:ed)?|abandon(?:ed)?"
    r"|not any ?more|no longer|let's not|lets not|we're not (?:doing|going|using)|we won't|decided against"
    r"|decided not to|correction|take (?:that|it) back|changed my mind|forget about|rescop(?:e|ed)"
    r"|(?:wait|actually|no|sorry)[,.!]{0,2} (?:let's|lets|use|make it|keep|go with|go back|stay with|stick with|don't"
    r"|do not|not))\b",
    _I,
)
_NEXT_TURNS = 1
_SHARED_WORDS = 2
_SHARED = 0.4


def withdrawal(statement: str, quotes: Sequence[Located], later: Sequence[Utterance]) -> Utterance | None:
    """Return where whoever said what is cited takes it back afterwards, None where nobody does.

    It is taken back where that person's later words say so and name it (two fifths of the statement's words and at
    least two), or where that person's very next turn points back (`scratch that`).
    """
    cited = [quote.utterance for quote in quotes if quote.utterance.speaker is Speaker.PERSON]
    if not cited:
        return None
    words = content_words(statement)
    names = frozenset(one for one in specifics(statement) if not is_negation(one))
    for number, turn in enumerate(_later_turns(cited, later)):
        for sentence in split_sentences(turn.text):
            if number < _NEXT_TURNS and _POINTS_BACK.search(sentence):
                return turn
            if _TAKES_BACK.search(sentence) and not sentence.endswith("?"):
                shared = words & content_words(sentence)
                enough = len(shared) >= max(_SHARED_WORDS, _SHARED * len(words))
                if enough or len(names & specifics(sentence)) >= _SHARED_WORDS:
                    return turn
    return None


def _later_turns(cited: Sequence[Utterance], later: Sequence[Utterance]) -> Iterator[Utterance]:
    newest = max(utterance.at for utterance in cited)
    authors = {(utterance.source, utterance.author) for utterance in cited}
    for utterance in later:
        is_theirs = utterance.speaker is Speaker.PERSON and (utterance.source, utterance.author) in authors
        if is_theirs and utterance.at >= newest and utterance not in cited:
            yield utterance
