"""The policy on advice: what is kept whatever is said, what waits, what is done, each with its reason."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.values.settings import Settings
from reel_cli.features.shelf.advice.advice import ACTIONS, ARCHIVE, Kept, LetGo
from reel_cli.features.shelf.advice.policy import Decision, Known, Suggested, Taken, decide, must_keep

PLAIN = Known("shelf/a.md")
COLD = LetGo("shelf/a.md", "old", action=ARCHIVE)


@pytest.mark.parametrize(
    ("known", "taken", "reason"),
    [
        (PLAIN, Taken.HONORED, "nothing speaks against it"),
        (replace(PLAIN, pinned=True), Taken.OVERRIDDEN, "it is pinned"),
        (replace(PLAIN, immune=True), Taken.OVERRIDDEN, "it must stay whole (immune)"),
        (replace(PLAIN, kept="audit: a*"), Taken.OVERRIDDEN, "must be kept, as audit: a*"),
        (replace(PLAIN, trouble="It is broken."), Taken.OVERRIDDEN, "It is broken."),
        (replace(PLAIN, pinned=True, touched_since=True), Taken.OVERRIDDEN, "it is pinned"),
        (replace(PLAIN, touched_since=True), Taken.DEFERRED, "it was used since"),
        (replace(PLAIN, noted="ring 2"), Taken.DEFERRED, "it is in use: ring 2"),
        (replace(PLAIN, waits=1), Taken.DEFERRED, "the advice is to stand for 1 more session first"),
        (replace(PLAIN, waits=2), Taken.DEFERRED, "the advice is to stand for 2 more sessions first"),
        (replace(PLAIN, referenced="Bo spoke of it"), Taken.HONORED, "nothing speaks against it"),
        (replace(PLAIN, aside=True), Taken.HONORED, "nothing speaks against it"),
    ],
)
def test_advice_to_let_go(known: Known, taken: Taken, reason: str) -> None:
    assert decide([], [COLD], {known.path: known}) == [
        Decision("shelf/a.md", Suggested.EVICT, taken, reason, ARCHIVE, "old")
    ]


def test_what_stands_in_both_lists_waits_and_an_unknown_action_too() -> None:
    known = {"shelf/a.md": PLAIN}
    (both,) = decide([Kept("shelf/a.md", "needed")], [COLD], known)
    assert (both.taken, both.reason) == (Taken.DEFERRED, "hot.yml keeps it at hand")
    (odd,) = decide([], [replace(COLD, action="burn")], known)
    assert (odd.taken, odd.reason) == (Taken.DEFERRED, "'burn' is no action")


def test_what_is_kept_and_what_is_promoted() -> None:
    known = {
        "a": Known("a"),
        "b": Known("b", referenced="Bo spoke of it"),
        "c": Known("c", referenced="Bo spoke of it", aside=True),
        "d": Known("d", aside=True),
    }
    assert decide([Kept("a", "on it"), Kept("d"), Kept("gone")], [LetGo("gone")], known) == [
        Decision("a", Suggested.KEEP, Taken.HONORED, "kept at hand", why="on it"),
        Decision("d", Suggested.KEEP, Taken.DEFERRED, "it was set aside; a person brings it back"),
        Decision("b", None, Taken.PROMOTED, "Bo spoke of it"),
    ]


def test_must_keep_is_what_is_marked_or_matched() -> None:
    rules = {
        **Settings(name="").shelf_keep,
        "output": ["out/*", "*.pdf"],
        "mine": ["tag: Sworn", "shelf/[a].md"],
    }
    assert [
        must_keep("shelf/out/deep/x.md", (), rules),
        must_keep("shelf/x.pdf", (), rules),
        must_keep("shelf/x.md", ("Decision",), rules),
        must_keep("shelf/x.md", ("sworn", "draft"), rules),
        must_keep("shelf/a.md", (), rules),
        must_keep("shelf/x.md", ("draft",), rules),
        must_keep("shelf/x.md", ("decision",), {"decisions": []}),
    ] == ["output: out/*", "output: *.pdf", "decisions: it is tagged decision", "mine: it is tagged Sworn",
          "mine: shelf/[a].md", "", ""]  # fmt: skip


NAMES = st.sampled_from("abcd")
KNOWN = st.dictionaries(
    NAMES,
    st.builds(
        Known,
        path=NAMES,
        pinned=st.booleans(),
        immune=st.booleans(),
        kept=st.sampled_from(["", "audit"]),
        trouble=st.sampled_from(["", "broken"]),
        referenced=st.sampled_from(["", "Bo"]),
        touched_since=st.booleans(),
    ),
).map(lambda known: {path: replace(about, path=path) for path, about in known.items()})


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.builds(Kept, NAMES), max_size=4),
    st.lists(st.builds(LetGo, NAMES, action=st.sampled_from([*ACTIONS, "burn"])), max_size=4),
    KNOWN,
)
def test_nothing_that_must_be_kept_is_ever_let_go(
    hot: list[Kept], cold: list[LetGo], known: dict[str, Known]
) -> None:
    made = decide(hot, cold, known)
    assert len({one.path for one in made}) == len(made)
    for one in made:
        about = known[one.path]
        assert one.reason
        if one.lets_go:
            against = (about.pinned, about.immune, about.kept, about.trouble, about.touched_since)
            assert not any(against)
            assert one.action in ACTIONS
