"""`reel shelf advise`: from the prompt, a file or a chat to what is decided, and nothing but that."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.recognize import find_prompt
from reel_cli.features.shelf.advice.advice import ACTIONS
from reel_cli.features.shelf.advice.files import parse_cold
from reel_cli.features.shelf.advice.plan import standing_decisions, without_done
from reel_cli.features.shelf.advice.policy import HOT_STAYS
from tests.support.cli import Reel, git
from tests.support.pages import say

SESSION = "2026-02-10-1"
NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)


def advice(hot: list[Any], cold: list[Any], why: str = "it is time", **more: object) -> str:
    return json.dumps({"hot": hot, "cold": cold, "why": why, **more})


def go(path: str, action: str = "archive", why: str = "over") -> dict[str, str]:
    return {"path": path, "why": why, "suggested_action": action}


def advise(reel: Reel, reply: str, *more: str) -> dict[str, Any]:
    told = reel("shelf", "advise", "--reply", "-", "--yes", "--json", *more, stdin=reply).ok().out
    found: dict[str, Any] = json.loads(told)
    return found


def decided(found: dict[str, Any]) -> dict[str, tuple[str | None, str, str]]:
    kept = found["kept"][0]
    return {
        one["path"]: (one["model_suggested"], one["action_taken"], one["reason"])
        for one in (*kept["decisions"], *kept["standing"])
    }


def fill(reel: Reel, kit: Path) -> None:
    """A shelf of six files, one of them pinned and one tagged, and a chat in which one of them is named."""
    source = kit.parent / "src"
    source.mkdir()
    for name in ("plan.md", "log 1.txt", "rules.md", "decided.md", "attempt.md", "letter.md"):
        (source / name).write_text(f"# {name}\n\nwords\n")
    say(reel, kit, [("user", "Look into letter.md again, please."), ("assistant", "I did.")])
    reel("shelf", "add", *sorted(source.iterdir())).ok()
    reel("shelf", "pin", "rules.md").ok()
    page = kit / "shelf" / "decided.md.meta.yml"
    page.write_text(page.read_text().replace("tags: []", "tags: [decision]"))


def test_from_the_prompt_to_the_commit(reel: Reel, kit: Path) -> None:
    """MEMORY-MGMT §1: take what the model says about files as a wish; the program has the last word."""
    assert reel("shelf", "advise", "--prompt").code == 1
    fill(reel, kit)
    prompt = reel("shelf", "advise", "--prompt").ok().out
    assert "You are Ada" in prompt
    assert "- shelf/log 1.txt · log 1 · 19 bytes, " in prompt
    assert "· rules · 18 bytes, 6 tokens · used lately · hotness 0.7 · pinned\n" in prompt
    reply = advice(
        ["plan.md · plan · 20 bytes", {"path": "shelf/nope.md", "why": "x"}],
        [
            go("shelf/log 1.txt", "delete_from_working_set"),
            go("rules.md"),
            go("decided.md"),
            go("ring0/identity.md"),
            go("../../etc/passwd"),
            go("/dev/null"),
            go("M-044"),
            go("attempt.md · attempt · 23 bytes", "burn"),
        ],
        trigger_gc=True,
    )
    before = git(kit, "rev-parse", "HEAD")
    dry = reel("shelf", "advise", "--reply", "-", "--dry-run", stdin=reply).ok()
    assert git(kit, "rev-parse", "HEAD") == before
    assert "Nothing was changed" in dry.err
    found = advise(reel, f"Here you are.\n```json\n{reply}\n```\nAda\n")
    assert decided(found) == {
        "shelf/plan.md": ("keep", "honored", "kept at hand"),
        "shelf/log 1.txt": ("evict", "honored", "nothing speaks against it"),
        "shelf/rules.md": ("evict", "overridden", "it is pinned"),
        "shelf/decided.md": (
            "evict",
            "overridden",
            "must be kept, as decisions: it is tagged decision",
        ),
        "ring0/identity.md": (
            "evict",
            "overridden",
            "must be kept, as constitution: it is who the persona is",
        ),
        "shelf/letter.md": (None, "promoted_to_hot", f"Bo spoke of it in {SESSION}"),
    }
    assert [one["what"] for one in found["problems"]] == [
        f"attempt.md · attempt · 23 bytes: “burn” is not an action; the actions are {', '.join(ACTIONS)}.",
        "The kit has no file called “shelf/nope.md”; a file is named as the prompt lists it.",
        "../../etc/passwd is outside the kit.",
        "/dev/null is outside the kit.",
        "There is no memory M-044.",
    ]
    assert git(kit, "log", "-1", "--format=%s|%(trailers:key=Reel-Op,valueonly,separator=%x2C)").strip() == (
        "advise: 1 kept at hand, 1 to go, 3 overridden, 1 promoted, to be cleared away soon|advise"
    )
    assert "Reel-Ring0: " in git(kit, "log", "-1", "--format=%B")
    assert git(kit, "show", "--stat=200", "--format=", "--name-only", "HEAD").split() == [
        "cold.yml",
        "hot.yml",
        "memory_actions.yml",
    ]
    assert "trigger_gc: true\n" in (kit / "cold.yml").read_text()
    assert "touches: 1\n" in (kit / "hot.yml").read_text()
    hot = {one["path"]: one["hotness"] for one in json.loads(reel("shelf", "list", "--json").ok().out)}
    assert hot["shelf/plan.md"] > hot["shelf/attempt.md"]
    snapshot = Snapshot(WorkTree(kit), "Ada")
    go_now = [(one.path, one.action) for one in standing_decisions(snapshot) if one.lets_go]
    assert go_now == [("shelf/log 1.txt", "delete_from_working_set")]
    after = parse_cold(without_done(snapshot, [path for path, _ in go_now], NOW)["cold.yml"].decode())
    assert (next(one.path for one in after.evict), len(after.evict), after.trigger_gc) == (
        "shelf/rules.md",
        3,
        False,
    )
    told = json.loads(reel("shelf", "advise", "--explain", "--json").ok().out)["decisions"]
    assert {one["path"]: one["action_taken"] for one in told} == {
        path: taken for path, (_, taken, _) in decided(found).items()
    }
    explained = reel("shelf", "advise", "--explain").ok().out
    assert (
        "Stays: shelf/rules.md (advised: into the archive)\n  the advice: over\n  overridden: it is pinned\n"
        in explained
    )


def test_later_advice_and_what_happens_meanwhile(reel: Reel, kit: Path) -> None:
    fill(reel, kit)
    advise(reel, advice(["plan.md"], [go("attempt.md"), go("log 1.txt")]))
    (kit / "hot.yml").write_text("# mine\n" + (kit / "hot.yml").read_text() + "colour: red\n")
    # it was used after the advice; another went to keep, and one left the shelf
    reel("shelf", "show", "attempt.md", env={"REEL_NOW": "2026-03-02T20:00:00+00:00"}).ok()
    reel("shelf", "drop", "plan.md", "--yes").ok()
    found = advise(reel, advice([{"path": "log 1.txt", "why": "after all"}], [], "again"))
    assert decided(found) == {
        "shelf/log 1.txt": ("keep", "honored", "kept at hand"),
        "shelf/attempt.md": ("evict", "deferred", "it was used since"),
        "shelf/letter.md": (None, "promoted_to_hot", f"Bo spoke of it in {SESSION}"),
    }
    hot = (kit / "hot.yml").read_text()
    assert hot.startswith("# mine\n")
    assert "colour: red\n" in hot
    assert "plan.md" not in hot
    assert "log 1" not in (kit / "cold.yml").read_text()
    # a setting makes it wait; the working notes keep another; nothing else is named any more
    (kit / "kit.yaml").write_text(
        (kit / "kit.yaml").read_text() + "\nshelf:\n  defer: 2\n  keep: {mine: [attempt*]}\n"
    )
    notes = kit / "ring2" / "working.md"
    notes.write_text(notes.read_text().replace("## State", "- go through log 1.txt\n\n## State"))
    found = advise(reel, advice([], [go("rules.md"), go("decided.md"), go("log 1.txt"), go("letter.md")]))
    assert decided(found) == {
        "shelf/attempt.md": ("evict", "overridden", "must be kept, as mine: attempt*"),
        "shelf/rules.md": ("evict", "overridden", "it is pinned"),
        "shelf/decided.md": ("evict", "overridden", "must be kept, as decisions: it is tagged decision"),
        "shelf/log 1.txt": ("evict", "deferred", HOT_STAYS),
        "shelf/letter.md": (
            "evict",
            "deferred",
            f"Bo spoke of it in {SESSION}, so it stays until another chat",
        ),
    }


def test_what_was_promoted_stays_until_advice_in_another_chat(reel: Reel, kit: Path) -> None:
    fill(reel, kit)
    advise(reel, advice(["plan.md"], []))
    assert "shelf/letter.md" in (kit / "hot.yml").read_text()
    # the same chat: a wish to let it go waits; advice that does not name it leaves it there
    advise(reel, advice([], [go("letter.md")]))
    assert "shelf/letter.md" in (kit / "hot.yml").read_text()
    reel("shelf", "gc", "--yes").ok()
    assert (kit / "shelf" / "letter.md").exists()
    say(reel, kit, [("user", "Hello."), ("assistant", "Hello.")], 27)
    advise(reel, advice(["letter.md"], []))
    advise(reel, advice(["plan.md"], []))
    assert "shelf/letter.md" in (kit / "hot.yml").read_text()


def test_what_was_promoted_may_go_once_another_chat_says_nothing_of_it(reel: Reel, kit: Path) -> None:
    fill(reel, kit)
    advise(reel, advice(["plan.md"], []))
    say(reel, kit, [("user", "Hello."), ("assistant", "Hello.")], 27)
    found = advise(reel, advice(["plan.md"], []))
    assert decided(found)["shelf/letter.md"] == (
        None,
        "honored",
        f"kept at hand: Bo spoke of it in {SESSION}",
    )
    assert "shelf/letter.md" in (kit / "hot.yml").read_text()
    found = advise(reel, advice([], [go("letter.md")]))
    assert decided(found)["shelf/letter.md"] == ("evict", "honored", "nothing speaks against it")
    assert "shelf/letter.md" not in (kit / "hot.yml").read_text()


def test_bad_advice_changes_nothing(reel: Reel, kit: Path) -> None:
    fill(reel, kit)
    (kit / "shelf" / "link.md").symlink_to("/etc/passwd")
    os.mkfifo(kit / "shelf" / "pipe.md")
    before = git(kit, "rev-parse", "HEAD")
    reply = advice(
        ["plan.md", "link.md", "pipe.md", "a\nb", "attempt.md", "shelf/attempt.md"],
        [go("plan.md"), go("rules.md"), go("rules.md", "compress"), go("\u202eplan.md"), go(".git/config")],
    )
    found = json.loads(reel("shelf", "advise", "--reply", "-", "--yes", "--json", stdin=reply).ok().out)
    assert [one["what"] for one in found["problems"]] == [
        "“a b” is not the path of a file.",
        "link.md is a link or a device, and no plain file of the kit.",
        "pipe.md is a link or a device, and no plain file of the kit.",
        "shelf/attempt.md is named twice; the first counts.",
        "rules.md is named twice with different actions; both are ignored.",
        "plan.md is named twice; the first counts.",
        "The kit has no file called “.git/config”; a file is named as the prompt lists it.",
        "plan.md is named both to keep and to let go; both are ignored.",
    ]
    assert list(decided(found)) == ["shelf/attempt.md", "shelf/letter.md"]
    reel("undo").ok()
    before = git(kit, "rev-parse", "HEAD")
    for reply in (
        "No.",
        '{"hot": [], "cold": []}',
        advice([], [go("nope.md")]),
        '{"why": "w", "cold": [{"pa',
    ):
        refused = reel("shelf", "advise", "--reply", "-", "--yes", "--json", stdin=reply)
        assert refused.code == 1
        assert json.loads(refused.out)["problems"]
    assert reel("shelf", "advise", "--reply", "-", stdin=advice(["plan.md"], [])).code == 1
    (kit / "hot.yml").write_text("keep: all\n")
    broken = reel("shelf", "advise", "--reply", "-", "--yes", stdin=advice(["plan.md"], []))
    assert (broken.code, "hot.yml: keep should be a list." in broken.err) == (1, True)
    assert (kit / "hot.yml").read_text() == "keep: all\n"
    assert reel("shelf", "advise", "--prompt", "--reply", "-", stdin="x").code == 2
    assert git(kit, "rev-parse", "HEAD") == before


def test_advice_that_was_given_in_a_chat(reel: Reel, kit: Path) -> None:
    reel.env["REEL_NOW"] = "2026-02-10T21:00:00+00:00"
    fill(reel, kit)
    talk = [
        ("user", "Which of these do we need?"),
        (
            "assistant",
            "So:\n\nKeep at hand: plan.md — we are on it\nLet go: attempt.md — it failed (archive)",
        ),
        ("user", "And the log?"),
        ("assistant", "I would keep the log."),
    ]
    session = say(reel, kit, talk, 11)
    place = kit.parent / "chat-11.json"
    more = json.loads(place.read_text())
    more["messages"].append({"role": "user", "content": "Bye.", "created_at": "2026-02-11T19:00:00+00:00"})
    place.write_text(json.dumps(more))
    assert f"reel shelf advise --from {session}#2\n" in reel("record", place).ok().err
    found = json.loads(reel("shelf", "advise", "--from", session, "--yes", "--json").ok().out)
    assert decided(found) == {
        "shelf/plan.md": ("keep", "honored", "kept at hand"),
        "shelf/attempt.md": ("evict", "honored", "nothing speaks against it"),
    }
    message = git(kit, "log", "-1", "--format=%B")
    assert (f"Reel-Session: {session}" in message, "said in" in message) == (True, False)
    # a later talk names it
    say(reel, kit, [("user", "Where is attempt.md?"), ("assistant", "There.")], 13)
    again = reel("shelf", "advise", "--from", f"{session}#2", "--dry-run").ok()
    assert "Waits: shelf/attempt.md (advised: into the archive) — it was used since" in again.err
    assert f"“said in {session}#2”" in again.err
    assert "    why: we are on it\n    since: " in (kit / "hot.yml").read_text()
    reel("purge", session, "--confirm", "Ada").ok()
    assert "    why: _purged_\n    since: " in (kit / "hot.yml").read_text()
    assert "we are on it" not in git(kit, "log", "-p", "--all", "--", "hot.yml", "cold.yml")
    for where in (f"{session}#4", SESSION, "2026-01-01-1", "nowhere"):
        assert reel("shelf", "advise", "--from", where, "--yes").code == 1


def test_an_answer_that_cannot_be_used_is_asked_for_once_more(reel: Reel, kit: Path) -> None:
    fill(reel, kit)
    prompt = reel("shelf", "advise", "--prompt").ok().out
    bad = reel("shelf", "advise", "--reply", "-", "--yes", "--json", stdin='{"hot": ["plan.md"]}')
    again = reel("shelf", "advise", "--prompt").ok().out
    assert (bad.code, json.loads(bad.out)["repair"]) == (1, again)
    assert again.startswith(
        "Ada, what you said of your papers could not be used: The advice gives no reason: it needs a “why”"
    )
    assert "You are Ada" not in again
    assert find_prompt(again) is not None
    assert reel("shelf", "advise", "--reply", "-", "--yes", stdin=again).code == 1
    found = advise(reel, f"{again}\n{advice(['plan.md'], [])}")
    assert decided(found)["shelf/plan.md"] == ("keep", "honored", "kept at hand")
    assert reel("shelf", "advise", "--prompt").ok().out.splitlines()[:3] == prompt.splitlines()[:3]


def test_the_doctor_tells_what_leads_nowhere(reel: Reel, kit: Path) -> None:
    (kit / "hot.yml").write_text("keep:\n  - path: gone.md\n  - path: kit.yaml\n  - path: kit.yaml\n")
    (kit / "cold.yml").write_text("evict:\n  - path: kit.yaml\n    suggested_action: burn\n")
    (kit / "memory_actions.yml").write_text("<<<<<<< a\n=======\n>>>>>>> b\n")
    findings = json.loads(reel("doctor", "--json").out)["findings"]
    told = {(one["severity"], one["evidence"]) for one in findings if one["check"] == "advice"}
    assert told == {
        ("serious", "memory_actions.yml still has the marks of a merge ( <<<<<<< and >>>>>>> )"),
        ("hint", "hot.yml: the kit has no file called “gone.md”"),
        ("hint", "hot.yml: kit.yaml stands in keep more than once"),
        ("hint", "cold.yml: 'burn' is no action (kit.yaml)"),
        ("hint", "kit.yaml stands in hot.yml and in cold.yml; it stays at hand"),
    }


def test_a_prompt_given_back_in_a_chat_is_read_from_there(reel: Reel, kit: Path) -> None:
    fill(reel, kit)
    prompt = reel("shelf", "advise", "--prompt").ok().out
    talk = [
        ("user", "Hello there."),
        ("assistant", "Hello."),
        ("user", prompt),
        ("assistant", advice(["plan.md"], [])),
    ]
    session = say(reel, kit, talk, 12)
    assert "within reach" not in reel("tape", "show", session).ok().out
    found = json.loads(reel("shelf", "advise", "--from", session, "--yes", "--json").ok().out)
    assert decided(found)["shelf/plan.md"] == ("keep", "honored", "kept at hand")
