"""A walk through decisions, one at a time: shown, decided by a key, changed again, carried out on leaving.

Nothing of the kit changes before the person leaves with q, or with Enter after the last. Until then what they
decided and edited is noted in `.reel/state`, so that a walk which is stopped or killed goes on where it was.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.private import state_folder
from reel_cli.core.git.lock import hold_alone
from reel_cli.terminal.console import tell_unknown
from reel_cli.terminal.decisions.decision import Decision, DecisionOrder
from reel_cli.terminal.decisions.items import DecisionItem, DecisionItems, choices_of
from reel_cli.terminal.decisions.outcome import carry_out, tell_outcome
from reel_cli.terminal.decisions.screen import (
    LABELS,
    explain_keys,
    keys_of,
    read_key,
    shorten_lines,
    show_item,
    show_whole,
)
from reel_cli.terminal.decisions.walk_notes import WalkNotes
from reel_cli.terminal.menu import PROMPT, say_keys

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

NOTES = "decisions.json"
LATER = "later"
"""The word of who leaves after the last with nothing carried out."""


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
        self._tell_rest = tell_rest
        self._items = DecisionItems(opened, look)
        self._notes = WalkNotes(opened, notes, self._items)
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
        lock = self._notes.path.with_suffix(".lock")
        with hold_alone(lock, message, "leave it there with q; then go on here"):
            return self._run()

    def _run(self) -> bool:
        self._items.read()
        self._notes.resume()
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
        items = self._items
        while True:
            items.read_again()
            if not items.listed:
                self._leave()
                return True
            items.at = max(0, min(items.at, len(items.listed)))
            ends = items.at == len(items.listed)
            only = items.listed[0].choice if len(items.listed) == 1 else None
            if ends and only is not None and not only.loses:
                word = "q"
            else:
                word = self._ask_at_end() if ends else self._ask(items.listed[items.at])
            if word == LATER:
                self._stop()
                return False
            if word == "q" and self._still_fits() and self._leave():
                return ends

    def _ask_at_end(self) -> str:
        console, items = self._console, self._items
        total = len(items.listed)
        left = total - len(items.decided)
        console.say()
        if left == total:
            console.say("That was the last; nothing is decided.")
        elif left:
            console.say(f"That was the last. Decided: {total - left:,} of {total:,}.")
        elif total == 1:
            choice = items.listed[0].choice
            console.say(f"You decided: {choice.label if choice else ''}.")
        else:
            console.say("All are decided.")
        # q means the same here as beside each thing, so another key leaves with nothing carried out
        leaves = "carry it out" if left < total else "leave"
        keys = {"q": leaves, "k": "back"}
        keys |= {"j": "the undecided again"} if left else {}
        keys |= {"l": "leave, and do it later"} if left < total else {}
        refused = False
        while True:
            enter = "" if refused else "Enter or "
            say_keys(console, ((f"{enter if key == 'q' else ''}{key}", told) for key, told in keys.items()))
            word = console.ask(PROMPT).casefold()
            if word.isdecimal() and 1 <= int(word) <= total:
                items.at = int(word) - 1
                return ""
            key = read_key(word, keys) if word else "?" if refused else "q"
            if key == "l" or ("l" in keys and word in ("later", "leave")):
                return LATER
            if key == "q" or (key == "y" and left < total):
                return "q"
            if key == "k":
                items.at = total - 1
                return ""
            if key == "j" and left:
                items.at = items.next_undecided(0)
                return ""
            if key != "?":
                # an Enter that follows was not meant to carry anything out
                refused = True
                console.say(console.wrap(tell_unknown(word), console.err))

    def _ask(self, item: DecisionItem) -> str:
        """Show one thing and take the person's word; return q to leave, else ""."""
        console, items = self._console, self._items
        lines = list(item.now.shown())
        short, cut, more = shorten_lines(lines)
        show_item(console, item, f"{items.at + 1:,} of {len(items.listed):,}", short)
        keys = keys_of(item, cut=more, back=bool(items.at))
        if items.decided:
            keys["q"] = "leave, and do what you decided"
        say_keys(console, keys.items())
        drops = {one.key for one in item.now.choices if one.drops}
        while True:
            word = console.ask(PROMPT).casefold()
            if word.isdecimal() and word not in keys and 1 <= int(word) <= len(items.listed):
                items.at = int(word) - 1
                return ""
            key = read_key(word, keys)
            if key == "q":
                return "q"
            if cut and key in keys.keys() - drops - LABELS.keys():
                # nobody agrees to what they were not told of
                console.say(f"There is more of it than is shown: w shows all, {key} again takes it as it is.")
                cut = False
                continue
            if key == "w":
                show_whole(console, lines)
                cut = False
            elif key == "?":
                explain_keys(console, item, keys, len(items.listed))
            elif key in keys:
                if self._do(item, key):
                    return ""
            elif word:
                console.say(console.wrap(tell_unknown(word), console.err))
            say_keys(console, keys.items())

    def _do(self, item: DecisionItem, key: str) -> bool:
        """Do what a key says; return whether the walk moved on or the item reads otherwise."""
        if key in ("j", "k"):
            if key == "j":
                self._say_noted(item)
            self._items.at += 1 if key == "j" else -1
            return True
        if key == "u":
            if item.choice is None:
                self._items.keep_aside(item.draft_name, item.now.edited or "")
                item.now = item.read
            item.choice = None
            self._notes.write()
            self._say_noted(item)
            return True
        if key == "s":
            return self._split(item)
        if key == "e":
            return self._edit(item)
        return self._decide(item, key)

    # -- deciding -----------------------------------------------------------------------------

    def _decide(self, item: DecisionItem, key: str) -> bool:
        items = self._items
        choice = next(one for one in item.now.choices if one.key == key)
        shown = item.now.basis
        items.read_again()
        if item not in items.listed or item.now.basis != shown:
            # it was told that it reads otherwise
            return True
        decided = [one.read.item for one in items.decided if one is not item]
        parts = {**choices_of(items.parts(item)), item.read.item: choice}
        order = DecisionOrder(choice, decided, items.mates(item, choice), parts, dry=True)
        try:
            item.now.settle(self._opened, order)
        except ReelError as error:
            self._console.error(error.message, error.hint)
            return False
        if choice.asks and not self._console.confirm(choice.asks, default=False):
            return False
        item.choice = choice
        self._notes.write()
        self._say_noted(item)
        items.at = items.next_undecided(items.at)
        return True

    def _say_noted(self, item: DecisionItem) -> None:
        """Say how one of several is decided now: who listens cannot tell it from the next that is shown."""
        if len(self._items.listed) > 1:
            self._console.say("Left for later." if item.choice is None else f"Noted: {item.choice.label}.")

    def _split(self, item: DecisionItem) -> bool:
        assert item.now.split is not None  # noqa: S101 (the key is offered only then)
        try:
            parts = item.now.split()
        except ReelError as error:
            self._console.error(error.message, error.hint)
            return False
        if len(parts) < 2:
            self._console.say("It has only this one part.")
            return False
        at = self._items.at
        self._items.listed[at : at + 1] = [DecisionItem(one, item.read.item) for one in parts]
        self._console.say(f"Split into {len(parts):,}.")
        return True

    def _edit(self, item: DecisionItem) -> bool:
        from reel_cli.terminal.input.given_text import edit_text

        draft = item.now.draft
        assert draft is not None  # noqa: S101 (the key is offered only then)
        console, items = self._console, self._items
        text = draft.text
        try:
            state_folder(self._opened.root)
            text = edit_text(self._console, self._opened.state.folder / draft.file, draft.text)
            if text == draft.text:
                console.say("The text is as it was.")
                return False
            fresh = draft.take(self._opened, text)
        except ReelError as error:
            console.error(error.message, error.hint)
            if text != draft.text:
                items.keep_aside(draft.file, text)
            return False
        item.choice = None
        if fresh is None:
            console.say("Saved. It now reads:")
            items.listed[items.at] = DecisionItem(item.read, item.whole)
            items.read_again(quiet=True)
            return True
        item.now = fresh
        self._notes.write()
        console.say("With your text it reads:")
        return True

    # -- leaving ------------------------------------------------------------------------------

    def _still_fits(self) -> bool:
        """Return whether all that was decided is as it was shown; what is not is the next to be shown."""
        items = self._items
        decided = items.decided
        items.read_again()
        names = {one.read.item: at for at, one in enumerate(items.listed)}
        for one in decided:
            at = names.get(one.read.item, names.get(one.whole))
            if at is not None and items.listed[at].choice is None:
                items.at = at
                return False
        return True

    def _stop(self) -> None:
        """Leave with what was decided noted for the next walk, and say so."""
        self._notes.write()
        count = len(self._items.decided)
        left = len(self._items.listed)
        if any(one.has_own_text and one.choice is None for one in self._items.listed):
            self._console.say("Your text is noted; u goes back to what was suggested.")
        if not count:
            self._console.say(f"Nothing was decided. {self._tell_rest(left)}")
            return
        noted = "Your decision is noted" if count == 1 else f"Your {count:,} decisions are noted"
        so_far = "not carried out yet" if self._began else "nothing is changed yet"
        self._console.say(f"{noted}, and {so_far}. To go on, or to carry it out:  reel review")
        self._console.say(self._tell_rest(left))

    def _leave(self) -> bool:
        """Carry out what was decided, and say what was and what still waits; return whether all could be."""
        items, context = self._items, self._opened.context
        context.waiting = "what you decided and is not carried out yet is noted:  reel review"
        self._notes.write()
        self._began = self._began or bool(items.decided)
        outcome = carry_out(self._opened, items, self._notes.write)
        context.waiting = ""
        tell_outcome(self._console, outcome, len(items.listed), self._tell_rest)
        if outcome.failed and items.listed:
            items.at = items.listed.index(outcome.failed[0].item)
            items.read_again(quiet=True)
        return not outcome.failed
