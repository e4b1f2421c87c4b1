"""Notes of a walk through decisions: what is decided and edited, and not carried out yet.

They lie in `.reel/state`, so that a walk which is killed goes on where it was.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from reel_cli.core.files.private import state_folder, write_private
from reel_cli.terminal.decisions.items import DecisionItem, DecisionItems, name_draft, split_quietly

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


class WalkNotes:
    """The notes of one walk, in a file of their own."""

    def __init__(self, opened: "OpenKit", name: str, items: DecisionItems) -> None:
        """Begin; `name` is the file in which the walk keeps its place."""
        self._opened = opened
        self._items = items
        self.path = opened.state.folder / name

    def write(self) -> None:
        """Note what is decided and edited and not carried out yet."""
        noted = {
            one.read.item: {
                "mark": one.read.mark,
                "basis": one.now.basis,
                "whole": one.whole,
                "key": one.choice.key if one.choice is not None else "",
                "text": one.now.edited,
            }
            for one in self._items.listed
            if one.choice is not None or one.now.edited is not None
        }
        if not noted:
            self.path.unlink(missing_ok=True)
            return
        state_folder(self._opened.root)
        data = json.dumps(noted, ensure_ascii=False).encode("utf-8", "replace")
        write_private(self.path, data, sync=False)

    def resume(self) -> None:
        """Take up what a walk that was killed had noted; a text that fits nothing any more is kept aside."""
        noted = self._opened.state.note(self.path.name)
        if not isinstance(noted, dict):
            return
        self._split_again(noted)
        by_name = {one.read.item: one for one in self._items.listed}
        for name, value in noted.items():
            if isinstance(value, dict):
                self._take_up(name, by_name.get(name), value)
        say = self._opened.console.say
        decided = len(self._items.decided)
        if decided:
            many = "one of these" if decided == 1 else f"{decided:,} of these"
            say(f"You decided on {many} before, and nothing of that is carried out yet.")
        # what is not there any more cannot be looked at again
        there = [value for name, value in noted.items() if name in by_name]
        void = sum(isinstance(one, dict) and bool(one.get("key")) for one in there) - decided
        if void:
            single = "One of your decisions was about a text that has changed since: look at it again."
            more = f"{void:,} of your decisions were about texts that have changed since: look at them again."
            say(single if void == 1 else more)
        self._items.at = self._items.next_undecided(0)

    def _split_again(self, noted: Mapping[str, object]) -> None:
        """Split the items of which parts are noted."""
        wholes = {value.get("whole") for value in noted.values() if isinstance(value, dict)}
        split: list[DecisionItem] = []
        for one in self._items.listed:
            parts = split_quietly(one.read) if one.read.item in wholes else []
            parts = parts if any(part.item in noted for part in parts) else []
            split += [DecisionItem(part, one.read.item) for part in parts] or [one]
        self._items.listed = split

    def _take_up(self, name: str, item: DecisionItem | None, value: Mapping[str, object]) -> None:
        text = value.get("text")
        fits = item is not None and item.read.mark == value.get("mark")
        if isinstance(text, str):
            fresh = self._items.retake(item.read, text) if item is not None and fits else None
            if item is None or fresh is None:
                self._items.keep_aside(name_draft(name), text)
                return
            item.now = fresh
        if item is not None and fits and item.now.basis == value.get("basis"):
            item.choice = next((one for one in item.now.choices if one.key == value.get("key")), None)
