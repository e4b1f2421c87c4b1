"""History replayed: what was let go, what came back, and what of it stands."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.files.commit_message import Forgotten, render_forgotten
from reel_cli.core.git.history import Commit
from reel_cli.core.rings.losses import list_losses
from reel_cli.core.values.memory import RESOLUTIONS, coarseness

STEPS = st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=12)


def commit(number: int, op: str, *trailers: tuple[str, str]) -> Commit:
    return Commit(f"{number:040x}", f"2026-03-{number + 1:02d}T12:00:00Z", "Bo", f"{op}: x", op, trailers, "")


def lose(before: str, after: str, name: str = "M-001") -> tuple[str, str]:
    return "Reel-Forgot", render_forgotten(Forgotten(name, before, after, 9, 4, was="b" * 40, reason="old"))


def backs(commits: Sequence[Commit], held: str | None = None) -> list[str | None]:
    """Return the commits that took each loss back, the oldest loss first."""
    return [loss.back for loss in list_losses(list(commits)[::-1], lambda _name: held)][::-1]


def test_what_comes_back_takes_back_what_was_lost_below_it() -> None:
    history = [
        commit(0, "maintain", lose("L1", "L2")),
        commit(1, "maintain", lose("L2", "L4"), lose("L1", "stub", "M-002")),
        commit(2, "forget", lose("L4", "stub")),
        commit(3, "restore", ("Reel-Memory", "M-001 L2 40")),
    ]
    assert backs(history) == [None, history[3].id, None, history[3].id]
    assert backs([*history, commit(4, "forget", lose("L2", "stub"))]) == [
        *[None, history[3].id, None, history[3].id],
        None,
    ]


def test_undoing_counts_both_ways() -> None:
    gone = commit(0, "forget", lose("L1", "stub"))
    undone = commit(1, "undo", ("Reel-Undoes", gone.id))
    assert backs([gone, undone]) == [undone.id]
    restored = commit(1, "restore", ("Reel-Memory", "M-001 L1 40"))
    assert backs([gone, restored, commit(2, "undo", ("Reel-Undoes", restored.id))]) == [None]


def test_the_file_itself_shows_that_it_is_back() -> None:
    history = [commit(0, "maintain", lose("L1", "L2")), commit(1, "forget", lose("L2", "stub"))]
    assert backs(history, "b" * 40) == ["", ""]
    assert backs(history, "c" * 40) == [None, None]


def test_a_line_that_came_back_is_no_memory() -> None:
    history = [
        commit(0, "forget", lose("L1", "stub")),
        commit(1, "forget", lose("stub", "dormant")),
        commit(2, "restore", ("Reel-Index", "M-001")),
    ]
    assert backs(history) == [None, history[2].id]


@settings(max_examples=100, deadline=None)
@given(STEPS)
def test_what_stands_leads_from_the_first_text_to_what_is_left(steps: list[tuple[int, bool]]) -> None:
    """A memory goes up and down: the losses that stand are the way from L1 down to where it is."""
    place, history = 0, []
    for number, (target, _) in enumerate(steps):
        here, there = RESOLUTIONS[place], RESOLUTIONS[target]
        if target > place:
            history.append(commit(number, "forget", lose(here, there)))
        elif target < place:
            # only what once was there can come back
            known = {one.forgot.before for one in list_losses(history[::-1], lambda _name: None)}
            if there not in known:
                continue
            trailer = ("Reel-Index", "M-001") if there == "stub" else ("Reel-Memory", f"M-001 {there} 9")
            history.append(commit(number, "restore", trailer))
        place = target
    standing = [one.forgot for one in list_losses(history[::-1], lambda _name: None) if one.back is None][
        ::-1
    ]
    assert all(coarseness(one.before) < coarseness(RESOLUTIONS[place]) for one in standing)
    assert (standing[0].before if standing else RESOLUTIONS[place]) == "L1"
    assert [one.before for one in standing] == sorted({one.before for one in standing})
