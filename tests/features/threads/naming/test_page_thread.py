"""An evening that goes on with a thread: asked on its page, answered, decided in the review."""

import json
from pathlib import Path

import pytest

from reel_cli.core.values.talk import PURGED
from tests.features.threads.test_threads import threads
from tests.support.cli import Reel
from tests.test_transcripts import play, read_steps

EVENING = Path(__file__).with_name("evening.txt")
HEADING = "## Part of something longer"
SESSION = "2026-02-28-1"
PROPOSAL = f"review/{SESSION}-thread.md"


def typed(number: int) -> str:
    return read_steps(EVENING.read_text(encoding="utf-8"))[0][number].typed


def record(reel: Reel) -> None:
    reel("record", "-", "--on", SESSION[:10], stdin=typed(0)).ok()


def prompt(reel: Reel) -> str:
    return reel("checkpoint", "--prompt").ok().out


def keep_page(reel: Reel, answer: str) -> str:
    """Keep the page of the evening with this answer about the thread; return what the screen says."""
    page, _, rest = typed(1).partition(HEADING)
    end = rest[rest.index("\n\nMeridian") :]
    told = f"{page}{HEADING}\n{answer}{end}" if answer else f"{page.rstrip()}{end}"
    return reel("checkpoint", "--reply", "-", "--yes", stdin=told).ok().err


def proposed(kit: Path) -> str:
    return (kit / PROPOSAL).read_text(encoding="utf-8").rpartition("---\n")[2]


def test_an_evening_as_a_person_sees_it(
    reel: Reel,
    meridian: Path,
    request: pytest.FixtureRequest,
) -> None:
    expected = EVENING.read_text(encoding="utf-8")
    steps, after = read_steps(expected)
    actual = "".join(play(steps, reel, meridian)) + after
    if request.config.getoption("--update-transcripts") and actual != expected:
        EVENING.write_text(actual, encoding="utf-8")
    else:
        assert actual == expected


@pytest.mark.usefixtures("meridian")
def test_the_page_asks_in_one_line_about_the_thread_that_came_up(reel: Reel) -> None:
    record(reel)
    _, _, asked = prompt(reel).partition(f"{HEADING}\n")
    line = asked.splitlines()[0]
    # nobody says the name on 20 November, though words beside it are said then
    assert line.startswith("“Dara” came up again, as on 3 September 2025 and 19 December 2025.")
    assert prompt(reel).count(HEADING) == 1


@pytest.mark.usefixtures("meridian")
def test_a_page_far_from_all_threads_asks_nothing(reel: Reel) -> None:
    said = "**Ruth:** I baked bread tonight.\n\n**Meridian:** With or without caraway?\n"
    reel("record", "-", "--on", SESSION[:10], stdin=said).ok()
    assert HEADING not in prompt(reel)


@pytest.mark.usefixtures("meridian")
def test_a_named_thread_is_near_with_fewer_words(reel: Reel, meridian: Path) -> None:
    said = "**Ruth:** The bridge is shut.\n\n**Meridian:** Which bridge?\n"
    reel("record", "-", "--on", SESSION[:10], stdin=said).ok()
    assert HEADING not in prompt(reel)
    (meridian / "threads.yaml").write_text("bridge:\n  theme: the way over\n")
    assert "“the way over” came up again" in prompt(reel)
    (meridian / "threads.yaml").write_text(f"bridge:\n  members: [{SESSION}]\n")
    assert HEADING not in prompt(reel)


@pytest.mark.parametrize(
    ("answer", "entry"),
    [
        ("Yes.", f"Dara:\n  members: [{SESSION}]\n"),
        ("yes, the same matter, “Dara”", f"Dara:\n  members: [{SESSION}]\n"),
        (
            'Yes, but call it "the rig".',
            f"Dara:\n  theme: the rig\n  members: [{SESSION}]\n  source: {SESSION}\n",
        ),
        (
            "**Yes** - I'd call it the rig.",
            f"Dara:\n  theme: the rig\n  members: [{SESSION}]\n  source: {SESSION}\n",
        ),
        ("“The rig”", f"Dara:\n  theme: The rig\n  members: [{SESSION}]\n  source: {SESSION}\n"),
        ("No, that was about the pump.", f"Dara:\n  not: [{SESSION}]\n"),
        ('Yes. She said "I will sign for the spare one myself".', f"Dara:\n  members: [{SESSION}]\n"),
    ],
)
def test_an_answer_becomes_a_proposal(
    reel: Reel,
    meridian: Path,
    answer: str,
    entry: str,
) -> None:
    record(reel)
    keep_page(reel, answer)
    assert proposed(meridian) == entry
    assert not (meridian / "threads.yaml").exists()


@pytest.mark.usefixtures("meridian")
@pytest.mark.parametrize("answer", ["", "nothing"])
def test_a_page_without_an_answer_is_kept_as_ever(reel: Reel, meridian: Path, answer: str) -> None:
    record(reel)
    told = keep_page(reel, answer)
    assert "In one breath" not in told
    assert "A memory to keep" in told
    assert "Part of something longer" not in told
    assert not (meridian / PROPOSAL).exists()


@pytest.mark.usefixtures("meridian")
def test_an_answer_that_is_neither_is_told_of(reel: Reel, meridian: Path) -> None:
    record(reel)
    assert "says neither yes nor no" in keep_page(reel, "The rain stopped while we talked about everything.")
    assert not (meridian / PROPOSAL).exists()


@pytest.mark.usefixtures("meridian")
@pytest.mark.parametrize("accepted", [True, False])
def test_while_a_proposal_waits_its_thread_is_not_asked_about(reel: Reel, *, accepted: bool) -> None:
    record(reel)
    keep_page(reel, "Yes.")
    if accepted:
        reel("review", "accept", f"{SESSION}-thread").ok()
    said = typed(0).replace("nine", "ten").replace("Monday, 2 March", "Friday, 6 March")
    reel("record", "-", "--on", "2026-03-01", stdin=said).ok()
    assert ("“Dara” came up again" in prompt(reel)) is accepted


def test_a_no_takes_the_chat_out_of_the_thread(reel: Reel, meridian: Path) -> None:
    record(reel)
    keep_page(reel, "No.")
    assert SESSION in threads(reel, "Dara")[0]["sessions"]
    reel("review", "accept", f"{SESSION}-thread").ok()
    one = threads(reel, "Dara")[0]
    assert SESSION not in one["sessions"]
    assert one["named"] is True
    assert "named" not in threads(reel, "gate")[0]


def test_a_proposal_is_dropped_or_edited_like_any_other(reel: Reel, meridian: Path, tmp_path: Path) -> None:
    record(reel)
    keep_page(reel, "Yes.")
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/^Dara:/Dara:\\n  theme: the sulking pump/' \"$1\"\n")
    editor.chmod(0o755)
    reel("review", tty=True, stdin="3\ne\ny\nq\n", env={"EDITOR": str(editor)}).ok()
    told = (meridian / "threads.yaml").read_text()
    assert told == f"Dara:\n  theme: the sulking pump\n  members: [{SESSION}]\n"
    reel("undo", "--yes").ok()
    reel("review", "reject", f"{SESSION}-thread").ok()
    assert not (meridian / PROPOSAL).exists()
    assert not (meridian / "threads.yaml").exists()


def test_a_name_from_the_page_of_a_retracted_chat_does_not_count(reel: Reel, meridian: Path) -> None:
    record(reel)
    keep_page(reel, 'Yes, "the rig".')
    reel("review", "accept", f"{SESSION}-thread").ok()
    assert threads(reel)[0]["name"] == "the rig"
    reel("tape", "retract", SESSION, "--yes").ok()
    assert (threads(reel)[0]["name"], threads(reel)[0]["named"]) == ("Dara", True)


def test_a_purged_chat_leaves_the_file_with_the_name_its_page_gave(reel: Reel, meridian: Path) -> None:
    record(reel)
    keep_page(reel, 'Yes, "the rig".')
    reel("review", "accept", f"{SESSION}-thread").ok()
    path = meridian / "threads.yaml"
    path.write_text(f"# mine\n{path.read_text()}gate:\n  members: [M-003]\n  mine: 1\n")
    reel("review", "accept", "threads.yaml").ok()
    reel("purge", SESSION, "--confirm", "Meridian").ok()
    assert path.read_text() == "# mine\ngate:\n  members: [M-003]\n  mine: 1\n"
    reel("purge", "--match", "gate", "--confirm", "Meridian").ok()
    assert f"{PURGED}:" in path.read_text()
    reel("memory", "threads").ok()


@pytest.mark.usefixtures("meridian")
def test_a_purged_chat_takes_its_proposal_along(reel: Reel, meridian: Path) -> None:
    record(reel)
    keep_page(reel, "Yes.")
    reel("purge", SESSION, "--confirm", "Meridian").ok()
    assert not (meridian / PROPOSAL).exists()


def test_the_prompt_remembers_its_thread_for_a_reply_that_comes_later(reel: Reel, meridian: Path) -> None:
    """A thread that got another name meanwhile is still the one that was asked about."""
    record(reel)
    prompt(reel)
    (meridian / "threads.yaml").write_text("Dara: our Dara\n")
    reel("review", "accept", "threads.yaml").ok()
    keep_page(reel, "Yes.")
    reel("review", "accept", f"{SESSION}-thread").ok()
    assert (meridian / "threads.yaml").read_text() == f"Dara: {{theme: our Dara, members: [{SESSION}]}}\n"
    assert json.loads(reel("memory", "threads", "our dara", "--json").ok().out)["threads"]
