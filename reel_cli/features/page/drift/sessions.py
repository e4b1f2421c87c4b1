"""Drift: the persona's self-assessment compared with measurements of its replies (REEL §6.6, §10.6)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from reel_cli.core.errors import ReelError
from reel_cli.core.files.checkpoint_file import read_measured, session_of_checkpoint
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.files.yaml_text import Plain
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.glance import Glance, note_files
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.tape.voices import own_entries, persona_names
from reel_cli.core.values.memory import SEED, Exemplar
from reel_cli.core.values.talk import Session, session_path
from reel_cli.features.page.drift.measure import (
    FEWEST_SESSIONS,
    LATELY,
    Lately,
    Measure,
    SessionDrift,
    TraitShift,
    measure,
    not_held,
)
from reel_cli.features.page.drift.style import (
    EDITION,
    WritingStyle,
    count_words,
    dump_manner,
    join_manners,
    load_manner,
    read_manner,
)

MOST_READ = 60_000
"""Characters of one session's replies that are measured, the last ones."""
_SAID = {"yes": "shifted", "no": "steady", "unsure": "unsure"}
_LABEL = re.compile(r"(?m)^[ \t]*(?:\*\*|__)([^*_\n:：]{1,60})(?:[:：](?:\*\*|__)|(?:\*\*|__)[:：])[ \t]*")


@frozen
class DriftRow:
    """One session: what was measured, and what the persona said of it ("" where it was not asked).

    `kept` says that the measure is the one its checkpoint holds, as taken then.
    """

    session: str
    measure: Measure
    said: str
    checkpoint: str = ""
    kept: bool = False

    @property
    def disagrees(self) -> bool:
        """Return whether the persona's assessment and the measurement contradict each other."""
        far, usual = self.measure.standing is SessionDrift.FAR, self.measure.standing is SessionDrift.USUAL
        return (self.said == "steady" and far) or (self.said == "shifted" and usual)


def render_measure(found: Measure) -> dict[str, Plain]:
    """Return a measure under the keys of a checkpoint file; a distance that is not known is left out."""
    fields: dict[str, Plain] = {
        "replies": str(found.replies),
        "words": str(found.words),
        "standing": found.standing.value,
    }
    for key, distance in (("from_earlier", found.earlier), ("from_exemplars", found.exemplars)):
        if distance is not None:
            fields[key] = f"{distance:.2f}"
    moved = found.moved or found.moved_from_exemplars
    fields["moved"] = [one.told for one in moved]
    return fields


def measure_session(snapshot: Snapshot, session: Session) -> Measure:
    """Compare the persona's replies in a session with the sessions before it and the exemplars."""
    standing = standing_sessions(snapshot)
    before = standing[: standing.index(session.id)] if session.id in standing else standing
    if len(before) < FEWEST_SESSIONS and not snapshot.exemplars:
        # there is nothing to compare with yet
        return not_held(*count_words(spoken_by(session, persona_names(snapshot))))
    manners = _manners(snapshot, before[-LATELY:], "lately")
    lately = Lately(manners[name] for name in before[-LATELY:])
    return measure(read_manner(spoken_by(session, persona_names(snapshot))), lately, _shown(snapshot))


def read_drift(snapshot: Snapshot) -> Sequence[DriftRow]:
    """Return every session that counts, oldest first, with stored or new measurements."""
    standing = standing_sessions(snapshot)
    kept = _checkpoints(snapshot)
    missing = [name for name in standing if kept.get(name, ("", "", None))[2] is None]
    manners: Mapping[str, WritingStyle] = {}
    if missing:
        manners = _manners(snapshot, standing, "all")
    shown = _shown(snapshot) if missing else WritingStyle()
    rows, lately = [], Lately()
    for name in standing:
        path, said, found = kept.get(name, ("", "", None))
        held = found is not None
        if found is None:
            found = measure(manners[name], lately, shown)
        if missing:
            lately.add(manners[name])
        rows.append(DriftRow(name, found, said, path, held))
    return rows


# -- whose words they are -----------------------------------------------------------------------


def spoken_by(session: Session, personas: Sequence[str]) -> list[str]:
    """Return the persona's replies, only the last of them if there are many; in a group, only its own."""
    spoken = [entry.message for entry in own_entries(session.shown(), personas)]
    kept: list[str] = []
    room = MOST_READ
    for message in reversed(spoken):
        if room <= 0:
            break
        kept.append(message.text[:room])
        room -= len(message.text)
    return kept[::-1]


def _shown(snapshot: Snapshot) -> WritingStyle:
    """Return the persona's own turns in the pool's exemplars.

    Those that came with the template do not count: nobody said them, so nobody moved away from them.
    """
    persona = snapshot.settings.name
    own = (one for one in snapshot.exemplars.values() if one.source != SEED)
    return join_manners([read_manner(own_turns(one, persona)) for one in own])


def own_turns(exemplar: Exemplar, persona: str) -> list[str]:
    """Return the turns of an exchange that stand under the persona's name."""
    parts = _LABEL.split(exemplar.text)
    turns = zip(parts[1::2], parts[2::2], strict=True)
    return [text for label, text in turns if label.strip().casefold() == persona.casefold()]


# -- what is noted of sessions and checkpoints -----------------------------------------------------


def _manners(snapshot: Snapshot, sessions: Sequence[str], which: str) -> dict[str, WritingStyle]:
    """Return the writing style of each session's replies; an unreadable one gives an empty style."""
    personas = persona_names(snapshot)
    paths = {session_path(name): name for name in sessions}

    def note(path: str) -> list[Any]:
        try:
            session = read_session(snapshot, paths[path])
        except ReelError:
            return dump_manner(WritingStyle())
        return dump_manner(read_manner(spoken_by(session, personas)))

    kind = f"manner {EDITION} {which} {', '.join(personas)}"
    notes: Mapping[str, list[Any]]
    if isinstance(snapshot.tree, WorkTree) and not isinstance(snapshot, Glance):
        notes = note_files(snapshot.tree.root, kind, paths, note)
    else:
        notes = snapshot.note(kind, paths, note)
    return {paths[path]: load_manner(found) for path, found in notes.items()}


def _checkpoints(snapshot: Snapshot) -> dict[str, tuple[str, str, Measure | None]]:
    """Return each session's newest checkpoint: its file, the word on drift, and the measurement."""

    def note(path: str) -> list[Any]:
        try:
            said, held = read_measured(snapshot.text(path) or "", path)
        except ReelError:
            return ["", {}]
        return [said, held]

    notes = snapshot.note(f"measured {EDITION}", snapshot.checkpoints, note)
    found: dict[str, tuple[str, str, Measure | None]] = {}
    for path in snapshot.checkpoints:
        said, held = notes[path]
        session = session_of_checkpoint(path)
        found[session] = (path, _SAID.get(said, "unsure" if said else ""), _as_measure(held))
    return found


def _as_measure(held: Mapping[str, Any]) -> Measure | None:
    """Return a checkpoint's measurement; None if it has none that can be used."""
    try:
        return Measure(
            replies=int(held["replies"]),
            words=int(held["words"]),
            standing=SessionDrift(held["standing"]),
            earlier=float(held["from_earlier"]) if held.get("from_earlier") else None,
            exemplars=float(held["from_exemplars"]) if held.get("from_exemplars") else None,
            moved=tuple(TraitShift("", 0.0, str(words)) for words in held.get("moved") or ()),
        )
    except (KeyError, ValueError, TypeError):
        return None
