"""Which models the persona spoke through, as the tape knows it (Dream Weaver §6.9)."""

from dataclasses import dataclass

from reel_cli.flows.tape_view import standing_sessions, told_of_each
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.change import one_line
from reel_cli.model.tape import session_path
from reel_cli.tape.spoken import LONGEST, models_said


@dataclass(frozen=True, slots=True)
class Seen:
    """Consecutive sessions through one model: its name, the first and the last of them, how many there are.

    A session of which nobody knows the model ends no run and counts for none.
    """

    model: str
    first: str
    last: str
    sessions: int


def models_seen(snapshot: Snapshot) -> tuple[Seen, ...]:
    """The models that spoke, oldest first; neighbours differ. () where the tape names none.

    From a `Glance`, what is in each session is read once and kept. A model that was learnt of after a session
    was recorded counts where its messages name none. Raises StateError where a session cannot be read.
    """
    names = {session_path(session): session for session in snapshot.sessions}
    notes = snapshot.note("models", names, lambda path: models_said(snapshot.tree.read(path) or b"", path))
    spoke = {names[path]: note for path, note in notes.items()}
    later = told_of_each(snapshot, "model")
    runs: list[list[str]] = []
    folded = ""
    for session in standing_sessions(snapshot):
        said, front = spoke[session]
        whole = one_line(later[session], LONGEST) if later.get(session) else front
        for model in said or ([whole] if whole else []):
            if model.casefold() != folded:
                folded = model.casefold()
                runs.append([model])
            if runs[-1][-1] != session:
                runs[-1].append(session)
    return tuple(Seen(model, sessions[0], sessions[-1], len(sessions)) for model, *sessions in runs)


def same_model(one: str, other: str) -> bool:
    """Whether two names are one model's: whatever the case."""
    return one.casefold() == other.casefold()


def newest_model(snapshot: Snapshot) -> str:
    """The model that spoke last; "" where the tape names none."""
    seen = models_seen(snapshot)
    return seen[-1].model if seen else ""
