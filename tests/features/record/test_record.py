"""`reel record` and `reel tape`: on the tape once, whole, and never overwritten."""

import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.known_sessions import KnownSessions
from reel_cli.core.values.talk import Conversation, Message
from reel_cli.features.record.read_chats import refuse_one_voice
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.pages import CHAT, chat, page

SESSION = "2026-02-25-1"
TAPE = f"tape/2026/{SESSION}.md"


def record(reel: Reel, text: str, *more: str) -> dict[str, Any]:
    """Return what `reel record --json` says of one conversation."""
    (answer,) = json.loads(reel("record", "-", "--json", *more, stdin=text).ok().out)["recorded"]
    assert isinstance(answer, dict)
    return answer


def test_a_new_conversation_is_recorded_in_one_commit(reel: Reel, kit: Path) -> None:
    answer = record(reel, chat())
    assert answer == {
        "session": SESSION, "source": "-", "format": "messages", "state": "new", "added": 6,
        "beside": 0, "messages": 6, "number": 1, "place": None, "title": "the letter",
        "started": "2026-02-25T19:00:00+00:00",
        "problems": [],
    }  # fmt: skip
    assert git(kit, "show", "--name-only", "--format=%s", "HEAD").split("\n\n")[1].split() == [TAPE]
    assert git(kit, "log", "-1", "--format=%(trailers:key=Reel-Session,valueonly)").strip() == SESSION
    text = (kit / TAPE).read_text()
    assert all(message["content"] in text for message in CHAT["messages"])  # type: ignore[index]


def test_the_index_of_the_tape_is_loaded_once(reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(reel, chat())
    loaded, load = list[KnownSessions](), KnownSessions._load

    def noted(known: KnownSessions) -> None:
        loaded.append(known)
        load(known)

    monkeypatch.setattr(KnownSessions, "_load", noted)
    assert record(reel, chat(("user", "I bought it.")))["state"] == "grown"
    assert len(loaded) == 1


def test_the_same_again_adds_nothing_and_commits_nothing(reel: Reel, kit: Path) -> None:
    record(reel, chat())
    head = git(kit, "rev-parse", "HEAD")
    answer = record(reel, chat())
    assert (answer["state"], answer["added"], answer["messages"]) == ("known", 0, 6)
    assert git(kit, "rev-parse", "HEAD") == head


def test_one_that_has_grown_gets_only_its_tail(reel: Reel, kit: Path) -> None:
    record(reel, chat())
    before = (kit / TAPE).read_bytes()
    answer = record(reel, chat(("user", "I bought it."), ("assistant", "Which track?")))
    assert (answer["state"], answer["added"], answer["messages"]) == ("grown", 2, 8)
    after = (kit / TAPE).read_bytes()
    assert after.startswith(before)
    assert after.count(b"Forty pages by 30 April. Go") == 1


def test_an_edited_past_is_superseded_and_never_overwritten(reel: Reel, kit: Path) -> None:
    """REEL §4.6: keep everything said, append only; correct by a new entry."""
    record(reel, chat())
    before = (kit / TAPE).read_bytes()
    edited = json.loads(chat())
    edited["messages"][3]["content"] = "Then let her burn it."
    answer = record(reel, json.dumps(edited))
    assert (answer["state"], answer["added"], answer["messages"]) == ("corrected", 1, 6)
    assert (kit / TAPE).read_bytes().startswith(before)
    shown = reel("tape", "show", SESSION).ok().out
    assert "Then let her burn it." in shown
    assert "standing up, with her coat on" not in shown


def test_session_names_what_this_continues(reel: Reel, kit: Path) -> None:
    record(reel, chat())
    more = "**You:** The ferry is late.\n\n**Ada:** Then you have time.\n"
    answer = record(reel, more, "--session", SESSION)
    assert (answer["session"], answer["state"], answer["messages"]) == (SESSION, "grown", 8)
    assert len(list((kit / "tape/2026").iterdir())) == 1


def test_a_session_that_is_not_there_is_an_error_with_the_names_that_are(reel: Reel, kit: Path) -> None:
    record(reel, chat())
    run = reel("record", "-", "--session", "2026-01-01-9", stdin="**You:** Hi\n\n**Ada:** Hm\n")
    assert run.code == 1
    assert SESSION in run.err
    assert git(kit, "status", "--porcelain") == ""


def test_what_reel_itself_put_into_the_chat_does_not_count_as_said(reel: Reel, kit: Path) -> None:
    bundle = reel("pack").ok().out
    prompt = reel("checkpoint", "--prompt").ok().out
    reply = page()
    messages = [
        {"role": "system", "content": bundle},
        *CHAT["messages"],
        {"role": "user", "content": prompt},
        {"role": "assistant", "content": reply},
    ]
    answer = record(reel, json.dumps({**CHAT, "messages": messages}))
    assert (answer["added"], answer["messages"]) == (6, 6)
    shown = reel("tape", "show", SESSION).ok().out
    assert "You lived it; speak from it" not in shown
    assert "In a few words" not in shown
    everything = reel("tape", "show", SESSION, "--all").ok().out
    assert "[what reel packed]" in everything
    assert everything.count("[reel's prompt, or the reply to it]") == 2
    assert kit.is_dir()


def test_a_bundle_pasted_before_the_first_words_is_split_from_them(reel: Reel, kit: Path) -> None:
    bundle = reel("pack").ok().out
    (kit / ".reel/state").rename(kit / ".reel/gone")
    messages = [
        {"role": "user", "content": f"{bundle}\n\nSo. The ferry was late."},
        {"role": "assistant", "content": "Then you had time for herring."},
    ]
    answer = record(reel, json.dumps({"messages": messages, "created_at": "2026-02-25T19:00:00Z"}))
    assert answer["messages"] == 2
    assert (
        reel("tape", "show", SESSION).ok().out
        == "Bo: So. The ferry was late.\n\nAda: Then you had time for herring.\n"
    )


@pytest.mark.parametrize(("title", "called"), [(None, "“So. The ferry was late.”"), ("Ada", "Ada")])
def test_a_chat_that_its_program_calls_by_the_bundle_is_called_by_what_was_said(
    reel: Reel, kit: Path, title: str | None, called: str
) -> None:
    bundle = reel("pack").ok().out
    messages = [
        {"role": "user", "content": f"{bundle}\n\nSo. The ferry was late."},
        {"role": "assistant", "content": "Then you had time for herring."},
    ]
    # as llm 0.36 calls a chat: its first hundred characters, on one line
    given = title or f"{' '.join(bundle.split())[:100]}…"
    talk = {"messages": messages, "title": given, "created_at": "2026-02-25T19:00:00Z"}
    reel("record", "-", stdin=json.dumps(talk)).ok()
    assert reel("tape", "list").ok().out.rstrip().endswith(f"  {called}")


def test_a_chat_of_nothing_but_reels_own_words_is_an_error(reel: Reel, kit: Path) -> None:
    bundle = reel("pack").ok().out
    run = reel("record", "-", stdin=json.dumps([{"role": "system", "content": bundle}]))
    assert run.code == 1
    assert not (kit / "tape/2026").exists()


def test_an_anchor_phrase_said_again_is_a_reference_in_the_ledger(reel: Reel, kit: Path) -> None:
    record(reel, chat())
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    later = {"created_at": "2026-03-01T10:00:00Z", "messages": [
        {"role": "user", "content": "You know: Penicillin never!"},
        {"role": "assistant", "content": "Never."},
    ]}  # fmt: skip
    record(reel, json.dumps(later))
    journal = [json.loads(line) for line in (kit / "journal/2026-03.jsonl").read_text().splitlines()]
    assert [(entry["do"], entry["session"]) for entry in journal] == [("reference", "2026-03-01-1")]
    assert "penicillin never" in reel("memory", "show", journal[0]["on"]).ok().out


def test_what_is_said_again_counts_beside_a_memory_that_cannot_be_read(reel: Reel, kit: Path) -> None:
    record(reel, chat())
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    (kit / "ring3/M-900.md").write_text("---\nid: M-900\nlevel: L9\n---\n\nTorn.\n")
    record(
        reel,
        json.dumps(
            [
                {"role": "user", "content": "You know: Penicillin never!"},
                {"role": "assistant", "content": "Never."},
            ]
        ),
    )
    journal = "".join(path.read_text() for path in (kit / "journal").iterdir())
    assert '"reference"' in journal


def test_ring_0_is_a_draft_until_the_first_session_and_goes_in_with_it(reel: Reel, kit: Path) -> None:
    (kit / "ring0/identity.md").write_text("You are Ada, and you fence.\n")
    record(reel, chat())
    assert git(kit, "show", "HEAD:ring0/identity.md") == "You are Ada, and you fence.\n"
    (kit / "ring0/identity.md").write_text("You are Ada, and you do not fence.\n")
    packed = reel("pack").ok()
    assert "you fence" in packed.out
    assert "reel review" in packed.err


def test_an_edit_before_the_first_session_is_a_step_of_its_own_and_told(reel: Reel, kit: Path) -> None:
    (kit / "ring0/identity.md").write_text("You are Ada, and you fence.\n")
    told = reel("record", "-", stdin=chat()).ok()
    line = "Your own edit of ring0/identity.md is kept too, as a step of its own."
    assert f"{line} To change it:  reel edit identity" in " ".join(told.err.split("\n"))
    assert git(kit, "log", "-2", "--format=%s").splitlines()[1] == "edit: by hand"
    assert git(kit, "show", "HEAD~1", "--format=", "--name-only").split() == ["ring0/identity.md"]
    assert "ring0" not in git(kit, "show", "HEAD", "--format=", "--name-only")


def test_an_edit_of_the_notes_is_told_where_a_page_changes_them(reel: Reel, kit: Path) -> None:
    assert "Your own" not in reel("record", "-", stdin=chat()).ok().err
    working = kit / "ring2/working.md"
    working.write_text(working.read_text() + "- The piano waits.\n")
    told = reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    assert "Your own edit of ring2/working.md is kept too" in " ".join(told.err.split("\n"))
    assert "reel edit now" in told.err


def test_retracting_takes_a_session_out_of_what_counts_and_leaves_it_on_the_tape(
    reel: Reel, kit: Path
) -> None:
    record(reel, chat())
    before = (kit / TAPE).read_bytes()
    asked = reel("tape", "retract", SESSION, stdin="n\n", tty=True).ok()
    assert ("Take it back? [Y/n]" in "".join(part for _, part in asked.screen)) is True
    assert json.loads(reel("status", "--json").ok().out)["messages"] > 0
    # a script is not asked: it stays on the tape, and one word lets it stand again
    reel("tape", "retract", SESSION, "--why", "the wrong chat").ok()
    assert (kit / TAPE).read_bytes() == before
    assert json.loads(reel("status", "--json").ok().out)["messages"] == 0
    reel("tape", "retract", SESSION, "--undo").ok()
    assert json.loads(reel("status", "--json").ok().out)["messages"] == 6


def test_a_dry_run_tells_and_changes_nothing(reel: Reel, kit: Path) -> None:
    run = reel("record", "-", "--dry-run", stdin=chat()).ok()
    assert "Recorded the letter" not in run.out or "Nothing was changed" in run.err
    assert not (kit / "tape/2026").exists()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 64, "is an image, not a chat"),
        (b"\0\1\2\3" * 100, "not"),
        (b'{"messages": []}', "no message"),
        (b'[{"role": "user", "content": "half', "stops in the middle"),
    ],
)
def test_what_is_no_chat_is_refused_and_says_what_was_seen(
    reel: Reel, kit: Path, data: bytes, says: str
) -> None:
    file = kit.parent / "holiday.png"
    file.write_bytes(data)
    run = reel("record", file)
    assert run.code == 1
    assert says in run.err
    assert run.err.count("Error: ") == 1
    assert git(kit, "status", "--porcelain") == ""


def test_a_lm_studio_conversation_keeps_names_model_and_what_was_hidden(
    reel: Reel, kit: Path, shared_data: Path
) -> None:
    file = shared_data / "samples/lmstudio/1700000000000.conversation.json"
    answer = json.loads(reel("record", file, "--json").ok().out)["recorded"][0]
    assert (answer["format"], answer["messages"]) == ("lmstudio", 2)
    text = next((kit / "tape").rglob("*-1.md")).read_text()
    assert "lmstudio-model-1" in text
    assert "Hello LM Studio!" in text


def test_every_session_of_a_real_year_reads_back_word_for_word(
    reel: Reel, kit: Path, shared_data: Path
) -> None:
    source = json.loads((shared_data / "realmem/Kenta_Tanaka_dialogues_256k.json").read_text())
    talks = [t for t in source["dialogues"] if t["dialogue_turns"]][:6]
    for talk in talks:
        turns = [{"role": t["speaker"].lower(), "content": t["content"]} for t in talk["dialogue_turns"]]
        day = talk["current_time"][:10]
        answer = record(reel, json.dumps({"messages": turns, "created_at": f"{day}T18:00:00+00:00"}))
        assert (answer["state"], answer["messages"]) == ("new", len(turns))
        text = (kit / f"tape/{day[:4]}/{answer['session']}.md").read_bytes()
        assert all(turn["content"].encode() in text for turn in turns)


def test_a_persona_whose_name_is_a_sign_is_heard_in_a_paste(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text().replace("name: Ada", 'name: "🦊"'))
    record(reel, "You: hello there\n🦊: hi yourself\n" * 2)
    assert reel("tape", "show", "2026-03-01-1").ok().out.count("🦊: hi yourself") == 2


@pytest.mark.parametrize("name", ["*Star*", 'Old "Mother" O\'Hare', "**Nova**", "_Ash_"])
def test_a_persona_whose_name_has_marks_is_heard_in_a_paste(reel: Reel, kit: Path, name: str) -> None:
    quoted = json.dumps(name)
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text().replace("name: Ada", f"name: {quoted}"))
    record(reel, f"You: hello there\n\n{name}: hi yourself\n\n" * 2)
    assert reel("tape", "show", "2026-03-01-1").ok().out.count(f"{name}: hi yourself") == 2
    record(reel, f"**You:** good evening\n\n**{name}:** and to you\n\n" * 2)
    assert reel("tape", "show", "2026-03-01-2").ok().out.count(f"{name}: and to you") == 2


def test_a_paste_in_which_the_persona_was_not_heard_is_refused() -> None:
    turns = [Message("user", "hello there\nThe Fox: hi yourself"), Message("user", "well")]
    with pytest.raises(ReelError, match="The Fox speaks in it as well"):
        refuse_one_voice(Conversation("text", turns), "The Fox")
    refuse_one_voice(Conversation("text", turns), "Ada")
    refuse_one_voice(Conversation("chatgpt", turns), "The Fox")


@pytest.mark.parametrize("command", ["record", "end"])
def test_a_page_given_as_a_chat_is_told_as_a_page_and_nothing_is_recorded(
    reel: Reel, kit: Path, command: str
) -> None:
    written = kit.parent / "one.md"
    written.write_text(page())
    bold = "**In a few words:** The letter.\n\n**What happened:** Bo read it.\n"
    quoting = page({"What happened": "It went like this:\n\nBo: hello\n\nAda: hi\n\nBo: well"})
    for source, text in ((str(written), ""), ("-", page()), ("-", bold), ("-", quoting)):
        run = reel(command, source, stdin=text)
        refused = run.err
        assert run.code == 1
        assert "Error: That looks like a page, not a chat. No chat waits for a page." in refused
        assert "Hint: record the chat first that it tells of:  reel record FILE" in refused
    assert not (kit / "tape").exists() or not list((kit / "tape").rglob("*.md"))
    # a chat whose title, or one of whose parts, reads like a heading of a page is a chat
    talk = "# What happened\n\n**You:** hello\n\n**Ada:** hi\n\n## What changed\n\nNothing.\n"
    assert record(reel, talk)["messages"] == 2
    refused = reel(command, str(written)).err
    assert "Error: That looks like a page, not a chat.\n" in refused
    assert f"reel checkpoint --reply {written}" in refused


@pytest.mark.parametrize("command", ["record", "end"])
def test_a_page_in_a_folder_is_named_and_keeps_no_chat_from_being_recorded(
    reel: Reel, kit: Path, command: str
) -> None:
    folder = kit.parent / "evenings"
    folder.mkdir()
    (folder / "page.md").write_text(page())
    refused = reel(command, str(folder))
    assert (refused.code, refused.out) == (1, "")
    assert "Error: page.md looks like a page, not a chat." in refused.err
    (folder / "chat.txt").write_text("Bo: Is the ice thick?\n\nAda: Thick enough for a hare.\n")
    told = reel(command, str(folder)).ok().err
    assert "Passed over: page.md looks like a page, not a chat." in told
    assert len(list((kit / "tape").rglob("2*.md"))) == 1
    # alone again while that chat waits for its page
    (folder / "chat.txt").unlink()
    assert f"reel checkpoint --reply {folder}/page.md" in reel(command, str(folder)).err


def test_a_kits_own_tape_is_no_chat(reel: Reel, kit: Path) -> None:
    place = next((CHECKOUT / "kits/ada/tape/2025").glob("*.md"))
    copied = kit.parent / place.name
    copied.write_bytes(place.read_bytes())
    for file, what in (
        (place, "is part of a kit, not a chat."),
        (copied, "is of a kit's own tape, and no chat of an app."),
    ):
        done = reel("record", file)
        assert (done.code, done.err.splitlines()[0]) == (1, f"Error: {place.name} {what}")
    assert not (kit / "tape").exists()


def keyed(name: str, *texts: str) -> str:
    """A chat as ChatGPT exports it, of that name."""
    mapping: dict[str, object] = {}
    for at, text in enumerate(texts):
        mapping[str(at)] = {
            "id": str(at),
            "parent": str(at - 1) if at else None,
            "children": [str(at + 1)] if at + 1 < len(texts) else [],
            "message": {
                "id": str(at),
                "author": {"role": "assistant" if at % 2 else "user"},
                "create_time": 1772000000 + at,
                "content": {"content_type": "text", "parts": [text]},
            },
        }
    whole = {"title": "t", "create_time": 1772000000, "conversation_id": name, "id": name}
    return json.dumps([{**whole, "current_node": str(len(texts) - 1), "mapping": mapping}])


def test_a_pasted_session_that_one_chat_goes_on_in_is_no_other_s(reel: Reel, kit: Path) -> None:
    shared = [f"The harbour lamp went out at {hour}, and who lit it again?" for hour in range(1, 7)]
    first, second = [*shared, "Nobody did."], [*shared, "The child did."]
    pasted = "".join(f"{'Ada' if at % 2 else 'You'}: {text}\n\n" for at, text in enumerate(shared))
    session = record(reel, pasted)
    assert session["state"] == "new"
    seen = []
    for name, texts in (("x", first), ("y", second), ("x", [*first, "Ever."]), ("y", [*second, "Twice."])):
        found = record(reel, keyed(name, *texts))
        seen.append((found["session"] == session["session"], found["state"]))
    assert seen == [(True, "grown"), (False, "new"), (True, "grown"), (False, "grown")]
    shown = reel("tape", "show", session["session"]).ok().out
    assert "Nobody did." in shown
    assert "The child did." not in shown
    assert '"event": "key"' in (kit / "tape/events.md").read_text()


@pytest.mark.parametrize("command", ["consolidate", "checkpoint", "keep", "fact extract"])
def test_what_a_prompt_quotes_was_said_and_stays_so(reel: Reel, kit: Path, command: str) -> None:
    """A prompt that holds the chat makes none of it reel's own words when the chat comes again."""
    long = "The relief boat comes every fourteen days, weather permitting; that winter it was late. " * 3
    turns = [("user" if n % 2 == 0 else "assistant", f"{n}: {long}") for n in range(8)]
    assert record(reel, chat(*turns))["added"] == 14
    reel(*command.split(), "--prompt").ok()
    again = record(reel, chat(*turns))
    assert (again["state"], again["added"], again["messages"]) == ("known", 0, 14)
    more = [*turns, ("user", "And then?"), ("assistant", "Then it came.")]
    grown = record(reel, chat(*more))
    assert (grown["state"], grown["added"], grown["messages"]) == ("grown", 2, 16)
    assert git(kit, "status", "--porcelain") == ""


def test_a_text_of_one_speaker_is_asked_about(reel: Reel, kit: Path) -> None:
    alone = kit.parent / "alone.txt"
    alone.write_text("Bo: hi Ada.\n\nBo: are you there?\n")
    asked = reel("record", alone, tty=True, stdin="n\n")
    assert "Nobody answers in it: all of it is of one speaker.\nRecord it all the same? [y/N]" in asked.err
    assert not (kit / "tape/2026").exists()
    reel("record", alone).ok()
    assert (kit / "tape/2026").exists()


def test_how_to_give_another_day_is_told_of_the_first_chat_alone(reel: Reel, kit: Path) -> None:
    first = reel("record", "-", stdin="**You:** Hi.\n\n**Ada:** Hello.\n").ok().err
    assert "For another day:  reel record - --on 2026-02-28\n" in first
    second = reel("record", "-", stdin="**You:** Rain again.\n\n**Ada:** Stay in.\n").ok().err
    assert "  It has no date, so it counts as today's.\n" in second
    assert "--on" not in second
    assert (kit / "tape/2026/2026-03-01-2.md").exists()


def test_an_empty_file_says_how_to_go_on(reel: Reel, kit: Path) -> None:
    (kit.parent / "empty.txt").write_text("\n")
    done = reel("record", kit.parent / "empty.txt")
    assert "save the chat in it first, or paste the chat:  reel record -" in done.err
    for command in ("record", "end"):
        done = reel(command, "-", stdin=" \n")
        assert "Hint: copy the chat and paste it once more, or name the file that has it\n" in done.err
    done = reel("checkpoint", "--reply", "-", stdin="\n")
    assert "Hint: copy it and paste it once more, or name the file that has it\n" in done.err
    done = reel("checkpoint", "--reply", kit.parent / "empty.txt")
    assert "empty.txt is empty." in done.err
    assert "Hint: " in done.err
