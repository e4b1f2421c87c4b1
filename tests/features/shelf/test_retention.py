"""The policy on advice: what is kept whatever is said, what waits, what is done, each with its reason."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.values.settings import Settings
from reel_cli.features.shelf.advice.advice import ACTIONS, ARCHIVE, HotEntry, LetGo
from reel_cli.features.shelf.advice.policy import (
    HOT_STAYS,
    AdviceOutcome,
    Decision,
    ItemFacts,
    Suggestions,
    decide,
    must_keep,
)
from reel_cli.features.shelf.advice.text_signs import reads_as

PLAIN = ItemFacts("shelf/a.md")
COLD = LetGo("shelf/a.md", "old", action=ARCHIVE)


@pytest.mark.parametrize(
    ("known", "taken", "reason"),
    [
        (PLAIN, AdviceOutcome.HONORED, "nothing speaks against it"),
        (replace(PLAIN, pinned=True), AdviceOutcome.OVERRIDDEN, "it is pinned"),
        (replace(PLAIN, immune=True), AdviceOutcome.OVERRIDDEN, "it must stay whole (immune)"),
        (replace(PLAIN, kept="audit: a*"), AdviceOutcome.OVERRIDDEN, "must be kept, as audit: a*"),
        (replace(PLAIN, trouble="It is broken."), AdviceOutcome.OVERRIDDEN, "It is broken."),
        (replace(PLAIN, pinned=True, touched_since=True), AdviceOutcome.OVERRIDDEN, "it is pinned"),
        (replace(PLAIN, touched_since=True), AdviceOutcome.DEFERRED, "it was used since"),
        (replace(PLAIN, noted="ring 2"), AdviceOutcome.DEFERRED, "it is in use: ring 2"),
        (replace(PLAIN, waits=1), AdviceOutcome.DEFERRED, "the advice is to stand for 1 more chat first"),
        (replace(PLAIN, waits=2), AdviceOutcome.DEFERRED, "the advice is to stand for 2 more chats first"),
        (replace(PLAIN, referenced="Bo spoke of it"), AdviceOutcome.HONORED, "nothing speaks against it"),
        (replace(PLAIN, aside=True), AdviceOutcome.HONORED, "nothing speaks against it"),
    ],
)
def test_advice_to_let_go(known: ItemFacts, taken: AdviceOutcome, reason: str) -> None:
    """MEMORY-MGMT §3: honor, defer or override advice, or promote something unasked, and record which."""
    assert decide([], [COLD], {known.path: known}) == [
        Decision("shelf/a.md", Suggestions.EVICT, taken, reason, ARCHIVE, "old")
    ]


def test_what_stands_in_both_lists_waits_and_an_unknown_action_too() -> None:
    known = {"shelf/a.md": PLAIN}
    (both,) = decide([HotEntry("shelf/a.md", "needed")], [COLD], known)
    assert (both.taken, both.reason) == (AdviceOutcome.DEFERRED, HOT_STAYS)
    (odd,) = decide([], [replace(COLD, action="burn")], known)
    assert (odd.taken, odd.reason) == (AdviceOutcome.DEFERRED, "'burn' is no action")


def test_what_is_kept_and_what_is_promoted() -> None:
    known = {
        "a": ItemFacts("a"),
        "b": ItemFacts("b", referenced="Bo spoke of it"),
        "c": ItemFacts("c", referenced="Bo spoke of it", aside=True),
        "d": ItemFacts("d", aside=True),
    }
    assert decide([HotEntry("a", "on it"), HotEntry("d"), HotEntry("gone")], [LetGo("gone")], known) == [
        Decision("a", Suggestions.KEEP, AdviceOutcome.HONORED, "kept at hand", why="on it"),
        Decision("d", Suggestions.KEEP, AdviceOutcome.DEFERRED, "it was set aside; a person brings it back"),
        Decision("b", None, AdviceOutcome.PROMOTED, "Bo spoke of it"),
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


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# The constitution of Ada\n\nI tell the truth.\n", "constitution"),
        ("Verfassung\n==========\n", "constitution"),
        ("# 憲法\n", "constitution"),
        ("# Decision: we print in May\n", "decision"),
        ("ADR-012 Use plain files\n", "decision"),
        ("# Use plain files\n\n## Status\nagreed\n## Decision\nyes\n## Consequences\nfew\n", "decision"),
        ("# Druck\n\n## Kontext\nx\n## Entscheidung\nim Mai\n", "decision"),
        ("# 決定記録\n", "decision"),
        ("title: print\ndecision: in May\nrationale: the fair\n", "decision"),
        ("# Event log of the workshop\n\n- the kiln was lit\n", "event-log"),
        ('{"at": "1", "event": "a"}\n{"at": "1", "event": "b"}\n{"at": "2", "event": "c"}\n', "event-log"),
        # in each of the eight languages
        *(
            (f"# {title}\n\n- 3. 1.\n", "event-log")
            for title in (
                *("Ereignisprotokoll der Werkstatt", "Protokoll der Ereignisse", "Journal des événements"),
                *("Bitácora de eventos", "Registro de eventos", "Diário de eventos", "Registo de eventos"),
                *("Registro degli eventi", "Журнал событий", "Хроника событий", "イベント記録", "事件记录"),
            )
        ),
        *(
            ("".join(f"2026-10-0{day}T10:00:00Z {word}: x\n" for day in (1, 2, 3)), "event-log")
            for word in ("Event", "Ereignis", "Événement", "Evento", "Событие", "イベント")
        ),
        ("# Ein Ereignis im Mai\n", ""),
        # a tool's log, a table, a story and a note are none of them
        ("2026-01-01T10:00 INFO build began\n2026-01-01T10:01 INFO done\n" * 20, ""),
        ('{"at": "2", "event": "a"}\n{"at": "1", "event": "b"}\n{"at": "3", "event": "c"}\n', ""),
        ('{"ts": 1, "level": "info", "msg": "a"}\n' * 5, ""),
        ("day,event\n1,lit\n", ""),
        ("She had a weak constitution and no decision to make.\n", ""),
        ("# Chapter four\n\nHer decision stood. Its reasons did not.\n", ""),
        ("", ""),
    ],
)
def test_what_must_stay_shows_in_its_text(text: str, kind: str) -> None:
    assert reads_as(text) == kind


def test_a_kit_with_rules_of_its_own_has_only_those() -> None:
    usual = Settings(name="").shelf_keep
    assert must_keep("shelf/x.md", (), usual, "decision") == "decisions: its text says so"
    assert must_keep("shelf/x.md", (), {**usual, "decisions": ["adr/*"]}, "decision") == ""


NAMES = st.sampled_from("abcd")
KNOWN = st.dictionaries(
    NAMES,
    st.builds(
        ItemFacts,
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
    st.lists(st.builds(HotEntry, NAMES), max_size=4),
    st.lists(st.builds(LetGo, NAMES, action=st.sampled_from([*ACTIONS, "burn"])), max_size=4),
    KNOWN,
)
def test_nothing_that_must_be_kept_is_ever_let_go(
    hot: list[HotEntry], cold: list[LetGo], known: dict[str, ItemFacts]
) -> None:
    """MEMORY-MGMT §5.c: never let go of constitution, decisions, event logs and deliverables."""
    made = decide(hot, cold, known)
    assert len({one.path for one in made}) == len(made)
    for one in made:
        about = known[one.path]
        assert one.reason
        if one.lets_go:
            against = (about.pinned, about.immune, about.kept, about.trouble, about.touched_since)
            assert not any(against)
            assert one.action in ACTIONS
