"""`reel export training`: samples in chat format, out of what was really said, in stated proportions."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.exchange.prompts import find_prompt
from reel_cli.kit.review_file import render_proposal, review_path
from reel_cli.model.review import Proposal, ReviewKind, Side
from reel_cli.model.training import SHARES, Sample, held_back, share_out, spread
from reel_cli.pack.recognise import find_bundle
from tests.cli import CHECKOUT, Reel
from tests.pages import chat, page

BACK = (
    ("user", "I have bought it. She does open a letter that isn't hers. What was I not to take?"),
    ("assistant", "Penicillin, never. And forty pages by April, with the residency waiting."),
)
LEAK = (
    ("user", "How do you know?"),
    ("assistant", "My memory index has M-001, which was consolidated and loaded into my context window."),
)


def talk(kit: Path, name: str, day: str, *turns: tuple[str, str]) -> Path:
    """A chat of its own as a messages file."""
    file = kit.parent / f"{name}.json"
    messages = [{"role": role, "content": text} for role, text in turns]
    file.write_text(json.dumps({"title": name, "created_at": f"{day}T19:00:00+00:00", "messages": messages}))
    return file


def lived(reel: Reel, kit: Path) -> None:
    """Three evenings: one that was written down, one that it comes back in, one with a leak."""
    (kit.parent / "one.json").write_text(chat())
    reel("record", "../one.json").ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    reel("record", talk(kit, "two", "2026-02-26", *BACK)).ok()
    reel("record", talk(kit, "three", "2026-02-27", *LEAK)).ok()


def written(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    files = (folder / "train.jsonl", folder / "validation.jsonl")
    train, validation = ([json.loads(line) for line in file.read_text().splitlines()] for file in files)
    return train, validation


def test_what_was_said_and_written_becomes_samples(reel: Reel, kit: Path) -> None:
    lived(reel, kit)
    sides = (
        Side("ring2", "You were careful once, and it looks warm from outside."),
        Side("M-001", "It is cold."),
    )
    waits = Proposal("c-1", ReviewKind.CONTRADICTION, "2026-02-25-1", "", "warm or cold", "", sides=sides)
    (kit / "review").mkdir(exist_ok=True)
    (kit / review_path(waits.id)).write_text(render_proposal(waits))
    out = kit.parent / "samples"
    out.mkdir()
    run = reel("export", "training", "--all", "--out", out).ok()
    train, validation = written(out)
    by_kind: dict[str, list[Any]] = {}
    for sample in (*train, *validation):
        assert list(sample) == ["messages", "kind", "session"]
        roles = [message["role"] for message in sample["messages"]]
        assert roles[-1] == "assistant"
        assert all(message["content"].strip() for message in sample["messages"])
        by_kind.setdefault(sample["kind"], []).append(sample["messages"])
    assert sorted(by_kind) == sorted(SHARES)
    # without memory: only what was said, and nothing of reel's
    assert [message["content"] for message in by_kind["solo"][1]] == [text for _, text in BACK]
    alone = [message["content"] for messages in by_kind["solo"] for message in messages]
    assert not any(find_bundle(text) or find_prompt(text) for text in alone)
    # with it: what was packed before that evening, which knows the one before and not itself
    (loaded,) = by_kind["ring-loaded"]
    assert loaded[0]["role"] == "system"
    assert "penicillin never" in loaded[0]["content"]
    assert "I have bought it" not in loaded[0]["content"]
    assert [message["content"] for message in loaded[1:]] == [text for _, text in BACK]
    (consolidation,) = by_kind["consolidation"]
    assert "Forty pages by 30 April. Go and buy the ticket." in consolidation[0]["content"]
    assert consolidation[1]["content"].startswith(
        "## In a few words\nThe letter that wasn't hers\n\n## What happened"
    )
    assert consolidation[1]["content"].endswith("\n\nAda")
    (checkpoint,) = by_kind["checkpoint"]
    assert [message["role"] for message in checkpoint] == ["user", "assistant"] * 4
    assert find_prompt(checkpoint[-2]["content"]) is not None
    assert checkpoint[-1]["content"] == page().strip()
    (retrieval,) = by_kind["retrieval"]
    assert retrieval[0]["content"].startswith("This comes back to you:\n\n")
    assert retrieval[-1]["content"] == BACK[1][1]
    (contradiction,) = by_kind["contradiction"]
    assert contradiction[0]["content"].endswith("You were careful once, and it looks warm from outside.")
    assert "careful looks cold from outside" in contradiction[-1]["content"]
    # the newest evening is for validation, and has only what leaks
    assert validation == []
    assert "Left out, solo of 2026-02-27-1: it speaks of how memory is kept" in run.err
    assert out.joinpath("train.jsonl").stat().st_mode & 0o777 == 0o600


def test_the_proportions_hold_and_what_lacks_is_named(reel: Reel, kit: Path) -> None:
    lived(reel, kit)
    out = kit.parent / "samples"
    refused = reel("export", "training", "--out", out)
    assert (refused.code, "There is no folder" in refused.err) == (1, True)
    out.mkdir()
    told = json.loads(reel("export", "training", "--out", out, "--json").ok().out)
    kinds = told["kinds"]
    assert kinds["solo"] == {"taken": 2, "there": 2, "lacking": 0}
    assert kinds["contradiction"]["lacking"] == 1
    assert [one["kind"] for one in told["refused"]] == ["solo", "ring-loaded"]
    assert sum(told["files"].values()) == sum(kind["taken"] for kind in kinds.values())
    again = reel("export", "training", "--out", out)
    assert (again.code, "is there already" in again.err) == (1, True)
    first = (out / "train.jsonl").read_bytes()
    screen = reel("export", "training", "--out", out, "--force").ok().err
    assert "1 more needed" in screen
    assert "the others weigh more than their share" in screen
    assert (out / "train.jsonl").read_bytes() == first


def test_checkpoints_that_never_report_anything_teach_nothing(reel: Reel, kit: Path) -> None:
    for day in (24, 25, 26):
        reel("record", talk(kit, f"{day}", f"2026-02-{day}", *BACK, ("user", f"Good night {day}."))).ok()
        reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    reel("export", "training", "--all", "--out", kit.parent).ok()
    train, validation = written(kit.parent)
    assert "checkpoint" not in {sample["kind"] for sample in (*train, *validation)}
    told = reel("export", "training", "--all", "--out", kit.parent, "--force").ok().err
    assert told.count("no checkpoint reports a drift, a doubt or a change") == 3


def test_a_kit_with_nothing_said_has_nothing_to_learn_from(reel: Reel, kit: Path) -> None:
    run = reel("export", "training", "--out", kit.parent)
    assert (run.code, run.err.splitlines()[0]) == (
        1, "Error: There is nothing to train on yet: no session on the tape has an answer in it.",
    )  # fmt: skip


def test_newest_sessions_are_held_back_whole(reel: Reel) -> None:
    reel("init", "mine", "--template", CHECKOUT / "kits" / "ada").ok()
    reel("--kit", "mine", "export", "training", "--all", "--out", reel.cwd).ok()
    train, validation = written(reel.cwd)
    assert {sample["session"] for sample in validation} == {"2026-02-25-1"}
    assert max(sample["session"] for sample in train) < "2026-02-25-1"
    assert len(train) > 20


@given(st.fixed_dictionaries({kind: st.integers(0, 400) for kind in SHARES}))
@settings(max_examples=200, deadline=None)
def test_no_kind_is_over_its_share_and_none_that_is_there_below(have: dict[str, int]) -> None:
    plan = share_out(have)
    assert sum(plan.take.values()) <= plan.total or plan.total < 100
    for kind, (least, most) in SHARES.items():
        assert plan.take[kind] <= have[kind]
        assert plan.take[kind] * 100 <= max(plan.total * most, plan.total * least + 99)
        if have[kind]:
            assert plan.take[kind] * 100 >= plan.total * least - 99
        assert plan.take[kind] + plan.lacking.get(kind, 0) >= -(-plan.total * least // 100)
    if all(have.values()):
        assert plan.total > 0


def test_samples_are_taken_from_all_over() -> None:
    every = [Sample("solo", [], (f"{number}",)) for number in range(10)]
    assert [one.sessions[0] for one in spread(every, 3)] == ["0", "3", "6"]
    assert spread(every, 10) == every
    assert held_back([f"{number}" for number in range(25)]) == {"23", "24"}
    assert held_back(["1"]) == frozenset()
