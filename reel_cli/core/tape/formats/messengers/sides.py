"""Sides of the people in a chat who are known by their names alone."""

from collections.abc import Mapping, Sequence

from reel_cli.core.tape.formats.pasted.speaker_lines import People, fold_label
from reel_cli.core.tape.formats.source import Notes, Source
from reel_cli.core.values.change import one_line

_PAIR = 2
_LONGEST = 40


def find_sides(
    speakers: Sequence[str], source: Source, notes: Notes, *, other: str = ""
) -> Mapping[str, str]:
    """Return the side, `user` or `assistant`, of each speaker, given in the order they first speak.

    The kit's names decide, then words for roles (`Assistant`), then `other`, after whom the chat is called,
    as that is never you. Where nobody is known, the first to speak is taken as you, and that is noted.
    """
    people = People.named(source.user_names, source.persona_names)
    known = {name: side for name in speakers if (side := _side(name, people)) is not None}
    if not known and other in speakers:
        known[other] = "assistant"
    if not known and speakers:
        known[speakers[0]] = "user"
        if len(speakers) >= _PAIR:
            you, persona = (one_line(name, _LONGEST) for name in speakers[:2])
            notes.add(f"neither name is known: “{you}” was taken as you, “{persona}” as the persona")
    rest = "user" if "assistant" in known.values() else "assistant"
    strangers = [name for name in speakers if name not in known]
    if len(speakers) > _PAIR and strangers and rest == "assistant":
        notes.add("who of the others is the persona is not known", one_line(", ".join(strangers[:4]), 100))
    return {name: known.get(name, rest) for name in speakers}


def _side(name: str, people: People) -> str | None:
    folded = fold_label(name)
    if folded in people.user_names | people.persona_names or people.speaks_by_role(folded):
        side = people.side(folded)
        return side if side != "system" else None
    return None
