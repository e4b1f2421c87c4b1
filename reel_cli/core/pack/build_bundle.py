"""Packing a kit: its bundle within the budget, all of it accounted for, with notices for the person."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from reel_cli.core.errors import UsageError
from reel_cli.core.kit.catalog import with_holdings
from reel_cli.core.pack.budget import Budget, plan_budget, shrink
from reel_cli.core.pack.contract import list_allowed, require_contract
from reel_cli.core.pack.draft import BundleDraft
from reel_cli.core.pack.loading import Loader
from reel_cli.core.pack.part import BundlePart, Parts, Source, Terms, gather_parts
from reel_cli.core.pack.render import FORMATS, Writer, style_of
from reel_cli.core.pack.unit import Unit
from reel_cli.core.ports import bring
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.core.values.bundle import Bundle, Share
from reel_cli.core.values.change import name_some
from reel_cli.core.values.holdings import Counter, Holdings, RestingParts
from reel_cli.core.values.memory import MOODS
from reel_cli.core.values.talk import PURGED

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0, Ring1
    from reel_cli.core.kit.past import PastGlance
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.bundle import Field
    from reel_cli.core.values.place import Place
    from reel_cli.core.values.settings import Settings

NEWEST = "newest"
"""The key of the highest memory number in a fingerprint."""


class BundleRequest(NamedTuple):
    """The request for one bundle; None and "" leave a choice to the kit.

    `window` sets window and cap, in tokens. `live` is the conversation's share, in hundredths of a
    percent. `boot` asks for a warm start, `rows` are filters for domain data, `stream` is what a kept
    conversation goes on from. `since` is the fingerprint of an earlier bundle in the same chat: then only
    what is new since is packed. `place` is where it will be pasted, and `elsewhere` the places there are.
    `began` is whether how the newest conversation began is told; not where that conversation itself goes on.
    `today` is a line about the day, for the bundle's end, and `day` that day (ISO); "" for none.
    `topped_up` is whether room that is left over is used; not where it is asked what has room by itself.
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
    topped_up: bool = True
    today: str = ""
    day: str = ""

    def kind(self, budget: Budget) -> str:
        """Return what a bundle depends on beside the kit's files; "" where that is not told in short."""
        if self.since is not None or self.stream is not None or self.place is not None or self.rows:
            return ""
        asked = self.cue, self.mood, self.form, self.boot, self.began, self.topped_up, self.today, self.day
        return repr((budget.cap, budget.live, *asked))

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
    told = told_about(holdings)
    # memories come without STAGE and CHAIN syntax, and so does what is going on (REEL §5)
    lived = remove_syntax(holdings.core.working)
    holdings = holdings._replace(core=holdings.core._replace(working=lived))
    known = holdings.memories
    if gated := holdings.core.settings.gated:
        from reel_cli.core.pack.some_holdings import without_memories

        holdings = without_memories(holdings)
    budget = plan_budget(holdings.core.settings, wish.window, wish.live)
    style = style_of(wish.form).among(holdings.core.settings.people)._replace(today=wish.today)
    writer = Writer(style, holdings.counter.count)
    brought = gather_parts(holdings, wish) if parts is None else parts

    marks = None
    if holdings.core.old_values:
        marks = next((make(holdings, writer, wish.kind(budget)) for make in bring("marks")), None)

    def load(room: int, budget: Budget = budget) -> BundleDraft:
        terms = Terms(holdings, budget, writer, wish.since, wish.topped_up)

        def fill(most: int) -> BundleDraft:
            return _load(terms, most, brought, wish)

        return fill(room) if marks is None else marks.load(fill, room)

    fields: Sequence[Field] = ()
    if wish.place is None:
        made, content, tokens = _load_within(load, budget.room, holdings)
        shares = budget
    else:
        from reel_cli.core.pack.fitting import load_for

        def fit(most: int) -> tuple[BundleDraft, str, int]:
            less = shrink(budget, holdings.core.settings, most, wish.live)
            return _load_within(lambda room: load(room, less), most, holdings)

        (made, content, tokens), fields, room = load_for(wish.place, fit, budget.room, wish.elsewhere)
        shares = shrink(budget, holdings.core.settings, room, wish.live)
    if gated:
        from reel_cli.core.pack.some_holdings import GATED

        made.left.add("3", known.ids(), GATED)
    if holdings.rests != RestingParts():
        from reel_cli.core.pack.some_holdings import add_resting

        add_resting(made.left, holdings.rests)
    bundle = Bundle(
        text=_as_messages(content) if wish.form == "messages" else content,
        tokens=tokens,
        window=budget.window,
        cap=budget.cap,
        live=budget.live,
        tokenizer=holdings.counter.name,
        rings={
            **{
                ring: shares.share(ring, _tokens(made, ring), made.lifted.get(ring, 0))
                for ring in ("0", "1", "2", "3", "4")
            },
            **{part: Share(_tokens(made, part), 0, most) for part, most in made.shares.items()},
        },
        loaded=[unit.loaded for unit in made.units],
        left_out=made.left,
        warnings=[
            *told,
            *made.warnings,
            *(warning for part in made.parts for warning in part.warnings()),
            *_over_range(made.units, budget),
        ],
        chosen=made.chosen,
        ties=made.ties,
        fuller=made.fuller,
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


def _load(terms: Terms, most: int, brought: Sequence[BundlePart], wish: BundleRequest) -> BundleDraft:
    """Return what at most `most` tokens hold, with a line on the marks of a purge where any stands there."""

    def fill(terms: Terms) -> BundleDraft:
        if wish.since is not None:
            from reel_cli.core.pack.refresh import Refresher

            return Refresher(terms, most, brought).load()
        return Loader(terms, most, brought, wish.cue, wish.mood).load()

    made = fill(terms)
    if not _has_purged(made):
        return made
    # the line takes room, for which the last of the marks may go
    marked = fill(terms._replace(purged=True))
    if not _has_purged(marked):
        marked.units[:1] = made.units[:1]
    return marked


def _has_purged(made: BundleDraft) -> bool:
    """Return whether a mark of a purge stands in what is told, beside reel's own first and last words."""
    return any(PURGED in unit.text for unit in made.units[1:-1])


def _tokens(made: BundleDraft, ring: str) -> int:
    return sum(unit.tokens for unit in made.units if unit.ring == ring)


def _load_within(
    load: Callable[[int], BundleDraft], most: int, holdings: Holdings
) -> tuple[BundleDraft, str, int]:
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
    for ring, what in (("0", "Who the persona is"), ("1", "How it sounds"), ("2", "Where things stand")):
        tokens, most = sum(u.tokens for u in units if u.ring == ring), budget.ranges[ring][1]
        if tokens > most:
            of = f"{most:,} meant for it at this {budget.held_to}"
            found.append(f"{what} takes {tokens:,} tokens, more than the {of}.")
    return found


def _fingerprint(holdings: Holdings, made: BundleDraft, since: Mapping[str, str] | None) -> dict[str, str]:
    known = {**(since or {}), **made.marks, NEWEST: str(holdings.highest)}
    for unit in made.units:
        if unit.ring in ("0", "1", "2"):
            known[f"{unit.ring}:{unit.id}"] = f"{crc32(unit.text.encode()):08x}"
    return known


__all__ = ["BundleRequest", "pack_kit", "pack_snapshot", "pack_then"]


def pack_kit(kit: Path, wish: BundleRequest | None = None) -> Bundle:
    """Pack the kit in a folder as it lies there, rings 0 and 1 as approved.

    Raises ReelError when it cannot be read, or what must be in the bundle does not fit.
    """
    wished = wish or BundleRequest()
    source = Source(kit)
    parts = Parts(source, wished)
    # prepared before the catalog is opened for the rest, because it has one writer at a time
    parts.prepare()
    rests = source.find_resting()

    def use(holdings: "Holdings") -> Bundle:
        holdings = _without(holdings, rests)
        holdings = holdings._replace(earlier=source.earlier, ties=source.find_ties)
        return _tell(pack(holdings, wished, parts.gather(holdings)), holdings.core.settings)

    return with_holdings(kit, style_of(wished.form), count_by, use)


def _without(holdings: Holdings, rests: RestingParts) -> Holdings:
    if rests == RestingParts():
        return holdings
    from reel_cli.core.pack.some_holdings import without_resting

    return without_resting(holdings, rests)


def _tell(bundle: Bundle, settings: "Settings") -> Bundle:
    """Return the bundle, with notes on a tokenizer that is a file."""
    if settings.tokenizer.isidentifier():
        return bundle
    told = getattr(count_by(settings.tokenizer), "told", "")
    return replace(bundle, warnings=[*bundle.warnings, told]) if told else bundle


def pack_snapshot(
    snapshot: "Snapshot",
    wish: BundleRequest | None = None,
    ring0: "Ring0 | None" = None,
    ring1: "Ring1 | None" = None,
) -> Bundle:
    """Pack a kit as any tree holds it; `ring0` and `ring1` where not the tree's own text is approved."""
    from reel_cli.core.kit.read_holdings import read_holdings

    wished = wish or BundleRequest()
    holdings = read_holdings(snapshot, style_of(wished.form), count_by, ring0, ring1)
    source = Source(snapshot=snapshot)
    holdings = _without(holdings, source.find_resting())
    holdings = holdings._replace(earlier=source.earlier, ties=source.find_ties)
    parts = gather_parts(holdings, wished, source)
    return _tell(pack(holdings, wished, parts), holdings.core.settings)


def pack_then(past: "PastGlance", wish: BundleRequest | None = None) -> Bundle:
    """Pack a kit as a commit holds it, with rings 0 and 1 as approved then: what packing gave then."""
    from reel_cli.core.kit.approved_rings import read_approved, read_in_force

    then = past.commit.repo, past.commit.rev
    return pack_snapshot(past, wish, read_in_force(past, *then), read_approved(past, *then))


def count_by(name: str) -> Counter:
    """Return the counter for a bundle: an encoding, or the stored counts of a model's file."""
    if not name.isidentifier():
        # earlier counts are known by the file's state, without loading the tokenizer
        from reel_cli.core.tokens.choice import parse_choice, read_model_file

        if (found := read_model_file(parse_choice(name))) is not None:
            return found
    from reel_cli.core.tokens.counter import get_tokenizer

    return get_tokenizer(name)


SHOWN_NUMBERS = 5
SHOWN_PATHS = 3


def told_about(holdings: Holdings) -> list[str]:
    """Return the notices for the person about a kit that is packed."""
    told = [
        f"{path} was edited and is not approved yet; this bundle uses the last approved text."
        " Decide with  reel review"
        for path in holdings.core.waiting
    ]
    if holdings.core.doubt is not None:
        what, mend = holdings.core.doubt
        told.append(f"The text of who the persona is {what}:  {mend}")
    if holdings.core.unapproved:
        told.append(_unapproved(holdings.core.unapproved))
    if holdings.core.drafts:
        told.append(_packed_drafts(holdings.core.drafts))
    told += [
        f"{what} still has the marks of a merge (<<<<<<< and >>>>>>>). Open the file, keep what is right,"
        " and delete the marks."
        for what, text in (
            ("ring0/identity.md", holdings.core.identity),
            ("ring0/directives.md", holdings.core.directives),
            ("ring2/working.md", holdings.core.working),
        )
        if is_merging(text)
    ]
    if holdings.broken:
        numbers = ", ".join(map(str, holdings.broken[:SHOWN_NUMBERS]))
        more = ", …" if len(holdings.broken) > SHOWN_NUMBERS else ""
        told.append(
            f"ring4/index.md: what stands in line {numbers}{more} is no index line, and was not packed."
        )
    return [*told, *_tell_tagged(holdings)]


def _tell_tagged(holdings: Holdings) -> Iterator[str]:
    """Yield the notice that STAGE or CHAIN syntax is left out, and where it stands."""
    names = list(dict.fromkeys(holdings.tagged))
    if remove_syntax(holdings.core.working) != holdings.core.working:
        names.append("ring2/working.md")
    if names:
        named = name_some(names, SHOWN_PATHS)
        has = "holds" if len(names) == 1 else "hold"
        yield (
            f"{named} {has} scene tags or message headers, which bundles leave out."
            " To tell it as it was lived, see  reel doctor"
        )


def _unapproved(files: Sequence[tuple[str, str]]) -> str:
    """Return the one line about edits in ring 1 that nobody approved yet."""
    decide = "Decide with  reel review"
    if len(files) == 1:
        path, how = files[0]
        return f"{path} was {_HOW[how]}. {decide}"
    paths = [path for path, _ in files]
    named = name_some(paths, SHOWN_PATHS)
    return (
        f"{len(files):,} changes made by hand in ring1/ are not approved yet ({named}):"
        " chats still begin with what was approved last. " + decide
    )


_HOW = {
    "edited": "edited and is not approved yet: chats still begin with the text you approved last",
    "deleted": "deleted by hand: chats still begin with the text you approved last",
    "added": "added by hand and is not approved yet: chats begin without it",
}


def _packed_drafts(paths: Sequence[str]) -> str:
    """Return the notice that an edit before the first chat is packed as it is."""
    named = " and ".join(paths)
    return f"{named}: packed as you wrote it. Once a chat is recorded, an edit counts when you approve it."


def told_of_drafts(paths: Sequence[str], did: str) -> str:
    """Return the notice that these files have an unreviewed edit, which was packed or sent as it is."""
    many = len(paths) > 1
    were, are, they = ("were", "are", "they read") if many else ("was", "is", "it reads")
    shown = [*paths[:SHOWN_PATHS], *([f"{len(paths) - SHOWN_PATHS:,} more"] if paths[SHOWN_PATHS:] else ())]
    named = " and ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)
    return f"{named} {were} edited by hand and {are} not reviewed yet, and {did} as {they} now"


def is_merging(text: str) -> bool:
    """Return whether a text holds git's conflict markers."""
    lined = f"\n{text}"
    return all(f"\n{mark * 7}" in lined for mark in "<=>")
