"""`reel shelf summarize`, and what the other commands know of summaries: whole commands in real kits."""

import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.shelf.files import read_shelf
from reel_cli.features.shelf.kit_files import join_summary
from reel_cli.features.shelf.summaries.due import wanted_now
from reel_cli.features.shelf.summaries.files import (
    Sources,
    fresh_summary,
    parse_summary,
    read_summaries,
    render_summary,
)
from reel_cli.features.shelf.summaries.summary import SourceState, Summary, SummarySource
from tests.support.cli import Reel, git

REPLY = (
    "## Title\nThe plan\n\n## Gist\nThe ferry stops.\n\n"
    "## Summary\n- The ferry stops in chapter three.\n\nAda\n"
)
LONG = "".join(f"{n}. The ferry came at noon and Ines waited.\n" for n in range(1, 601))


@pytest.fixture
def shelf(reel: Reel, kit: Path) -> Path:
    """A kit with a plan, a table, a long log, a picture and an empty file on its shelf."""
    source = kit.parent / "src"
    source.mkdir()
    (source / "plan.md").write_text("# Plan\nThe ferry stops in chapter three.\nInes finds 12 letters.\n" * 3)
    (source / "out.csv").write_text("id,name\n" + "".join(f"{n},x\n" for n in range(30)))
    (source / "log 1.txt").write_text(LONG)
    (source / "pic.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\xff")
    (source / "empty.txt").write_text("")
    reel("shelf", "add", *sorted(source.iterdir())).ok()
    return kit


def keep(reel: Reel, *arguments: str, reply: str = REPLY) -> dict[str, Any]:
    told = reel("shelf", "summarize", *arguments, "--reply", "-", "--yes", "--json", stdin=reply).ok().out
    found: dict[str, Any] = json.loads(told)
    return found


def due(reel: Reel) -> list[str]:
    told = json.loads(reel("status", "--due", "--json").out)["due"]
    return [one["why"] for one in told if one["what"] == "summary"]


def page(kit: Path, name: str) -> str:
    return (kit / f"shelf/{name}.meta.yml").read_text()


def test_from_the_prompt_to_the_links_both_ways(reel: Reel, shelf: Path) -> None:
    """MEMORY-MGMT §4.d: link a summary and its sources both ways."""
    prompt = reel("shelf", "summarize", "plan.md", "--prompt").ok().out
    assert "Ines finds 12 letters." in prompt
    run = reel("shelf", "summarize", "plan.md", "--reply", "-", "--yes", stdin=f"{prompt}\n{REPLY}").ok()
    assert "summaries/plan.md (bullet): The plan" in run.err
    text = (shelf / "summaries/plan.md").read_text()
    made = parse_summary(text, "summaries/plan.md")
    assert text == (
        "---\nsummary_of:\n  - shelf/plan.md\n"
        'created: "2026-03-01T20:00:00Z"\nstyle: bullet\ntitle: The plan\n'
        f"sha256:\n  - {made.sources[0].sha256}\nmade_by: Ada\ngist: The ferry stops.\n---\n\n"
        "- The ferry stops in chapter three.\n\n---\nReferences:\n- [plan.md](../shelf/plan.md)\n"
    )
    assert page(shelf, "plan.md").endswith(
        'summarized_in: summaries/plan.md\nsummary_date: "2026-03-01T20:00:00Z"\n'
        f"summary_sha256: {made.sources[0].sha256}\n"
    )
    assert "summary: The ferry stops." in page(shelf, "plan.md")
    trailers = git(shelf, "log", "-1", "--format=%B")
    assert 'Reel-Op: summarize\nReel-Summary: "summaries/plan.md" sources=1 style=bullet tokens=' in trailers
    assert "Reel-Ring0: " in trailers
    assert json.loads(reel("shelf", "show", "plan.md", "--json").ok().out)["stale"] is False


def test_a_source_that_changes_makes_its_summary_old_and_that_is_said(reel: Reel, shelf: Path) -> None:
    keep(reel, "plan.md")
    assert due(reel) == ["log 1.txt is long, and has no summary"]
    file = shelf / "shelf/plan.md"
    file.write_text(file.read_text() + "More.\n")
    assert due(reel)[0] == "plan.md changed since summaries/plan.md was made"
    assert "its summary is old" in reel("shelf", "list").ok().out
    assert "summaries/plan.md is old: shelf/plan.md changed since it was made" in reel("doctor").out
    # the same again: at its place, and the one before is in history
    found = keep(reel, "plan.md", reply=REPLY.replace("three", "four"))
    assert (found["kept"][0]["superseded"], found["kept"][0]["path"]) == (True, "summaries/plan.md")
    assert due(reel) == ["log 1.txt is long, and has no summary"]
    reel("undo").ok()
    assert "chapter three" in (shelf / "summaries/plan.md").read_text()
    # another style is a page of its own, and both are linked
    keep(reel, "plan.md", "--style", "decision")
    text = page(shelf, "plan.md")
    assert "summarized_in: summaries/plan-decision.md\n" in text
    assert "also_summarized_in: [summaries/plan.md]\n" in text
    (shelf / "summaries/plan-decision.md").unlink()
    told = reel("doctor")
    assert "shelf/plan.md.meta.yml leads to summaries/plan-decision.md, which is not there" in told.out


@pytest.mark.parametrize("style", ["bullet", "narrative", "decision"])
def test_a_model_writes_in_each_of_the_three_styles_that_need_one(
    reel: Reel, shelf: Path, style: str
) -> None:
    """MEMORY-MGMT §4.c: the summary is asked for in its style, and says which it is in."""
    prompts = {
        one: reel("shelf", "summarize", "plan.md", "--style", one, "--prompt").ok().out
        for one in ("bullet", "narrative", "decision")
    }
    assert len({*prompts.values()}) == 3
    reply = f"{prompts[style]}\n{REPLY}"
    reel("shelf", "summarize", "plan.md", "--style", style, "--reply", "-", "--yes", stdin=reply).ok()
    [made] = (shelf / "summaries").glob("*.md")
    assert f"\nstyle: {style}\n" in made.read_text()


def test_what_changed_between_prompt_and_reply(reel: Reel, shelf: Path) -> None:
    reel("shelf", "summarize", "plan.md", "--prompt").ok()
    (shelf / "shelf/plan.md").write_text("# Plan\nNothing stops anywhere.\n")
    found = keep(reel, "plan.md")["kept"][0]
    assert found["stale"] == ["shelf/plan.md"]
    assert due(reel)[0] == "plan.md changed since summaries/plan.md was made"
    reel("shelf", "summarize", "out.csv", "--prompt").ok()
    (shelf / "shelf/out.csv").unlink()
    (shelf / "shelf/out.csv.meta.yml").unlink()
    run = reel("shelf", "summarize", "out.csv", "--reply", "-", "--yes", stdin=REPLY)
    assert (run.code, "nothing called out.csv on the shelf" in run.err) == (1, True)


def test_what_cannot_be_summed_up_is_refused(reel: Reel, shelf: Path) -> None:
    before = git(shelf, "rev-parse", "HEAD")
    for name, why in (("pic.png", "is not text"), ("empty.txt", "is empty"), ("none.md", "nothing called")):
        run = reel("shelf", "summarize", name)
        assert (run.code, why in run.err) == (1, True)
    weather = "I had eggs for breakfast, and the weather was lovely."
    long = "## Summary\n" + "The ferry stops in chapter three. " * 30 + "\n\nAda"
    for reply in ("", "ok", reel("shelf", "summarize", "plan.md", "--prompt").ok().out, weather, long):
        run = reel("shelf", "summarize", "plan.md", "--reply", "-", "--yes", stdin=reply)
        assert (run.code, git(shelf, "rev-parse", "HEAD")) == (1, before)
    assert (
        "What it is of does not say this:\n    A summary has to be shorter than the files it is about."
        in run.err
    )
    # the prompt waits on
    assert len(list((shelf / ".reel/state/exchanges").iterdir())) == 1
    assert reel("shelf", "summarize", "plan.md", "--reply", "-", stdin=REPLY).code == 1
    assert reel("shelf", "summarize", "plan.md", "--style", "ode").code == 2
    reel("shelf", "summarize", "plan.md", "--reply", "-", "--dry-run", stdin=REPLY).ok()
    assert git(shelf, "rev-parse", "HEAD") == before
    assert not (shelf / "summaries").exists()


def test_schema_and_diff_need_nobody(reel: Reel, shelf: Path) -> None:
    """MEMORY-MGMT §4.c: offer five styles."""
    run = reel("shelf", "summarize", "out.csv", "--style", "schema").ok()
    assert "- `id`: whole number; always filled; from 0 to 29" in run.out
    assert "made_by: reel" in (shelf / "summaries/out.csv-schema.md").read_text()
    assert (
        "plan.md has no earlier version in the history."
        in reel("shelf", "summarize", "plan.md", "--style", "diff").err
    )
    keep(reel, "plan.md")
    file = shelf / "shelf/plan.md"
    file.write_text(file.read_text() + "A new line.\n")
    reel("shelf", "summarize", "plan.md", "--style", "diff").ok()
    text = (shelf / "summaries/plan-diff.md").read_text()
    assert "- now: A new line.\n" in text
    assert f"since: {git(shelf, 'rev-parse', 'HEAD~1')[:12]}\n" in text
    # what changed does not stand in for what it says
    assert "summarized_in: summaries/plan-diff.md" in page(shelf, "plan.md")
    both = reel("shelf", "summarize", "plan.md", "out.csv", "--style", "diff", "--dry-run").ok().out
    assert both.startswith("## From plan.md to out.csv")
    # of prose the persona has to tell how it is built
    told = reel("shelf", "summarize", "plan.md", "--style", "schema").ok()
    assert "How it is built" in told.out
    assert "plan.md is no table and no data file" in told.err


def test_a_bundle_has_the_summary_of_what_is_too_long(reel: Reel, shelf: Path) -> None:
    keep(reel, "log 1.txt", reply=REPLY.replace("chapter three", "the log"))
    bundle = json.loads(reel("pack", "--window", "8k", "--json").ok().out)
    assert "- The ferry stops in the log." in bundle["text"]
    assert "References" not in bundle["text"]
    reasons = {one["id"]: one["reason"] for one in bundle["left_out"] if one["ring"] == "shelf"}
    assert reasons["shelf/log 1.txt"].startswith("shortened: it alone is longer")
    assert "its summary" not in reasons["shelf/log 1.txt"]
    file = shelf / "shelf/log 1.txt"
    file.write_text(LONG + "and then\n")
    bundle = json.loads(reel("pack", "--window", "8k", "--json").ok().out)
    reasons = {one["id"]: one["reason"] for one in bundle["left_out"] if one["ring"] == "shelf"}
    assert reasons["shelf/log 1.txt"].endswith("; and its summary is old")
    assert "as it was before it last changed" in bundle["text"]
    # set aside, it is told by its summary while it is still spoken of
    sidecar = shelf / "shelf/log 1.txt.meta.yml"
    sidecar.write_text(sidecar.read_text().replace("pin: false", "pin: false\nworking_set: false"))
    loaded = json.loads(reel("pack", "--window", "8k", "--json").ok().out)["loaded"]
    assert {one["id"]: one["resolution"] for one in loaded}["shelf/log 1.txt"] == "marker"


def test_several_files_and_watched_ones(reel: Reel, shelf: Path) -> None:
    for number in (1, 2, 3):
        (shelf.parent / f"out-{number}.txt").write_text(f"run {number} took {number} hours\n" * 5)
    reel("shelf", "add", *(str(shelf.parent / f"out-{n}.txt") for n in (1, 2))).ok()
    reel("shelf", "add", "--watch", str(shelf.parent / "out-3.txt")).ok()
    names = [f"out-{number}.txt" for number in (1, 2, 3)]
    watched = shelf.parent / "out-3.txt"
    watched.write_text("run 3 took 4 hours\n" * 5)
    runs = "## Summary\nRuns 1 to 3 took 1, 2 and 4 hours.\n\nAda\n"
    found = keep(reel, *names, "--as", "runs", reply=runs)["kept"][0]
    assert (found["path"], found["stale"]) == ("summaries/runs.md", [])
    text = (shelf / "summaries/runs.md").read_text()
    assert "- [out-2.txt](../shelf/out-2.txt)\n- [out-3.txt](../shelf/out-3.txt.meta.yml)\n" in text
    # summed up as it is now, it is noted as it is now
    assert "log 1.txt is long, and has no summary" in due(reel)
    assert len(due(reel)) == 1
    watched.write_text("run 3 never ended\n")
    assert due(reel)[0] == "out-3.txt changed since summaries/runs.md was made"
    assert "its summary is old" in reel("shelf", "list").ok().out
    told = reel("shelf", "summarize", "plan.md", "--as", "runs", "--reply", "-", "--yes", stdin=REPLY)
    assert (told.code, "summaries/runs.md is the summary of other files" in told.err) == (1, True)
    (shelf / ".reel/state/watched.json").unlink()
    told = reel("shelf", "summarize", "out-3.txt", "--prompt")
    assert (told.code, "may not read on this machine" in told.err) == (1, True)
    reel("shelf", "drop", "out-1.txt", "--yes").ok()
    snapshot = Snapshot(WorkTree(shelf), "ada")
    summary = read_summaries(snapshot)["summaries/runs.md"]
    assert Sources(snapshot, shelf).states(summary) == {
        "shelf/out-1.txt": SourceState.GONE,
        "shelf/out-2.txt": SourceState.FRESH,
        "shelf/out-3.txt": SourceState.CHANGED,
    }
    sources = Sources(snapshot, shelf)
    files = read_shelf(snapshot)
    assert fresh_summary(snapshot, files["shelf/out-2.txt"], sources) == summary
    assert fresh_summary(snapshot, files["shelf/out-3.txt"], sources) is None


def test_advice_to_sum_up_before_it_goes_is_due_and_groups_are_suggested(reel: Reel, shelf: Path) -> None:
    """MEMORY-MGMT §4.a: summarise long files, those advised, those asked for."""
    (shelf / "kit.yaml").write_text((shelf / "kit.yaml").read_text() + "shelf: {long: 0}\n")
    for number in (1, 2, 3):
        (shelf.parent / f"run {number}.txt").write_text("x\n")
    reel("shelf", "add", *(str(shelf.parent / f"run {n}.txt") for n in (1, 2, 3))).ok()
    assert due(reel) == []
    hint = "3 files have similar names; one summary could stand for them:  reel shelf summarize 'run 1.txt'"
    assert hint in reel("shelf", "list").ok().err
    assert wanted_now(shelf).several == [[f"shelf/run {n}.txt" for n in (1, 2, 3)]]
    cold = {"path": "shelf/plan.md", "why": "over", "suggested_action": "summarize_then_evict"}
    advice = json.dumps({"why": "it is time", "hot": [], "cold": [cold]})
    reel("shelf", "advise", "--reply", "-", "--yes", stdin=advice).ok()
    assert due(reel) == ["plan.md is to be summed up before it goes"]
    keep(reel, "plan.md")
    assert due(reel) == []


def test_summaries_come_back(reel: Reel, shelf: Path) -> None:
    keep(reel, "plan.md")
    assert "summed up: summaries/plan.md" in reel("diff", "HEAD~1", "HEAD").ok().out
    first = (shelf / "summaries/plan.md").read_bytes()
    assert "to have the one before it" in reel("restore", "summaries/plan.md").err
    keep(reel, "plan.md", reply=REPLY.replace("three", "four"))
    assert (
        reel("restore", "summaries/plan.md", "--earlier").ok().out.endswith("plan.md is back, as it was.\n")
    )
    assert (shelf / "summaries/plan.md").read_bytes() == first
    git(shelf, "rm", "-q", "summaries/plan.md")
    git(shelf, "commit", "-qm", "gone")
    sidecar = shelf / "shelf/plan.md.meta.yml"
    sidecar.write_text(sidecar.read_text().replace("summarized_in: summaries/plan.md\n", ""))
    reel("restore", "./summaries/plan.md").ok()
    assert (shelf / "summaries/plan.md").read_bytes() == first
    assert "summarized_in: summaries/plan.md\n" in sidecar.read_text()
    assert reel("restore", "summaries/none.md").code == 1
    assert reel("restore", "summaries/none.md", "shelf/plan.md").code == 2


def test_broken_pages_and_two_machines(reel: Reel, shelf: Path) -> None:
    keep(reel, "plan.md")
    (shelf / "summaries/odd.md").write_text("---\nsummary_of: [../../etc/passwd]\n---\nx\n")
    (shelf / "summaries/none.md").write_text("words\n")
    told = reel("doctor")
    assert "summaries/odd.md: summary_of names ../../etc/passwd, which is no file of the shelf" in told.out
    assert "summaries/none.md: summary_of names no file" in told.out
    assert reel("pack").code == 0
    old, new = (
        render_summary(Summary("summaries/a.md", (SummarySource("shelf/a.md"),), day, body=day)).encode()
        for day in ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")
    )
    assert join_summary("summaries/a.md", new, old)[0] == new
    assert join_summary("summaries/a.md", old, new)[0] == new
    assert join_summary("summaries/a.md", b"\xff", new)[0] == new
