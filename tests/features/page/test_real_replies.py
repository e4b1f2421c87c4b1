"""Replies of real models, processed completely: read, checked against the tape, kept or asked for."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.exchange.consolidation import parse_consolidation
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.schema import COMBINED, CONSOLIDATION_PARTS
from reel_cli.core.files.exemplar_file import parse_active, parse_exemplar
from reel_cli.core.files.index_file import parse_line
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.working_file import read_items, read_section
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.values.artifact import Verdict
from reel_cli.core.values.memory import Item
from reel_cli.features.page.notes.note_dates import resolve_note
from reel_cli.features.page.reply.checkpoint_reply import parse_checkpoint
from tests.support.cli import Reel, Run, git
from tests.support.replies import (
    OF_THE_TRANSCRIPT,
    REPLIES,
    Notes,
    Reply,
    every_reply,
    is_part,
    is_what,
    read_expected,
)
from tests.support.shelf import copy_kit

EVERY = [pytest.param(reply, id=f"{reply.chat}-{reply.temper}") for reply in every_reply()]
DRIFT = {Verdict.YES: "shifted", Verdict.NO: "steady", Verdict.UNSURE: "unsure"}
OPTIONAL = frozenset({"title", "marker", "kind", "asked_as"})
LABELS = {spec.label: spec.key for spec in COMBINED.asked}
ORIGINS = {"stage-origin", "chain-origin"}


@dataclass(frozen=True, slots=True)
class PromptedKit:
    """A kit in which a reply's chat is recorded and its prompt handed out."""

    root: Path
    head: str
    items: Sequence[Item]
    """Ring 2's, as the prompt numbered them."""
    titles: Mapping[str, str]
    """The pool's titles, by slug."""

    def text(self, path: str) -> str:
        return (self.root / path).read_text()


@pytest.fixture(scope="session")
def told_kits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each chat's kit is kept, once it has been made, to be copied."""
    return tmp_path_factory.mktemp("told")


def tell(reel: Reel, kits: Path, reply: Reply) -> PromptedKit:
    """A fresh kit of the chat's template, the chat recorded, its prompts handed out; `reel` runs in it."""
    shared = tell_once(reel, kits, reply).root
    reel.cwd /= "kit"
    copy_kit(shared, reel.cwd)
    return look(reel.cwd)


def tell_once(reel: Reel, kits: Path, reply: Reply) -> PromptedKit:
    """The kit that all replies to one chat share, for those that only look into it."""
    first = kits / reply.chat
    if not first.exists():
        kit = read_expected(reply.chat)["kit"]
        assert isinstance(kit, dict)
        who = {"GIT_AUTHOR_NAME": f"{kit['user']} Example", "GIT_AUTHOR_EMAIL": "person@example.org"}
        reel("init", first, "--template", str(kit["template"]), "--name", str(kit["name"]), env=who).ok()
        reel("record", REPLIES / reply.chat / "chat.json", cwd=first).ok()
        reel("checkpoint", "--prompt", cwd=first).ok()
        reel("consolidate", "--prompt", cwd=first).ok()
    return look(first)


def look(root: Path) -> PromptedKit:
    """The kit in a folder, as it is told."""
    pool = {path.stem: parse_exemplar(path.read_text(), path.name) for path in (root / "ring1").glob("*.md")}
    return PromptedKit(
        root,
        git(root, "rev-parse", "HEAD").strip(),
        read_items((root / "ring2/working.md").read_text()),
        {slug: exemplar.title for slug, exemplar in pool.items()},
    )


def hand_in(reel: Reel, reply: Reply, text: str) -> Run:
    """Give a reply to the program, without a review."""
    verb = "consolidate" if reply.temper == OF_THE_TRANSCRIPT else "checkpoint"
    return reel(verb, "--reply", "-", "--yes", "--json", stdin=text)


def read(reply: Reply, names: Sequence[str]) -> ReplyReading:
    """The reply as the reader reads it."""
    return read_reply(reply.text, reply.schema, prompt=reply.prompt, names=names)


# -- what is read -------------------------------------------------------------------------------


@pytest.mark.parametrize("reply", EVERY)
def test_each_part_is_read_as_a_careful_person_reads_it(reply: Reply) -> None:
    reading = read(reply, _names(reply))
    wrong = {
        key: reading.text(key)
        for key in reply.asked
        if key in reading.values and not _is_told(reply, reading, key)
    }
    assert wrong == {}
    unread = {key for key in reply.parts if key not in reading.values}
    assert unread <= reply.missing | reply.loose
    missing = {spec.key for spec in reading.missing} & set(reply.asked)
    assert reply.missing <= missing <= reply.missing | reply.loose


@pytest.mark.parametrize("reply", [param for param in EVERY if param.values[0].said])  # type: ignore[union-attr]
def test_the_verdicts_are_those_a_careful_person_reads(reel: Reel, told_kits: Path, reply: Reply) -> None:
    told = tell_once(reel, told_kits, reply)
    reading = read(reply, _names(reply))
    said = reply.said
    page, _ = parse_consolidation(reading)
    have: dict[str, str] = {}
    if "kind" in reading.values:
        assert set(said["tags"]) <= set(page.tags) <= {*said["tags"], *said.get("perhaps", ())}
        have["immune"] = "yes" if page.immune else "no"
        if page.immune:
            assert any(_is_reason(pattern, page.immune_reason) for pattern in reply.reasons), (
                page.immune_reason
            )
    have |= {
        key: str(len(value)) for key, value in (("unresolved", page.unresolved), ("anchors", page.anchors))
    }
    if reply.temper != OF_THE_TRANSCRIPT:
        checkpoint, _ = parse_checkpoint(reading, told.items, list(told.titles.values()))
        claims = [claim for claim in checkpoint.show if claim not in told.titles.values()]
        have |= {
            "coherence": checkpoint.coherence.value,
            "drift": DRIFT[checkpoint.drift],
            "paper": "yes" if checkpoint.paper else "no",
            "show": str(len(claims)),
            "fade": str(len(checkpoint.flags)),
        }
        if "show" in reading.values:
            assert set(checkpoint.rest) == set(said.get("rest", ()))
    parts = {"immune": "kind", "drift": "shifted"}
    differ = {
        key: (value, said.get(key))
        for key, value in have.items()
        if parts.get(key, key) in {*reading.values} - reply.run_on and value not in said.get(key, (value,))
    }
    assert differ == {}


@pytest.mark.parametrize("reply", [param for param in EVERY if param.values[0].notes])  # type: ignore[union-attr]
def test_the_notes_say_of_each_item_what_a_careful_person_reads(
    reel: Reel, told_kits: Path, reply: Reply
) -> None:
    told = tell_once(reel, told_kits, reply)
    reading = read(reply, _names(reply))
    if "notes" not in reading.values:
        pytest.skip("the notes stand under words of the model's own, and are asked for again")
    delta = parse_checkpoint(reading, told.items, list(told.titles.values()))[0].delta
    notes = reply.notes
    assert notes is not None
    verdicts = dict.fromkeys(range(1, len(told.items) + 1), "unclear")
    verdicts |= dict.fromkeys(delta.still, "still") | dict.fromkeys(delta.closed, "closed")
    verdicts |= {number: "changed" for number, _ in delta.changed}
    assert verdicts == {number: verdict for number, (verdict, _) in notes.items.items()}
    changed = dict(delta.changed)
    pairs = [
        (words, changed[number]) for number, (verdict, words) in notes.items.items() if verdict == "changed"
    ]
    pairs += [*zip(notes.new, delta.new, strict=True), (notes.state, delta.state)]
    assert [(pattern, words) for pattern, words in pairs if not is_what(pattern, words)] == []


# -- what comes of it ---------------------------------------------------------------------------


@pytest.mark.parametrize("reply", EVERY)
def test_it_is_kept_in_one_commit_or_the_rest_is_asked_for(reel: Reel, told_kits: Path, reply: Reply) -> None:
    told = tell(reel, told_kits, reply)
    run = hand_in(reel, reply, reply.text)
    answer = json.loads(run.out)
    given: set[str] = set()
    if run.code:
        given = _refused(told, run, answer, reply)
        if not answer["repair"]:
            return
        rest = "\n\n".join(
            f"## {label}\n{_rest(reply, key)}" for label, key in LABELS.items() if key in given
        )
        answer = json.loads(hand_in(reel, reply, rest).ok().out)
    else:
        assert reply.missing == set()
    _kept(told, answer, reply)
    _accept_what_waits(reel, told)
    _remembered(told, answer, reply, given)
    if reply.temper != OF_THE_TRANSCRIPT:
        _assessed(told, answer, reply, given)
    _unthought(told, reply)


def _refused(told: PromptedKit, run: Run, answer: Mapping[str, Any], reply: Reply) -> set[str]:
    """The reply was refused, nothing has changed, and what is missing is asked for; the parts asked for."""
    assert run.code == 1
    assert (git(told.root, "rev-parse", "HEAD").strip(), git(told.root, "status", "--porcelain")) == (
        told.head,
        "",
    )
    named = {problem["field"] for problem in answer["problems"]}
    lacking = {problem["field"] for problem in answer["problems"] if "is missing" in problem["what"]}
    headings = re.findall(r"(?m)^## (.+)$", answer["repair"])
    # none of these replies has either, so they are asked for again with the rest
    others = {"What I know for sure", "What to keep of this"}
    asked = {LABELS[label] for label in headings if label not in others}
    absent = OPTIONAL - set(reply.parts)
    assert reply.missing <= named
    if answer["repair"]:
        assert reply.missing <= asked <= reply.missing | reply.loose | absent
        assert lacking <= asked
        assert asked - OPTIONAL <= named
    else:
        # nothing at all came through, so there is no rest to ask for
        assert named == reply.missing
        assert not reply.parts
    return asked


def _kept(told: PromptedKit, answer: Mapping[str, Any], reply: Reply) -> None:
    """One commit, nothing beside it, every phrase as it was said, and no ID in working memory."""
    head = git(told.root, "rev-parse", "HEAD").strip()
    assert (answer["commit"], git(told.root, "rev-parse", "HEAD~1").strip()) == (head, told.head)
    assert git(told.root, "status", "--porcelain") == ""
    said = [m["content"] for m in json.loads((REPLIES / reply.chat / "chat.json").read_text())["messages"]]
    lines = [parse_line(line) for line in answer["index"]]
    unsaid = [line for line in lines if line is None or not any(line.anchor in text for text in said)]
    assert unsaid == []
    index = told.text("ring4/index.md").splitlines()
    assert [line for line in answer["index"] if line not in index] == []
    assert re.findall(r"\bM-\d+", told.text("ring2/working.md")) == []


def _accept_what_waits(reel: Reel, told: PromptedKit) -> None:
    """Say yes to what a reply kept with --yes leaves to the person: what must stay, and many closings."""
    names = [path.stem for path in sorted((told.root / "review").glob("*.md"))]
    waits = [name for name in names if name.startswith("whole-") or name.endswith("-closing")]
    if waits:
        reel("--kit", str(told.root), "review", "accept", *waits).ok()


def _remembered(told: PromptedKit, answer: Mapping[str, Any], reply: Reply, given: set[str]) -> None:
    """The memory holds the reply's own words; tags and immunity are as it says."""
    assert answer["memories"] == ["M-001"]
    memory = parse_memory(told.text("ring3/M-001.md"), "ring3/M-001.md")
    own = {key: pattern for key, pattern in reply.parts.items() if key not in given}
    fields = split_sections(memory.body)
    held = {"happened": "What happened", "changed": "What changed", "matters": "What matters"}
    differ = {
        key: fields[name]
        for key, name in held.items()
        if key in own
        and not (is_what(own[key], fields[name]) or (own[key] == "nothing" and fields[name] == "Nothing."))
    }
    assert {key: words for key, words in differ.items() if words != "nothing"} == {}
    if "title" in own:
        assert is_what(own["title"], memory.title)
    if "kind" in own:
        assert (
            set(reply.said["tags"])
            <= set(memory.tags)
            <= {*reply.said["tags"], *reply.said.get("perhaps", ()), *ORIGINS}
        )
        if reply.said["immune"] == ("yes",):
            assert memory.immune
        if reply.said["immune"] == ("no",) and (
            reply.temper == OF_THE_TRANSCRIPT or reply.said.get("fade") == ("0",)
        ):
            assert not memory.immune
    assert bool(memory.immune_reason) is memory.immune


def _assessed(told: PromptedKit, answer: Mapping[str, Any], reply: Reply, given: set[str]) -> None:
    """The checkpoint's verdicts, working memory, the active set and the proposals are as the reply says."""
    checkpoint = parse_mapping(told.text(answer["checkpoint"]), answer["checkpoint"])
    said = reply.said
    if "coherence" not in given:
        assert checkpoint["coherence"] in said["coherence"]
    if "shifted" not in given:
        words = {"shifted": "yes", "steady": "no", "unsure": "unsure"}
        assert checkpoint["drift_detected"] in [words[word] for word in said["drift"]]
    stem = Path(answer["checkpoint"]).stem
    if "paper" not in given and len(said["paper"]) == 1:
        assert (told.root / f"review/{stem}-identity.md").exists() is (said["paper"] == ("yes",))
    if "show" not in given:
        active = parse_active(told.text("ring1/active.yaml"), "ring1/active.yaml")
        resting = {
            title for slug, title in told.titles.items() if slug not in (*active.active, active.anchor)
        }
        anchor = told.titles[active.anchor] if active.anchor else ""
        assert resting == set(said.get("rest", ())) - {anchor}
    assert reply.notes is not None
    if "notes" not in given:
        quiet = [one["what"] for one in answer["problems"] if one["field"] == "notes" and "quiet" in one]
        _carried_out(told, reply.notes, quiet, date.fromisoformat(stem[:10]))


def _carried_out(told: PromptedKit, notes: Notes, quiet: Sequence[str], day: date) -> None:
    """Working memory after the notes: closed is gone, changed reads anew, the rest stands.

    What no word of the chat closes stands as well; `quiet` says of which that is so. Relative days are those
    of the chat, which was on `day`.
    """
    text = told.text("ring2/working.md")
    now = [_without_day(item.text) for item in read_items(text)]
    for number, (verdict, words) in notes.items.items():
        before = _without_day(told.items[number - 1].text)
        stays = any(f"{before}” stays open" in _without_noted(one) for one in quiet)
        assert (before in now) is (verdict in ("still", "unclear") or stays)
        if verdict == "changed":
            assert any(_says(words, item, day) for item in now), words
    lost = [words for words in notes.new if not any(_says(words, item, day) for item in now)]
    assert lost == []
    assert _says(notes.state, read_section(text, "State"), day)


def _says(words: str, note: str, day: date) -> bool:
    """Whether a note says these words, with their relative days as they are or as the dates they mean."""
    return is_what(words, note) or is_what(resolve_note(words, day), note)


def _without_day(note: str) -> str:
    """A note without the day it was noted on, which those have that name a day."""
    return re.sub(r" \(noted \d{1,2} \w+ \d{4}\)$", "", note)


def _without_noted(problem: str) -> str:
    return re.sub(r" \(noted \d{1,2} \w+ \d{4}\)(?=”)", "", problem)


def _unthought(told: PromptedKit, reply: Reply) -> None:
    """Nothing of what the model thought before it answered is anywhere in the kit."""
    if not reply.thought:
        return
    known = squash(reply.text.removeprefix(reply.thought) + reply.prompt)
    thoughts = [
        folded
        for line in reply.thought.splitlines()
        if len(folded := squash(line)) > 20 and folded not in known
    ]
    assert thoughts
    files = git(told.root, "ls-files").split("\n")
    kept = squash("\n".join(told.text(path) for path in files if path and not path.startswith("tape/")))
    assert [thought for thought in thoughts if thought in kept] == []


def _names(reply: Reply) -> list[str]:
    kit = read_expected(reply.chat)["kit"]
    assert isinstance(kit, dict)
    return [str(kit["name"])]


def _is_told(reply: Reply, reading: ReplyReading, key: str) -> bool:
    nothing = reply.parts.get(key) == "nothing" and reading.empty(key)
    return nothing or is_part(reply, key, reading.text(key))


def _is_reason(pattern: str, reason: str) -> bool:
    return "its tags make it part" in reason if pattern == "none" else is_what(pattern, reason)


def _rest(reply: Reply, key: str) -> str:
    """Return the line of a repair on one part."""
    if key == "anchors":
        first = json.loads((REPLIES / reply.chat / "chat.json").read_text())["messages"][0]["content"]
        return f'"{" ".join(first.splitlines()[0].split()[:5])}"'
    if key == "notes":
        return "nothing"
    return f"Asked for again, {key}." if key in CONSOLIDATION_PARTS else "Nothing that I would add."
