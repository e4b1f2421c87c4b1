"""The items of a walk through decisions, kept up to date with a kit that may change meanwhile."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.hand_edits import keep_copy
from reel_cli.core.kit.proposal_kind import Choice
from reel_cli.core.values.change import capital, in_short, name_some
from reel_cli.terminal.decisions.decision import Decision

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

NAMED = 3
"""Maximum number of things of one item that are named; more are counted."""
TITLE = 90
"""Characters of an item's title, at most."""


def quoted(title: str) -> str:
    """Return a title in quotation marks, unless it begins with some of its own."""
    return title if title.startswith("“") else f"“{title}”"


@dataclass(eq=False)
class DecisionItem:
    """One thing of the walk: as it was read, as it stands, and what was decided of it."""

    read: Decision
    """The decision as it was read from the kit."""
    whole: str = ""
    """Name of the item that it is a part of; "" for none."""
    now: Decision = field(init=False)
    """The same, with the person's own text where they edited it."""
    choice: Choice | None = None

    def __post_init__(self) -> None:
        self.now = self.read

    @property
    def title(self) -> str:
        """Return what it is, in one line."""
        return in_short(self.read.what, TITLE)

    @property
    def named(self) -> str:
        """Return what it is about by its names and values, as it stands; else its title."""
        names = [f"“{in_short(name, TITLE)}”" for name in self.now.names]
        return name_some(names, NAMED) if names else capital(self.title)

    @property
    def has_own_text(self) -> bool:
        """Return whether a person's text stands in the place of what was suggested."""
        return self.now.edited is not None and self.now is not self.read

    @property
    def draft_name(self) -> str:
        """Return the name of the file that keeps a person's text of it."""
        return name_draft(self.read.item)


class DecisionItems:
    """The items of a walk in their order, and the place of the one that is shown."""

    def __init__(self, opened: "OpenKit", look: "Callable[[OpenKit], Sequence[Decision]]") -> None:
        """Begin with nothing; `look` reads the decisions from the kit."""
        self._opened = opened
        self._console = opened.console
        self._look = look
        self.listed: list[DecisionItem] = []
        self.at = 0

    def read(self) -> None:
        """Read all of them for the first time."""
        self.listed = [DecisionItem(one) for one in self._look(self._opened)]

    @property
    def decided(self) -> list[DecisionItem]:
        """Return those that are decided and not carried out yet."""
        return [one for one in self.listed if one.choice is not None]

    def mates(self, item: DecisionItem, choice: Choice) -> list[str]:
        """Return the names of the others of its group that are decided alike."""
        group = item.now.group
        return [
            one.read.item
            for one in self.listed
            if group and one.now.group == group and one is not item and one.choice == choice
        ]

    def parts(self, item: DecisionItem) -> list[DecisionItem]:
        """Return the decided parts that are carried out at once with this one, without it."""
        whole = item.now.whole
        return [one for one in self.decided if whole and one.now.whole == whole and one is not item]

    def next_undecided(self, start: int) -> int:
        """Return the place of the next that is undecided; behind the last where there is none."""
        places = range(start, len(self.listed))
        return next((at for at in places if self.listed[at].choice is None), len(self.listed))

    def groups(self) -> Iterator[list[DecisionItem]]:
        """Yield what is carried out at once, in order: of a group what is dropped, before the rest of it.

        The parts of one whole come together, whatever was decided of each.
        """
        left = sorted(self.decided, key=lambda one: (one.now.rank, bool(one.now.group) and _is_kept(one)))
        while left:
            first = left.pop(0)
            mates = [
                one for one in left if one.now.group and one.now.group == first.now.group and _is_kept(first)
            ]
            mates = [one for one in mates if one.choice == first.choice] or self.parts(first)
            left = [one for one in left if one not in mates]
            yield [first, *mates]

    # -- the kit as it is meanwhile -------------------------------------------------------------

    def read_again(self, *, quiet: bool = False) -> None:
        """Take over what changed in the kit: another reel may have decided, or a person edited a file."""
        self._opened.look_again()
        fresh = {one.item: one for one in self._look(self._opened)}
        parts: dict[str, dict[str, Decision]] = {}
        for whole in {one.whole for one in self.listed if one.whole}:
            now = fresh.get(whole)
            parts[whole] = {} if now is None else {one.item: one for one in split_quietly(now)}
        here = self.listed[self.at] if self.at < len(self.listed) else None
        kept: list[DecisionItem] = []
        at = None
        for one in self.listed:
            if one is here:
                at = len(kept)
            kept += self._matched(one, fresh, parts, kept, quiet=quiet)
        known = {one.read.item for one in kept} | {one.whole for one in kept}
        came = [DecisionItem(one) for name, one in fresh.items() if name not in known]
        if came and not quiet and self.listed:
            self._console.say("One more came meanwhile." if len(came) == 1 else "More came meanwhile.")
        self.listed = [*kept, *came]
        self.at = min(len(kept) if at is None else at, len(self.listed))

    def _matched(
        self,
        one: DecisionItem,
        fresh: Mapping[str, Decision],
        parts: Mapping[str, Mapping[str, Decision]],
        kept: Sequence[DecisionItem],
        *,
        quiet: bool,
    ) -> list[DecisionItem]:
        """Return an item as the kit has it now: the same, another that reads otherwise, or none."""
        now = parts[one.whole].get(one.read.item) if one.whole else fresh.get(one.read.item)
        if now is not None and now.mark == one.read.mark:
            if now.basis == one.read.basis or self._rebased(one, now, quiet=quiet):
                one.read = now
                if one.now.edited is None:
                    one.now = now
                return [one]
            return [DecisionItem(now, one.whole)]
        if one.now.edited is not None:
            self.keep_aside(one.draft_name, one.now.edited)
        now = fresh.get(one.whole) if one.whole else now
        if now is None:
            if not quiet:
                gone = "is left out: it was decided in another place, or is gone."
                self._console.say(f"{quoted(one.title)} {gone}")
            return []
        if any(now.item == other.read.item for other in kept):
            return []
        if not quiet:
            self._console.say(f"{quoted(one.title)} changed meanwhile; here it is as it is now.")
        return [DecisionItem(now)]

    def _rebased(self, one: DecisionItem, now: Decision, *, quiet: bool) -> bool:
        """Take over that the text which this would change is another; return whether the item can stay.

        What was decided is void, and the person's own text is held against the new one where it can be.
        """
        if not quiet:
            again = "would change is another now; here it is again."
            self._console.say(f"The text that {quoted(one.title)} {again}")
        one.choice = None
        text = one.now.edited
        if text is None:
            return True
        fresh = self.retake(now, text)
        if fresh is None:
            self.keep_aside(one.draft_name, text)
            return False
        one.now = fresh
        return True

    # -- a person's own text --------------------------------------------------------------------

    def retake(self, read: Decision, text: str) -> Decision | None:
        """Return a decision with the person's own text; None where that does not fit it."""
        try:
            return read.draft.take(self._opened, text) if read.draft is not None else None
        except ReelError:
            return None

    def keep_aside(self, name: str, text: str) -> None:
        """Keep a person's text that cannot be used now, and say where."""
        place = keep_copy(self._opened.root, name, text.encode("utf-8", "replace"), self._opened.now())
        self._console.say(f"Your text is kept in {place.relative_to(self._opened.root)}")


def choices_of(items: Sequence[DecisionItem]) -> dict[str, Choice]:
    """Return the choices of the decided ones, by item."""
    return {one.read.item: one.choice for one in items if one.choice is not None}


def name_draft(item: str) -> str:
    """Return the name of the file that keeps a person's text of an item, or of a part of it."""
    return f"{item.partition('#')[0]}.md"


def split_quietly(one: Decision) -> Sequence[Decision]:
    """Return the parts of a decision; none where it cannot be split any more."""
    try:
        return one.split() if one.split is not None else ()
    except ReelError:
        return ()


def _is_kept(item: DecisionItem) -> bool:
    return item.choice is not None and not item.choice.drops
