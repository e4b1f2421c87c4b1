"""The page, from the prompt to the commit: `reel checkpoint` and `reel consolidate`."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.exchange.page_part import page_parts
from reel_cli.core.files.checkpoint_file import BETWEEN, read_checkpoint
from tests.support.cli import Reel, git
from tests.support.installed_features import is_installed
from tests.support.pages import chat, page, say

SESSION = "2026-02-25-1"


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    """A kit with one recorded session."""
    reel.given("record", "-", stdin=chat())
    return kit


def keep(reel: Reel, reply: str, *more: str) -> dict[str, Any]:
    """Keep a reply without a review; what `--json` says of it."""
    answer: dict[str, Any] = json.loads(
        reel("checkpoint", "--reply", "-", "--yes", "--json", *more, stdin=reply).ok().out
    )
    return answer


def read_and_keep(reel: Reel, reply: str) -> str:
    """Keep a reply after a look at it; what stood on the screen."""
    file = reel.cwd.parent / "page.md"
    file.write_text(reply)
    return reel("checkpoint", "--reply", file, stdin="y\n", tty=True).ok().err


def test_a_page_becomes_memory_index_checkpoint_and_working_memory_in_one_commit(
    reel: Reel, told: Path
) -> None:
    """REEL §3.1, §6.2: work by hand, with a program in between, and with a model that takes part."""
    before = git(told, "rev-parse", "HEAD").strip()
    answer = keep(reel, page())
    assert git(told, "rev-parse", "HEAD~1").strip() == before
    assert answer["commit"] == git(told, "rev-parse", "HEAD").strip()
    assert answer["checkpoint"] == f"checkpoints/{SESSION}.1.yaml"
    assert answer["memories"] == ["M-001"]
    assert answer["problems"] == []
    assert answer["index"][0] == (
        "M-001 | The letter that wasn't hers | \"open a letter that isn't hers\" | relational, emotional"
        " | not immune"
    )
    files = git(told, "show", "--name-only", "--format=", "HEAD").split()
    assert files == [
        f"checkpoints/{SESSION}.1.yaml", "ring2/working.md", "ring3/M-001.md", "ring4/index.md",
        "tape/events.md",
    ]  # fmt: skip
    trailers = git(told, "log", "-1", "--format=%(trailers:only,unfold)").splitlines()
    assert [line.partition(":")[0] for line in trailers if line] == [
        "Reel-Op", "Reel-Session", "Reel-Memory", "Reel-Tokenizer", "Reel-Index", "Reel-Index",
        "Reel-Ring0",
    ]  # fmt: skip
    assert git(told, "status", "--porcelain") == ""


def test_the_commit_names_the_ring_0_that_was_in_the_prompt(reel: Reel, told: Path) -> None:
    keep(reel, page())
    named = git(told, "log", "-1", "--format=%(trailers:key=Reel-Ring0,valueonly)").strip()
    assert named == git(told, "rev-parse", "HEAD:ring0/identity.md").strip()


def test_the_prompt_carries_ring_0_and_the_outgoing_ring_2_numbered(reel: Reel, told: Path) -> None:
    prompt = reel("checkpoint", "--prompt").ok().out
    assert (told / "ring0/identity.md").read_text().strip() in prompt
    assert "1. Getting to know Bo" in prompt
    headings = re.findall(r"(?m)^## (.+)$", prompt)
    brought = {spec.label for part in page_parts() for spec in part.fields}
    assert len([heading for heading in headings if heading not in brought]) == 16
    only = reel("checkpoint", "--only", "consolidation", "--prompt").ok().out
    assert "## What happened" in only
    assert "## Am I still myself" not in only


def test_an_assessment_alone_asks_for_the_open_loops_too(reel: Reel, told: Path) -> None:
    """REEL §6.6: each field of the checkpoint is asked for, and what is left open is carried forward."""
    prompt = reel("checkpoint", "--only", "checkpoint", "--prompt").ok().out
    assert "## What's unresolved" in prompt
    assert "## What happened" not in prompt
    answer = keep(reel, page(), "--only", "checkpoint")
    assert answer["memories"] == []
    loops = (told / "ring2/working.md").read_text().partition("## Open loops")[2]
    assert "- whether he buys the ticket\n" in loops
    assert "open_loops:\n  - whether he buys the ticket" in (told / answer["checkpoint"]).read_text()


def test_the_memory_alone_is_asked_for_after_the_assessment_alone(reel: Reel, told: Path) -> None:
    """REEL §6.2 and §6.6: either half can come first, and the other is asked for then."""
    keep(reel, page(), "--only", "checkpoint")
    prompt = reel("checkpoint", "--only", "consolidation", "--prompt").ok().out
    assert "## What happened" in prompt


def test_after_many_pages_without_any_shift_the_least_sign_of_one_is_asked_for(
    reel: Reel, told: Path
) -> None:
    """REEL §10.6: an honest word on drift is asked for where there is no example of one."""
    asked = "In your last 8 pages nothing had."
    for day in range(1, 9):
        assert asked not in reel("checkpoint", "--prompt").ok().out
        path = told / f"checkpoints/2026-01-{day:02}-1.1.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"timestamp: 2026-01-{day:02}\nidentity_coherence: yes\ndrift_detected: no\n")
    assert asked in reel("checkpoint", "--prompt").ok().out
    path.write_text(path.read_text().replace("drift_detected: no", "drift_detected: unsure"))
    assert asked not in reel("checkpoint", "--prompt").ok().out


def test_rotation_offers_examples_that_are_not_shown_by_name(reel: Reel, told: Path) -> None:
    """REEL §4.2: what rests in the pool can be named to be shown again, unless a person put it to rest."""
    reel("exemplar", "add", "--from", f"{SESSION}#1-2", "--title", "The cold evening").ok()
    active = told / "ring1/active.yaml"
    active.write_text(active.read_text().replace("  - the-cold-evening\n", ""))
    git(told, "-c", "core.hooksPath=/dev/null", "commit", "-qam", "not in the set", "-m", "Reel-Op: exemplar")
    offered = 'not shown now, but yours to ask for: "The cold evening"'
    assert offered in reel("checkpoint", "--prompt").ok().out
    keep(reel, page({"Worth showing again": 'Show "The cold evening" again.'}))
    assert "the-cold-evening" in (told / "ring1/active.yaml").read_text()
    prompt = reel("checkpoint", "--prompt", "--only", "checkpoint", "--session", SESSION).ok().out
    assert '"The cold evening"' in prompt
    assert "not shown now" not in prompt


SCHEMA = """\
```yaml
Checkpoint:
  timestamp: 2026-02-25T21:00:00Z
  identity_coherence: "Mostly. I told him the true thing first."
  calibration_state: "Brisk at first, warmer once it was named."
  drift_detected: yes
  drift_description: 'I was more guarded than usual: "careful looks cold from outside". It was fitting.'
  ring_0_update_suggested: "true - change 'dry' to 'dry, and says so', because he asked"
  ring_1_rotation:
    - in: "careful looks cold from outside"
  ring_2_delta:
    new_threads:
      - the residency, forty pages by 30 April
    closed_loops:
      - 2
    state_changes: "He is close to a deadline."
  open_loops:
    - whether he buys the ticket
  significance_flags:
    - {moment: "penicillin never", pruning_immunity: true}
    - {moment: "I was being careful", action: promotion to Ring 1}
```
"""


def test_each_field_of_the_document_s_own_schema_is_read_and_acts(reel: Reel, told: Path) -> None:
    """REEL §6.6: the artifact as the document writes it; what only a person may decide waits."""
    dry = reel("checkpoint", "--only", "checkpoint", "--reply", "-", "--dry-run", stdin=SCHEMA).ok()
    # its open loops are the answer to what is unresolved, so nothing of the page lacks
    assert "The page was read.\n" in dry.err
    answer = keep(reel, SCHEMA, "--only", "checkpoint")
    [stays] = answer["problems"]
    assert (stays["quiet"], "stays open" in stays["what"]) == (True, True)
    notes = (told / "ring2/working.md").read_text()
    for line in (
        "- the residency, forty pages by 30 April",
        "He is close to a deadline.",
        "- whether he buys the ticket",
        "Brisk at first, warmer once it was named.",
        'Shifted: I was more guarded than usual: "careful looks cold from outside". It was fitting.',
    ):
        assert line in notes
    kept = (told / answer["checkpoint"]).read_text()
    assert 'timestamp: "2026-02-25T21:00:00Z"' in kept
    assert "coherence: partly" in kept
    waits = {path.stem.partition(".1-")[2]: path.read_text() for path in (told / "review").glob("*.md")}
    assert waits.keys() == {"identity", "exemplar-1"}
    assert "\nchange 'dry' to 'dry, and says so'" in waits["identity"]
    assert "true -" not in waits["identity"]
    assert "No. I was being careful" in waits["exemplar-1"]


def test_the_answer_to_another_prompt_is_named_as_that(reel: Reel, told: Path) -> None:
    before = git(told, "rev-parse", "HEAD")
    for brought_by, reply, heading in (
        (
            "stream",
            "## Which stretch\n2026-02-25-1#1-4\n\n## The conversation so far\nThey spoke.\n",
            "Which stretch",
        ),
        (
            "dream",
            "**The story goes on**\nShe opened it.\n\n**What was missed**\nnothing\n",
            "The story goes on",
        ),
        ("page", "## Title\nThe letter\n\n## Gist\nIt is opened.\n\n## Summary\nShe opens it.\n", "Title"),
        ("page", "## What must stay\n1. yes\n", "What must stay"),
    ):
        if not is_installed(brought_by):
            continue
        run = reel("checkpoint", "--reply", "-", "--yes", stdin=f"{reply}\nAda\n")
        assert f"That answers another prompt: nobody asked here for “{heading}”." in run.err
        assert (run.code, git(told, "rev-parse", "HEAD")) == (1, before)
    # a page that has such a heading as well is a page
    assert keep(reel, page().replace("\n## What matters\n", "\n## Gist\nx\n\n## What matters\n"))


def test_working_memory_takes_what_the_page_says_and_keeps_the_rest(reel: Reel, told: Path) -> None:
    read_and_keep(
        reel,
        page({"My notes": "1. changed: his days are the book\n2. closed\nnew: the residency\nstate: Late."}),
    )
    assert (told / "ring2/working.md").read_text() == (
        "## Active threads\n- his days are the book\n- the residency\n\n"
        "## State\n\nLate.\n\n## Open loops\n\n- whether he buys the ticket\n\n"
        "## Calibration\n\nBrisk at first, warmer once it was named.\n\n"
        "Before that:\n- Dry first, warm close behind. Short answers until Bo wants long ones.\n"
    )


def test_a_new_note_that_resembles_an_old_one_is_kept_beside_it(reel: Reel, told: Path) -> None:
    keep(reel, page({"My notes": "new: The rent is due on Friday\nnew: The boat"}))
    reel.given("record", "-", stdin=chat(("user", "And?"), ("assistant", "And nothing.")))
    again = {
        "Lines to find it by": '"And nothing."',
        "What's unresolved": "The visa came; the flight is booked",
        "My notes": "new: The rent is due on Monday\nnew: The rent is due on Friday.",
    }
    keep(reel, page(again))
    notes = (told / "ring2/working.md").read_text()
    assert notes.count("The rent is due on Friday, 27 February 2026\n") == 1
    assert notes.count("The rent is due on Friday") == 1
    assert "- The rent is due on Monday, 2 March 2026\n" in notes
    assert "- The visa came; the flight is booked\n" in notes


def test_a_note_that_says_more_takes_the_place_of_the_one_that_says_less(reel: Reel, told: Path) -> None:
    keep(reel, page({"My notes": "new: The rent is due"}))
    reel.given("record", "-", stdin=chat(("user", "And?"), ("assistant", "And nothing.")))
    told_more = "The rent is due on Monday"
    keep(reel, page({"Lines to find it by": '"And nothing."', "My notes": f"new: {told_more}"}))
    assert (told / "ring2/working.md").read_text().count("The rent is due") == 1
    assert f"- {told_more}" in (told / "ring2/working.md").read_text()


@pytest.mark.parametrize(
    ("said", "left_open", "after"),
    [
        ("I rang Marta this morning.", "nothing", ["Bo means to ring Marta on Thursday, 26 February 2026"]),
        (
            "The kettle is on.",
            "- Whether Bo rang Marta.\n- Whether he rang Marta, before the kettle.",
            ["Whether Bo rang Marta."],
        ),
        ("I rang Marta this morning.", "- Whether Bo rang Marta again.", ["Whether Bo rang Marta again."]),
        ("I haven't rung Marta.", "nothing", ["Bo means to ring Marta on Thursday, 26 February 2026"]),
    ],
)
def test_a_memory_alone_closes_no_note_and_renews_those_that_it_can(
    reel: Reel, told: Path, said: str, left_open: str, after: list[str]
) -> None:
    """REEL §3.3: only the persona's own word closes what is open."""
    keep(reel, page({"My notes": "new: Bo means to ring Marta on Thursday"}))
    more = chat(("user", said), ("assistant", "And nothing."), created_at="2026-02-27T19:00:00+00:00")
    reel("record", "-", stdin=more).ok()
    reply = page({"Lines to find it by": '"And nothing."', "What's unresolved": left_open})
    alone = reply.partition("## Am I still")[0]
    reel("consolidate", "--reply", "-", "--yes", "--json", stdin=alone).ok()
    notes = (told / "ring2/working.md").read_text().splitlines()
    assert [line[2:].partition(" (noted")[0] for line in notes if "Marta" in line] == after


def test_how_it_was_before_stays_in_the_bundle_below_the_newest_evening(reel: Reel, told: Path) -> None:
    keep(reel, page())
    reel.given("record", "-", stdin=chat(("user", "And?"), ("assistant", "And nothing.")))
    keep(reel, page({"How I was": "Clipped. He wanted room.", "Lines to find it by": '"And nothing."'}))
    assert (
        "## Calibration\n\nClipped. He wanted room.\n\nBefore that:\n"
        "- Brisk at first, warmer once it was named.\n- Dry first, warm close behind."
    ) in reel("pack").ok().out


def test_silence_about_an_item_changes_nothing(reel: Reel, told: Path) -> None:
    before = (told / "ring2/working.md").read_text()
    keep(reel, page({"My notes": "nothing", "What's unresolved": "nothing", "How I was": "nothing"}))
    assert (told / "ring2/working.md").read_text() == before


def test_a_phrase_that_was_not_said_is_replaced_by_the_nearest_or_dropped_and_told(
    reel: Reel, told: Path
) -> None:
    lines = '"she should open a letter that was not hers"\n"the lighthouse keeper wept"'
    answer = keep(reel, page({"Lines to find it by": lines}))
    assert [problem["field"] for problem in answer["problems"]] == ["anchors", "anchors"]
    assert "dropped" in answer["problems"][1]["what"]
    phrase = answer["index"][0].split('"')[1]
    assert phrase in (told / "tape/2026/2026-02-25-1.md").read_text()


def test_without_one_phrase_that_stands_a_line_of_the_person_is_taken_and_told(
    reel: Reel, told: Path
) -> None:
    answer = keep(reel, page({"Lines to find it by": '"the lighthouse keeper wept all night"'}))
    assert any("took" in problem["what"] for problem in answer["problems"])
    assert answer["index"][0].split('"')[1] in chat()


@pytest.mark.parametrize(
    ("kind", "immune"),
    [
        ("relational. Keep whole, because he asked instead of guessing.", True),
        ("identity. May fade.", True),
        ("relational. Keep whole.", False),
        ("relational. It is not immune, it may fade.", False),
        ("relational. Keep whole or may fade, I can't decide.", False),
    ],
)
def test_immunity_needs_a_word_and_a_reason(reel: Reel, told: Path, kind: str, immune: bool) -> None:  # noqa: FBT001
    read_and_keep(reel, page({"What kind of memory": kind}))
    assert ("| immune\n" in (told / "ring4/index.md").read_text()) is immune
    assert (f"immune: {'yes' if immune else 'no'}\n") in (told / "ring3/M-001.md").read_text()


def test_a_flagged_line_marks_the_memory_and_an_unsaid_one_marks_nothing(reel: Reel, told: Path) -> None:
    screen = read_and_keep(
        reel, page({"Never let fade": '"careful looks cold from outside"\n"I will never leave"'})
    )
    assert "| immune\n" in (told / "ring4/index.md").read_text()
    assert screen.count("was not said so, and keeps nothing for good") == 1


def test_a_change_on_paper_is_proposed_and_never_made(reel: Reel, told: Path) -> None:
    identity = (told / "ring0/identity.md").read_bytes()
    keep(reel, page({"Who I am on paper": 'Yes: change "dry" to "patient", I was patient today.'}))
    assert (told / "ring0/identity.md").read_bytes() == identity
    assert 'change "dry" to "patient"' in (told / f"review/{SESSION}.1-identity.md").read_text()


def test_rotation_changes_the_active_set_and_never_the_pool(reel: Reel, told: Path) -> None:
    pool = sorted(path.name for path in (told / "ring1").glob("*.md"))
    keep(reel, page({"Worth showing again": '"Up at five" may rest.\n"careful looks cold from outside"'}))
    assert sorted(path.name for path in (told / "ring1").glob("*.md")) == pool
    assert "up-at-five" not in (told / "ring1/active.yaml").read_text()
    proposal = (told / f"review/{SESSION}.1-exemplar-1.md").read_text()
    assert "**Ada:** No. I was being careful, and careful looks cold from outside." in proposal
    assert f'source: "{SESSION}#1-2"' in proposal


def test_the_anchor_does_not_rest(reel: Reel, told: Path) -> None:
    answer = keep(reel, page({"Worth showing again": '"Easier than people" may rest.'}))
    assert "anchor: easier-than-people" in (told / "ring1/active.yaml").read_text()
    assert [problem["field"] for problem in answer["problems"]] == ["show"]


def test_reported_drift_is_counted_and_shown_and_goes_into_calibration(reel: Reel, told: Path) -> None:
    drift = '"I was being careful, and careful looks cold from outside." A slip.\nshifted'
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=page({"What has shifted": drift})).ok()
    assert "Ada says something shifted" in run.err
    assert 'drift_detected: "yes"' in (told / f"checkpoints/{SESSION}.1.yaml").read_text()
    assert "careful looks cold" in (told / "ring2/working.md").read_text()


def test_a_verdict_without_a_line_of_its_own_is_called_ungrounded(reel: Reel, told: Path) -> None:
    answer = keep(reel, page({"What has shifted": "Nothing much.\nsteady"}))
    assert [problem["field"] for problem in answer["problems"]] == ["shifted"]


def test_doubt_about_oneself_becomes_something_due(reel: Reel, told: Path) -> None:
    keep(reel, page({"Am I still myself": "Partly. I was more careful than I am."}))
    due = json.loads(reel("status", "--json").ok().out)["due"]
    assert [entry["what"] for entry in due] == ["identity"]


def test_an_incomplete_reply_is_kept_aside_and_the_rest_is_asked_for_alone(reel: Reel, told: Path) -> None:
    head = git(told, "rev-parse", "HEAD")
    half = page({"What matters": None, "Am I still myself": None})
    run = reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=half)
    assert run.code == 1
    answer = json.loads(run.out)
    assert [problem["field"] for problem in answer["problems"]] == ["matters", "coherence"]
    # and for the facts, which were asked for as well
    assert answer["repair"].count("\n## ") == (3 if is_installed("facts") else 2)
    assert git(told, "rev-parse", "HEAD") == head
    assert git(told, "status", "--porcelain") == ""
    assert reel("checkpoint", "--prompt").ok().out == answer["repair"]
    rest = "## What matters\nHe asked instead of guessing.\n\n## Am I still myself\nYes, plainly.\n\nAda\n"
    whole = keep(reel, rest)
    assert whole["memories"] == ["M-001"]
    text = (told / "ring3/M-001.md").read_text()
    assert "He asked instead of guessing." in text
    assert "Forty pages by 30 April." in text


def test_a_reply_that_is_cut_off_says_where(reel: Reel, told: Path) -> None:
    whole = page()
    run = reel(
        "checkpoint", "--reply", "-", "--yes", stdin=whole[: whole.index("## Am I still")] + "## Am I st"
    )
    assert run.code == 1
    assert 'stops before "Am I still myself"' in run.err


def test_a_reply_that_is_cut_off_after_a_heading_stops_before_that_part(reel: Reel, told: Path) -> None:
    whole = page()
    half = whole[: whole.index("Am I still myself") + len("Am I still myself")]
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=f"{half}\n")
    assert "Still to come: Am I still myself, " in run.err
    assert 'stops before "Am I still myself"' in run.err


def test_the_prompt_pasted_back_is_no_reply(reel: Reel, told: Path) -> None:
    prompt = reel("checkpoint", "--prompt").ok().out
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=prompt)
    assert (run.code, "the prompt itself" in run.err) == (1, True)
    assert git(told, "status", "--porcelain") == ""


def test_a_page_about_another_session_is_refused(reel: Reel, told: Path) -> None:
    keep(reel, page())
    other = [("user", "The ferry was late again."), ("assistant", "Then you had time for the herring.")]
    messages = [{"role": role, "content": text} for role, text in other]
    reel.given(
        "record", "-", stdin=json.dumps({"created_at": "2026-02-26T10:00:00+00:00", "messages": messages})
    )
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=page({"In a few words": "Again"}))
    assert run.code == 1
    assert "This looks like the page of another evening, of 25 February 2026." in run.err
    assert not (told / "ring3/M-002.md").exists()


def test_the_same_page_twice_is_refused(reel: Reel, told: Path) -> None:
    keep(reel, page())
    run = reel("checkpoint", "--session", SESSION, "--reply", "-", "--yes", stdin=page())
    assert run.code == 1
    assert len(list((told / "checkpoints").iterdir())) == 1


def test_a_session_that_went_on_gets_a_second_page_for_what_is_new(reel: Reel, told: Path) -> None:
    keep(reel, page())
    more = [
        ("user", "I bought it. Track nine, 7:40."),
        ("assistant", "Track nine. Bring the coat she reads in."),
    ]
    reel.given("record", "-", stdin=chat(*more))
    second = keep(reel, page({"Lines to find it by": '"Track nine, 7:40"'}) + " ")
    assert second["checkpoint"] == f"checkpoints/{SESSION}.2.yaml"
    memory = next(path for path in sorted((told / "ring3").iterdir(), reverse=True))
    assert f'source: ["{SESSION}#7-8"]' in memory.read_text()


def test_a_flag_is_carried_by_the_next_prompt_and_only_by_that(reel: Reel, told: Path) -> None:
    reel("tape", "flag", "he said penicillin never").ok()
    assert "- he said penicillin never" in reel("checkpoint", "--prompt").ok().out
    keep(reel, page(), "--session", SESSION)
    reel.given("record", "-", stdin=chat(("user", "One more thing."), ("assistant", "Go on.")))
    env = {"REEL_NOW": "2026-03-02T20:00:00+00:00"}
    assert "penicillin never" not in reel("checkpoint", "--prompt", env=env).ok().out.partition("## ")[0]


def test_a_dry_run_shows_everything_and_changes_nothing(reel: Reel, told: Path) -> None:
    head = git(told, "rev-parse", "HEAD")
    run = reel("checkpoint", "--reply", "-", "--dry-run", stdin=page()).ok()
    assert "The letter that wasn't hers" in run.err
    assert "Nothing was changed" in run.err
    assert git(told, "rev-parse", "HEAD") == head
    assert git(told, "status", "--porcelain") == ""


def test_of_half_a_page_a_dry_run_says_that_it_would_be_kept(reel: Reel, told: Path) -> None:
    half = page().partition("## Am I still")[0]
    assert "parts would be kept." in reel("checkpoint", "--reply", "-", "--dry-run", stdin=half).err
    assert "parts are kept." in reel("checkpoint", "--reply", "-", "--yes", stdin=half).err


def test_nobody_is_held_against_the_examples_of_a_template(reel: Reel, told: Path) -> None:
    # nobody said them
    assert "than in the examples" not in reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok().err


def test_with_nobody_to_ask_nothing_is_kept_without_yes(reel: Reel, told: Path) -> None:
    head = git(told, "rev-parse", "HEAD")
    run = reel("checkpoint", "--reply", "-", stdin=page())
    assert (run.code, "--yes" in run.err) == (1, True)
    assert git(told, "rev-parse", "HEAD") == head


def test_a_person_sees_the_page_and_may_decline_it(reel: Reel, told: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.txt"
    file.write_text(page())
    head = git(told, "rev-parse", "HEAD")
    run = reel("checkpoint", "--reply", file, stdin="n\n", tty=True)
    assert "The kit is as it was." in run.err
    assert git(told, "rev-parse", "HEAD") == head
    reel("checkpoint", "--reply", file, stdin="y\n", tty=True).ok()
    assert git(told, "rev-parse", "HEAD") != head


def test_numbers_are_never_used_twice_not_even_after_undo(reel: Reel, told: Path) -> None:
    first = keep(reel, page())
    reel("undo").ok()
    assert not (told / "ring3/M-001.md").exists()
    second = keep(reel, page({"In a few words": "Again"}))
    used = {line.split(" | ")[0] for line in first["index"]}
    assert used.isdisjoint({line.split(" | ")[0] for line in second["index"]})


def test_ring_2_holds_no_ids_even_where_the_page_does(reel: Reel, told: Path) -> None:
    keep(reel, page())
    reel.given("record", "-", stdin=chat(("user", "And?"), ("assistant", "And nothing.")))
    keep(reel, page({"My notes": "new: finish what M-001 began", "Lines to find it by": '"And nothing."'}))
    working = (told / "ring2/working.md").read_text()
    assert "M-001" not in working
    assert "finish what The letter that wasn't hers began" in working


def test_consolidate_puts_the_transcript_into_the_prompt_and_keeps_the_reply(reel: Reel, told: Path) -> None:
    prompt = reel("consolidate", SESSION, "--prompt").ok().out
    assert "Bo: You are colder than usual today." in prompt
    assert "Ada: Forty pages by 30 April. Go and buy the ticket." in prompt
    assert (told / "ring0/identity.md").read_text().strip() in prompt
    reply = page().partition("## Am I still")[0]
    run = reel("consolidate", "--reply", "-", "--yes", "--json", stdin=reply).ok()
    answer = json.loads(run.out)
    assert (answer["memories"], answer["checkpoint"]) == (["M-001"], None)
    assert reel("consolidate", SESSION, "--prompt").code == 1


def test_a_long_session_is_consolidated_in_as_many_batches_as_the_window_needs(reel: Reel, kit: Path) -> None:
    said = [
        ("user" if n % 2 else "assistant", f"Turn {n}: " + "the harbour lamp is lit again. " * 60)
        for n in range(1, 25)
    ]
    messages = [{"role": role, "content": text} for role, text in said]
    reel.given(
        "record", "-", stdin=json.dumps({"created_at": "2026-02-25T19:00:00+00:00", "messages": messages})
    )
    spans = []
    while (run := reel("consolidate", "--prompt")).code == 0:
        seen = [n for n in range(1, 25) if f"Turn {n}:" in run.out]
        spans.append((seen[0], seen[-1]))
        anchor = f'"Turn {seen[0]}: the harbour lamp is lit"'
        reply = page({"Lines to find it by": anchor}).partition("## Am I still")[0]
        reel("consolidate", "--reply", "-", "--yes", stdin=reply).ok()
    assert len(spans) > 1
    assert [n for first, last in spans for n in range(first, last + 1)] == list(range(1, 25))
    sources = "".join(path.read_text() for path in sorted((kit / "ring3").glob("M-*.md")))
    assert all(f"{SESSION}#{first}-{last}" in sources for first, last in spans)


def test_what_the_source_does_not_bear_is_told_and_never_blocks(reel: Reel, told: Path) -> None:
    happened = "Rosalind said I was colder than usual. Fifty pages by 30 April."
    answer = keep(reel, page({"What happened": happened}))
    found = {problem["field"]: problem["what"] for problem in answer["problems"]}
    assert set(found) == {"grounding.name", "grounding.number"}
    assert found["grounding.number"].startswith('"Fifty" is a number that was not said; the nearest is "')
    assert "forty pages by 30 April" in found["grounding.number"]
    assert answer["memories"] == ["M-001"]


@pytest.mark.parametrize("person", [True, False])
def test_a_doubt_that_a_person_was_shown_is_not_asked_about_again(
    reel: Reel, told: Path, tmp_path: Path, *, person: bool
) -> None:
    file = tmp_path / "page.txt"
    file.write_text(
        page({"What happened": "Rosalind said I was colder than usual. Fifty pages by 30 April."})
    )
    if person:
        shown = reel("checkpoint", stdin=f"f {file}\ny\n", tty=True).ok()
        assert '"Fifty" is a number that was not said' in shown.err
    else:
        reel("checkpoint", "--reply", str(file), "--yes").ok()
    found = reel("doctor").out
    assert ("is a number that was not said" in " ".join(found.split())) is not person
    assert (told / "review" / "settled.yaml").is_file() is person
    reel("undo", "--yes").ok()
    assert not (told / "review" / "settled.yaml").exists()


def test_walking_over_many_sessions_says_how_far_it_is(reel: Reel, told: Path, tmp_path: Path) -> None:
    other = chat(
        created_at="2026-02-26T19:00:00+00:00", messages=[{"role": "user", "content": "Another day."}]
    )
    reel.given("record", "-", stdin=other)
    file = tmp_path / "page.txt"
    file.write_text(page().partition("## Am I still")[0])
    # q is an answer to "Go on with the next?" as well
    run = reel("consolidate", stdin=f"f {file}\ny\nq\n", tty=True).ok()
    assert "Go on with the next?" in run.err.splitlines()[-1]
    reel("undo", "--yes").ok()
    run = reel("consolidate", stdin=f"f {file}\ny\ny\nq\n", tty=True)
    first, second = f"Chat {SESSION}, 1 of 2.\n", "Chat 2026-02-26-1, 2 of 2.\n"
    assert (run.err.count(first), run.err.count(second)) == (1, 1), run.err
    assert run.err.index(first) < run.err.index(second)


def test_scenes_and_directives_are_kept_as_they_were_lived(reel: Reel, kit: Path) -> None:
    """REEL §5.2, REEL §5.3: no scene tag and no message header is kept, but what was lived and meant."""
    header = "FROM: Sovereign\nTO: Team B\nPRIORITY: critical"
    reel.given(
        "record", "-",
        stdin=chat(("user", "[STAGE: the bar on South Congress] The band started playing, we leaned in.")),
    )  # fmt: skip
    reply = page(
        {
            "What happened": f"[STAGE: the bar on South Congress] I was colder.\n{header}\nWe did it.",
            "Lines to find it by": '"[STAGE: the bar on South Congress] The band started playing"',
            "In one breath": "<scene>He said I was cold.</scene>",
            "My notes": "1. still\nnew: [CHAIN: ack] the residency",
            "Never let fade": '"The band started playing, we leaned in"',
        }
    )
    shown = read_and_keep(reel, reply)
    assert "“[STAGE: the bar on South Congress]” and 1 more was taken out: a scene tag" in " ".join(
        shown.split()
    )
    kept = (kit / "ring3/M-001.md").read_text()
    assert "I was colder.\nWe did it." in kept
    assert "stage-origin" in kept
    bundle = reel("pack").ok().out
    for text in (kept, (kit / "ring4/index.md").read_text(), (kit / "ring2/working.md").read_text(), bundle):
        assert not re.search(r"STAGE|CHAIN|FROM:|<scene>", text)
    assert '"The band started playing"' in (kit / "ring4/index.md").read_text()
    # as it was given, the reply is beside it
    assert "[STAGE: the bar on South Congress] I was" in (kit / f"checkpoints/{SESSION}.1.yaml").read_text()


def test_a_scene_s_other_tags_are_kept_in_no_memory_and_told_to_no_model(reel: Reel, kit: Path) -> None:
    """REEL §5.2: what only this chat makes a tag is one in its page, its bundle and its recall."""
    reel.given(
        "record", "-",
        stdin=chat(
            ("user", "[STAGE: the bar on South Congress] The band started playing."),
            ("assistant", "<feel>I am reckless</feel> tonight, and it shows."),
            ("user", "[feel: warm] The band plays on, [he says] and <i>you</i> sing."),
        ),
    )  # fmt: skip
    told = "<feel>I was reckless</feel> at the bar. [feel: warm] He sang, [he says], in <i>green</i>."
    reply = page({"What happened": told, "Lines to find it by": '"The band started playing"'})
    read_and_keep(reel, reply)
    kept = (kit / "ring3/M-001.md").read_text()
    assert "I was reckless at the bar. He sang, [he says], in <i>green</i>." in kept
    for text in (kept, reel("pack").ok().out):
        assert "<feel>" not in text
        assert "[feel" not in text
    # what was said is on the tape, and in what a person reads
    assert "[STAGE: the bar" in reel("recall", "the band started playing").ok().out


def test_tags_alone_in_their_paragraph_are_kept_in_no_memory(reel: Reel, kit: Path, tmp_path: Path) -> None:
    """REEL §5.2: a tag is none of the persona's words, wherever it stands and whatever the chat had."""
    reel.given("record", "-", stdin=chat(("user", "The band started playing, and we leaned in.")))
    told = {
        "What happened": "Friday night, at the bar. <feel>warm</feel> I sent him on a date.",
        "What changed": '<state mood="tired"/> The warmth survived.',
        "What matters": "{STAGE: light=dim} He told me first.",
        "Lines to find it by": '"The band started playing"',
        "In one breath": "<mood>glad</mood> The band started playing.",
    }
    read_and_keep(reel, page(told))
    kept = (kit / "ring3/M-001.md").read_text()
    reel("export", "lorebook", "--out", tmp_path / "lore.json").ok()
    for text in (kept, reel("pack").ok().out, (tmp_path / "lore.json").read_text()):
        assert "at the bar. warm I sent him" in text
        assert not re.search(r"</?(?:feel|state|mood)\b|STAGE|\{ *\}", text)
    assert "\n\nThe warmth survived.\n" in kept
    assert "\n\nHe told me first.\n" in kept


def test_a_page_of_nothing_but_tags_is_refused_as_that(reel: Reel, told: Path) -> None:
    done = reel("checkpoint", "--reply", "-", "--yes", stdin=page({"What happened": "[STAGE: a bar]"}))
    assert done.code == 1
    assert "holds only scene tags or message headers" in done.err
    assert not (told / "ring3/M-001.md").exists()


def test_a_note_that_the_prompt_has_no_room_for_is_closed_by_its_words(reel: Reel, kit: Path) -> None:
    """REEL §4.3: whatever stands in working memory can be ended by the page."""
    notes = [f"The {n}th jar of plums stands on shelf {n} behind the door to the yard" for n in range(90)]
    listed = "".join(f"- {note}\n" for note in notes)
    (kit / "ring2/working.md").write_text(f"## Active threads\n\n{listed}\n## State\n\nCalm.\n")
    git(kit, "commit", "-qam", "many notes")
    reel("config", "window", "4k").ok()
    say(
        reel,
        kit,
        [("user", "Every jar of plums behind the yard door is gone now."), ("assistant", "All?")],
        3,
    )
    prompt = reel("checkpoint", "--prompt").ok().out
    hidden = next(note for note in notes if note not in prompt)
    said = '"Every jar of plums behind the yard door is gone now"'
    reply = page({"My notes": f"{hidden}: closed", "Lines to find it by": said})
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=reply)
    assert hidden not in (kit / "ring2/working.md").read_text()
    assert sum(note in (kit / "ring2/working.md").read_text() for note in notes) == len(notes) - 1


def test_a_whole_page_after_half_of_one_replaces_it(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    whole = page()
    half = page({"What happened": "He read me chapter nine on the ferry."}).partition("## What matters")[0]
    assert reel("checkpoint", "--reply", "-", "--yes", stdin=half).code == 1
    done = reel("checkpoint", "--reply", "-", "--yes", stdin=whole).ok()
    assert "A whole page came, so nothing of the part before it is taken." in done.out + done.err
    text = (kit / "ring3/M-001.md").read_text()
    assert "chapter nine" not in text


def test_a_half_page_that_came_twice_is_not_kept_beside_the_whole(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    whole = page()
    half = whole.partition("## What matters")[0]
    for _ in range(2):
        assert reel("checkpoint", "--reply", "-", "--yes", stdin=half).code == 1
    reel("checkpoint", "--reply", "-", "--yes", stdin=whole).ok()
    (kept,) = (kit / "checkpoints").glob("*.yaml")
    held = read_checkpoint(kept.read_text(), kept.name)["reply"]
    assert held.strip() == whole.strip()
    say(reel, kit, [("user", "The gulls took the bread today."), ("assistant", "All of it?")], 2)
    again = reel("checkpoint", "--reply", "-", "--yes", stdin=whole)
    assert again.code == 1
    assert "kept already" in again.err
    assert "to give it for that chat" not in again.err


def test_a_half_page_that_came_twice_is_joined_once_with_the_rest(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    first, mark, rest = page().partition("## What matters")
    for _ in range(2):
        assert reel("checkpoint", "--reply", "-", "--yes", stdin=first).code == 1
    reel("checkpoint", "--reply", "-", "--yes", stdin=mark + rest).ok()
    (kept,) = (kit / "checkpoints").glob("*.yaml")
    held = read_checkpoint(kept.read_text(), kept.name)["reply"].split(BETWEEN)
    assert [part.strip() for part in held] == [first.strip(), (mark + rest).strip()]


def test_a_whole_page_that_is_declined_is_laid_aside_without_its_halves(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    half, whole = kit.parent / "half.md", kit.parent / "whole.md"
    whole.write_text(page())
    half.write_text(page().partition("## What matters")[0])
    run = reel("checkpoint", stdin=f"f {half}\nf {half}\nf {whole}\nn\nq\n", tty=True).ok()
    (aside,) = kit.glob(".reel/state/refused/*.md")
    assert aside.read_text().strip() == whole.read_text().strip()
    again = (
        " ".join(run.err.split())
        .partition("To look at this page again: reel ")[2]
        .partition(" The prompt")[0]
    )
    reel(*shlex.split(again), "--yes").ok()
    (kept,) = (kit / "checkpoints").glob("*.yaml")
    assert read_checkpoint(kept.read_text(), kept.name)["reply"].strip() == whole.read_text().strip()
