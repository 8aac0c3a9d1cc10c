"""Where a line of code, in any of the common languages, defines a name. Pure."""

from __future__ import annotations

import re

NAME = re.compile(r"[^\W\d][\w$-]{0,199}|[A-Z][\w$-]{0,199}")
_COMMENT = re.compile(r"\s*(?:#(?!define\b)|//|\*|--|;|<!--)")
_WORDS = (
    "def|class|function|func|fn|fun|type|struct|interface|enum|trait|union|const|let|var|val|static|module|namespace|"
    "package|record|message|service|rpc|object|protocol|impl|define|alias|macro|typedef"
)
_MODIFIERS = (
    "export|default|public|private|protected|internal|static|async|final|override|abstract|virtual|sealed|readonly|"
    "declare|pub|unsafe|inline|extern|suspend|open|data"
)
_SQL = "TABLE|VIEW|INDEX|FUNCTION|PROCEDURE|TYPE|SEQUENCE|TRIGGER|SCHEMA|DATABASE|ROLE|EXTENSION|DOMAIN|POLICY"
_BLOCKS = "resource|data|variable|output|module|provider"
_RULES = "alert|record"
_SHORTEST_CONSTANT = 2


def defines(line: str, name: str) -> bool:
    """Return whether a line defines `name`: by a keyword before it, as a constant, or as a block or rule called so.

    What only uses the name, or stands in a comment, does not. Some definitions of some languages are not told; that
    a name is defined nowhere follows from nothing here.
    """
    if name not in line or _COMMENT.match(line):
        return False
    return any(form.search(line) for form in _forms(name))


def _forms(name: str) -> tuple[re.Pattern[str], ...]:
    word = rf"(?<![\w$-]){re.escape(name)}(?![\w$-])"
    forms = [
        rf"^\s*(?:(?:{_MODIFIERS})(?:\([^()]*\))?\s+)*(?:{_WORDS})[*!]?\s+(?:mut\s+)?(?:self\.|cls\.)?{word}",
        rf"^\s*func\s*\([^()]{{0,100}}\)\s*{word}",
        rf"^\s*#\s*define\s+{word}",
        rf"^\s*(?:(?:{_MODIFIERS})\s+){{1,5}}[\w<>\[\],.?]{{0,80}}\s?{word}\s*(?:\(|=(?![=>]))",
        rf"^(?:export\s+|local\s+)?{word}\s*\(\)\s*\{{",
        rf'^\s*(?:{_BLOCKS})\s+(?:"[\w-]{{1,100}}"\s+)?"{re.escape(name)}"',
        rf"^\s*(?:-\s*)?(?:{_RULES})\s*:\s*[\"']?{word}[\"']?\s*$",
        (
            rf"(?i:^\s*CREATE\s+(?:\w+\s+){{0,3}}?(?:{_SQL})\s+(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?)"
            rf"(?:[\w\"`\[\]]{{1,100}}\.){{0,2}}[\"`\[]?{word}"
        ),
        rf"^{word}\s*(?::[^=]{{1,100}})?=(?![=>])",
        rf"^(?:export|readonly|declare(?:\s-\w+)?)\s+{word}=",
    ]
    if name.isupper() and len(name) >= _SHORTEST_CONSTANT:
        forms.append(rf"^\s*{word}\s*(?::[^=]{{1,100}})?=(?![=>])")
    return tuple(re.compile(form) for form in forms)
