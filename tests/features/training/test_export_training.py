"""`reel export training`: the kit's own history, as conversations to train a model on (REEL §8)."""

import json
import re
import shutil
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import CHECKOUT, Reel, git
from tests.support.pages import page
from tests.support.shelf import ready_made

DAYS = ("2026-01-10", "2026-01-17", "2026-01-24", "2026-01-31")
NOON = "The ferry to Suomenlinna leaves at noon, and I always forget my gloves."
FERRY = "Gloves at noon, then, and the ferry to Suomenlinna after that."
TALKS: Sequence[Sequence[str]] = (
    (
        NOON,
        FERRY,
        "The residency deadline is 30 April. Forty pages.",
        "Then a chapter a fortnight, and the hard one first.",
    ),
    (
        "I wrote three pages today and threw away two of them.",
        "One page that stays is a good day's work.",
        "The residency deadline is 15 May.",
        "Hang on, you told me 30 April. Has that changed, or is one of us wrong?",
    ),
    (
        f"What did we say about the ferry?\n\n10 January 2026:\nBo: {NOON}\nAda: {FERRY}",
        "Noon, and gloves. You were going to freeze and be stoic about it.",
        "And what do you make of moths?",
        "Some of them drink the tears of sleeping birds. I have never got over it.",
    ),
    (
        "Do you keep notes about me?",
        "My memory database says that you like moths.",
        "Charming.",
        "I do my best.",
    ),
)
PAGES: Sequence[Mapping[str, str | None]] = (
    {
        "In a few words": "Gloves for the ferry",
        "What happened": "The ferry to Suomenlinna leaves at noon. The residency deadline is 30 April.",
        "Lines to find it by": '"I always forget my gloves"\n"a chapter a fortnight"\n"the hard one first"',
        "In one breath": "Gloves, noon, and forty pages by 30 April.",
        "How I was": "Quick and a little bossy, and glad of the ferry.",
    },
    {
        "In a few words": "One page that stays",
        "What happened": "He threw away two pages and kept one.",
        "Lines to find it by": '"threw away two of them"\n"One page that stays"\n"Has that changed"',
        "How I was": "Slower than the week before, careful about a date I was sure of.",
    },
)


def talk(number: int) -> str:
    """One of the evenings as a messages file."""
    messages = [
        {"role": "assistant" if at % 2 else "user", "content": text} for at, text in enumerate(TALKS[number])
    ]
    started = f"{DAYS[number]}T19:00:00+00:00"
    return json.dumps({"title": f"evening {number}", "created_at": started, "messages": messages})


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    """A kit with four evenings, each recorded before the next, and two pages."""

    def make() -> None:
        for number in range(len(TALKS)):
            reel("record", "-", stdin=talk(number), cwd=kit).ok()
            if number < len(PAGES):
                reel("checkpoint", "--reply", "-", "--yes", stdin=page(PAGES[number]), cwd=kit).ok()

    ready_made(kit, "four evenings to learn from", make)
    return kit


def read(path: Path) -> list[list[dict[str, str]]]:
    """The messages of every sample of a file."""
    return [json.loads(line)["messages"] for line in path.read_text().splitlines()]


def export(reel: Reel, folder: Path, *more: str) -> dict[str, Any]:
    """Export everything; what `--json` says of it."""
    found: dict[str, Any] = json.loads(
        reel("export", "training", "--all", "--json", "--out", folder, *more).ok().out
    )
    return found


def test_every_kind_is_made_from_history_and_the_files_load_as_chats(
    reel: Reel, lived: Path, tmp_path: Path
) -> None:
    """REEL §8.1: make the protocol learnable by fine-tuning."""
    folder = tmp_path / "training"
    told = export(reel, folder, "--validation", "30")
    kinds = told["kinds"]
    assert {kind: counts["there"] for kind, counts in kinds.items()} == {
        "solo": 1,
        "ring-loaded": 2,
        "consolidation": 2,
        "checkpoint": 2,
        "retrieval": 1,
        "contradiction": 1,
    }
    # the last evening speaks of a database, the second leans on the first
    assert kinds["solo"]["refused"] == {
        "depends on what was said earlier": 1,
        "speaks of how memory is kept": 1,
    }
    assert kinds["ring-loaded"]["refused"] == {"speaks of how memory is kept": 1}
    files = {path.name: read(path) for path in sorted(folder.iterdir())}
    assert list(files) == ["train.jsonl", "validation.jsonl"]
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for messages in [*files["train.jsonl"], *files["validation.jsonl"]]:
        assert all(set(one) == {"role", "content"} and one["content"].strip() for one in messages)
        roles = [one["role"] for one in messages if one["role"] != "system"]
        assert roles == ["user", "assistant"] * (len(roles) // 2)
        assert [one["role"] for one in messages].count("system") <= (messages[0]["role"] == "system")
    # no session stands in both
    assert not set(told["sessions"]["train"]) & set(told["sessions"]["validation"])
    # the evening that quotes another stays with it
    with_ferry = next(s for s in told["sessions"].values() if f"{DAYS[2]}-1" in s)
    assert f"{DAYS[0]}-1" in with_ferry
    assert git(lived, "status", "--porcelain") == ""


def test_each_sample_is_as_it_was_then(reel: Reel, lived: Path, tmp_path: Path) -> None:
    export(reel, tmp_path / "training", "--validation", "0")
    samples = read(tmp_path / "training/train.jsonl")
    loaded = [one for one in samples if one[0]["role"] == "system" and "three pages" in one[1]["content"]]
    evening = next(one for one in loaded if len(one) == 5 and one[-1]["content"] == TALKS[1][3])
    recorded = git(lived, "log", "--format=%H", f"--grep=^record: {DAYS[1]}-1").split()[-1]
    assert evening[0]["content"] == reel("pack", "--at", f"{recorded}~1").ok().out
    # what the first evening left is remembered in the second, what the second left is not
    # (whole, as there was room for it then, and so without the one breath that a marker tells)
    assert (
        "#### What happened\n\nThe ferry to Suomenlinna leaves at noon. The residency"
        in evening[0]["content"]
    )
    assert "threw away two" not in evening[0]["content"]
    kept = next(one for one in samples if "He threw away two pages" in one[-1]["content"])
    assert kept[-1]["content"].startswith("## In a few words\nOne page that stays\n\n## What happened\n")
    assert kept[-1]["content"].endswith("\n\nAda")
    assert TALKS[1][0] in kept[0]["content"]
    looked = next(one for one in samples if "Slower than the week before" in one[-1]["content"])
    assert [one["content"] for one in looked[:4]] == list(TALKS[1])
    assert "## What happened" not in looked[-2]["content"]
    recalled = [one for one in samples if one[-1]["content"] == TALKS[2][1]]
    assert [[one["content"] for one in sample] for sample in recalled] == [list(TALKS[2][:2])]


def test_proportions_are_kept_and_what_is_lacking_is_told(reel: Reel, lived: Path, tmp_path: Path) -> None:
    run = reel("export", "training").ok()
    assert "Nothing was written. To write it:  reel export training --out training" in run.err
    assert "too little of" in run.err
    assert "Not in the share that is meant, “" in run.err
    assert json.loads(reel("export", "training", "--json").ok().out)["beyond_share"]
    assert "Left out of “without memory”: 1 (speaks of how memory is kept)" in run.err
    assert not list(tmp_path.glob("*.jsonl"))
    git(lived, "rm", "-rq", "checkpoints")
    assert "there is no page (reel checkpoint)" in reel("export", "training").ok().err


def test_what_is_in_the_way_is_refused_before_anything_is_written(
    reel: Reel, lived: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "training"
    export(reel, folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    run = reel("export", "training", "--out", folder)
    assert run.code == 1
    assert "is there already" in run.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    again = reel("export", "training", "--all", "--out", folder, "--force").ok()
    assert "intimate" in again.err
    # the same kit, the same seed, the same bytes
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    for where in ("tape", "tape/new", tmp_path / "no" / "folder", lived / "kit.yaml"):
        assert reel("export", "training", "--out", where).code == 1
    assert not (lived / "tape/new").exists()
    assert reel("export", "training", "--validation", "80").code == 2
    small = json.loads(reel("export", "training", "--all", "--json", "--window", "600").ok().out)
    assert small["kinds"]["solo"]["there"] == 1
    assert small["kinds"]["consolidation"]["there"] == 0


def test_a_kit_without_a_word_has_nothing_to_train_on(reel: Reel, kit: Path) -> None:
    run = reel("export", "training", "--out", kit.parent / "training")
    assert (run.code, (kit.parent / "training").exists()) == (1, False)
    assert run.err.startswith("Error: There is nothing yet to train a model on.")
    shutil.rmtree(kit / ".git")
    run = reel("export", "training")
    assert (run.code, "has no history (git) yet" in run.err) == (3, True)


def test_what_was_let_go_is_not_taught_and_comes_back_with_it(
    reel: Reel, lived: Path, tmp_path: Path
) -> None:
    reel("forget", "M-001", "--yes").ok()
    kinds = export(reel, tmp_path / "training")["kinds"]
    assert kinds["consolidation"]["refused"] == {"was let go": 1}
    assert (kinds["ring-loaded"]["there"], kinds["contradiction"]["there"]) == (0, 0)
    assert kinds["ring-loaded"]["refused"] == {"a memory that was let go was loaded": 3}
    learnt = (tmp_path / "training/train.jsonl").read_bytes()
    assert b"Gloves, noon, and forty pages" not in learnt
    assert b"leaves at noon. The residency deadline" not in learnt
    reel("restore", "M-001").ok()
    assert export(reel, tmp_path / "again")["kinds"]["consolidation"]["there"] == 2


# -- honest drift, and what came back in a chat --------------------------------------------------


def keep_page(reel: Reel, kit: Path, number: int, changes: Mapping[str, str | None]) -> None:
    """One more evening with its page."""
    day = f"2026-02-{number:02}"
    turns = [
        {"role": role, "content": f"{text} That was talk {number}.", "created_at": f"{day}T19:00:00+00:00"}
        for role, text in (("user", "I wrote three pages."), ("assistant", "One page that stays is plenty."))
    ]
    told = json.dumps({"created_at": f"{day}T19:00:00+00:00", "messages": turns})
    reel("record", "-", stdin=told, cwd=kit).ok()
    given = {"Lines to find it by": '"One page that stays"', **changes}
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(given), cwd=kit).ok()


def test_it_is_said_where_no_page_tells_of_a_shift(reel: Reel, lived: Path, tmp_path: Path) -> None:
    told = export(reel, tmp_path / "a")["kinds"]["checkpoint"]
    assert told["there"] == 2
    lacking = "none mentions a change or a doubt, so a model would learn to say that nothing ever changes"
    assert told["lacking"] == [lacking]
    assert f"”: {lacking}." in reel("export", "training").ok().err
    keep_page(reel, lived, 3, {"What has shifted": "I was colder than I want to be, all evening.\nshifted"})
    told = export(reel, tmp_path / "b")["kinds"]["checkpoint"]
    assert (told["there"], told["lacking"]) == (3, [])


def test_of_pages_without_their_history_nothing_is_claimed(reel: Reel, lived: Path, tmp_path: Path) -> None:
    """REEL §8.2: a share that cannot be met is said, with the reason that is so."""
    reel("init", tmp_path / "copy", "--template", lived, cwd=tmp_path).ok()
    reel.cwd = tmp_path / "copy"
    told = export(reel, tmp_path / "a")
    assert told["kinds"]["checkpoint"]["lacking"] == ["of none of its pages a sample could be made"]
    (contradicted,) = told["kinds"]["contradiction"]["lacking"]
    assert contradicted.startswith("no place was found in a recorded chat where you contradict a memory")


@pytest.mark.parametrize(
    ("said", "answer", "found"),
    [
        ("The manuscript is due on 14 April.", "I remember 31 March, Tomas. Did the printer move?", 1),
        ("The manuscript is due on 14 April, not on 31 March.", "I remember 31 March; has it moved?", 1),
        # another matter's day, or no day, is another year's
        ("The manuscript is due on 14 April.", "I remember 2 May, Tomas. Did the printer move?", 0),
        ("The manuscript is due on 14 April.", "Hang on, has it moved?", 0),
        ("The boat leaves on 14 April.", "I remember 31 March, Tomas. Did the printer move?", 0),
    ],
)
def test_a_day_that_is_over_is_contradicted_where_the_answer_names_it(
    reel: Reel, tmp_path: Path, said: str, answer: str, found: int
) -> None:
    """REEL §8.2: in February the manuscript was due on 31 March; in November somebody says otherwise."""
    kit = tmp_path / "ada"
    reel("init", kit, "--template", CHECKOUT / "kits/ada").ok()
    turns = [
        {"role": role, "content": text, "created_at": "2026-11-28T19:00:00+00:00"}
        for role, text in (("user", said), ("assistant", answer))
    ]
    reel("record", "-", stdin=json.dumps({"messages": turns}), cwd=kit).ok()
    told = json.loads(reel("export", "training", "--json", cwd=kit).ok().out)["kinds"]["contradiction"]
    assert told["there"] == found
    assert len(told["lacking"]) == (not found)


@pytest.mark.parametrize(
    "words",
    [
        "Tone: colder. Reason: the letter.",
        "My calibration drifted from my baseline; my context window is no excuse.",
        "Drift: yes, I said it in M-001 already, and in my memory file.",
    ],
)
def test_a_real_shift_is_never_left_out_for_its_words(
    reel: Reel, lived: Path, tmp_path: Path, words: str
) -> None:
    shifted = {"How I was": words, "What has shifted": f"{words}\nshifted"}
    keep_page(reel, lived, 3, shifted)
    keep_page(reel, lived, 4, shifted)
    told = export(reel, tmp_path / "all")["kinds"]["checkpoint"]
    assert (told["there"], told["refused"]) == (4, {})
    taken = [one for path in (tmp_path / "all").iterdir() for one in read(path)]
    assert sum(words in one[-1]["content"] for one in taken) == 2


ASKED = "Do you remember when the ferry to Suomenlinna leaves?"
QUERY = "ferry to Suomenlinna"
CAME_BACK = "[What comes back to you, word for word; it is here for this answer only.]"


def timed(asked: str = ASKED, *tools: str) -> str:
    """An evening with times, in which something was asked about the ferry, as a messages file."""
    talk = [
        ("user", "Good evening, you.", "19:00:00"),
        ("assistant", "Good evening.", "19:00:05"),
        ("user", asked, "19:01:00"),
        *(("tool", text, "19:01:05") for text in tools),
        ("assistant", "At noon, and bring the gloves.", "19:01:20"),
        ("user", "And what do you make of ferries at night?", "19:02:00"),
        ("assistant", "They sleep badly.", "19:02:10"),
    ]
    messages = [
        {"role": role, "content": text, "created_at": f"2026-02-20T{at}+00:00"} for role, text, at in talk
    ]
    return json.dumps({"created_at": "2026-02-20T19:00:00+00:00", "messages": messages})


def recall_at(reel: Reel, time: str, *words: str, stdin: str = "") -> str:
    return reel("recall", *words, stdin=stdin, env={"REEL_NOW": f"2026-02-20T{time}+00:00"}).ok().out


def about_the_ferry(reel: Reel, folder: Path) -> list[str]:
    """The one sample in which the ferry came back, from the question on."""
    export(reel, folder, "--validation", "0")
    samples = [[turn["content"] for turn in one] for path in folder.iterdir() for one in read(path)]
    (found,) = [
        one
        for one in samples
        if one[-1].startswith("At noon, and bring") and any(NOON in text for text in one)
    ]
    return found[2:]


def test_a_moment_that_came_back_in_a_chat_counts(reel: Reel, lived: Path, tmp_path: Path) -> None:
    """The ledger tells when a memory came back in `reel chat`; no session does, and nobody wrote a query."""
    before = export(reel, tmp_path / "before")["kinds"]["retrieval"]["there"]
    recall_at(reel, "19:01:10", "-", stdin=f"{QUERY}\n")
    reel("record", "-", stdin=timed()).ok()
    assert export(reel, tmp_path / "a")["kinds"]["retrieval"]["there"] == before + 1
    heard, _ = about_the_ferry(reel, tmp_path / "after")
    assert heard.endswith(ASKED)
    assert NOON in heard


def test_a_query_that_was_written_is_what_the_model_learns_to_say(
    reel: Reel, lived: Path, tmp_path: Path
) -> None:
    """Training teaches to put into words what is looked for, where somebody did (REEL §8.2)."""
    recall_at(reel, "19:01:10", QUERY)
    reel("record", "-", stdin=timed()).ok()
    asked, query, heard, _ = about_the_ferry(reel, tmp_path / "after")
    assert (asked, query) == (ASKED, f"Recall: {QUERY}")
    assert heard.startswith(f"{CAME_BACK}\n\n10 January 2026")
    assert f'"query": "{QUERY}"' in next((lived / "journal").iterdir()).read_text()


def test_a_query_is_kept_where_the_moment_came_up_by_itself_in_the_same_second(
    reel: Reel, lived: Path, tmp_path: Path
) -> None:
    """A fast server answers within the second in which the question itself brought the moment back."""
    recall_at(reel, "19:01:10", "-", stdin=f"{QUERY}\n")
    recall_at(reel, "19:01:10", QUERY)
    reel("record", "-", stdin=timed()).ok()
    assert about_the_ferry(reel, tmp_path / "after")[:2] == [ASKED, f"Recall: {QUERY}"]


def test_a_query_stands_apart_from_what_was_pasted_with_the_question(
    reel: Reel, lived: Path, tmp_path: Path
) -> None:
    pasted = recall_at(reel, "18:59:50", QUERY)
    reel("record", "-", stdin=timed(f"{ASKED}\n\n{pasted}")).ok()
    asked, query, heard, _ = about_the_ferry(reel, tmp_path / "after")
    assert (asked, query) == (ASKED, f"Recall: {QUERY}")
    assert heard == f"{CAME_BACK}\n\n{pasted.strip()}"


def test_a_query_by_a_tool_is_read_from_the_chat(reel: Reel, lived: Path, tmp_path: Path) -> None:
    call = json.dumps({"name": "reel__recall", "arguments": json.dumps({"query": QUERY})})
    answer = f"10 January 2026:\nBo: {NOON}\nAda: {FERRY}"
    reel("record", "-", stdin=timed(ASKED, call, answer)).ok()
    assert about_the_ferry(reel, tmp_path / "after")[:3] == [ASKED, f"Recall: {QUERY}", answer]


def test_no_sample_teaches_scene_tags_or_message_headers(reel: Reel, kit: Path, tmp_path: Path) -> None:
    """REEL §5.2, §8.3: tags stood in prompts, in what the user says, and in what a model learns to say."""
    talks = (
        (
            ("user", "[CHAIN:DIRECTIVE from=sovereign to=ada id=D-7] Move the boats before the storm."),
            ("assistant", "[CHAIN:ACK id=D-7] The boats are moved, all four of them."),
        ),
        (
            ("user", "<scene>bar on South Congress</scene> <mist>cold</mist> The band started playing."),
            ("assistant", "<feel>reckless</feel> Lean in, I cannot hear you over the drums."),
        ),
        (("user", "Are you there?"), ("assistant", "[CHAIN:ACK id=D-9]")),
    )
    for number, said in enumerate(talks, start=1):
        at = f"2026-02-{number:02}T19:00:00+00:00"
        turns = [{"role": role, "content": text, "created_at": at} for role, text in said]
        reel("record", "-", stdin=json.dumps({"created_at": at, "messages": turns})).ok()
        if number < 3:
            line = ("The boats are moved", "Lean in, I cannot hear you")[number - 1]
            given = {
                "Lines to find it by": f'"{line}"',
                "How I was": "<tone>Warm</tone>, and in no hurry at all.",
            }
            reel(
                "checkpoint",
                "--session",
                f"2026-02-{number:02}-1",
                "--reply",
                "-",
                "--yes",
                stdin=page(given),
            ).ok()
    told = export(reel, tmp_path / "all")
    texts = [one["content"] for path in (tmp_path / "all").iterdir() for talk in read(path) for one in talk]
    assert not [text for text in texts if re.search(r"</?(?:scene|feel|mist|tone)\b|CHAIN", text)]
    # an origin is read off the tape, and no prompt offers it
    assert not [text for text in texts if "-origin" in text]
    assert any("The boats are moved, all four of them." in text for text in texts)
    assert told["kinds"]["solo"]["cleaned"] == 2
    assert told["kinds"]["checkpoint"]["cleaned"] == told["kinds"]["checkpoint"]["there"] > 0
    nothing = "a message of it was nothing but a scene tag or a message header"
    assert told["kinds"]["solo"]["refused"] == {nothing: 1}
    shown = reel("export", "training", "--all").ok().err
    assert "Scene tags and message headers were taken out of samples: “without memory” 2, " in shown
    assert f"Left out of “without memory”: 1 ({nothing})" in shown
