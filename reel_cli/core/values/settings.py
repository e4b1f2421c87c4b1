"""A person's settings for one kit: the table that the parser, the schema and the docs page come from.

Each field of `Settings` is a row. Its annotation says where it stands in `kit.yaml` and how it is written,
its default is the default everywhere, and the text below it says what it does. `core/files/settings_file.py`
reads `kit.yaml` by the table; `make docs` writes the schema and the page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Annotated, Any, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen, late
from reel_cli.core.values.setting_rows import Limit, Row

PROTOCOL = "REEL/1.0"
_VERSION = late(r"(?i:(?:REEL[/ ]?)?v?(\d{1,6})(?:\.(\d{1,6}))?(?:\.\d+)*)")
LONGEST_NAME = 80
UNNAMED = "You"
"""The person's name where none was given; the word stands in many texts."""
SMALL_WINDOW = 8192
"""Cap, in tokens, at and below which a bundle is packed for survival (REEL §6.3)."""


WHOLE = 10_000
"""Unit of shares: hundredths of a percent, so that no rounding depends on floats."""

MOST_EFFORT = "most"
"""Word for as deep as a server lets a model think."""

HANDED_IN = ("checkpoint", "consolidation", "remember", "advise", "summarize", "gc")
"""Kinds of items a model may hand in through a tool; each must be trusted by name to be kept unasked."""
PROPOSED = ("pin", "prune")
"""Kinds that no trust keeps: each waits for a person's word, since it decides how a memory lasts."""

LOADED, GATED = EXPERIENCE = "loaded", "gated"
"""How past events reach a bundle: as far as there is room, or only where a query finds them."""

CSV, SQLITE = STORES = "csv", "sqlite"
"""Where the rows of domain data are kept."""

TOPOLOGIES = "off", "expand", "phase"
"""How recall goes through the net of threads: not, along its edges, or along them and by phase."""

PAGE_POLICIES = "turns", "per_section", "per_cycle", "hybrid", "structural"
TURNS, PER_SECTION, PER_CYCLE, HYBRID, STRUCTURAL = PAGE_POLICIES
"""When a chat that goes on gets another page: after `checkpoint.turns`, or by a policy of SRIP-11 §V."""


@frozen
class Range:
    """A ring's share of the cap, from `low` to `high` of `WHOLE` (REEL §4.7)."""

    low: int
    high: int

    def tokens(self, cap: int) -> tuple[int, int]:
        """Return the range in tokens for a cap of `cap` tokens, both rounded down."""
        return cap * self.low // WHOLE, cap * self.high // WHOLE


class Every(NamedTuple):
    """An interval after which something is due: days or sessions; 0 for the one that does not count.

    Where neither counts, it is never due.
    """

    days: int
    sessions: int


_LIVE = Limit(4_000, WHOLE, "the conversation needs room", "for one bundle only, use  reel pack --live N")
_OVER = Limit(
    1, 0, "a share of no sessions says nothing", "to be asked for no dreams, write  dream: {every: never}"
)


@frozen
class Settings:
    """`kit.yaml`, typed: shares of `WHOLE`, sizes in tokens, ages in days.

    The text below a field is what the setting does, as the schema and the docs page say it.
    """

    name: Annotated[str, Row("name", "text")]
    """The persona's name."""
    user: Annotated[str, Row("user", "text")] = UNNAMED
    """The persona's name for you."""
    protocol: Annotated[str, Row("protocol", "protocol", "REEL §11")] = PROTOCOL
    """The version of the protocol that the kit follows. A newer major version than reel knows is refused."""
    window: Annotated[int, Row("window", "size", "REEL §4.7")] = SMALL_WINDOW
    """Size of the model's context window, in tokens: 8k is 8192."""
    cap: Annotated[int, Row("cap", "size", "REEL §4.7", like="window")] = SMALL_WINDOW
    """Tokens of the window that bundles are packed for. It never exceeds the window, which is its default."""
    tokenizer: Annotated[str, Row("tokenizer", "tokenizer")] = "o200k_base"
    """Method of counting tokens: the encoding your model uses, or your model's own file (its .gguf, or a
    tokenizer.json). If reel does not know its rules, or there is no file, add a margin: {file: model.gguf,
    like: llama-bpe, margin: 8%} or {like: o200k_base, margin: 10%}."""
    template_fixed: Annotated[int, Row("template.fixed", "count")] = 0
    """Tokens that the chat template adds to every prompt; bundles leave room for them."""
    template_message: Annotated[int, Row("template.message", "count")] = 0
    """Tokens that the chat template adds to each message; bundles leave room for them."""
    live: Annotated[int, Row("live", "share", "REEL §4.7", limit=_LIVE)] = WHOLE // 2
    """The conversation's own share of the cap, which is never packed: from 0.4 to below 1."""
    ranges: Annotated[Mapping[str, Range], Row("ranges", "range", "REEL §4.7", others="refused")] = field(
        default_factory=lambda: {
            "0": Range(500, 800),
            "1": Range(1_000, 1_500),
            "2": Range(500, 1_000),
            "3": Range(1_500, 3_000),
            "4": Range(300, 500),
        }
    )
    """
    0: The persona's identity.
    1: Its voice.
    2: Its working memory.
    3: Its memories.
    4: The index of what it could recall.
    """
    experience: Annotated[str, Row("experience", "experience", "Memory Keep §I.4")] = LOADED
    """How past events reach a bundle. loaded: as much of the memories as there is room for. gated: none of
    them; the index says what there is, and reel recall finds it. No table is loaded whole then either."""
    author: Annotated[str | None, Row("author", "author")] = None
    """The name on this kit's commits, as Name <mail>. Without it, git's own."""
    timezone: Annotated[str | None, Row("timezone", "text")] = None
    """The time zone of dates, like Europe/Helsinki. Without it, the machine's."""
    checkpoint_turns: Annotated[int, Row("checkpoint.turns", "count", "REEL §6.6")] = 50
    """Number of messages after which a long session gets a checkpoint."""
    page_policy: Annotated[str, Row("checkpoint.policy", "policy", "SRIP-11 §V")] = TURNS
    """When a long session gets another page. turns: after checkpoint.turns; per_section: only at its end;
    per_cycle: after 10 exchanges; hybrid: a short one after 10, a whole one after 50; structural: when the
    talk moves on.
    """
    idle_sessions: Annotated[int, Row("prune.idle_sessions", "count", "REEL §6.7")] = 10
    """Number of sessions without use after which a memory's line goes to sleep."""
    maintain_every: Annotated[Every, Row("maintain.every", "every", "REEL §6.5")] = field(
        default=Every(30, 0)
    )
    """Interval between maintenance passes: a stretch of time like 30d, 4w or 6m, a number of sessions like
    10 sessions, or never."""
    maintain_auto: Annotated[bool, Row("maintain.auto", "flag", "REEL §9.2")] = False
    """Whether reel start and reel end do some of the maintenance that is due by themselves: eight steps that
    need no model, and one prompt to the server of via, if that is on this machine or named with --via."""
    loss_limit: Annotated[int, Row("maintain.loss_limit", "share", "REEL §10.4")] = WHOLE // 4
    """The largest share of a ring's tokens that one pass lets go of without asking again."""
    keeps: Annotated[str, Row("maintain.keeps", "text", "REEL §12.2")] = ""
    """The things that the persona tends to keep, like: what is emotional; Marta and the kiln. Prompts for
    shorter pages say it. Without it, reel offers a line learnt from what was kept; none for no line."""
    dream_every: Annotated[Every, Row("dream.every", "every", "Dream Weaver §6.3")] = field(
        default=Every(7, 0)
    )
    """Interval between dreams: a stretch of time like 7d or 2w, a number of sessions like 10 sessions, or
    never, which turns them off."""
    dream_threshold: Annotated[int, Row("dream.threshold", "share", "Dream Weaver §6.3")] = WHOLE * 3 // 10
    """Share of the last sessions; if something was recalled in fewer of them, a dream is due."""
    dream_over: Annotated[int, Row("dream.over", "count", "Dream Weaver §6.3", limit=_OVER)] = 10
    """Number of last sessions that dream.threshold is a share of."""
    dream_noticed: Annotated[Sequence[str], Row("dream.noticed", "lines", "Dream Weaver §10.1")] = ()
    """Words of yours that say that it fades, in any language: a chat in which you say them makes a dream due.
    Many are known in sixteen languages."""
    dream_effort: Annotated[str, Row("dream.effort", "effort", "Dream Weaver §3.5")] = MOST_EFFORT
    """Depth of thinking that a dream asks a server for (reasoning_effort): low, medium, high, or what else it
    takes; most is high. One that refuses is asked without."""
    dream_price: Annotated[str, Row("dream.price", "text", "Dream Weaver §10.2")] = ""
    """Price of a million tokens, for what a dream costs: 3, or read and written 3/15."""
    ages: Annotated[
        Mapping[str, int],
        Row("ages", "age", "REEL §4.4", hint="a memory of L4 is as small as one gets", others="refused"),
    ] = field(default_factory=lambda: {"L1": 30, "L2": 183, "L3": 730})
    """
    L1: The age at which a page may become a digest.
    L2: The age at which a digest may become a marker.
    L3: The age at which a marker may become a tag.
    """
    index_per_session: Annotated[int, Row("index.per_session", "count", "REEL §4.5")] = 1
    """Number of index lines a session normally adds."""
    index_per_session_cold: Annotated[int, Row("index.per_session_cold", "count", "REEL §7.2")] = 3
    """Maximum number of index lines a session adds before the persona is mature."""
    pack_threads: Annotated[bool, Row("pack.threads", "flag", "SRIP-11 §III.2")] = False
    """Whether in a window of at most 8k the memories that open loops and the last page go on with come first,
    and those that repeat them yield, in bundles and in what fades. Newer memories may then be shorter than
    older ones, and how the last conversation began may lose its room. Off: tried
    on lives it was not tuned on, readers of such bundles answered no more."""
    embeddings: Annotated[str, Row("recall.embeddings", "embeddings", "REEL §6.4")] = "off"
    """Embeddings: off, static (a small model in a package), or the address of a server, like
    http://localhost:1234/v1 for LM Studio. What was said is sent there."""
    topology: Annotated[str, Row("recall.topology", "topology", "SRIP-11 §III.3")] = "off"
    """Recall through the net of threads: off, expand (moments that edges of the best lead to come earlier) or
    phase (the same, and moments that go with the persona's present phase)."""
    embedding_model: Annotated[str, Row("recall.model", "text")] = ""
    """The model requested from the embeddings server. Without it, the server's default."""
    via: Annotated[str, Row("via.to", "server")] = ""
    """Server that prompts are sent to at a terminal, unless --via names another: lmstudio, ollama,
    koboldcpp, or an address like http://localhost:8080/v1. Without it you paste them."""
    via_model: Annotated[str, Row("via.model", "text")] = ""
    """The model requested from the server. Without it, the loaded one."""
    via_allow: Annotated[Sequence[str], Row("via.allow", "hosts")] = ()
    """Hosts other than this machine that prompts, with the memories in them, may be sent to."""
    boot: Annotated[Mapping[str, int], Row("boot", "share", "Dream Weaver §9")] = field(
        default_factory=lambda: {"story": 1_500, "context": 500, "traces": 500}
    )
    """
    story: The largest share of the cap for the story. These three are taken from the room for memories,
    and together never exceed the maximum of ranges.3.
    context: The largest share of the cap for SHARED-CONTEXT.md.
    traces: The largest share of the cap for the end of the newest session, word for word.
    """
    start_since: Annotated[bool, Row("start.since", "flag", "REEL §6.3")] = False
    """yes: beside the day, the bundle says how long it is since the last conversation."""
    boot_always: Annotated[bool, Row("boot.always", "flag", "Dream Weaver §9")] = False
    """yes: every bundle is packed like this, without --boot."""
    list_tolerance: Annotated[int, Row("behavior.list_tolerance", "share", "SRIP-11 §III.5d")] = WHOLE // 2
    """Tolerance for lists: from 0.8 on, lists are as welcome as sentences; below 0.8, a page that is too much
    of a list is reported; below 0.5, prompts and reel chat ask for sentences."""
    reply_base: Annotated[int, Row("behavior.token_policy.base", "size", "SRIP-11 §III.5d")] = 0
    """Maximum length of a page in prompts and of an answer in reel chat, in tokens; a server is told to stop
    there, or at twice that for a page. A dream's story asks for its own."""
    reply_min: Annotated[int, Row("behavior.token_policy.min", "size", "SRIP-11 §III.5d")] = 0
    """Lower limit of that length, in tokens, at any cap."""
    reply_max: Annotated[int, Row("behavior.token_policy.max", "size", "SRIP-11 §III.5d")] = 0
    """Upper limit of that length, in tokens, at any cap."""
    adapter: Annotated[str, Row("adapter", "adapter", "SRIP-11 §III.5c")] = ""
    """Kinds of facts beyond the usual: conversational, healthcare, defense, business, education, legal,
    technical, or one of your own (adapters/NAME.yaml, or a path in the kit)."""
    facts_share: Annotated[int, Row("facts.share", "share", "SRIP-11 §III.5")] = WHOLE * 8 // 100
    """The largest share of the cap for facts, from the room for memories."""
    facts_most: Annotated[int, Row("facts.most", "count", "SRIP-11 §III.5")] = 10_000
    """Maximum number of facts in a bundle, beside their share; the weakest are left out first."""
    facts_sure: Annotated[int, Row("facts.sure", "share", "SRIP-11 §III.5b")] = WHOLE * 7 // 10
    """Minimum confidence of a fact that goes into bundles."""
    facts_asked: Annotated[bool, Row("facts.ask", "flag", "SRIP-11 §III.5b")] = True
    """no: checkpoint prompts never ask for facts; reel fact extract still does."""
    facts_early: Annotated[int, Row("facts.early", "count", "SRIP-11 §III.5b")] = 3
    """Facts are asked for after each of this many first cycles, a cycle being a user's turn and its reply."""
    facts_every: Annotated[int, Row("facts.every", "count", "SRIP-11 §III.5b")] = 10
    """After those, facts are asked for again after this many more cycles; 0 for never."""
    intake_most: Annotated[int, Row("intake.most", "count")] = 40
    """Maximum number of waiting items; the weakest are dropped first. 0 collects nothing."""
    intake_keep: Annotated[int, Row("intake.keep", "count")] = 200
    """Number of decisions kept in the file, the newest; git history has the others."""
    intake_asked: Annotated[bool, Row("intake.ask", "flag")] = True
    """no: checkpoint prompts never ask what to keep."""
    intake_lines: Annotated[bool, Row("intake.lines", "flag")] = False
    """yes: bundles tell the persona that it may end an answer with a line like Remember: what, because
    why."""
    intake_label: Annotated[str, Row("intake.label", "label")] = "Remember"
    """Word or two that such a line begins with."""
    domain_share: Annotated[int, Row("domain.share", "share")] = WHOLE // 20
    """The largest share of the cap for rows, from the room for memories; never above the maximum of
    ranges.3."""
    domain_with: Annotated[Sequence[str], Row("domain.with", "lines")] = ()
    """Filters whose rows are in every bundle, like quests where status = open."""
    domain_store: Annotated[str, Row("domain.store", "store", "Memory Keep §II.1.2")] = CSV
    """Where rows are kept. csv: in domain/TABLE.csv. sqlite: in a database, .reel/domain.sqlite, of which
    domain/TABLE.csv is the dump that git holds."""
    keep_at: Annotated[int, Row("keep.at", "share", "Memory Keep §II.4")] = 8_500
    """Share of the cap from which reel says that it is time to keep the conversation."""
    keep_share: Annotated[int, Row("keep.share", "share", "Memory Keep §II.4")] = 1_300
    """The largest share of the cap for the conversation's summary, its last messages and what is pinned, from
    the room for memories."""
    keep_overlap: Annotated[int, Row("keep.overlap", "share", "Memory Keep §II.4")] = 500
    """Share of live for the conversation's last messages, word for word."""
    buffer_cycles: Annotated[int, Row("buffer.cycles", "count", "SRIP-11 §III.5a")] = 8
    """Number of first cycles to keep, a cycle being a user's turn and its reply; 0 for none."""
    buffer_share: Annotated[int, Row("buffer.share", "share", "SRIP-11 §III.5a")] = WHOLE // 20
    """The largest share of the cap for these turns, from the room for memories; never above the maximum of
    ranges.3, and half of it beside a summary at a cap of 8K or less."""
    shelf_share: Annotated[int, Row("shelf.share", "share", "MEMORY-MGMT §2")] = WHOLE // 10
    """The largest share of the cap for files in a bundle, from the room for memories; never above the maximum
    of ranges.3. 0 for none."""
    shelf_hot: Annotated[int, Row("shelf.hot", "share", "MEMORY-MGMT §7")] = WHOLE * 3 // 10
    """Minimum hotness, from 0 to 1, of a file that goes into bundles. A pinned file always does."""
    shelf_keep: Annotated[
        Mapping[str, Sequence[str]], Row("shelf.keep", "lines", "MEMORY-MGMT §5", others="kept")
    ] = field(
        default_factory=lambda: {
            "constitution": ("tag:constitution", "constitution*", "*/constitution*"),
            "decisions": ("tag:decision", "tag:decisions", "decision*", "*/decision*", "*-decisions.*"),
            "events": ("tag:events", "tag:event-log", "events.*", "*/events.*", "event-log*", "*/event-log*"),
            "output": ("tag:output", "tag:deliverable", "deliverable*", "*/deliverable*"),
            "audit": ("tag:audit", "audit*", "*/audit*"),
        }
    )
    """
    constitution: Files that say who the persona is and how it works. Paths with * and ?, or tag: and a tag.
    decisions: Decisions and their reasons. By path or tag.
    events: Logs of events, which only grow. By path or tag.
    output: Files made for you. By path or tag.
    audit: Files that must be there if anybody asks. By path or tag.
    """
    shelf_defer: Annotated[int, Row("shelf.defer", "count", "MEMORY-MGMT §9")] = 0
    """Number of sessions for which advice to let something go must stand before it counts."""
    shelf_idle: Annotated[int, Row("shelf.idle", "count", "MEMORY-MGMT §8")] = 10
    """Number of sessions without use after which reel shelf gc may put a file away; 0 for never."""
    shelf_idle_turns: Annotated[int, Row("shelf.idle_turns", "count", "MEMORY-MGMT §8")] = 0
    """Number of turns (a message of yours and its reply) after which it may go too; 0 for never."""
    shelf_long: Annotated[int, Row("shelf.long", "count", "MEMORY-MGMT §4")] = 500
    """Number of lines above which a file should be summarized; 0 for never."""
    mcp_trust: Annotated[
        Sequence[str],
        Row("mcp.trust", "lines", among=HANDED_IN, hint="write it like  mcp: {trust: [remember]}"),
    ] = ()
    """Kinds of items that a model may store at once. All others wait in reel review."""
    directives_limit: Annotated[int, Row("directives.limit", "size", "REEL §4.1")] = 1_000
    """Maximum size in tokens, since the file is in every prompt. A larger file is refused."""
    anchor_similarity: Annotated[int, Row("anchor_similarity", "share", "REEL §10.5")] = 7_500
    """Minimum likeness, from 0 to 1, at which a phrase that is on the tape replaces an inexact one without
    asking."""

    second_look: Annotated[bool, Row("second_look", "flag", "REEL §10.5")] = False
    """With --via, have a model check each page before it is kept."""

    @property
    def is_later(self) -> bool:
        """Return whether the kit is of a later version of the protocol than this program writes."""
        return (read_version(self.protocol) or ()) > (read_version(PROTOCOL) or ())

    @property
    def gated(self) -> bool:
        """Return whether past events come into a bundle only where a query finds them."""
        return self.experience == GATED

    @property
    def held_to(self) -> str:
        """Return the word for what bundles and prompts are held to: `cap` where that is below the window."""
        return name_limit(self.cap, self.window)

    @property
    def raised_by(self) -> str:
        """Return the hint that makes more room for bundles and prompts."""
        return "raise cap in kit.yaml" if self.cap < self.window else "raise window (and cap) in kit.yaml"

    @property
    def people(self) -> tuple[str, str]:
        """Return the two who talk, by the kit's names for them."""
        return self.name, self.user


def read_version(protocol: str) -> tuple[int, int] | None:
    """Return the major and minor version that a text such as `REEL/1.0` names; None where it names none."""
    found = _VERSION.fullmatch(protocol.strip())
    return (int(found[1]), int(found[2] or 0)) if found else None


@cache
def list_settings() -> Mapping[str, Row]:
    """Return the table: each field's row, by the field's name."""
    return {name: kept.__metadata__[0] for name, kept in Settings.__annotations__.items()}


def name_limit(cap: int, window: int) -> str:
    """Return the word for a size in tokens: `cap` where it is below the window."""
    return "cap" if cap < window else "window"


def is_name(text: str) -> bool:
    """Return whether a name can stand in a text and on one line."""
    plain = text.isprintable() and text == text.strip() and "{{" not in text
    return plain and 0 < len(text) <= LONGEST_NAME


_NO_NAME = late(
    r"(?i)(?:(?:an?|the|no|not|my|your|i|i['’]?m|it['’]?s|call|hi|hello)\s.*|[yn]|yes|no|yep|nope|ok|okay|sure|none"
    r"|nothing|me|you|i|i['’]m|my|name|is|call|hi|hello|idk|what|why|how|help|quit|exit|default|dr|mr|mrs|ms|prof"
    r"|\W*|[\d.,]+\s*[km]?|.*[?!@/\\;|].*|(?:reel|clear|cls|cd|ls|dir|sudo|pipx?|python3?)(?:\s.*)?|(?:\S+\s+){4,}\S+)[.,]?"
)
"""Pattern of what is typed where a name was asked for and is hardly one: `a lot`, `8k`, `I am Sam`."""


def is_hardly_name(text: str) -> bool:
    """Return whether a text is more likely a sentence, or another answer, than a name."""
    return _NO_NAME.fullmatch(text) is not None


def check_name(name: str) -> str:
    """Return the name, if it can stand in a text and on one line; else raise ReelError."""
    if not is_name(name):
        message = f"{name!r} cannot be a name."
        raise ReelError(message, hint=f"take one line of at most {LONGEST_NAME} characters")
    return name


def require_short_directives(tokens: int, limit: int) -> None:
    """Refuse directives of more than `limit` tokens: they are in every prompt (Memory Keep §I.2)."""
    if tokens <= limit:
        return
    message = (
        f"ring0/directives.md takes {tokens:,} tokens, {tokens - limit:,} over its limit of {limit:,}:"
        " it is in every prompt."
    )
    raise ReelError(message, hint="shorten it, or raise directives.limit in kit.yaml")


def load_settings(value: dict[str, Any]) -> Settings:
    """Return the settings of which `asdict` made this."""
    ranges: Mapping[str, Mapping[str, int]] = value["ranges"]
    value["ranges"] = {ring: Range(**bounds) for ring, bounds in ranges.items()}
    for every in ("maintain_every", "dream_every"):
        value[every] = Every(*value[every])
    return Settings(**value)
