"""The words that two wordings of one statement may differ in, and those that say another thing wherever they differ.

English. A word that stands in no table, of whatever language, must be in both wordings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dream.guards.vocabulary import content_words

PAST, MUST, SHOULD, MAY, WILL, ALL, NOT, IF, OR, LEAST, MOST, MORE, LESS, BECAUSE = (
    "<past>",
    "<must>",
    "<should>",
    "<may>",
    "<will>",
    "<all>",
    "<not>",
    "<if>",
    "<or>",
    "<at-least>",
    "<at-most>",
    "<more>",
    "<less>",
    "<because>",
)

PHRASES = tuple(
    (re.compile(pattern, re.IGNORECASE), f" {plain} " if plain else "")
    for pattern, plain in (
        (
            r"\A(?:(?:please )?(?:note|remember) that|as of today,?|it turns out that|(?:note|confirmed|fyi):) ",
            "",
        ),
        (r"(?<=[0-9])[,_](?=[0-9]{3}(?![0-9]))", ""),
        (r"(?<=[0-9])[ \u00a0](?=(?:s|h|d|w|y|k|x)\b)", ""),
        (r"≥|>=|\b(?:at least|no(?:t)? less than|no fewer than|a minimum of|minimum of)\b", LEAST),
        (r"≤|<=|\b(?:at most|no(?:t)? more than|up to|a maximum of|maximum of)\b", MOST),
        (r"\b(?:more than|greater than|higher than|longer than|larger than|in excess of)\b|(?<=\s)>(?=\s?[0-9])", MORE),
        (r"\b(?:less than|fewer than|lower than|shorter than|smaller than)\b|(?<=\s)<(?=\s?[0-9])", LESS),
        (r"\b(?:no longer|not any ?more)\b", f"{NOT} {PAST}"),
        (r"\b(?:as long as|provided that|provided|in case of|in case|whenever)\b", IF),
        (r"\b(?:instead of|rather than)\b", f"{NOT} instead"),
        (r"\bunless\b", f"{IF} {NOT}"),
        (r"\b(?:because of|because|due to|owing to|on account of|given that)\b", BECAUSE),
        (r"\b(?:as well as|in addition to|along with|together with)\b", "and"),
        (r"\b(?:in order to|so as to)\b", "to"),
        (r"\b(?:with the help of|by means of|by way of)\b", "via"),
        (r"(?<!is )(?<!are )(?<!be )(?<!was )(?<!were )(?<!been )\bused to\b", PAST),
        (r"\b(?:has|have|had|needs?|ought|is required|are required) to\b", MUST),
        (r"\b(?:is|are) going to\b", WILL),
        (r"\bcan(?:['\u2019]t|not| not)\b", f"can {NOT}"),
        (r"\bwon't\b", f"{WILL} {NOT}"),
        (r"n['\u2019]t\b", f" {NOT}"),
        (r"\b(?:set up|is made up of|consists of|made up of)\b", "set"),
        (r"\bmakes? use of\b", "use"),
        (r"\b(?:depends|depend|relies|rely|depending|relying) (?:up)?on\b", "require"),
        (
            r"\b(?:every|each|once an|once a|once per|per|a|an) (?=(?:day|week|month|year|hour|minute|night|second)\b)",
            ALL,
        ),
        (r"\bdaily\b", f"{ALL} day"),
        (r"\bweekly\b", f"{ALL} week"),
        (r"\bhourly\b", f"{ALL} hour"),
        (r"\bmonthly\b", f"{ALL} month"),
        (r"\b(?:yearly|annually)\b", f"{ALL} year"),
        (r"\bnightly\b", f"{ALL} night"),
    )
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _concepts(groups: Iterable[str]) -> dict[str, str]:
    return {word: group.split()[0] for group in groups for word in group.split()}


SAYS_NOTHING = _words(
    "a an the this that these those it its they them their there here we our us you your he she his her i "
    "is are be been being am do does has have having to of in on at for with as so and then which who whose where "
    "what into onto but however though although also too both well "
    "service services app application system component "
    "currently now presently today actually basically simply really namely please note notice remember that's it's "
    "run runs running ran use uses using set sets setting configured configure value number "
    "itself themselves own given lives live located sits located found "
    "has hold holds held holding keep keeps kept keeping store stores stored storing retain retains retained "
    "listen listens listening answer answers answering serve serves served serving bind binds bound expose exposes "
    "exposed reach reached reachable stay stays remain remains last lasts amount amounts equal equals total "
    "altogether wait waits waiting"
)
"""What may stand in one wording and not in the other: articles, copulas, and verbs that say no more than these."""

SETTINGS = content_words(
    "port pool connection replica timeout retention version limit size memory cpu interval ttl thread worker shard "
    "partition retry retries attempt quota capacity cache heap buffer batch concurrency delay request message item "
    "entry record row file log backup snapshot session token night core pod instance copy copies depth length lifetime "
    "window budget weight priority"
)
"""What a system has one value of: a statement of nothing but a name, such a word and a value has no order."""

GUARDED = _concepts(
    (
        f"{NOT} not no never none nor neither without cannot nothing nobody nowhere",
        f"{ALL} all every each always whole entire entirely",
        f"{PAST} was were had did formerly previously earlier once",
        f"{MUST} must mandatory shall",
        f"{SHOULD} should ought recommended",
        f"{MAY} may might could possibly perhaps maybe probably likely presumably seems seem apparently",
        f"{WILL} will would soon planned eventually",
        f"{IF} if when whether",
        f"{OR} or",
        f"{LEAST} minimum min minimal",
        f"{MOST} maximum max maximal",
        f"{MORE} above over exceeding exceeds exceed",
        f"{LESS} below under beneath",
        "only just solely exclusively merely alone",
        "except excluding besides apart",
        "any either",
        "some several",
        "from",
        "by",
        "until till",
        "since",
        "before",
        "after",
        "during while",
        "against",
        "instead",
        "can able",
    )
)
"""What turns, limits or times a statement, each in one form: it has to be in both wordings."""

NARROWING = frozenset(
    {NOT, IF, OR, PAST, WILL, MAY, "only", "except", "until", "since", "before", "after", "instead", "during"}
)
"""What no added detail may hold: it would take back a part of what it is added to."""

SAME = _concepts(
    (
        "require need needs needed requires required requiring demands demand necessitates",
        "start starts started starting begin begins began beginning launch launches launched",
        "stop stops stopped stopping halt halts halted",
        "fail fails failed failing",
        "fix fixes fixed repair repairs repaired",
        "change changes changed modify modifies modified alter alters altered",
        "make makes made create creates created build builds built generate generates generated produce produces",
        "delete deletes deleted remove removes removed erase erases erased",
        "show shows showed shown display displays displayed",
        "send sends sent sending deliver delivers delivered",
        "fetch fetches fetched retrieve retrieves retrieved",
        "big large huge sizeable",
        "small little tiny",
        "fast quick quickly rapid rapidly",
        "check checks checked verify verifies verified",
        "via through",
        "contain contains contained include includes included comprises comprise",
        "own owns owned maintain maintains maintained responsible",
        "database db databases",
        "config configuration configurations configs",
        "repo repository repositories repos",
        "environment env environments",
        "directory folder directories folders",
        "expire expires expired expiring lapse lapses lapsed",
        "cause causes caused causing lead leads led trigger triggers triggered",
        "crash crashes crashed",
        "error errors",
        "often frequently",
        "allow allows allowed permit permits permitted",
        "help helps assist assists",
        "write writes writing",
        "deploy deploys deployed deployment rollout",
        "choose chooses chose chosen pick picks picked select selects selected",
        "consult consults consulted see refer refers",
        "limit limits limited cap caps capped",
        "publish publishes published emit emits emitted",
        "happen happens happened occur occurs occurred",
        "handle handles handled process processes processed",
        "receive receives received get gets got",
    )
)
"""Words of which one may stand for the other, whatever they are said of."""

PAUSES = frozenset(",;:.!?()[]\u2014\u2013\n")
ADDS = frozenset({BECAUSE, "with", "via", "and", "so", "which", "but", "see"})
"""With what a detail may be added to the end of a statement without a pause before it."""

LEADS = frozenset({"in", "on", "at", "for", "during", "under", "within", "with"})
"""With what a clause begins that may as well stand at the end of its statement."""
