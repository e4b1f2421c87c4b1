"""Values of a kit's web page: all that is shown, in words and in order; nothing of how it looks."""

from collections.abc import Sequence

from reel_cli.core.frozen import frozen
from reel_cli.core.values.section import KitSection
from reel_cli.features.view.addresses import Addresses
from reel_cli.features.view.size_curve import SizeCurve
from reel_cli.features.view.timeline import Timeline


@frozen
class Origin:
    """Where something is from: in words, and the address of that place on the page, "" for none."""

    words: str
    link: str = ""


@frozen
class BundleItem:
    """One thing that the next chat begins with; `form` says how much of it is told, "" for all."""

    text: str
    tokens: int
    form: str = ""
    origin: Origin | None = None
    said: bool = False
    """True if it is what was said, word for word."""


@frozen
class BundleShare:
    """One part of the bundle: its tokens, its items, and its place in the bar of the window (0 to 100)."""

    name: str
    label: str
    tokens: int
    items: Sequence[BundleItem]
    begins: float
    width: float


@frozen
class LeftOutGroup:
    """Things left out of the bundle for one reason; `names` are as a person knows them."""

    label: str
    names: Sequence[str]
    reason: str


@frozen
class ShownBundle:
    """The text that the next chat begins with, and the window that it takes its room from, in tokens."""

    text: str
    tokens: int
    window: int
    free: int
    shares: Sequence[BundleShare]
    left_out: Sequence[LeftOutGroup]
    fields: Sequence[tuple[str, str]] = ()
    """The same text for a place that takes it in several fields: the name of each, and its text."""


@frozen
class ShownMessage:
    """One message of a chat; `was` is what it said before it was recorded anew, `beside` what goes with it.

    That is: that the program hides it, the narration that follows it, and what was put right. `other` holds
    answers that the chat program kept and did not show, `at` is a time of day, "" for none.
    """

    number: int
    who: str
    own: bool
    at: str
    text: str
    was: Sequence[str] = ()
    beside: Sequence[str] = ()
    other: Sequence[str] = ()


@frozen
class ShownChat:
    """One chat, whole; `problem` says why it cannot be read, "" where it can."""

    id: str
    day: str
    title: str
    count: int
    messages: Sequence[ShownMessage] = ()
    about: Sequence[str] = ()
    problem: str = ""
    left_out: bool = False
    """True if it is not on the page, for its size."""


@frozen
class EarlierForm:
    """A memory's words before it faded, and the day on which it did.

    `level` is the one it had, if it can be brought back to just these words, else "".
    """

    day: str
    text: str
    level: str = ""


@frozen
class ShownMemory:
    """A memory as it is now (`text`, Markdown), or that it is gone; and its life, oldest first.

    `order` is the day it is of (ISO 8601), `day` the same in words. One that is only `named` has no text
    here: that is read on a page of its own.
    """

    id: str
    title: str
    day: str
    order: str
    text: str = ""
    standing: Sequence[str] = ()
    sources: Sequence[Origin] = ()
    happenings: Sequence[tuple[str, str]] = ()
    earlier: Sequence[EarlierForm] = ()
    session: str = ""
    """ID of the chat that it is of, "" for none."""
    gone: bool = False
    brief: str = ""
    """The memory in two or three sentences, "" where the text is no longer than that."""
    bring_back: str = ""
    """The command that brings it back; "" where it is there."""
    brought: bool = False
    """True if it came from elsewhere."""
    pinned: bool = False
    immune: bool = False
    """True if it never goes, though it may get shorter."""
    by_nature: bool = False
    """True if it is so by what it is about, and not by anybody's word."""
    recalled: str = ""
    """When it was recalled, in a sentence; "" for never."""
    curve: SizeCurve | None = None
    named: bool = False


@frozen
class LifeEntry:
    """One chat and what is remembered of it, or (without a chat) what came from elsewhere."""

    day: str
    chat: ShownChat | None
    memories: Sequence[ShownMemory]


@frozen
class LifeMonth:
    """The entries of one month, with its name; `id` is its address."""

    id: str
    name: str
    entries: Sequence[LifeEntry]


@frozen
class KitPage:
    """One kit, as its page shows it; `made` is the day on which it was read."""

    name: str
    user: str
    made: str
    chats_told: str
    now: Sequence[tuple[str, str]]
    waiting: Sequence[tuple[str, str]]
    bundle: ShownBundle | None
    no_bundle: str
    timeline: Timeline | None
    life: Sequence[LifeMonth]
    brought: Sequence[ShownMemory]
    sections: Sequence[KitSection]
    who: Sequence[tuple[str, str]]
    voice: Sequence[tuple[str, str, str]]
    chats: Sequence[ShownChat]
    addresses: Addresses
    too_long: int
    tape: bool = True
    """False if what was said is left out."""
