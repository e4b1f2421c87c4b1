"""`reel dream compare`: from questions to intervals, the kit untouched all the while."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from reel_cli.features.dream.comparing.comparison import STARTS, Start
from reel_cli.features.dream.comparing.key_file import parse_key
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.comparing_persona import Person, answer, mark, tell_story
from tests.support.doc_pages import clipboard, play_page
from tests.support.dreaming_persona import dream_on, have_evenings

PAGE = CHECKOUT / "docs/compare.md"
QUESTIONS = [
    *("What should I write tonight?", "How is Lida, do you think?", "I am packing. What did I forget?"),
    *("Did I ever tell you what the pilot said?", "Was I hard on you in November?", "Is it finished?"),
    *("What would you ask me first?", "Who should I have rung by now?", "Read me something back."),
    "Are you still cross about the coat?",
]


WORKING = "".join(f"- The last page, and what came of it in week {n} of the winter.\n" for n in range(9))


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    """A kit with a story, and questions beside it."""
    tell_story(kit)
    (kit / "ring2/working.md").write_text("## Active threads\n\n- M-012 and the coat.\n" + WORKING)
    (kit.parent / "questions.txt").write_text("".join(f"- {one}\n" for one in QUESTIONS))
    return kit


def begun(reel: Reel, kit: Path, *more: str) -> dict[str, object]:
    asked = ("dream", "compare", "--questions", "../questions.txt", "--out", "../trial", *more, "--json")
    found: dict[str, object] = json.loads(reel(*asked).ok().out)
    return found


def everything(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and "handed" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_the_page_on_comparing_happens_as_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    reel = Person(monkeypatch, tmp_path / "work")
    reel.cwd.mkdir()
    kits = shutil.copytree(CHECKOUT / "kits", tmp_path / "kits", ignore=shutil.ignore_patterns(".reel"))
    reel("init", "ada", "--template", kits / "ada").ok()
    reel.cwd = reel.cwd / "ada"
    tell_story(reel.cwd)
    (reel.cwd.parent / "questions.txt").write_text("\n".join(QUESTIONS) + "\n")
    update = bool(request.config.getoption("--update-transcripts"))
    assert play_page(PAGE, reel, reel.cwd, update=update) == []


def test_from_questions_to_intervals_and_nothing_changes_in_the_kit(reel: Reel, told: Path) -> None:
    """Dream Weaver §11.3: compare identity alone, summaries and story, blind."""
    before, head = everything(told), git(told, "rev-parse", "HEAD")
    found = begun(reel, told, "--seed", "3")
    folder = told.parent / "trial"
    assert found["questions"] == QUESTIONS
    tokens, beside = found["tokens"], found["beside_identity"]
    assert isinstance(tokens, dict)
    assert isinstance(beside, dict)
    assert beside["identity"] == 0
    assert tokens["identity"] < tokens["summaries"]
    assert beside["summaries"] <= found["room"]
    assert beside["story"] <= found["story_room"]
    assert sorted(path.name for path in folder.iterdir()) == [
        *(f"answers-{n}.md" for n in (1, 2, 3)), *(f"chat-{n}.md" for n in (1, 2, 3)), "key.txt", "sheet.csv",
    ]  # fmt: skip
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    answer(folder, len(QUESTIONS))
    laid = json.loads(reel("dream", "compare", "--answers", "../trial", "--json").ok().out)
    assert (laid["answers"], laid["page"]) == (30, "../trial/to-rate.md")
    page = (folder / "to-rate.md").read_text()
    assert page.count("> This is chat") == 30
    mine, other = mark(folder), mark(folder, "other.csv", shift=1)
    one = json.loads(reel("dream", "compare", "--ratings", mine, "--json").ok().out)
    both = json.loads(reel("dream", "compare", "--ratings", mine, other, "--json").ok().out)
    assert (one["comparison"], one["questions"], one["raters"], both["raters"]) == (
        found["comparison"],
        10,
        1,
        2,
    )
    assert (one["marks"]["given"], one["marks"]["asked"], len(one["marks"]["missing"])) == (59, 60, 1)
    story, apart = one["means"]["coherence"]["story"], one["differences"]["coherence"]["story-summaries"]
    assert (story["mean"], story["n"], apart["mean"], apart["n"]) == (4.2, 10, 1.3, 10)
    # of the differences 1, 2, 2, 0, 0, 2, 1, 1, 1, 3: 0.9487 / 10 ** 0.5 * 2.2622 to either side
    assert (apart["low"], apart["high"]) == (0.6214, 1.9786)
    assert both["differences"]["accuracy"]["story-summaries"]["n"] == 9
    after = everything(told)
    assert {path: data for path, data in after.items() if not path.startswith(".reel/")} == {
        path: data for path, data in before.items() if not path.startswith(".reel/")
    }
    assert (git(told, "rev-parse", "HEAD"), list(told.glob("journal/*"))) == (head, [])
    assert not (told / ".reel/state/touches.jsonl").exists()


def test_the_prompts_say_nothing_of_the_machinery_and_differ_only_in_what_is_compared(
    reel: Reel, told: Path
) -> None:
    begun(reel, told)
    folder = told.parent / "trial"
    key = parse_key((folder / "key.txt").read_text())
    texts = {start: (folder / f"chat-{n}.md").read_text() for n, start in enumerate(key.chats, start=1)}
    identity = (told / "ring0/identity.md").read_text()
    for start in STARTS:
        assert identity.strip() in texts[start]
        assert all(f"## Question {n}\n{one}\n" in texts[start] for n, one in enumerate(QUESTIONS, start=1))
        assert not re.search(r"\bM-\d|\breel\b|\brings?\b|story/|\.md\b|summar", texts[start])
    assert "that memory and the coat" in texts[Start.SUMMARIES]
    assert "people, Lida: his daughter, fifteen; she reads everything" in texts[Start.SUMMARIES]
    assert "the metronome could rest" in texts[Start.STORY]
    assert "line 4" not in texts[Start.SUMMARIES] + texts[Start.IDENTITY]
    assert not any(str(start) in (folder / "sheet.csv").read_text() for start in STARTS)


def test_the_same_again_is_the_same_and_another_seed_is_not(reel: Reel, told: Path) -> None:
    def files(*more: str) -> dict[str, bytes]:
        begun(reel, told, *more)
        shutil.move(told.parent / "trial", told.parent / "last")
        found = everything(told.parent / "last")
        shutil.rmtree(told.parent / "last")
        return found

    assert files() == files()
    assert files("--seed", "7") == files("--seed", "7")
    assert files("--seed", "7")["key.txt"] != files("--seed", "8")["key.txt"]


def chat_of(folder: Path, *, goes_on: bool) -> str:
    started = "2026-03-01T10:00:00+00:00"
    texts = [(folder / "chat-2.md").read_text(), "## Question 1\nThe coat was mine.\n\nAda"]
    texts += ["Thank you. I fly on Friday.", "Take line 4."] if goes_on else []
    messages = [
        {"role": "assistant" if n % 2 else "user", "content": text, "created_at": started}
        for n, text in enumerate(texts)
    ]
    return json.dumps({"title": "trial", "created_at": started, "messages": messages})


@pytest.mark.parametrize("remembered", [True, False])
def test_when_such_a_chat_is_recorded_nothing_of_it_was_said(
    reel: Reel, told: Path, *, remembered: bool
) -> None:
    begun(reel, told)
    folder = told.parent / "trial"
    if not remembered:
        shutil.rmtree(told / ".reel/state/handed")
    refused = reel("record", "-", stdin=chat_of(folder, goes_on=False))
    assert (refused.code, "Nothing in it was said by anyone but reel itself." in refused.err) == (1, True)
    recorded = json.loads(reel("record", "-", "--json", stdin=chat_of(folder, goes_on=True)).ok().out)
    assert recorded["recorded"][0]["messages"] == 2
    tape = (told / "tape/2026/2026-03-01-1.md").read_text()
    kinds = re.findall(r'"kind": "(\w+)"', tape)
    assert kinds[-3:] == ["exchange", "said", "said"]
    assert set(kinds[:-3]) <= {"bundle", "exchange"}


# -- going through the chats ----------------------------------------------------------------------------


def pasting(reel: Reel, place: Path, text: str) -> Path:
    """A clipboard that gives `text`; the file that what is copied goes to."""
    page = place / "page.md"
    page.write_text(text)
    if not (place / "tools").exists():
        reel.env.update(clipboard(place, page))
    return place / "copied"


def test_the_chats_are_gone_through_with_the_clipboard(reel: Reel, told: Path, tmp_path: Path) -> None:
    (told.parent / "questions.txt").write_text("How is Lida?\nAnd you?\n")
    copied = pasting(reel, tmp_path, "## Question 1\nShe reads.\n\n## Question 2\nDry.\n\nAda\n")
    asked = ("dream", "compare", "--questions", "../questions.txt", "--out", "../trial")
    done = reel(*asked, tty=True, stdin="\nx\n\n\n\n").ok()
    folder = told.parent / "trial"
    assert copied.read_text() == (folder / "chat-3.md").read_text()
    assert [f"Chat {n} of 3." in done.err for n in (1, 2, 3)] == [True] * 3
    assert "Wrote ../trial/to-rate.md: 6 answers" in done.out
    assert (folder / "to-rate.md").read_text().count("> She reads.\n") == 3
    assert (folder / "answers-1.md").read_text().startswith("Paste the whole answer of the chat")
    assert stat.S_IMODE((folder / "answers-1.md").stat().st_mode) == 0o600


def test_going_on_later_with_what_was_missing(reel: Reel, told: Path, tmp_path: Path) -> None:
    (told.parent / "questions.txt").write_text("How is Lida?\nAnd you?\n")
    pasting(reel, tmp_path, "## Question 1\nShe reads.\n")
    asked = ("dream", "compare", "--questions", "../questions.txt", "--out", "../trial")
    first = reel(*asked, tty=True, stdin="y\n\nq\n").ok()
    folder = told.parent / "trial"
    assert "Answers are missing: question 2." in first.err
    assert "To go on:  reel dream compare --answers ../trial" in first.err
    pasting(reel, tmp_path, "Something else that lay there.\n")
    step = ("dream", "compare", "--answers", "../trial")
    assert "question 2" in reel(*step, tty=True, stdin="\n").ok().err
    pasting(reel, tmp_path, (folder / "chat-1.md").read_text())
    assert "This is the prompt" in reel(*step, tty=True, stdin="\n").ok().err
    pasting(reel, tmp_path, "## Question 2\nDry.\n")
    second = reel(*step, tty=True, stdin="\n\nq\n").ok()
    assert "Kept in answers-1.md." in second.err
    assert "Answers are missing: question 1." in second.err
    assert (
        (folder / "answers-1.md")
        .read_text()
        .endswith("line.\n\n## Question 1\nShe reads.\n\n## Question 2\nDry.\n")
    )
    for number in (2, 3):
        (folder / f"answers-{number}.md").write_text("## Question 1\nA.\n## Question 2\nB.\n")
    assert "6 answers" in reel(*step, tty=True).ok().out


def test_without_a_clipboard_the_files_are_filled_by_hand(reel: Reel, told: Path) -> None:
    reel.env.update({"PATH": "/usr/bin:/bin", "DISPLAY": "", "WAYLAND_DISPLAY": "", "TERM": "dumb"})
    (told.parent / "questions.txt").write_text("How is Lida?\n")
    begun(reel, told)
    folder = told.parent / "trial"
    for number in (2, 3):
        (folder / f"answers-{number}.md").write_text("Fine.\n")
    waits = reel("dream", "compare", "--answers", "../trial", tty=True, stdin="f\nq\n").ok()
    assert "Answers are missing: all of them." in waits.err
    (folder / "answers-1.md").write_text("Well.\n")
    assert "3 answers" in reel("dream", "compare", "--answers", "../trial", tty=True).ok().out


# -- what cannot be ---------------------------------------------------------------------------------


def refusal(reel: Reel, *arguments: str | Path, code: int = 1) -> str:
    done = reel("dream", "compare", *arguments)
    assert (done.code, done.out) == (code, "")
    assert re.fullmatch(r"Error: .+\nHint: .+\n", done.err), done.err
    return done.err.splitlines()[0].removeprefix("Error: ")


def test_without_a_story_or_without_anything_to_summarise(reel: Reel, kit: Path) -> None:
    (kit.parent / "q.txt").write_text("How are you?\n")
    asked = ("--questions", "../q.txt", "--out", "../trial")
    done = reel("dream", "compare", *asked)
    assert done.err == (
        "Error: There is no story yet, so there is nothing to compare.\n"
        "Hint: have it written first:  reel dream start\n"
    )
    tell_story(kit)
    (kit / "facts.yaml").unlink()
    (kit / "ring2/working.md").write_text("## State\n\n## Open loops\n")
    assert "no memories, notes or facts yet" in refusal(reel, *asked)
    (kit / "SHARED-CONTEXT.md").unlink()
    (kit / "ring2/working.md").write_text("## State\n\nWell.\n")
    notes = json.loads(reel("dream", "compare", *asked, "--json").ok().out)["notes"]
    assert notes[0] == "There are no memories yet; the summaries are made of notes and facts only."
    assert "There is no SHARED-CONTEXT.md yet; the third beginning is the story alone." in notes
    assert notes[-1] == "1 question can give no more than a hint; 10 or more tell better."


def test_places_and_windows_that_will_not_do(reel: Reel, told: Path) -> None:
    asked = ("--questions", "../questions.txt")
    assert "lies inside the kit" in refusal(reel, *asked, "--out", "ring3/trial")
    assert "lies inside the kit" in refusal(reel, *asked, "--out", ".")
    assert "is there already" in refusal(reel, *asked, "--out", "../questions.txt")
    assert "There is no folder" in refusal(reel, *asked, "--out", "../no/where")
    assert "a window of 1K leaves 512 for all of it" in refusal(reel, *asked, "--window", "1k")
    assert "is not a window size" in refusal(reel, *asked, "--window", "wide")
    assert "There is no file" in reel("dream", "compare", "--questions", "none.txt").err
    assert "is empty" in reel("dream", "compare", "--questions", "-", stdin=" \n").err
    (told.parent / "q.txt").write_text("How?\nWhy\x07?\n")
    assert "Line 2 of the questions holds control codes." in refusal(reel, "--questions", "../q.txt")
    assert not list(told.parent.glob("*compare*"))
    assert not (told.parent / "trial").exists()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_where_nothing_can_be_written(reel: Reel, told: Path) -> None:
    told.parent.chmod(0o500)
    try:
        assert "cannot be written" in refusal(reel, "--questions", "../questions.txt")
    finally:
        told.parent.chmod(0o700)


def test_a_kit_without_history_and_one_that_cannot_be_written(reel: Reel, told: Path) -> None:
    shutil.rmtree(told / ".git")
    shutil.rmtree(told / ".reel", ignore_errors=True)
    # where the folder of what is momentary should be lies something else
    (told / ".reel").write_text("")
    begun(reel, told)
    assert (told.parent / "trial/key.txt").is_file()


def test_without_a_place_it_lies_beside_the_kit(reel: Reel, told: Path) -> None:
    found = json.loads(reel("dream", "compare", "--questions", "../questions.txt", "--json").ok().out)
    assert found["folder"] == str(told.parent / f"{told.name}-compare-{found['comparison']}")
    assert "is there already" in refusal(reel, "--questions", "../questions.txt")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name the step"),
        (["--questions", "a", "--ratings", "b"], "Name the step"),
        (["--ratings", "b", "--seed", "3"], "--seed belongs to --questions."),
        (["--answers", "b", "--window", "8k"], "--window belongs to --questions."),
        (["--questions", "a", "b"], "More files are taken with --ratings only."),
        (["--answers", "a", "--out", "b"], "--out does not go with --answers"),
    ],
)
def test_steps_that_do_not_go_together(reel: Reel, kit: Path, arguments: list[str], message: str) -> None:
    assert message in refusal(reel, *arguments, code=2)


def test_answers_that_are_missing_are_named(reel: Reel, told: Path) -> None:
    begun(reel, told)
    folder = told.parent / "trial"
    step = ("--answers", folder)
    assert refusal(reel, *step).count("all of them") == 3
    for number, text in (
        (1, "".join(f"## Question {q}\nYes.\n" for q in range(1, 11))),
        (2, "".join(f"## Question {q}\nYes.\n" for q in range(1, 9))),
        (3, "".join(f"## Question {q}\nYes.\n" for q in range(1, 11) if q != 4)),
    ):
        (folder / f"answers-{number}.md").write_text(text)
    assert refusal(reel, *step) == (
        "Answers are missing (answers-2.md: questions 9, 10; answers-3.md: question 4)."
    )
    (folder / "answers-2.md").write_text((folder / "chat-2.md").read_text())
    assert refusal(reel, *step) == "answers-2.md: This is the prompt, not the answer to it."
    (folder / "answers-2.md").unlink()
    assert "answers-2.md: all of them" in refusal(reel, *step)
    assert not (folder / "to-rate.md").exists()
    assert "There is no comparison in" in refusal(reel, "--answers", told)
    (folder / "key.txt").write_text("open\n")
    assert "key.txt was changed" in refusal(reel, *step)


def test_sheets_that_cannot_be_used(reel: Reel, told: Path, tmp_path: Path) -> None:
    begun(reel, told)
    folder = told.parent / "trial"
    sheet = folder / "sheet.csv"
    assert refusal(reel, "--ratings", sheet) == "Nothing is marked yet."
    mark(folder)
    alone = tmp_path / "elsewhere"
    alone.mkdir()
    moved = Path(shutil.copy(sheet, alone))
    assert "is missing, so the answers" in refusal(reel, "--ratings", moved)
    reel("dream", "compare", "--ratings", moved, "--out", folder).ok()
    reel("dream", "compare", "--ratings", moved, sheet).ok()
    (alone / "sheet.xlsx").write_bytes(b"PK")
    assert "own kind of file" in refusal(reel, "--ratings", alone / "sheet.xlsx")
    assert refusal(reel, "--ratings", sheet, folder / "../trial/sheet.csv").endswith("is given twice.")
    assert "is not a rating sheet" in refusal(reel, "--ratings", folder / "chat-1.md")
    shutil.move(folder, told.parent / "first")
    begun(reel, told, "--seed", "5")
    other = told.parent / "first/sheet.csv"
    mark(folder)
    assert "of another comparison" in refusal(reel, "--ratings", sheet, other)
    (told.parent / "first/key.txt").unlink()
    assert "is missing, so the answers" in refusal(reel, "--ratings", other, "--out", folder)
    (folder / "key.txt").write_text((folder / "key.txt").read_text()[:-12])
    assert "key.txt was changed" in refusal(reel, "--ratings", sheet)
    assert "There is no file" in reel("dream", "compare", "--ratings", "none.csv").err


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-8"])
def test_a_sheet_in_whichever_encoding_a_spreadsheet_saves_it(reel: Reel, told: Path, encoding: str) -> None:
    (told.parent / "questions.txt").write_text("Wie geht es Jürgen – und Zoë?\n北斗, ist das ein Stern?\n")
    begun(reel, told)
    folder = told.parent / "trial"
    text = mark(folder).read_text()
    (folder / "sheet.csv").write_bytes(text.encode(encoding, "replace"))
    found = json.loads(reel("dream", "compare", "--ratings", "../trial/sheet.csv", "--json").ok().out)
    assert (found["marks"]["given"], len(found["chats"])) == (11, 3)


def test_marks_are_taken_outside_any_kit_and_claim_no_more_than_they_bear(reel: Reel, told: Path) -> None:
    (told.parent / "questions.txt").write_text("How is Lida?\nAnd you?\n")
    begun(reel, told)
    folder = told.parent / "trial"
    mark(folder)
    text = (folder / "sheet.csv").read_text()
    shown = reel("dream", "compare", "--ratings", "trial/sheet.csv", cwd=told.parent).ok()
    assert "C − B" in shown.out
    assert "The answers are not here" in shown.out
    assert "2 questions say little" in shown.out
    assert "Marks that are missing:" in shown.out
    (folder / "sheet.csv").write_text(re.sub(r",([xyz]),\d,(\d?),", r",\1,3,\2,", text))
    alike = reel("dream", "compare", "--ratings", "trial/sheet.csv", cwd=told.parent).ok()
    assert "marked alike, question by question" in alike.out
    assert re.search(r"C − B +0\.00  – +2", alike.out)
    assert "Where there is no interval" in alike.out


def test_a_folder_that_came_about_meanwhile_is_left_alone(
    reel: Reel, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reel_cli.features.dream.comparing import folder as comparison_folder

    place = told.parent / "trial"

    def late(fresh: Path) -> None:
        place.mkdir()
        (place / "mine.txt").write_text("mine")

    monkeypatch.setattr(comparison_folder, "sync_folder", late)
    assert "is there already" in refusal(reel, "--questions", "../questions.txt", "--out", "../trial")
    assert [path.name for path in place.iterdir()] == ["mine.txt"]
    assert [path.name for path in told.parent.iterdir() if path.name.startswith(".")] == []


def test_stopped_on_the_way_through_the_chats_it_says_how_to_go_on(
    reel: Reel, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reel_cli.features.dream.comparing import walk as comparing

    def stopped(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(comparing, "walk_chats", stopped)
    begin = ("dream", "compare", "--questions", "../questions.txt", "--out", "../trial")
    done = reel(*begin, tty=True, stdin="y\n")
    assert done.code == 130
    assert done.err.endswith(
        "\nStopped. What is in ../trial stays.\nGo on with  reel dream compare --answers ../trial\n"
    )
    assert (told.parent / "trial/key.txt").exists()


def test_stopped_while_it_writes_nothing_stays(
    reel: Reel, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reel_cli.features.dream.comparing import folder as comparison_folder

    def stopped(_: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(comparison_folder, "sync_folder", stopped)
    done = reel("dream", "compare", "--questions", "../questions.txt", "--out", "../trial")
    assert done.code == 130
    assert sorted(path.name for path in told.parent.iterdir()) == ["ada", "questions.txt"]


def test_the_other_steps_of_a_dream_do_not_load_it(told: Path) -> None:
    code = (
        "import sys; sys.argv = ['reel', 'dream', 'status']\n"
        "from reel_cli.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*(n for n in sys.modules if 'compar' in n or n == 'csv'))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=told, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_a_chat_that_was_taken_back_is_no_one_that_was_not_dreamt(reel: Reel, kit: Path) -> None:
    """Dream Weaver §11.3: neither beginning can know of it."""
    have_evenings(reel, kit, [1, 2])
    reel("tape", "retract", "2026-01-02-1", "--why", "a test", "--yes").ok()
    reel("dream", "start", "--yes").ok()
    dream_on(reel)
    (kit / "ring2/working.md").write_text("## Active threads\n\n- The coat.\n" + WORKING)
    (kit.parent / "questions.txt").write_text("".join(f"- {one}\n" for one in QUESTIONS))
    notes = (
        json.dumps(begun(reel, kit))
        + reel("dream", "compare", "--questions", "../questions.txt", "--out", "../again").ok().err
    )
    assert "dreamt yet" not in notes
