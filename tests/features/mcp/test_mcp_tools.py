"""Effects of the tools of `reel mcp` on a kit, without the protocol: what waits, is kept, is refused."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange import tool as tool_port
from reel_cli.core.exchange.tool import ToolAnswer, answer_schema_of
from reel_cli.features.mcp import resources as mcp_reading
from reel_cli.features.mcp import tools as mcp_tools
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.core.tape.search.test_confidence import DAYS
from tests.support.cli import Reel, git
from tests.support.installed_features import is_installed
from tests.support.pages import chat, page, say

SESSION = "2026-02-25-1"


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    """A kit with one recorded session."""
    reel.given("record", "-", stdin=chat())
    return kit


def context(kit: Path) -> Context:
    return Context(kit, Console(io.StringIO(), io.StringIO()))


def call(kit: Path, tool: str, **given: Any) -> str:
    return answer(kit, tool, **given).text


def answer(kit: Path, tool: str, **given: Any) -> ToolAnswer:
    """The answer to a call, which keeps to what the tool says of it."""
    found = mcp_tools.call(context(kit), tool, given)
    known = next(one for one in mcp_tools.list_tools() if one.name == tool)
    Draft202012Validator(answer_schema_of(known)).validate(found.structured)
    assert set(found.values) <= set(known.gives)
    return found


def refused(kit: Path, tool: str, **given: Any) -> str:
    head = git(kit, "rev-parse", "HEAD")
    with pytest.raises(ReelError) as error:
        call(kit, tool, **given)
    assert git(kit, "rev-parse", "HEAD") == head
    assert git(kit, "status", "--porcelain") == ""
    return error.value.message


def waiting(reel: Reel) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(reel("review", "--json").ok().out)
    return found


def trust(kit: Path, *tools: str) -> None:
    settings = kit / "kit.yaml"
    settings.write_text(f"{settings.read_text()}mcp: {{trust: [{', '.join(tools)}]}}\n")
    git(kit, "commit", "-qam", "trust")


def test_a_page_that_is_refused_is_kept_in_a_file(told: Path) -> None:
    talk = "Sure, I can write that page. What shall be in it?"
    with pytest.raises(ReelError) as error:
        call(told, "submit_checkpoint", page=talk)
    place = (error.value.hint or "").rpartition("what came lies in ")[2]
    assert Path(place).read_text(encoding="utf-8") == talk


def test_a_page_waits_for_a_word_and_is_then_kept_as_a_reply_is(reel: Reel, told: Path) -> None:
    assert call(told, "submit_checkpoint", page=page()) == "It waits for Bo's decision."
    assert call(told, "submit_checkpoint", page=page()) == "That waits for Bo's decision already."
    assert not (told / "ring3" / "M-001.md").exists()
    [one] = waiting(reel)
    assert (one["kind"], one["what"]) == (
        "handed-in",
        f"a page of session {SESSION}, handed in by a model",
    )
    assert "+He said I was colder than usual." in one["diff"]
    assert reel("doctor").code in (0, 1)
    assert "suggestion that cannot be read" not in reel("review").ok().out
    reel("review", "accept", one["item"], "--dry-run").ok()
    assert one["item"] not in reel("review", "accept", one["item"]).ok().out
    assert waiting(reel) == []
    files = git(told, "show", "--name-only", "--format=%s", "HEAD").split("\n")
    assert files[0].startswith("checkpoint: 2026-")
    assert {f"checkpoints/{SESSION}.1.yaml", "ring3/M-001.md", f"review/{one['item']}.md"} <= set(files)
    named = git(told, "log", "-1", "--format=%(trailers:key=Reel-Ring0,valueonly)").strip()
    assert named == git(told, "rev-parse", "HEAD:ring0/identity.md").strip()
    assert refused(told, "submit_checkpoint", page=page(), session=SESSION).startswith(
        "That page is in the kit"
    )


def test_what_is_missing_is_asked_for_and_the_parts_are_put_together(reel: Reel, told: Path) -> None:
    prompt = mcp_reading.prompt(context(told), "checkpoint", {})
    assert "hand it in with the tool submit_checkpoint" in prompt
    assert mcp_reading.prompt(context(told), "checkpoint", {}) in context(told).open_kit().state.handed_out()
    asked = call(told, "submit_checkpoint", page=page({"What matters": None, "My notes": None}))
    assert asked.startswith('Not kept yet. "What matters", "My notes" are missing; 13 of 15 parts are kept.')
    assert '"What matters"' in asked.replace("“", '"').replace("”", '"')
    assert waiting(reel) == []
    rest = "## What matters\nHe asked instead of guessing.\n\n## My notes\nnothing\n\nAda\n"
    assert call(told, "submit_checkpoint", page=rest) == "It waits for Bo's decision."
    reel("review", "accept", waiting(reel)[0]["item"]).ok()
    assert "He asked instead of guessing." in (told / "ring3" / "M-001.md").read_text()
    assert context(told).open_kit().state.exchanges() == {}


@pytest.mark.needs("intake")
def test_a_trusted_tool_keeps_at_once_and_says_what_is_worth_a_look(reel: Reel, told: Path) -> None:
    trust(told, "checkpoint")
    odd = page({"Lines to find it by": '"open a letter that isn\'t hers"\n"the moon was green as cheese"'})
    answer = call(told, "submit_checkpoint", page=odd)
    assert answer.startswith("Kept. Worth a look:\n- ")
    assert '"the moon was green as cheese" was not said' in answer
    assert waiting(reel) == []
    assert (told / "ring3" / "M-001.md").exists()
    # trust is by name
    assert "waits" in call(told, "remember", words="Chapter four: she should open a letter")


def test_a_page_for_a_chat_that_goes_on_waits_until_that_is_recorded(reel: Reel, kit: Path) -> None:
    trust(kit, "checkpoint")
    answer = call(kit, "submit_checkpoint", page=page())
    assert answer == "It waits for Bo's decision. It is kept for this chat once that is recorded."
    [one] = waiting(reel)
    run = reel("review", "accept", one["item"])
    assert (run.code, run.err.splitlines()[-2:]) == (
        1,
        ["Error: The chat this is about is not recorded yet.", "Hint: record it first:  reel record FILE"],
    )
    other = [{"role": role, "content": "Quite another talk."} for role in ("user", "assistant")]
    reel.given(
        "record", "-", stdin=json.dumps({"messages": other, "created_at": "2026-02-20T10:00:00+00:00"})
    )
    assert "None of the page's lines was said" in reel("review", "accept", one["item"]).err
    reel.given("record", "-", stdin=chat())
    reel("review", "accept", one["item"]).ok()
    assert (kit / "checkpoints" / f"{SESSION}.1.yaml").exists()


def test_a_model_curates_by_proposals_that_wait_for_a_word(reel: Reel, told: Path) -> None:
    """REEL §9.3: the model says what to keep, to show again and to let go; nothing happens by itself."""
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    trust(told, "remember", "checkpoint")
    asked = "It waits for Bo's decision. Nothing changes before that."
    memory = (told / "ring3/M-001.md").read_bytes()
    assert call(told, "pin", memory="The letter that wasn't hers", why="it began there") == asked
    assert call(told, "prune", memory="M-001", why="it is told elsewhere") == asked
    assert call(told, "promote", words="careful looks cold from outside", why="that is how I sound") == asked
    assert (told / "ring3/M-001.md").read_bytes() == memory
    shown = {one["what"]: one["item"] for one in waiting(reel)}
    pin, example, prune = (
        shown[what]
        for what in (
            "a pin for The letter that wasn't hers (M-001), handed in by a model",
            "an example of how Ada sounds: “You are colder than usual today. Did…”",
            "letting go of The letter that wasn't hers (M-001), handed in by a model",
        )
    )
    assert "through a tool: that is how I sound" in reel("review").ok().out
    reel("review", "accept", example).ok()
    assert "careful looks cold" in "".join(path.read_text() for path in (told / "ring1").glob("*.md"))
    assert "you-are-colder" in (told / "ring1/active.yaml").read_text()
    reel("review", "accept", prune).ok()
    assert not (told / "ring3/M-001.md").exists()
    assert "M-001" in (told / "ring4/index.md").read_text()
    reel("restore", "M-001").ok()
    assert "is pinned already" in reel("review", "accept", pin).err
    reel("review", "reject", pin, "--yes").ok()
    assert "must stay: it is pinned" in refused(told, "prune", memory="M-001", why="it is old")
    assert "There is no memory" in refused(told, "pin", memory="M-099", why="x")
    assert "were not said" in refused(told, "promote", words="the moon was green as cheese", why="x")


def test_recall_takes_an_origin_and_a_tag(reel: Reel, told: Path) -> None:
    """REEL §9.3, REEL §5.4: what came by way of a sister protocol is asked for by a model too."""
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    assert "letter" in call(told, "recall", query="the letter", tag="relational")
    assert call(told, "recall", query="the letter", tag="factual").startswith("Nothing comes to mind")
    assert call(told, "recall", query="the letter", origin="chain").startswith("Nothing comes to mind")
    assert "should be one of stage, chain" in refused(told, "recall", query="x", origin="other")


def test_recall_hands_a_model_what_was_meant_without_its_header(reel: Reel, told: Path) -> None:
    """REEL §5.3: the form of a message is no part of what is remembered."""
    said = "[CHAIN priority=critical to=Keel] Hold the heron until dawn."
    reel("record", "-", stdin=chat(("user", said), ("assistant", "Held."))).ok()
    found = call(told, "recall", query="hold the heron until dawn")
    assert "Hold the heron until dawn." in found
    assert "CHAIN" not in found
    assert "[CHAIN priority" in reel("recall", "hold the heron until dawn").ok().out


def test_a_memory_of_a_recorded_session(reel: Reel, told: Path) -> None:
    assert "hand it in with the tool submit_consolidation" in mcp_reading.prompt(
        context(told), "consolidate", {"session": SESSION}
    )
    memory = page(dict.fromkeys(("Am I still myself", "How I was", "What has shifted", "Who I am on paper")))
    assert call(told, "submit_consolidation", page=memory, session=SESSION) == "It waits for Bo's decision."
    [one] = waiting(reel)
    assert one["what"] == f"a memory of session {SESSION}, handed in by a model"
    reel("review", "accept", one["item"]).ok()
    assert (told / "ring3" / "M-001.md").exists()
    assert refused(told, "submit_consolidation", page=memory) == "Every chat has its memory already."


@pytest.mark.needs("intake")
def test_what_is_remembered_is_found_on_the_tape_or_waits(reel: Reel, told: Path) -> None:
    words = "Forty pages by 30 April. Go and buy the ticket."
    assert call(told, "remember", words=words, why="a date", where="facts") == "It waits for Bo's decision."
    reel("review", "accept", waiting(reel)[0]["item"]).ok()
    entry = (told / "intake.yaml").read_text()
    assert f'source: "{SESSION}#6"' in entry
    assert "why: a date" in entry
    assert "Forty pages" not in git(told, "log", "-3", "--format=%B")
    later = call(told, "remember", words="I will never touch penicillin again, I swear")
    assert later.endswith("It is looked for on the tape then, so the chat has to be recorded.")
    assert "were not said" in reel("review", "accept", waiting(reel)[0]["item"]).err
    reel("review", "reject", waiting(reel)[0]["item"], "--yes").ok()
    trust(told, "remember")
    assert call(told, "remember", words="careful looks cold from outside") == "Kept."
    assert refused(told, "remember", words="careful looks cold from outside") == "That is noted already."


def test_advice_waits_and_what_cannot_be_followed_is_refused(reel: Reel, told: Path) -> None:
    (told.parent / "plan.md").write_text("# A plan\n\nwords\n")
    reel("shelf", "add", told.parent / "plan.md").ok()
    assert "is outside the kit" in refused(told, "advise", why="w", hot=[{"path": "../../etc/passwd"}])
    assert "waits" in call(told, "advise", why="we work on it", hot=[{"path": "shelf/plan.md", "why": "now"}])
    reel("review", "accept", waiting(reel)[0]["item"]).ok()
    assert "shelf/plan.md" in (told / "hot.yml").read_text()


def test_no_model_gets_what_is_unsure(reel: Reel, kit: Path) -> None:
    for day, talk in enumerate(DAYS, start=10):
        say(reel, kit, [(("user", "assistant")[at % 2], line) for at, line in enumerate(talk)], day)
    told = answer(kit, "recall", query="Where is the kettle of the ambassador?")
    assert told.text == "Nothing comes to mind that is certain enough."
    assert (told.structured["hits"], told.structured["unsure"]) == ([], False)
    assert told.structured["discarded"] >= 1
    assert "The kettle broke this morning" in call(kit, "recall", query="Where is the kettle?")


def test_a_summary_is_asked_for_and_handed_in_by_one_tool(reel: Reel, told: Path) -> None:
    (told.parent / "plan.md").write_text("# A plan\n\n" + "The house has a red roof, and a door. " * 20)
    reel("shelf", "add", told.parent / "plan.md").ok()
    written = "## Title\nThe house\n\n## Gist\nA house.\n\n## Summary\n- The house has a red roof.\n\nAda\n"
    assert refused(told, "summarize", files=["plan.md"], page=written) == "Nobody asked for that summary yet."
    for path in ("../ring0/identity.md", "/etc/passwd", "shelf/../kit.yaml"):
        assert "on the shelf" in refused(told, "summarize", files=[path]), path
    assert "a red roof" in call(told, "summarize", files=["plan.md"])
    assert call(told, "summarize", files=["plan.md"], page=written) == "It waits for Bo's decision."
    [one] = waiting(reel)
    file = told / "review" / f"{one['item']}.md"
    whole = file.read_text()
    file.write_text(whole.replace("shelf/plan.md", "shelf/../kit.yaml"))
    assert "does not say what it is the answer to" in reel("review", "accept", one["item"]).err
    file.write_text(whole)
    reel("review", "accept", one["item"]).ok()
    assert "red roof" in (told / "summaries" / "plan.md").read_text()
    assert git(told, "log", "-1", "--format=%s").startswith("summarize: ")


def test_a_summary_that_needs_no_model_is_told_and_not_asked_for(reel: Reel, told: Path) -> None:
    (told.parent / "rooms.csv").write_text("room,size\nkiln,12\nhall,40\n")
    reel("shelf", "add", told.parent / "rooms.csv").ok()
    shown = call(told, "summarize", files=["rooms.csv"], style="schema")
    assert "size" in shown
    assert "reel makes this summary itself, at the latest when the file is put away; write nothing." in shown
    assert "Hand it in" not in shown


def shelf_bytes(kit: Path) -> dict[str, bytes]:
    return {p.relative_to(kit).as_posix(): p.read_bytes() for p in (kit / "shelf").rglob("*") if p.is_file()}


def on_shelf(reel: Reel, kit: Path, **files: str) -> None:
    for name, text in files.items():
        (kit.parent / f"{name}.txt").write_text(text)
    reel("shelf", "add", *(kit.parent / f"{name}.txt" for name in files)).ok()


def test_what_is_named_is_put_away_once_it_is_accepted_and_nothing_else(reel: Reel, told: Path) -> None:
    on_shelf(reel, told, log_1="old\n", log_2="new\n", plan="keep\n", data="a\n")
    reel("shelf", "pin", "plan.txt").ok()
    before = shelf_bytes(told)
    files = [
        {"path": "log_1.txt", "why": "superseded by log_2", "suggested_action": "archive"},
        {"path": "plan.txt", "why": "done"},
        {"path": "data.txt", "why": "long", "suggested_action": "summarize_then_evict"},
    ]
    climbs = [*files, {"path": "../../etc/passwd", "why": "w"}]
    assert "../../etc/passwd, which is outside the kit" in refused(told, "gc", why="w", files=climbs)
    answer = call(told, "gc", why="the second log stands", files=files)
    assert answer.splitlines() == [
        "It waits for Bo's decision.",
        "To be put away:",
        "- log_1.txt  (2 tokens, into the archive): superseded by log_2",
        "As it was:",
        "- plan.txt stays: it is pinned.",
        "- data.txt stays for now: it has no summary yet; summarize it first.",
    ]
    assert shelf_bytes(told) == before
    [one] = waiting(reel)
    assert one["what"] == "what to put away of the shelf, handed in by a model"
    # what the advice of another day lets go is not in what was read
    go = {"why": "w", "cold": [{"path": "shelf/log_2.txt", "why": "also"}]}
    reel("shelf", "advise", "--reply", "-", "--yes", stdin=json.dumps(go)).ok()
    accepted = reel("review", "accept", one["item"]).ok()
    assert "plan.txt stays: it is pinned." in accepted.err
    assert (told / "archive" / "log_1.txt").read_text() == "old\n"
    assert {path for path in before if not path.endswith(".meta.yml")} - shelf_bytes(told).keys() == {
        "shelf/log_1.txt"
    }
    assert "working_set: false" not in (told / "shelf" / "log_2.txt.meta.yml").read_text()
    trailers = git(told, "log", "-1", "--format=%s%n%b")
    assert trailers.startswith("gc: log_1.txt put away\nthe second log stands\n")
    assert "Reel-GC: triggered_by=explicit files=1 tokens_freed=2" in trailers
    # what cannot go yet is advised on, as if it had been with advise
    assert "shelf/data.txt" in (told / "cold.yml").read_text()
    assert waiting(reel) == []
    reel("restore", "shelf/log_1.txt").ok()
    assert shelf_bytes(told)["shelf/log_1.txt"] == b"old\n"


def test_where_nothing_is_named_what_is_due_goes_and_a_trusted_tool_does_it_at_once(
    reel: Reel, told: Path
) -> None:
    on_shelf(reel, told, log_1="old\n", log_2="new\n")
    assert refused(told, "gc", why="tidy") == "There is nothing to put away."
    assert refused(told, "gc", why="w", files=[{"path": "ring0/identity.md"}]).endswith(
        "ring0/identity.md is no file on the shelf."
    )
    go = {"why": "w", "cold": [{"path": "shelf/log_1.txt", "why": "stale"}]}
    reel("shelf", "advise", "--reply", "-", "--yes", stdin=json.dumps(go)).ok()
    assert "- log_1.txt  (2 tokens, set aside): stale" in call(told, "gc", why="tidy")
    [one] = waiting(reel)
    file = told / "review" / f"{one['item']}.md"
    whole = file.read_text()
    assert '"due": [\n  "shelf/log_1.txt"\n ]' in whole
    for body in ('{"why": "w", "cold": "x"}', "[" * 9_999, '{"why": "w", "due": [3]}', '"x"'):
        file.write_text(f"{whole.partition('{')[0]}{body}\n")
        assert "does not say what it is the answer to" in reel("review", "accept", one["item"]).err
    for due in ('["../../etc/passwd"]', "[]"):
        file.write_text(f'{whole.partition("{")[0]}{{"why": "w", "due": {due}}}\n')
        assert "There is nothing to put away." in reel("review", "accept", one["item"]).err
    file.unlink()
    trust(told, "gc")
    assert call(told, "gc", why="tidy").startswith("Kept.\nTo be put away:\n- log_1.txt")
    assert git(told, "log", "-1", "--format=%s").strip() == "gc: log_1.txt put away"
    assert json.loads(reel("shelf", "gc", "--json", "--dry-run").ok().out)["gc_report"]["actions"] == []


def test_a_recall_tells_and_keeps_to_its_size(told: Path) -> None:
    found = call(told, "recall", query="what did the residency want")
    assert "The residency wants forty pages by 30 April." in found
    assert "M-0" not in found
    assert (
        call(told, "recall", query="quantum chromodynamics")
        == "Nothing comes to mind that is certain enough."
    )
    assert len(call(told, "recall", query="residency", tokens=40)) < len(found)


AMISS: list[tuple[str, dict[str, Any], str]] = [
    ("recall", {"query": 5}, "query should be text."),
    ("recall", {"query": "a", "limit": True}, "limit should be a whole number."),
    ("recall", {"query": "a", "limit": 10**9}, "limit should be from 1 to 50."),
    ("recall", {}, "query is missing."),
    ("recall", {"query": None}, "query is missing."),
    ("recall", {"query": "a", "path": "/etc/passwd"}, "There is no argument 'path'."),
    ("recall", {"query": "a" * 2_001}, "query has 2,001 characters; at most 2,000 are taken."),
    ("remember", {"words": "a\x1b[2Jb"}, "words holds control codes; send plain text."),
    ("remember", {"words": "  \n"}, "words is empty."),
    (
        "remember",
        {"words": "a", "where": "../ring0"},
        "where should be one of facts, experience, domain, working, nowhere.",
    ),
    ("submit_checkpoint", {"page": "x" * 200_001}, "page has 200,001 characters; at most 200,000 are taken."),
    ("submit_checkpoint", {"page": "\ud800"}, "page holds control codes; send plain text."),
    ("submit_checkpoint", {"page": "hello"}, "That holds no page: none of its headings is there."),
    (
        "submit_checkpoint",
        {"page": page(), "session": "../../ring0/identity"},
        "There is no recorded chat ../../ring0/identity.",
    ),
    (
        "submit_consolidation",
        {"page": "x", "session": "../x"},
        "There is no recorded chat ../x.",
    ),
    (
        "advise",
        {"why": "w", "hot": {"path": "x"}},
        "hot should be a list of at most 500 objects with path and why.",
    ),
    ("advise", {"why": "w", "hot": [["x"]]}, "hot should be a list of objects, each with a path."),
    ("advise", {"why": "w", "cold": [{"path": "a", "why": 3}]}, "cold should be text."),
    ("advise", {"why": "w", "trigger_gc": "yes"}, "trigger_gc should be true or false."),
    ("gc", {"files": [{"path": "a"}]}, "why is missing."),
    ("gc", {"why": "w", "files": ["a"]}, "files should be a list of objects, each with a path."),
    ("reel_delete", {}, "There is no tool of that name."),
]


BROUGHT_BY = {"remember": "intake", "advise": "shelf", "gc": "shelf"}


def test_what_is_amiss_in_a_call_is_said_and_changes_nothing(kit: Path) -> None:
    for tool, given, why in AMISS:
        if tool in BROUGHT_BY and not is_installed(BROUGHT_BY[tool]):
            continue
        with pytest.raises(ReelError) as error:
            mcp_tools.call(context(kit), tool, given)
        assert error.value.message == why
    assert git(kit, "status", "--porcelain") == ""
    assert list((kit / "review").glob("*.md")) == []


@pytest.mark.needs("intake")
def test_no_more_waits_than_somebody_can_read(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_port, "MOST_WAITING", 1)
    call(told, "remember", words="one thing")
    assert (
        refused(told, "remember", words="another thing")
        == "1 things that were handed in wait for a decision already."
    )


@pytest.mark.needs("intake")
def test_a_kit_without_history_is_read_and_takes_nothing(told: Path) -> None:
    (told / ".git").rename(told.parent / "git")
    assert "forty pages" in call(told, "recall", query="residency")
    with pytest.raises(ReelError, match=r"has no history \(git\) yet"):
        call(told, "remember", words="one thing")


def test_a_proposal_that_was_tampered_with_is_refused_by_a_sentence(reel: Reel, told: Path) -> None:
    call(told, "submit_checkpoint", page=page())
    [file] = (told / "review").glob("*.md")
    whole = file.read_text()
    asked = next(line for line in whole.splitlines() if line.startswith("asked:"))
    for line in ("asked: nonsense", 'asked: "[]"', asked.replace(SESSION, "../../x")):
        file.write_text(whole.replace(asked, line))
        run = reel("review", "accept", file.stem)
        assert (run.code, "does not say what it is the answer to" in run.err) == (1, True)
    file.write_text(whole)
    from reel_cli.features.purge.aim import proposed_exchanges

    # what is about a session goes when the session is erased
    snapshot = context(told).open_kit().snapshot
    assert proposed_exchanges(snapshot, SESSION) == [f"review/{file.name}"]
    file.write_text(whole.replace("op: checkpoint", "op: rm"))
    assert "what was handed in needs op" in reel("review").ok().out


def test_what_is_read_has_no_numbers_of_memories(reel: Reel, told: Path) -> None:
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    reel("fact", "add", "constraints", "allergy", "penicillin").ok()
    index = mcp_reading.read(context(told), "reel://index")
    assert "open a letter that isn't hers" in index
    assert "M-0" not in index
    assert "penicillin" in mcp_reading.read(context(told), "reel://facts")
    bundle = mcp_reading.read(context(told), "reel://bundle")
    assert bundle == reel("pack").ok().out.removesuffix("\n") or bundle == reel("pack").ok().out
    assert bundle in context(told).open_kit().state.handed_out()
    with pytest.raises(ReelError, match="nothing to read"):
        mcp_reading.read(context(told), "reel://../kit.yaml")


def test_what_is_open_what_is_due_and_one_memory_can_be_read(reel: Reel, told: Path) -> None:
    def read(uri: str) -> str:
        return mcp_reading.read(context(told), uri)

    before = read("reel://loops")
    assert before.startswith("- What would Bo like more of in life?")
    due = [f"- {line}" for line in reel("status", "--due").out.splitlines()]
    assert read("reel://due").splitlines()[-len(due) :] == due
    assert due
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    assert read("reel://loops") == f"{before}\n- whether he buys the ticket"
    memory = read("reel://memory/M-001")
    assert memory == reel("memory", "show", "M-001").ok().out.rstrip("\n")
    assert read("reel://memory/1") == memory
    for gone in ("M-009", "../kit.yaml", "the residency", ""):
        with pytest.raises(ReelError):
            read(f"reel://memory/{gone}")


def test_an_evening_begins_with_the_bundle_of_reel_start(reel: Reel, told: Path) -> None:
    text = mcp_reading.prompt(context(told), "evening", {"cue": "the novel"})
    assert text.startswith("# Ada")
    assert "Today is" in text
    opened = context(told).open_kit()
    assert text in opened.state.handed_out()
    assert opened.state.last_start()
    with pytest.raises(ReelError, match="no argument 'session'"):
        mcp_reading.prompt(context(told), "evening", {"session": SESSION})
