"""Packing: from what a kit holds to a bundle within its budget, all of it accounted for."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from reel_cli.core.errors import UsageError
from reel_cli.core.pack.budget import Budget, plan_budget, shrink
from reel_cli.core.pack.contract import list_allowed, require_contract
from reel_cli.core.pack.loading import Loader, Loading
from reel_cli.core.pack.part import BundlePart, Terms, gather_parts
from reel_cli.core.pack.render import FORMATS, style_of
from reel_cli.core.pack.units import Unit, Writer
from reel_cli.core.values.bundle import Bundle, Share
from reel_cli.core.values.exemplar import MOODS
from reel_cli.core.values.holdings import Holdings

if TYPE_CHECKING:
    from reel_cli.core.values.bundle import Field
    from reel_cli.core.values.place import Place

NEWEST = "newest"
"""The key of the highest memory number in a fingerprint."""


class BundleRequest(NamedTuple):
    """The request for one bundle; None and "" leave a choice to the kit.

    `window` sets window and cap, in tokens. `live` is the conversation's share, in hundredths of a
    percent. `boot` asks for a warm start, `rows` are filters for domain data, `stream` is what a kept
    conversation goes on from. `since` is the fingerprint of an earlier bundle in the same chat: then only
    what is new since is packed. `place` is where it will be pasted, and `elsewhere` the places there are.
    `began` is whether how the newest conversation began is told; not where that conversation itself goes on.
    """

    window: int | None = None
    live: int | None = None
    cue: str = ""
    mood: str | None = None
    form: str = "markdown"
    since: Mapping[str, str] | None = None
    boot: bool | None = None
    rows: Sequence[str] = ()
    stream: object = None
    place: "Place | None" = None
    elsewhere: "Callable[[], Sequence[Place]]" = tuple
    began: bool = True

    def check(self) -> None:
        """Refuse a format or mood that there is not; UsageError."""
        for what, value, known in (("format", self.form, FORMATS), ("mood", self.mood, tuple(MOODS))):
            if value is not None and value not in known:
                message = f"There is no {what} called {value!r}."
                raise UsageError(message, hint=f"the ones there are: {', '.join(known)}")
        if self.place is not None and self.form == "messages":
            message = "What is pasted somewhere is text, and --format messages is for programs."
            raise UsageError(message, hint="leave out one of the two")


def pack(holdings: Holdings, wish: BundleRequest, parts: Sequence[BundlePart] | None = None) -> Bundle:
    """Pack a bundle: the rings, and the `parts` that features bring; None for those that need no other file.

    Its `tokens` are those of what the model reads; with `messages` that is the message's content, and `text`
    is the JSON around it. Raises ReelError when what must be in it does not fit, naming the numbers.
    """
    wish.check()
    budget = plan_budget(holdings.core.settings, wish.window, wish.live)
    writer = Writer(style_of(wish.form).among(holdings.core.settings.people), holdings.counter.count)
    brought = gather_parts(holdings, wish) if parts is None else parts

    def load(room: int, budget: Budget = budget) -> Loading:
        terms = Terms(holdings, budget, writer, wish.since)
        if wish.since is not None:
            from reel_cli.core.pack.refresh import Refresher

            return Refresher(terms, room, brought).load()
        return Loader(terms, room, brought, wish.cue, wish.mood).load()

    fields: Sequence[Field] = ()
    if wish.place is None:
        made, content, tokens = _load_within(load, budget.room, holdings)
        shares = budget
    else:
        from reel_cli.core.pack.fitting import load_for

        def fit(most: int) -> tuple[Loading, str, int]:
            less = shrink(budget, holdings.core.settings, most, wish.live)
            return _load_within(lambda room: load(room, less), most, holdings)

        (made, content, tokens), fields, room = load_for(wish.place, fit, budget.room, wish.elsewhere)
        shares = shrink(budget, holdings.core.settings, room, wish.live)
    bundle = Bundle(
        text=_as_messages(content) if wish.form == "messages" else content,
        tokens=tokens,
        window=budget.window,
        cap=budget.cap,
        live=budget.live,
        tokenizer=holdings.counter.name,
        rings={
            **{ring: shares.share(ring, _tokens(made, ring)) for ring in ("0", "1", "2", "3", "4")},
            **{part: Share(_tokens(made, part), 0, most) for part, most in made.shares.items()},
        },
        loaded=[unit.loaded for unit in made.units],
        left_out=made.left,
        warnings=[
            *made.warnings,
            *(warning for part in made.parts for warning in part.warnings()),
            *_over_range(made.units, budget),
        ],
        chosen=made.chosen,
        fingerprint=_fingerprint(holdings, made, wish.since),
        template=budget.template,
        place=wish.place,
        fields=fields,
        like=shares.like,
    )
    settings = holdings.core.settings
    frame = writer.style, settings.name, settings.intake_label
    require_contract(bundle, content, made.units, frame, list_allowed(holdings, made))
    return bundle


def _tokens(made: Loading, ring: str) -> int:
    return sum(unit.tokens for unit in made.units if unit.ring == ring)


def _load_within(load: Callable[[int], Loading], most: int, holdings: Holdings) -> tuple[Loading, str, int]:
    """Load at most `most` tokens; where counts do not add up all is counted whole, and loaded with less."""
    room = most
    while True:
        made = load(room)
        text = "".join(unit.text for unit in made.units)
        tokens = sum(unit.tokens for unit in made.units)
        if holdings.counter.additive:
            return made, text, tokens
        whole = holdings.counter.count(text)
        if whole <= most:
            frame = made.units[0]
            made.units[0] = frame._replace(tokens=frame.tokens + whole - tokens)
            return made, text, whole
        room -= whole - most


def _as_messages(content: str) -> str:
    import json

    return json.dumps([{"role": "system", "content": content}], ensure_ascii=False, indent=1) + "\n"


def _over_range(units: Sequence[Unit], budget: Budget) -> list[str]:
    """Return warnings for what is loaded whole although it is over its range."""
    found = []
    for ring, what in (("0", "Who the persona is"), ("1", "The exemplars"), ("2", "Working memory")):
        tokens, most = sum(u.tokens for u in units if u.ring == ring), budget.ranges[ring][1]
        if tokens > most:
            found.append(f"{what} takes {tokens:,} tokens, over its range of {most:,} at this window.")
    return found


def _fingerprint(holdings: Holdings, made: Loading, since: Mapping[str, str] | None) -> dict[str, str]:
    known = {**(since or {}), **made.marks, NEWEST: str(holdings.highest)}
    for unit in made.units:
        if unit.ring in ("0", "1", "2"):
            known[f"{unit.ring}:{unit.id}"] = f"{crc32(unit.text.encode()):08x}"
    return known
