"""A reading as a checkpoint: every field typed, and what is unclear named."""

import pytest

from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.reader.values import Value
from reel_cli.core.exchange.schema import CHECKPOINT, CONSOLIDATION
from reel_cli.core.values.artifact import Checkpoint, Delta, Problem, Verdict
from reel_cli.core.values.memory import Item
from reel_cli.features.page.reply.checkpoint_reply import parse_checkpoint
from reel_cli.features.page.reply.significance_flags import read_flags

ITEMS = (Item("Active threads", "The lighthouse draft", (1, 2)),)


def parse(**fields: str | list[str]) -> tuple[Checkpoint, list[Problem]]:
    """A reading that holds these fields, typed; `nothing` is an empty one."""
    values: dict[str, Value] = {}
    for key, given in fields.items():
        lines = [given] if isinstance(given, str) else given
        empty = given == "nothing"
        values[key] = Value("\n".join(lines), () if empty else tuple(lines), empty=empty)
    return parse_checkpoint(ReplyReading(CHECKPOINT, values), ITEMS, ["Up at five"])


def test_a_page_of_nothing_changes_nothing() -> None:
    names = ("coherence", "calibration", "shifted", "paper", "show", "notes", "fade")
    checkpoint, problems = parse(**dict.fromkeys(names, "nothing"))
    assert checkpoint == Checkpoint(
        coherence=Verdict.UNSURE,
        coherence_text="nothing",
        calibration="",
        drift=Verdict.NO,
        drift_text="nothing",
        paper=False,
        paper_text="nothing",
        given=dict.fromkeys(names, "nothing"),
    )
    assert problems == []


def test_without_any_field_nothing_is_sure() -> None:
    checkpoint, problems = parse()
    assert (checkpoint.coherence, checkpoint.drift, checkpoint.delta) == (
        Verdict.UNSURE,
        Verdict.UNSURE,
        Delta(),
    )
    assert problems == []


def test_a_verdict_that_is_absent_is_unsure_and_told() -> None:
    checkpoint, problems = parse(shifted='"It is a valuable moment." A slip, I think.')
    assert checkpoint.drift is Verdict.UNSURE
    assert [problem.field for problem in problems] == ["shifted"]


def test_the_protocols_names_say_the_same() -> None:
    checkpoint, problems = parse(
        drift_detected="yes", drift_description="Colder than usual, and not appropriate."
    )
    assert (checkpoint.drift, checkpoint.drift_text, problems) == (
        Verdict.YES,
        "Colder than usual, and not appropriate.",
        [],
    )
    assert parse(drift_detected="no")[0].drift is Verdict.NO
    assert parse(drift_detected="not sure")[0].drift is Verdict.UNSURE
    assert parse(drift_description="Something has shifted.")[0].drift is Verdict.YES


def test_a_note_that_matches_nothing_is_told() -> None:
    checkpoint, problems = parse(notes="1. still\n7. closed")
    assert checkpoint.delta.still == (1,)
    assert problems == [Problem("notes", "this note matches nothing: 7. closed")]


def test_what_was_left_open_is_listed_once() -> None:
    checkpoint, _ = parse(
        open_loops=["the soup", "Nothing, really"],
        unresolved=["The soup.", "the gloves", "the ticket"],
        notes="new: the ticket",
    )
    assert checkpoint.open_loops == ("the soup", "the gloves")


def test_every_fields_own_words_are_kept() -> None:
    checkpoint, _ = parse(coherence="Yes, I think.", fade=["one", "two"], timestamp="2026-02-25")
    assert checkpoint.given == {"coherence": "Yes, I think.", "fade": "one\ntwo", "timestamp": "2026-02-25"}
    assert (checkpoint.flags, checkpoint.timestamp) == (("one", "two"), "2026-02-25")


def test_a_line_of_several_quotations_is_as_many_moments() -> None:
    checkpoint, _ = parse(
        fade=[
            '"you told upstairs no" / "I told them yes."',
            '"Hi chat", because of the "hi" in it',
            '"cut off',
        ]
    )
    assert checkpoint.flags == (
        "you told upstairs no",
        "I told them yes.",
        '"Hi chat", because of the "hi" in it',
        '"cut off',
    )


def test_a_moment_that_must_not_fade_is_read_from_a_record() -> None:
    """REEL §6.6: `significance_flags: [moments from this session that deserve pruning immunity]`."""
    said = ["moment: the coal is in", "pruning immunity: true"]
    assert parse(fade=said)[0].flags == ("the coal is in",)
    assert parse(fade=["the coal is in — pruning immunity: true"])[0].flags == ("the coal is in",)
    assert parse(fade=["moment: the coal is in", "pruning immunity: false"])[0].flags == ()


def test_a_cell_in_quotation_marks_is_told_without_them() -> None:
    """REEL §6.2: the page as a table, its text quoted."""
    rows = {
        "What happened": "Martinez fell asleep on page four, and Jonas moved the deadline.",
        "What changed": "I tease him.",
        "What matters": "Tilo was allowed to be funny.",
        "Retrieval anchors": "a review of sorts",
    }
    table = "".join(f'| {field} | "{said}" |\n' for field, said in rows.items())
    reading = read_reply(f"| Field | Text |\n| --- | --- |\n{table}", CONSOLIDATION)
    assert reading.text("happened") == rows["What happened"]
    assert reading.text("changed") == rows["What changed"]


SLUGS = {"up-at-five": "Up at five", "the-cats-edit": "The cat's edit"}
DOCUMENTS_OWN = """Checkpoint:
  timestamp: 2026-02-02T22:00:00Z
  identity_coherence: still me, drier than last night
  calibration_state: dry
  drift_detected: no
  drift_description: null
  ring_0_update_suggested: false
  ring_1_rotation:
    {}
  ring_2_delta:
    new_threads: [New deadline 16 March]
    closed_loops: []
    state_changes:
      - Martinez has the pages
      - The deadline moved to 16 March
  open_loops: []
  significance_flags:
    - moment: "Then he would have read it twice."
      why: Tilo was allowed to be funny
      action: promote to Ring 1
"""


@pytest.mark.parametrize(
    "rotation",
    [
        "swap_in: [the-cats-edit]\n    swap_out: [up-at-five]",
        "load: [the-cats-edit.md]\n    unload: [Up at five]",
        "load: [The cat's edit]\n    unload: [up-at-five]",
    ],
)
def test_a_page_in_the_documents_own_form_means_what_it_says(rotation: str) -> None:
    """REEL §6.6: null is nothing, changes of state sentences, a flag what it is for, a file an example."""
    reading = read_reply(DOCUMENTS_OWN.replace("{}", rotation), CHECKPOINT)
    checkpoint, problems = parse_checkpoint(reading, ITEMS, [*SLUGS.values()], slugs=SLUGS)
    assert (checkpoint.drift, checkpoint.drift_text) == (Verdict.NO, "")
    assert checkpoint.delta.state == "Martinez has the pages.\nThe deadline moved to 16 March"
    promoted = "Then he would have read it twice."
    assert checkpoint.flags == ()
    assert (checkpoint.show, checkpoint.rest) == (("The cat's edit", promoted), ("Up at five",))
    assert problems == []


STRING = ("the string",)


@pytest.mark.parametrize(
    ("flag", "fade", "show"),
    [
        ('{moment: "the string", action: promotion to Ring 1}', (), STRING),
        ("\"Promote to Ring 1: 'the string is best'\"", (), ("'the string is best'",)),
        ('{quote: "the string", pruning_immunity: false, promotion: ring 1}', (), STRING),
        ('{moment: "the string", promote_to_ring_1: true}', (), STRING),
        ('"the string" -> promote to exemplar', (), STRING),
        ("Promotion to ring 1: the string", (), STRING),
        ('{moment: "the string", pruning_immunity: true, promotion: ring 1}', STRING, STRING),
        ('{moment: "the string", action: pruning immunity and promotion to Ring 1}', STRING, STRING),
        ("pruning immunity: the string", STRING, ()),
        ('{moment: "the string", pruning_immunity: true, promotion: no}', STRING, ()),
        ('"the string" (not promoted to Ring 1)', ('"the string"',), ()),
        ("immunity - the string", STRING, ()),
        ("Pruning immunity — the string", STRING, ()),
        ("immunity: the string", STRING, ()),
        ('"the string (pruning immunity)"', STRING, ()),
        ("the string (immunity)", STRING, ()),
        ("the string [immune]", STRING, ()),
        ("the string (deserves pruning immunity, it defines us)", STRING, ()),
        ("the string -> pruning immunity", STRING, ()),
        ("the string - immunity", STRING, ()),
        ("the string (no immunity)", (), ()),
        ("the string (pruning immunity, promote to Ring 1)", STRING, STRING),
        ("the string - immunity; promote to Ring 1", STRING, STRING),
        ('"the string" — pruning immunity and promotion to Ring 1', ('"the string"',), STRING),
        ('"the string" deserves both pruning immunity and promotion to Ring 1', ('"the string"',), STRING),
        ('"the string" (immune, promote)', ('"the string"',), STRING),
        ('{moment: "the string", deserves: [pruning immunity, promotion to Ring 1]}', STRING, STRING),
        ('"pruning immunity and promotion to Ring 1: the string"', STRING, STRING),
        (
            '"the string" - pruning immunity and promotion to Ring 1, since it began there',
            ('"the string"',),
            STRING,
        ),
        ("the string deserves promotion to Ring 1 as well as pruning immunity", STRING, STRING),
        ('"the string" deserves no pruning immunity, but promotion to Ring 1', (), STRING),
        ('"the string" deserves pruning immunity, not promotion to Ring 1', ('"the string"',), ()),
        ("He told me of immunity and promotion.", ("He told me of immunity and promotion.",), ()),
        ("He asked me about my immunity.", ("He asked me about my immunity.",), ()),
        ("He told me of his promotion to the ring.", ("He told me of his promotion to the ring.",), ()),
    ],
)
def test_a_moment_is_flagged_for_immunity_or_for_ring_1(
    flag: str, fade: tuple[str, ...], show: tuple[str, ...]
) -> None:
    """REEL §6.6: moments that deserve pruning immunity or promotion to Ring 1."""
    page = DOCUMENTS_OWN.partition("    - moment:")[0].replace("{}", "load: []")
    reading = read_reply(f"{page}    - {flag}\n", CHECKPOINT)
    checkpoint, problems = parse_checkpoint(reading, ITEMS, ["Up at five"])
    assert (checkpoint.flags, checkpoint.show, problems) == (fade, show, [])


@pytest.mark.parametrize("run", ["-", " ", "— ", "- ;", "(", "no "])
def test_a_flag_takes_no_longer_than_its_size(run: str) -> None:
    """A run of a million marks was gone through once for each of them, which took hours."""
    fade, show = read_flags([f"{run * (1_000_000 // len(run))}the lamp"])
    assert [one[-8:] for one in fade] == ["the lamp"]
    assert show == ()
