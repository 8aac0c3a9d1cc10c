"""Words of which each says the opposite of, or another than, its neighbours: one statement has them all or none does.

English. Each line is a family, each part between bars one of its poles, in the words that mean the same.
"""

from __future__ import annotations

import re

from dream.guards.verdicts.words import listed

_FAMILIES = """
enabled enable enables enabling active activated | disabled disable disables disabling inactive deactivated
primary leader master | replica secondary standby follower slave replicas
increase increases increased increasing grow grows grew raise raises raised rise rises rose more | decrease decreases
 decreased decreasing shrink shrinks shrank reduce reduces reduced lower lowers lowered fall falls fell less fewer
precede precedes preceded preceding prior | follow follows followed following afterwards subsequent
allow allows allowed allowing permit permits permitted accept accepts accepted approve approves approved grant grants |
 deny denies denied forbid forbids forbidden block blocks blocked refuse refuses refused reject rejects rejected ban
 banned prohibit prohibited prevent prevents prevented revoke revokes revoked
read reads reading | write writes writing wrote written
start starts started starting begin begins began launch launches boot boots resume resumes | stop stops stopped stopping
 halt halts halted end ends ended finish finishes finished pause pauses paused cease ceases kill kills killed abort
internal internally | external externally
public publicly | private privately
open opens opened | close closes closed shut
lock locks locked | unlock unlocks unlocked
create creates created add adds added insert inserts append appends | delete deletes deleted remove removes removed drop
 drops dropped discard discards discarded purge purges purged erase erases erased clear clears cleared evict evicts
send sends sending sent publish publishes push pushes emit emits produce produces upload uploads | receive receives
 received receiving pull pulls pulled consume consumes consumed download downloads subscribe subscribes fetch fetches
import imports imported | export exports exported
source origin upstream | target destination downstream sink
synchronous synchronously sync | asynchronous asynchronously async
manual manually | automatic automatically
encrypted encrypts encrypt | plaintext decrypt decrypts decrypted
succeed succeeds succeeded success successful passes passed pass green works | fail fails failed failing failure broken
 breaks broke crash crashes crashed red wrong error errors
online available reachable alive healthy | offline dead
fast faster quick quickly | slow slower slowly
new newer newest latest recent recently | old older oldest legacy outdated
first | last final | second third next previous
top upper | bottom
left | right
high higher highest | low lowest
big bigger large larger | small smaller little tiny
early earlier | late later
hot warm | cold
required mandatory | optional optionally
temporary temporarily | permanent permanently
stable | experimental beta preview
deprecated obsolete retired retiring | supported recommended preferred
incoming inbound ingress input | outgoing outbound egress output
parent | child
forward | backward backwards reverse
ascending | descending
full | empty partial partially
valid | missing absent lacks lacking lack
same equal identical | different differs other another
include includes included including | exclude excludes excluded
attach attached | detach detached
merge merges merged | split splits
install installs installed upgrade upgrades upgraded | uninstall downgrade downgraded rollback
visible | hidden invisible
gain gains | lose loses lost | save saves
true yes | false
horizontal horizontally | vertical vertically
buy buys | sell sells
average mean median | peak | typical
good safe | bad dangerous unsafe
sometimes occasionally | often frequently usually generally normally mostly | rarely seldom hardly barely
approximately roughly nearly almost circa | exactly precisely
half | quarter | double twice doubled | triple | single one | pair couple both | dozen
monday mondays | tuesday tuesdays | wednesday wednesdays | thursday thursdays | friday fridays | saturday saturdays |
 sunday sundays | weekend weekends | weekday weekdays
january | february | march | april | june | july | august | september | october | november | december
morning mornings | noon | afternoon | evening evenings | midnight | night nights nightly | day days daytime
blue | yellow | orange | black | white
debug | info | warn warning warnings | critical fatal
http | https | tcp | udp | grpc | graphql | websocket websockets | amqp | mqtt | smtp | ssh | ftp | sftp | tls
json | yaml | xml | csv | avro | protobuf | toml | parquet | html | markdown
postgres postgresql | mysql | mariadb | sqlite | redis | memcached | mongodb mongo | cassandra | kafka | rabbitmq |
 nats | elasticsearch | opensearch | dynamodb | oracle | clickhouse | vault | consul | nginx | envoy | haproxy |
 docker | podman
python | java | javascript | typescript | golang | rust | ruby | php | kotlin | scala
aws | gcp | azure | linux | windows | macos | ubuntu | debian | android | ios
admin admins administrator | user users | guest guests | customer customers
nobody | somebody someone | everybody everyone anybody anyone
propose proposes proposed suggest suggests suggested consider considers considering plan plans planned | decided decide
 agreed
hope hopes believe believes think thinks guess suspect suspects wish wants want
"""

_RIVALS = """
show shows showed shown | hide hides hidden
client clients caller callers | server servers
request requests call calls | response responses reply replies answer answers
port | pool | timeout | retention | version | region | schedule | replica | memory | cpu | disk | retry retries |
 interval | cache | backup | partition | shard | quota | budget | rate | ttl | batch | concurrency | protocol | host |
 owner | channel | language
connection connections | thread threads | worker workers | session sessions | message messages | row rows | file files |
 item items | job jobs | batch batches | node nodes | log logs | backup backups | key keys | token tokens |
 event events | record records | order orders | table tables | queue queues | topic topics | bucket buckets | pod pods
"""


def _poles(text: str) -> dict[str, tuple[int, str]]:
    """Return for each word its family and its pole, by the pole's first word."""
    found: dict[str, tuple[int, str]] = {}
    for number, family in enumerate(text.replace("\n ", " ").strip().split("\n")):
        for pole in family.split("|"):
            words = pole.split()
            found.update(dict.fromkeys(words, (number, words[0])))
    return found


STRICT = {word: pole for word, (_, pole) in _poles(_FAMILIES).items()}
"""A word that turns, names or times something, with its pole: where one statement has a pole, so has the other."""

FAMILY = {pole: number for number, pole in _poles(_FAMILIES).values()}
"""The family of a pole."""

UNSAID = frozenset(
    STRICT[word] for word in listed("open read write create send receive user guest customer parent child")
)
"""Poles that take nothing back: one statement may have one of them where the other has none of its family."""

RIVALS = _poles(_RIVALS)
"""What a statement may leave unsaid: two are of two things only where each has a pole of one family, another one."""

PHRASAL = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        (
            r"\b(?:turn|switch)(?:s|es|ed)? (?:it )?on\b|\b(?:is|are|stays|remains) on(?=[ \t]*(?:[.,;:!]|\Z))",
            " enabled ",
        ),
        (r"\b(?:turn|switch)(?:s|es|ed)? (?:it )?off\b", " disabled "),
        (r"\b(?:is|are|be|stays|stay|remains) off(?=[ \t]*(?:[.,;:!]|\Z))", " disabled "),
        (r"\b(?:is|are|be|stays|stay|remains|comes|goes) up\b", " online "),
        (r"\b(?:is|are|be|stays|stay|remains|goes) down\b", " offline "),
        (r"\b(?:about|around)(?= ?~?[$€£]?[0-9])", " approximately "),
        (r"\b(?:give|gives|giving) up\b", " quits "),
        (r"\b(?:end|ends|back|backs|look|looks|pick|picks|speak|speaks|show|shows) up\b", " "),
        (r"\b(?:look|looks|looked) after\b", " tends "),
        (r"\bin charge\b|\bunder (?:its|their|his|her) (?:wing|care|umbrella|control)\b", " tends "),
        (r"\b(?:anybody|anyone|everybody|everyone) who\b", " whoever "),
        (r"\bwhoever +wants\b", " whoever needs "),
        (r"\b(?:sit|sits|lie|lies|rest|rests|stand|stands|stay|stays) (?=[a-z]{1,30}ed\b)", " are "),
        (r"\b(?:lives?|living) (?=(?:for )?[0-9])", " lasts "),
        (r"\b(?:loses?|drops?) (?:heart|hope|interest|patience)\b", " quits "),
        (r"\bworks? with(?= [0-9])", " offers "),
        (
            r"(?<=\bis )all (?:that )?(?=[\w.-]{1,60} (?:gets|gives|hands|has|holds|needs|offers|shares|takes|uses)\b)",
            " what ",
        ),
        (r"\b(?:has|have) to hand(?=[ \t]*(?:[.,;:!)]|\Z))", " offers "),
        (r"\b((?:distributes?|shares?|spreads?) (?:its|the|their) [a-z]{1,30}) over(?= [0-9])", r" \1 across "),
        (r"\bright now\b|\bat any (?:one )?time\b", " "),
        (r"\b(?:number|set|pair|team|port|kind|out|because|instead|most|part|care|case) of\b", " "),
    )
)
"""Verbs and sayings of several words, of which one would say another thing by itself."""

ROLES = listed("by from what which who whom whose that where into")
"""What turns who does what to whom, where a statement names more than one thing."""

NO_NAMES = listed(
    "a an the this that these those it its each every all any no none there here in on at for from to of by with "
    "when if once after before until since while during only never always not and or but "
    "ask talk contact expect allow keep point use see check note remember confirmed please make be whoever anybody "
    "curl browse ping telnet picture imagine "
    "anything everything nothing nobody everybody people questions question anyone whatever "
    "requests request calls call callers clients traffic connections connection logs log entries lines files "
    "records rows jobs messages backups data history responsibility ownership responsibilities "
    "port pool timeout retention owner team teams whole up what who where how your you we our they their "
    "someone seconds days hours minutes between beyond anyone after within given having under over "
    "waiting listening reaching dial talking writing maintenance changes problems trouble inside "
    "nightly daily weekly hourly tests test builds build deploys deploy deployment deployments users user "
    "several some many much most few both either neither whether unless because since although though however so then "
    "thus such like as if than why despite without along across around behind among against through throughout "
    "do does did is are was were has have had can could may might must shall should will would let go get give take "
    "put set run stop start try wait read write look find send bring turn move leave tell say think "
    "time times age limit size room place side end part word name number code file folder page table list line "
    "host node server client network disk memory cache queue service services system systems machine machines app "
    "database schema release branch commit script config configuration key keys token secret secrets flag flags "
    "error errors failure failures alert alerts metric metrics trace traces event events day night week month year "
    "something work works working version versions package packages library image images container "
    "two three four five six seven eight nine ten hundred old new good bad slow fast large small high low "
    "silence doors door home house address inbound outbound mail mails letters customers customer orders order "
    "invoices invoice payments payment prices price stock search results result queries query writes reads"
)
"""Words that are no names though a sentence begins with them; any other that does may be one."""

NO_NAME = re.compile(
    r"[a-z]{2,30}(?:ing|tion|sion|ness|ment|ments|ly|ance|ence|ity|able|ible|ful|less|ous|ive|ism|ure|age|ship|hood)"
)
"""What ends like a word that says what is done or how things are."""
