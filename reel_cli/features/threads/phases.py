"""Phases of a life, chat by chat: forming, stable, reflection, fragmenting (SRIP-11 §III.4).

The document names the phases and which go with which; what shows a phase is ours (`docs/decisions`): forming
is the time before the tape notes maturity; fragmenting a page that is not sure of itself or tells of drift;
all else is stable. A phase goes over into one that the document puts beside it, so that reflection is on the
way from stable to fragmenting and back.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from reel_cli.core.errors import ReelError
from reel_cli.core.files.checkpoint_file import read_checkpoint
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_events


class Phase(StrEnum):
    """A state of the persona's own thinking over a chat."""

    FORMING = "forming"
    STABLE = "stable"
    REFLECTION = "reflection"
    FRAGMENTING = "fragmenting"


BESIDE: Mapping[Phase, Sequence[Phase]] = {
    Phase.FORMING: (Phase.FORMING, Phase.STABLE),
    Phase.STABLE: (Phase.STABLE, Phase.REFLECTION),
    Phase.REFLECTION: (Phase.REFLECTION, Phase.STABLE, Phase.FRAGMENTING),
    Phase.FRAGMENTING: (Phase.FRAGMENTING, Phase.REFLECTION),
}
"""The phases that go with each, and into which it goes over (SRIP-11 §III.4)."""
PLAIN: Mapping[Phase, str] = {
    Phase.FORMING: "finding itself",
    Phase.STABLE: "steady",
    Phase.REFLECTION: "in thought",
    Phase.FRAGMENTING: "unsure",
}
"""The phases as a screen tells them: how sure of itself the persona was in a chat."""
MATURITY = "maturity"


def follow_phases(signs: Sequence[Phase]) -> list[Phase]:
    """Return the phase of each chat, from what each by itself shows: one allowed step at a time."""
    found: list[Phase] = []
    for sign in signs:
        found.append(_step(found[-1], sign) if found else sign)
    return found


def _step(before: Phase, sign: Phase) -> Phase:
    """Return the phase beside the one before that is nearest to a sign."""
    reached = {before: before}
    nearest = [before]
    for phase in nearest:
        for beside in BESIDE[phase]:
            if beside not in reached:
                reached[beside] = beside if phase is before else reached[phase]
                nearest.append(beside)
    # into forming nothing goes over
    return reached.get(sign, before)


def read_phases(snapshot: Snapshot, chats: Sequence[str]) -> dict[str, Phase]:
    """Return the phase of each chat; a page that cannot be read shows nothing."""
    grown = [event.session for event in read_events(snapshot) if event.kind == MATURITY and event.session]
    until = grown[0] if grown else None
    pages = _read_pages(snapshot)
    signs = []
    forming = until in chats
    for chat in chats:
        page = pages.get(chat, {})
        if page.get("coherence") in ("partly", "no") or page.get("drift_detected") == "yes":
            signs.append(Phase.FRAGMENTING)
        elif forming:
            signs.append(Phase.FORMING)
        else:
            signs.append(Phase.STABLE)
        forming = forming and chat != until
    return dict(zip(chats, follow_phases(signs), strict=True))


def _read_pages(snapshot: Snapshot) -> dict[str, Mapping[str, str]]:
    """Return the newest self-assessment of each chat that has one."""
    found: dict[str, Mapping[str, str]] = {}
    for path in sorted(snapshot.list("checkpoints"), key=_order):
        try:
            found[_order(path)[0]] = read_checkpoint(snapshot.text(path) or "", path)
        except ReelError:
            continue
    return found


def _order(path: str) -> tuple[str, int]:
    chat, _, number = path.removeprefix("checkpoints/").removesuffix(".yaml").rpartition(".")
    return chat, int(number) if number.isdigit() else 0
