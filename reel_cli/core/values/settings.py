"""A person's settings for one kit, each with the protocol's default."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reel_cli.core.errors import ReelError

PROTOCOL = "REEL/1.0"
SMALL_WINDOW = 8192
"""At and below this cap a bundle is packed for survival (REEL §6.3)."""


WHOLE = 10_000
"""Shares are kept in hundredths of a percent, so that no rounding depends on floats."""


@dataclass(frozen=True, slots=True)
class Range:
    """A ring's share of the cap, from `low` to `high` of `WHOLE` (REEL §4.7)."""

    low: int
    high: int

    def tokens(self, cap: int) -> tuple[int, int]:
        """The range in tokens for a cap of `cap` tokens, both rounded down."""
        return cap * self.low // WHOLE, cap * self.high // WHOLE


def default_ranges() -> dict[str, Range]:
    """The attention budget of REEL §4.7, by ring."""
    return {
        ring: Range(low * 100, high * 100)
        for ring, low, high in (
            ("0", 5, 8),
            ("1", 10, 15),
            ("2", 5, 10),
            ("3", 15, 30),
            ("4", 3, 5),
        )
    }


def default_ages() -> dict[str, int]:
    """Days after which a memory of each level is ready to descend (REEL §4.4); nothing descends from L4.

    The protocol leaves open when a marker becomes a tag ("oldest material"): after two years.
    """
    return {"L1": 30, "L2": 183, "L3": 730}


def default_boot() -> dict[str, int]:
    """The shares of the cap (of `WHOLE`) that a warm start's parts take at most, out of ring 3's."""
    return {"story": 1_500, "context": 500, "traces": 500}


def default_kept() -> dict[str, Sequence[str]]:
    """What must be kept, by kind: what is marked as such by a tag (Memory Management §5)."""
    return {
        "constitution": ("tag:constitution",),
        "decisions": ("tag:decision", "tag:decisions"),
        "events": ("tag:events", "tag:event-log"),
        "output": ("tag:output", "tag:deliverable"),
        "audit": ("tag:audit",),
    }


@dataclass(frozen=True, slots=True)
class Settings:
    """`kit.yaml`, typed; `window` and `cap` in tokens."""

    name: str
    user: str = "You"
    protocol: str = PROTOCOL
    window: int = SMALL_WINDOW
    cap: int = SMALL_WINDOW
    tokenizer: str = "o200k_base"
    """How tokens are counted, on one line as `reel_cli.core.tokens.choice` has it."""
    template_fixed: int = 0
    """What the model's chat template adds to a prompt, in tokens …"""
    template_message: int = 0
    """… and to each message."""
    live: int = WHOLE // 2
    """The conversation's own share of the cap, of `WHOLE`; rounded up in tokens."""
    ranges: Mapping[str, Range] = field(default_factory=default_ranges)
    author: str | None = None
    """`Name <mail>` for commits, where the kit has its own."""
    timezone: str | None = None
    """An IANA zone for dates; None is the machine's own."""
    checkpoint_turns: int = 50
    idle_sessions: int = 10
    maintain_every_days: int = 30
    """The days from one maintenance to the next; 0 where days do not count."""
    maintain_every_sessions: int = 0
    """The sessions from one maintenance to the next; 0 where sessions do not count."""
    dream_every_days: int = 7
    """The days from one dream to the next; 0 where days do not count."""
    dream_every_sessions: int = 0
    """The sessions from one dream to the next; 0 where they do not count. Where neither does, none is due."""
    dream_threshold: int = WHOLE * 3 // 10
    """The share of sessions with a recall (of `WHOLE`) below which a dream is due."""
    dream_over: int = 10
    """So many sessions, the last ones, that share is of."""
    loss_limit: int = WHOLE // 4
    """The share of a ring's tokens (of `WHOLE`) that one maintenance may take without a separate yes."""
    ages: Mapping[str, int] = field(default_factory=default_ages)
    """Days after which a memory of a level (L1, L2, L3) is ready to descend."""
    anchor_similarity: int = 7_500
    """With `--yes`, the least likeness (of `WHOLE`) a claimed phrase's replacement must have."""
    index_per_session: int = 1
    index_per_session_cold: int = 3
    embeddings: str = "off"
    """What recall takes into account beside words: `off`, `static`, or the address of an embedding server."""
    embedding_model: str = ""
    """The model that server is asked for; "" leaves it to the server."""
    boot: Mapping[str, int] = field(default_factory=default_boot)
    """What a warm start's parts (story, context, traces) take at most, of `WHOLE` of the cap."""
    boot_always: bool = False
    """Whether bundles are packed for a warm start without being asked to."""
    facts_share: int = WHOLE * 8 // 100
    """What the facts take at most, of `WHOLE` of the cap, out of ring 3's."""
    facts_most: int = 30
    """So many facts go into a bundle."""
    facts_sure: int = WHOLE * 7 // 10
    """How sure a fact must be for that, of `WHOLE`."""
    list_tolerance: int = WHOLE // 2
    """How welcome lists are in replies, of `WHOLE`."""
    reply_base: int = 0
    """How many tokens a reply is asked to have at most; 0 leaves it to what it is about."""
    reply_min: int = 0
    reply_max: int = 0
    """Between which that stays in any case; 0 for no bound."""
    adapter: str = ""
    """What the facts are about beside the usual: an adapter's name or its path in the kit; "" for none."""
    facts_asked: bool = True
    """Whether checkpoint prompts ask for facts when they are due."""
    facts_early: int = 3
    """Facts are asked for in each of so many first cycles (a user's turn and its reply) …"""
    facts_every: int = 10
    """… and after so many more since they were last; 0 for never again."""
    intake_most: int = 40
    """So many things that were said wait to be decided at most; 0 notices nothing."""
    intake_keep: int = 200
    """So many decisions `intake.yaml` keeps, the newest; history has the others."""
    intake_asked: bool = True
    """Whether checkpoint prompts ask what to keep of what waits."""
    intake_lines: bool = False
    """Whether bundles tell the persona that it may end a reply with what it wants to remember."""
    intake_label: str = "Remember"
    """What such a line begins with."""
    domain_share: int = WHOLE // 20
    """What rows of domain data take of the cap at most (of `WHOLE`), out of ring 3's share."""
    domain_with: Sequence[str] = ()
    """Filters whose rows are in every bundle."""
    shelf_share: int = WHOLE // 10
    """What files on the shelf take of the cap at most (of `WHOLE`), out of ring 3's share."""
    shelf_hot: int = WHOLE * 3 // 10
    """How hot (of `WHOLE`) a file on the shelf must be to go into bundles."""
    directives_limit: int = 1_000
    """How many tokens `ring0/directives.md` may have."""
    keep_at: int = 8_500
    """How full (of `WHOLE` of the cap) a conversation may get before it is to be kept (Memory Keep II.4)."""
    keep_share: int = 1_300
    """What a kept conversation takes of the cap at most in the bundle it goes on from, of `WHOLE`."""
    keep_overlap: int = 500
    """How much of that is its last messages word for word, of `WHOLE` of the conversation's own share."""
    buffer_cycles: int = 8
    """So many of a conversation's first cycles stay in bundles, word for word; 0 for none (SRIP-11 §5a)."""
    buffer_share: int = WHOLE // 20
    """What they take of the cap at most (of `WHOLE`), out of ring 3's share."""
    via: str = ""
    """Where prompts are sent at a terminal, if nothing else is said: an app or an address; "" pastes them."""
    via_model: str = ""
    """The model that is asked there; "" for the one that is loaded."""
    via_allow: Sequence[str] = ()
    """Hosts other than this machine that prompts, and the memories in them, may be sent to."""
    shelf_keep: Mapping[str, Sequence[str]] = field(default_factory=default_kept)
    """What must be kept, by kind: patterns of paths, or `tag:` and a tag (Memory Management §5)."""
    mcp_trust: Sequence[str] = ()
    """What a tool of `reel mcp` may keep without a person's word."""
    shelf_defer: int = 0
    """For so many sessions advice to let something go has to stand before it counts."""
    shelf_idle: int = 10
    """After so many sessions in which nobody used it a file can be put away; 0 for never."""
    shelf_long: int = 500
    """A file of more lines is to be summed up (Memory Management §4); 0 for never."""

    @property
    def people(self) -> tuple[str, str]:
        """The two who talk, by the names that the kit has for them."""
        return self.name, self.user


def parse_tokens(text: str) -> int:
    """Read a size in tokens: `8k` is 8192, `1m` is 1048576, `32768` is itself.

    Raises ReelError when it is not a whole number above zero.
    """
    plain = text.strip().lower().replace(",", "").replace("_", "")
    unit = {"k": 1024, "m": 1024 * 1024}.get(plain[-1:], 1)
    digits = plain[:-1] if unit > 1 else plain
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 12 and int(digits) > 0):
        message = f"{text!r} is not a window size."
        raise ReelError(message, hint="write it as 8k, 128k or 32768")
    return int(digits) * unit


_DAYS = re.compile(r"([0-9]{1,4}) ?(?:(d|days?)|(w|weeks?)|(m|months?)|(y|years?))", re.ASCII)
_MONTHS = 1461, 48
"""A month is 365¼ days over twelve."""


def parse_days(text: str) -> int:
    """Read a stretch of time in whole days: `30d`, `4 weeks`, `6m` (183 days), `2y` (730 days).

    Raises ReelError when it is none.
    """
    found = _DAYS.fullmatch(text.strip())
    if not found:
        message = f"{text!r} is not a stretch of time."
        raise ReelError(message, hint="write it as 30d, 4w, 6m or 2y")
    number = int(found[1])
    if found[2]:
        return number
    if found[3]:
        return 7 * number
    days, months = _MONTHS
    return round(number * days / months) if found[4] else 365 * number


def render_tokens(tokens: int) -> str:
    """A size as `parse_tokens` reads it, in the shortest form: `8k` for 8192."""
    for unit, letter in ((1024 * 1024, "m"), (1024, "k")):
        if tokens and tokens % unit == 0:
            return f"{tokens // unit}{letter}"
    return str(tokens)
