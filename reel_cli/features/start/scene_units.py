"""Writing of scenes: the pieces of talks that were chosen, as units of a bundle."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from reel_cli.core.moment import day_in_words
from reel_cli.core.pack import words
from reel_cli.core.pack.part import Terms
from reel_cli.core.pack.unit import SCENES, SETTLED, YIELDING, Unit
from reel_cli.core.tape.last_turns import last_days
from reel_cli.core.tape.transcript import tell_lived
from reel_cli.features.start.scene_talks import SceneTalks

PART = "part"
"""Resolution of a talk of which not everything is told."""
GAP = f"{words.LEFT_OUT_HERE}\n\n"


class SceneWriter:
    """The units that a bundle's scenes are told in, talk by talk."""

    def __init__(self, talks: SceneTalks, terms: Terms) -> None:
        """Write in the style of `terms`."""
        self.terms = terms
        self._talks = talks
        self.pages = talks.pages
        """ID of the memory below which a talk stands, by talk."""

    def head(self, *, more: bool = False) -> str:
        """Return the heading of the section, or of what stands behind what stays."""
        title = words.MORE_SCENES if more else words.SCENES
        return self.terms.writer.style.section(title, "" if more else words.SCENES_INTRO)

    def heading(self, talk: int) -> str:
        """Return the heading of one talk."""
        name = self._talks.talks[talk][0]
        if name in self.pages:
            return self.terms.writer.style.field(words.SCENES)
        day, last = words.spell_date(name), last_days(self._talks.snapshot, [name])[name]
        if last is not None and last - date.fromisoformat(name[:10]) > timedelta(days=1):
            day = words.SPAN_OF_DAYS.format(first=day, last=day_in_words(last))
        if day and name in self._talks.played:
            day = words.PLAYED.format(day=day)
        return self.terms.writer.style.further(day or words.SCENES)

    def tell(self, talk: int, turns: Mapping[int, str]) -> Iterator[tuple[int, str]]:
        """Yield some turns of a talk as they stand in the bundle, each with its place."""
        name, entries = self._talks.talks[talk]
        some = [
            replace(entries[turn], message=replace(entries[turn].message, text=text))
            for turn, text in turns.items()
        ]
        told = tell_lived(self._talks.snapshot, name, some, self.terms.holdings.core.settings)
        return zip(turns, (words.fold_text(text) for _, text in told), strict=True)

    def write(self, chosen: Mapping[int, str], lasting: Sequence[Unit] | None = None) -> Sequence[Unit]:
        """Return a unit for each talk of the pieces chosen, by place.

        `lasting` are the units of what stays as it is.
        """
        talks: dict[int, dict[int, dict[int, str]]] = {}
        for place in sorted(chosen):
            piece = self._talks.pieces[place]
            talks.setdefault(piece.talk, {}).setdefault(piece.turn, {})[piece.part] = chosen[place]
        writer = self.terms.writer
        before_it = {unit.id for unit in lasting or ()}
        lasts = YIELDING if self.terms.budget.small else SETTLED
        units: list[Unit] = []
        for talk, turns in talks.items():
            name, entries = self._talks.talks[talk]
            whole = len(turns) == len(entries)
            below = self.pages.get(name, "")
            text = self.heading(talk)
            if not below and all(unit.page for unit in units):
                text = self.head(more=bool(lasting)) + text
            texts = {turn: self._join(talk, turn, parts) for turn, parts in turns.items()}
            before: int | None = None
            for turn, told in self.tell(talk, texts):
                text += GAP if before is not None and turn > before + 1 else ""
                text += told
                before = turn
                whole = whole and texts[turn] == entries[turn].message.text
            if name in before_it:
                numbers = [entries[turn].number or 0 for turn in turns]
                (name,) = words.list_spans(name, range(min(numbers), max(numbers) + 1))
            units += [
                unit._replace(
                    resolution="whole" if whole else PART,
                    source="tape",
                    page=below,
                    spot=lasts if lasting is None else "",
                )
                for unit in writer.unit(SCENES, name, text)
            ]
        return units

    def _join(self, talk: int, turn: int, parts: Mapping[int, str]) -> str:
        """Return the chosen pieces of a turn as one text, with marks where something is left out."""
        joined, before = "", -1
        for part, text in parts.items():
            joined = joined if part == before + 1 else f"{joined.rstrip()} {words.LEFT_OUT_HERE} "
            joined += text
            before = part
        if before + 1 < self._talks.parts[talk, turn] and not joined.endswith(words.LEFT_OUT_HERE):
            joined = f"{joined.rstrip()} {words.LEFT_OUT_HERE}"
        return joined.strip() if len(parts) < self._talks.parts[talk, turn] else joined
