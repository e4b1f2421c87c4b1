"""A walk through decisions, one at a time: shown, decided by a key, changed again, carried out on leaving.

Nothing of the kit changes before the person leaves with q. Until then what they decided and edited is
noted in `.reel/state`, so that a walk which is stopped or killed goes on where it was.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.private import state_folder, write_private
from reel_cli.core.git.lock import hold_alone
from reel_cli.core.kit.hand_edits import keep_copy
from reel_cli.core.kit.proposal_kind import Choice
from reel_cli.core.values.change import one_line
from reel_cli.terminal.console import columns, printable
from reel_cli.terminal.decision import Decision, DecisionOrder
from reel_cli.terminal.folding import cells

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

NOTES = "decisions.json"
FEW_LINES = 14
"""Lines of a change that are shown before the rest is left to a key."""
FEW_LETTERS = 400
"""Characters of one line that are shown before the rest is left to a key."""
PIECE = 2_000
"""Characters of a long line that are folded at once where all of it is shown."""
TOLD = 7
"""Decisions named one by one at the end; more are counted."""
TITLE = 90
_WORDS = {
    "": "j", "yes": "y", "no": "n", "edit": "e", "split": "s", "whole": "w", "next": "j", "later": "j",
    "back": "k", "quit": "q", "leave": "q", "exit": "q", "help": "?", "h": "?",
}  # fmt: skip
_HELP = {
    "e": "open the text in your editor; you see the result before you keep it",
    "s": "split it, so that each part is decided by itself",
    "w": "show the whole text",
    "u": "not decided after all",
    "j": "the next one, and leave this for later (Enter does the same)",
    "k": "back to the one before, also to change what you decided",
    "q": "leave: what you decided is carried out, the rest waits",
    "?": "this help; a number goes to that one",
}
_LABELS = {
    "e": "edit", "s": "split", "w": "whole text", "u": "undecided", "j": "next", "k": "back", "q": "leave",
    "?": "help",
}  # fmt: skip


@dataclass(eq=False)
class _Item:
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


class DecisionWalk:
    """A walk through what a function reads from the kit; `tell_rest` says how much of it still waits."""

    def __init__(
        self,
        opened: "OpenKit",
        look: "Callable[[OpenKit], Sequence[Decision]]",
        tell_rest: Callable[[int], str],
        notes: str = NOTES,
    ) -> None:
        """Begin; `notes` is the file in which the walk keeps its place."""
        self._opened = opened
        self._console = opened.console
        self._look = look
        self._tell_rest = tell_rest
        self._notes = opened.state.folder / notes
        self._items: list[_Item] = []
        self._at = 0
        self._began = False
        """Whether some of what was decided may be carried out already."""

    def run(self) -> bool:
        """Go through all that there is; return whether the person came to the end of it.

        Ctrl-C and the end of input stop it: what was decided is noted for the next walk, and nothing is
        carried out. Ctrl-C is raised again. Raises StateError while another walk has these notes: what is
        noted there is not carried out here, nor written over.
        """
        with suppress(StateError):
            # a kit that cannot be written can still be looked at
            state_folder(self._opened.root)
        message = "Another terminal is in the middle of this review."
        with hold_alone(self._notes.with_suffix(".lock"), message, "leave it there with q; then go on here"):
            return self._run()

    def _run(self) -> bool:
        self._items = [_Item(one) for one in self._look(self._opened)]
        self._resume()
        try:
            return self._go()
        except EOFError:
            self._stop()
            return False
        except KeyboardInterrupt:
            self._console.say()
            self._stop()
            self._opened.context.farewell = True
            raise

    # -- from one to the next -----------------------------------------------------------------

    def _go(self) -> bool:
        while True:
            self._read_again()
            if not self._items:
                self._leave()
                return True
            self._at = max(0, min(self._at, len(self._items)))
            ends = self._at == len(self._items)
            if ends and len(self._items) == 1 and self._items[0].choice is not None:
                word = "q"
            else:
                word = self._ask_at_end() if ends else self._ask(self._items[self._at])
            if word == "q" and self._still_fits() and self._leave():
                return ends

    def _ask_at_end(self) -> str:
        console = self._console
        left = sum(one.choice is None for one in self._items)
        total = len(self._items)
        console.say()
        if left == total:
            console.say("That was the last; nothing is decided.")
        elif left:
            console.say(f"That was the last. {total - left:,} of {total:,} are decided.")
        else:
            console.say(f"All {total:,} are decided.")
        again = "j the undecided again" if left else ""
        self._say_keys(["Enter done", "k back", again])
        while True:
            word = console.ask("›")
            if word.isdecimal():
                self._at = int(word) - 1
                return ""
            key = "q" if not word else _WORDS.get(word.casefold(), word.casefold())
            if key == "q":
                return "q"
            if key == "k":
                self._at = total - 1
                return ""
            if key == "j" and left:
                self._at = self._next_undecided(0)
                return ""
            self._say_keys(["Enter done", "k back", again])

    def _ask(self, item: _Item) -> str:
        """Show one thing and take the person's word; return q to leave, else ""."""
        lines = list(item.now.shown())
        short, cut = _shorten(lines)
        self._show(item, short)
        keys = self._keys(item, cut=cut)
        self._say_keys([f"{key} {label}" for key, label in keys.items()])
        drops = {one.key for one in item.now.choices if one.drops}
        while True:
            word = self._console.ask("›").casefold()
            if word.isdecimal() and word not in keys and 1 <= int(word) <= len(self._items):
                self._at = int(word) - 1
                return ""
            key = _WORDS.get(word, word)
            if key == "q":
                return "q"
            if cut and key in keys.keys() - drops - _LABELS.keys():
                # nobody agrees to what they were not told of
                self._console.say(
                    f"There is more of it than is shown: w shows all, {key} again takes it as it is."
                )
                cut = False
                continue
            if key == "w":
                self._show_whole(lines)
                cut = False
            elif key == "?":
                self._help(item, cut="w" in keys)
            elif key in keys and self._do(item, key):
                return ""
            self._say_keys([f"{key} {label}" for key, label in keys.items()])

    def _do(self, item: _Item, key: str) -> bool:
        """Do what a key says; return whether the walk moved on or the item reads otherwise."""
        if key in ("j", "k"):
            self._at += 1 if key == "j" else -1
            return True
        if key == "u":
            item.choice = None
            self._note()
            return True
        if key == "s":
            return self._split(item)
        if key == "e":
            return self._edit(item)
        return self._decide(item, key)

    def _keys(self, item: _Item, *, cut: bool) -> dict[str, str]:
        keys = {one.key: one.label for one in item.now.choices}
        if item.now.draft is not None:
            keys["e"] = _LABELS["e"]
        if item.now.edited is None and len(_split_quietly(item.now)) > 1:
            keys["s"] = _LABELS["s"]
        keys |= {"w": _LABELS["w"]} if cut else {}
        keys |= {"u": _LABELS["u"]} if item.choice is not None else {}
        keys["j"] = _LABELS["j"]
        keys |= {"k": _LABELS["k"]} if self._at else {}
        return keys | {key: _LABELS[key] for key in ("q", "?")}

    # -- deciding -----------------------------------------------------------------------------

    def _decide(self, item: _Item, key: str) -> bool:
        choice = next(one for one in item.now.choices if one.key == key)
        shown = item.now.basis
        self._read_again()
        if item not in self._items or item.now.basis != shown:
            # it was told that it reads otherwise
            return True
        others = [one for one in self._items if one.choice is not None and one is not item]
        parts = {**_choices(self._parts(item)), item.read.item: choice}
        decided = [one.read.item for one in others]
        order = DecisionOrder(choice, decided, self._mates(item, choice), parts, dry=True)
        try:
            item.now.settle(self._opened, order)
        except ReelError as error:
            self._console.error(error.message, error.hint)
            return False
        item.choice = choice
        self._note()
        self._at = self._next_undecided(self._at)
        return True

    def _mates(self, item: _Item, choice: Choice) -> list[str]:
        group = item.now.group
        return [
            one.read.item
            for one in self._items
            if group and one.now.group == group and one is not item and one.choice == choice
        ]

    def _parts(self, item: _Item) -> list[_Item]:
        """Return the decided parts that are carried out at once with this one, without it."""
        whole = item.now.whole
        return [
            one
            for one in self._items
            if whole and one.now.whole == whole and one is not item and one.choice is not None
        ]

    def _next_undecided(self, start: int) -> int:
        """Return the place of the next that is undecided; behind the last where there is none."""
        places = range(start, len(self._items))
        return next((at for at in places if self._items[at].choice is None), len(self._items))

    def _split(self, item: _Item) -> bool:
        assert item.now.split is not None  # noqa: S101 (the key is offered only then)
        try:
            parts = item.now.split()
        except ReelError as error:
            self._console.error(error.message, error.hint)
            return False
        if len(parts) < 2:
            self._console.say("It has only this one part.")
            return False
        self._items[self._at : self._at + 1] = [_Item(one, item.read.item) for one in parts]
        self._console.say(f"Split into {len(parts):,}.")
        return True

    def _edit(self, item: _Item) -> bool:
        from reel_cli.terminal.given_text import edit_text

        draft = item.now.draft
        assert draft is not None  # noqa: S101 (the key is offered only then)
        console = self._console
        text = draft.text
        try:
            state_folder(self._opened.root)
            text = edit_text(self._opened.state.folder / draft.file, draft.text)
            if text == draft.text:
                console.say("The text is as it was.")
                return False
            fresh = draft.take(self._opened, text)
        except ReelError as error:
            console.error(error.message, error.hint)
            if text != draft.text:
                self._keep_aside(draft.file, text)
            return False
        item.choice = None
        if fresh is None:
            self._console.say("Saved. It now reads:")
            self._items[self._at] = _Item(item.read, item.whole)
            self._read_again(quiet=True)
            return True
        item.now = fresh
        self._note()
        console.say("With your text it reads:")
        return True

    def _keep_aside(self, name: str, text: str) -> None:
        """Keep a person's text that cannot be used now, and say where."""
        place = keep_copy(self._opened.root, name, text.encode("utf-8", "replace"), self._opened.now())
        self._console.say(f"Your text is kept in {place.relative_to(self._opened.root)}")

    # -- the kit as it is meanwhile -------------------------------------------------------------

    def _read_again(self, *, quiet: bool = False) -> None:
        """Take over what changed in the kit: another reel may have decided, or a person edited a file."""
        self._opened.look_again()
        fresh = {one.item: one for one in self._look(self._opened)}
        parts: dict[str, dict[str, Decision]] = {}
        for whole in {one.whole for one in self._items if one.whole}:
            now = fresh.get(whole)
            parts[whole] = {} if now is None else {one.item: one for one in _split_quietly(now)}
        here = self._items[self._at] if self._at < len(self._items) else None
        kept: list[_Item] = []
        at = None
        for one in self._items:
            if one is here:
                at = len(kept)
            kept += self._matched(one, fresh, parts, kept, quiet=quiet)
        known = {one.read.item for one in kept} | {one.whole for one in kept}
        came = [_Item(one) for name, one in fresh.items() if name not in known]
        if came and not quiet and self._items:
            self._console.say("One more came meanwhile." if len(came) == 1 else "More came meanwhile.")
        self._items = [*kept, *came]
        self._at = min(len(kept) if at is None else at, len(self._items))

    def _matched(
        self,
        one: _Item,
        fresh: Mapping[str, Decision],
        parts: Mapping[str, Mapping[str, Decision]],
        kept: Sequence[_Item],
        *,
        quiet: bool,
    ) -> list[_Item]:
        """Return an item as the kit has it now: the same, another that reads otherwise, or none."""
        title = f"“{one_line(one.read.what, TITLE)}”"
        now = parts[one.whole].get(one.read.item) if one.whole else fresh.get(one.read.item)
        if now is not None and now.mark == one.read.mark:
            if now.basis == one.read.basis or self._rebased(one, now, title, quiet=quiet):
                one.read = now
                if one.now.edited is None:
                    one.now = now
                return [one]
            return [_Item(now, one.whole)]
        if one.now.edited is not None:
            self._keep_aside(f"{one.read.item.partition('#')[0]}.md", one.now.edited)
        now = fresh.get(one.whole) if one.whole else now
        if now is None:
            if not quiet:
                self._console.say(f"{title} was decided meanwhile.")
            return []
        if any(now.item == other.read.item for other in kept):
            return []
        if not quiet:
            self._console.say(f"{title} changed meanwhile; here it is as it is now.")
        return [_Item(now)]

    def _rebased(self, one: _Item, now: Decision, title: str, *, quiet: bool) -> bool:
        """Take over that the text which this would change is another; return whether the item can stay.

        What was decided is void, and the person's own text is held against the new one where it can be.
        """
        if not quiet:
            self._console.say(f"The text that {title} would change is another now; here it is again.")
        one.choice = None
        text = one.now.edited
        if text is None:
            return True
        fresh = self._retake(now, text)
        if fresh is None:
            self._keep_aside(f"{now.item.partition('#')[0]}.md", text)
            return False
        one.now = fresh
        return True

    def _retake(self, read: Decision, text: str) -> Decision | None:
        """Return a decision with the person's own text; None where that does not fit it."""
        try:
            return read.draft.take(self._opened, text) if read.draft is not None else None
        except ReelError:
            return None

    # -- leaving ------------------------------------------------------------------------------

    def _still_fits(self) -> bool:
        """Return whether all that was decided is as it was shown; what is not is the next to be shown."""
        decided = [one for one in self._items if one.choice is not None]
        self._read_again()
        names = {one.read.item: at for at, one in enumerate(self._items)}
        for one in decided:
            at = names.get(one.read.item, names.get(one.whole))
            if at is not None and self._items[at].choice is None:
                self._at = at
                return False
        return True

    def _stop(self) -> None:
        """Leave with what was decided noted for the next walk, and say so."""
        self._note()
        count = sum(one.choice is not None for one in self._items)
        left = len(self._items)
        if not count:
            self._console.say(f"Nothing was decided. {self._tell_rest(left)}")
            return
        noted = "Your decision is noted" if count == 1 else f"Your {count:,} decisions are noted"
        so_far = "not carried out yet" if self._began else "nothing is changed yet"
        self._console.say(f"{noted}, and {so_far}. The next time you go on from there, and q carries out.")
        self._console.say(self._tell_rest(left))

    def _leave(self) -> bool:
        """Carry out what was decided, and say what was and what still waits; return whether all could be."""
        console = self._console
        self._opened.context.waiting = "what you decided and is not carried out yet is noted:  reel review"
        done: list[tuple[_Item, str, str]] = []
        failed: list[tuple[_Item, ReelError]] = []
        decided = [one for one in self._items if one.choice is not None]
        self._note()
        self._began = self._began or bool(decided)
        with console.progress("Carrying out what you decided", len(decided)) as advance:
            for group in self._groups(decided):
                first, choice = group[0], group[0].choice
                assert choice is not None  # noqa: S101
                self._opened.look_again()
                mates = [one.read.item for one in group[1:]]
                rest = [one.read.item for one in decided if one not in group]
                try:
                    order = DecisionOrder(choice, rest, mates, _choices(group))
                    settled = first.now.settle(self._opened, order)
                except ReelError as error:
                    failed += [(one, error) for one in group]
                    for one in group:
                        one.choice = None
                else:
                    done += [(one, settled.commit, settled.note if one is first else "") for one in group]
                    self._items = [one for one in self._items if one not in group]
                self._note()
                advance(len(group))
        self._opened.context.waiting = ""
        self._tell(done, failed)
        if failed and self._items:
            self._at = self._items.index(failed[0][0])
            self._read_again(quiet=True)
        return not failed

    def _groups(self, decided: Sequence[_Item]) -> Iterator[list[_Item]]:
        """Yield what is carried out at once, in order: of a group what is dropped, before the rest of it.

        The parts of one whole come together, whatever was decided of each.
        """
        left = sorted(decided, key=lambda one: (one.now.rank, bool(one.now.group) and _is_kept(one)))
        while left:
            first = left.pop(0)
            mates = [
                one for one in left if one.now.group and one.now.group == first.now.group and _is_kept(first)
            ]
            mates = [one for one in mates if one.choice == first.choice] or self._parts(first)
            left = [one for one in left if one not in mates]
            yield [first, *mates]

    def _tell(
        self, done: Sequence[tuple[_Item, str, str]], failed: Sequence[tuple[_Item, ReelError]]
    ) -> None:
        console = self._console
        if not done and not failed:
            left = len(self._items)
            console.say(f"Nothing was decided. {self._tell_rest(left)}" if left else self._tell_rest(0))
            return
        for one, _, _ in done[:TOLD]:
            assert one.choice is not None  # noqa: S101
            console.say(f"{one.choice.done}: {_capital(one_line(one.read.what, TITLE))}")
        if len(done) > TOLD:
            console.say(f"and {len(done) - TOLD:,} more:  reel log")
        for note in dict.fromkeys(note for _, _, note in done if note):
            console.say(note)
        for one, error in failed:
            console.say(f"Not done, and still waiting: {_capital(one_line(one.read.what, TITLE))}")
            console.error(error.message, error.hint)
        left = len(self._items)
        console.say(self._tell_rest(left))
        if any(commit for _, commit, _ in done):
            console.next_step("To take the last one back:  reel undo")

    # -- what is noted of the walk ----------------------------------------------------------------

    def _note(self) -> None:
        """Note what is decided and edited and not carried out yet."""
        noted = {
            one.read.item: {
                "mark": one.read.mark,
                "basis": one.now.basis,
                "whole": one.whole,
                "key": one.choice.key if one.choice is not None else "",
                "text": one.now.edited,
            }
            for one in self._items
            if one.choice is not None or one.now.edited is not None
        }
        if not noted:
            self._notes.unlink(missing_ok=True)
            return
        state_folder(self._opened.root)
        write_private(
            self._notes, json.dumps(noted, ensure_ascii=False).encode("utf-8", "replace"), sync=False
        )

    def _resume(self) -> None:
        """Take up what a walk that was killed had noted; a text that fits nothing any more is kept aside."""
        noted = self._opened.state.note(self._notes.name)
        if not isinstance(noted, dict):
            return
        wholes = {value.get("whole") for value in noted.values() if isinstance(value, dict)}
        split: list[_Item] = []
        for one in self._items:
            parts = _split_quietly(one.read) if one.read.item in wholes else []
            parts = parts if any(part.item in noted for part in parts) else []
            split += [_Item(part, one.read.item) for part in parts] or [one]
        self._items = split
        by_name = {one.read.item: one for one in self._items}
        for name, value in noted.items():
            if isinstance(value, dict):
                self._take_up(name, by_name.get(name), value)
        decided = sum(one.choice is not None for one in self._items)
        if decided:
            many = "one of these" if decided == 1 else f"{decided:,} of these"
            self._console.say(f"You decided on {many} before, and nothing of that is carried out yet.")
        void = sum(isinstance(one, dict) and bool(one.get("key")) for one in noted.values()) - decided
        if void:
            single = "One of your decisions was about a text that has changed since: look at it again."
            more = f"{void:,} of your decisions were about texts that have changed since: look at them again."
            self._console.say(single if void == 1 else more)
        self._at = self._next_undecided(0)

    def _take_up(self, name: str, item: _Item | None, value: Mapping[str, object]) -> None:
        text = value.get("text")
        fits = item is not None and item.read.mark == value.get("mark")
        if isinstance(text, str):
            fresh = self._retake(item.read, text) if item is not None and fits else None
            if item is None or fresh is None:
                self._keep_aside(f"{name.partition('#')[0]}.md", text)
                return
            item.now = fresh
        if item is not None and fits and item.now.basis == value.get("basis"):
            item.choice = next((one for one in item.now.choices if one.key == value.get("key")), None)

    # -- showing ------------------------------------------------------------------------------

    def _show(self, item: _Item, lines: Sequence[str]) -> None:
        console = self._console
        console.say()
        place = f"{self._at + 1:,} of {len(self._items):,}"
        what = _capital(item.now.what)
        console.heading(console.wrap(printable(f"{place} · {one_line(what, FEW_LETTERS)}"), console.err))
        if item.now.why:
            why = f"{_capital(item.now.why).rstrip('.')}."
            console.say(f"  {one_line(why, FEW_LETTERS)}")
        if item.choice is not None:
            console.say(f"  You decided: {item.choice.label}.")
        if lines:
            console.say()
        for line in lines:
            self._say_line(line)
        console.say()

    def _say_line(self, line: str) -> None:
        """Write a line of a change, folded under its mark."""
        console = self._console
        shown = printable(line)
        console.say(console.wrap(shown, console.err, "    ", "  ") if shown.strip() else "")

    def _show_whole(self, lines: Sequence[str]) -> None:
        """Write all lines, a screen at a time."""
        from shutil import get_terminal_size

        room = max(4, get_terminal_size().lines - 2)
        used = 0
        for piece in _pieces(lines):
            self._say_line(piece)
            used += 1 + (cells(piece) + 4) // columns(self._console.err)
            if used >= room:
                if self._console.ask("Enter shows more, q stops ›").casefold() in ("q", "quit"):
                    return
                used = 0

    def _say_keys(self, keys: Sequence[str]) -> None:
        """Write the keys in as few lines as the screen needs, none of them broken."""
        width = columns(self._console.err)
        line = ""
        for key in filter(None, keys):
            if line and cells(line) + 3 + cells(key) > width:
                self._console.say(line)
                line = ""
            line = f"{line}   {key}" if line else key
        self._console.say(line)

    def _help(self, item: _Item, *, cut: bool) -> None:
        self._console.say()
        own = {one.key: one.done for one in item.now.choices}
        for key, label in self._keys(item, cut=cut).items():
            told = label if key in own else _HELP[key]
            self._console.say(f"  {key}  {told}")
        self._console.say(
            "Nothing is changed before you leave with q. Ctrl-C stops, and notes what you decided."
        )


def _capital(text: str) -> str:
    """Return a sentence with its first letter large, where it does not begin with a file's name."""
    return text if "/" in text.partition(" ")[0] else f"{text[:1].upper()}{text[1:]}"


def _choices(items: Sequence[_Item]) -> dict[str, Choice]:
    """Return the choices of the decided ones, by item."""
    return {one.read.item: one.choice for one in items if one.choice is not None}


def _is_kept(item: _Item) -> bool:
    return item.choice is not None and not item.choice.drops


def _split_quietly(one: Decision) -> Sequence[Decision]:
    """Return the parts of a decision; none where it cannot be split any more."""
    try:
        return one.split() if one.split is not None else ()
    except ReelError:
        return ()


def _shorten(lines: Sequence[str]) -> tuple[list[str], bool]:
    """Return the first lines, the long ones cut, with how much is left out; and whether anything is."""
    short = [
        line if len(line) <= FEW_LETTERS else f"{line[:FEW_LETTERS].rstrip()}…" for line in lines[:FEW_LINES]
    ]
    rest = len(lines) - len(short)
    cut = rest > 0 or short != list(lines[:FEW_LINES])
    if rest > 0:
        short.append(f"… {rest:,} more {'line' if rest == 1 else 'lines'}: w shows all")
    elif cut:
        short.append("… more of it: w shows all")
    return short, cut


def _pieces(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines, a very long one in pieces, between its words where it has any."""
    for line in lines:
        rest = line
        while len(rest) > PIECE:
            end = rest.rfind(" ", 1, PIECE) if " " in rest[1:PIECE] else PIECE
            yield rest[:end]
            rest = rest[end:]
        yield rest
