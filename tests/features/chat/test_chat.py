"""`reel chat`, whole: a real server of chats on this machine, a real kit, and what a person types."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.errors import StateError
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.talk import Kind
from reel_cli.features.chat import mind as chat_mind
from reel_cli.features.chat.recall_request import ABOVE, NO_MORE, NOTE, NOTHING
from reel_cli.features.recall.moments import CAME_BACK
from reel_cli.features.record.record_chats import record_one
from reel_cli.features.watch import growing_chat as growing
from reel_cli.features.wire import address
from reel_cli.features.wire import connect as connecting
from tests.support.chat_server import (
    ChatRequest,
    ChatServer,
    Fault,
    chunk,
    cut_off,
    refuse,
    serve_unwatched,
    whole,
)
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.pages import chat, page
from tests.support.sifted_chat import key_of, sifted

TODAY = "2026-03-01"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with serve_unwatched(monkeypatch) as running:
        running.say = answers("I swept it into the bucket.")
        yield running


PAGE = page(
    {
        "What happened": "We said good night.",
        "Lines to find it by": '"Good night"',
        "What has shifted": "nothing\nsteady",
        "In one breath": "We said good night.",
        "What matters": "That we did.",
    }
)


def answers(*texts: str) -> Callable[[dict[str, Any]], str]:
    """Give these answers in turn, the last one again and again; a page where one is asked for."""
    left = list(texts)

    def say(body: dict[str, Any]) -> str:
        asked = body["messages"][-1]["content"]
        if "Am I still myself" in asked:
            return PAGE
        if "Which stretch" in asked:
            return sifted(key_of(asked))
        return left.pop(0) if len(left) > 1 else left[0]

    return say


def tape(kit: Path, name: str = f"{TODAY}-1") -> list[tuple[str, str]]:
    """Return who said what in a session, as it is shown."""
    path = next(kit.glob(f"tape/*/{name}.md"))
    return [(e.message.role, e.message.text) for e in parse_session(path.read_bytes(), path.name).shown()]


def test_what_is_said_goes_to_the_model_and_on_the_tape(reel: Reel, kit: Path, server: ChatServer) -> None:
    server.say = answers("Into the bucket.", "<think>\nA bucket?\n</think>\n\nThe blue one.")
    done = reel("chat", "--via", server.address, stdin="What did you sweep?\n\n  Which bucket?  \n").ok()
    assert done.out == "Into the bucket.\n\nThe blue one.\n"
    first, second = server.sent(0), server.sent(1)
    assert [role for role, _ in first] == ["system", "user"]
    assert first[0][1].startswith("# Ada")
    assert NOTE not in first[0][1]  # there is no past yet
    assert second[1:] == [
        ("user", "What did you sweep?"),
        ("assistant", "Into the bucket."),
        ("user", "Which bucket?"),
    ]
    said = [*second[1:], ("assistant", "The blue one.")]
    assert tape(kit) == said
    kinds = [json.loads(line[5:-4])["kind"] for line in _heads(kit)]
    assert kinds == ["bundle", "said", "said", "reasoning", "said", "said", "reasoning"]
    assert "Ada is qwen3-8b at 127.0.0.1:" in done.err
    via = f"--via {server.address}\n"
    assert done.err.endswith(
        f"Recorded 4 messages in 1 chat.\nTo go on with it:  reel chat --session {TODAY}-1 {via}"
        f"Next:  reel end {via}"
    )
    reel("tape", "verify").ok()
    assert "Going on: " in reel("status").ok().out


def _heads(kit: Path) -> list[str]:
    text = next(kit.glob("tape/*/*.md")).read_text()
    return [line for line in text.splitlines() if line.startswith("<!-- {")]


def test_the_past_comes_to_mind_for_one_answer_and_is_let_go(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    reel("record", "-", stdin=chat()).ok()
    text = "Good evening.\nDo you remember what the residency wants from me?\nAnd now to bed.\n"
    done = reel("chat", "--via", server.address, stdin=text).ok()
    plain, asked, after = (server.sent(at)[-1][1] for at in range(3))
    assert plain == "Good evening."
    assert asked.startswith(f"{CAME_BACK}\n\n25 February 2026:\n")
    assert "The residency wants forty pages by 30 April" in asked
    assert asked.endswith("\n\nDo you remember what the residency wants from me?")
    assert after == "And now to bed."
    assert not any(CAME_BACK in words for _, words in server.sent(2))
    assert server.sent(2)[0][1].endswith(NOTE)
    assert "(comes to mind: 25 February 2026: “" in done.err
    assert [text for _, text in tape(kit)][::2] == text.splitlines()
    path = next(kit.glob(f"tape/*/{TODAY}-1.md"))
    assert CAME_BACK not in path.read_text()
    # REEL §4.6: what the program put before the model is on the tape by its place
    entries = [entry.message for entry in parse_session(path.read_bytes(), path.name).entries]
    [(at, told)] = [(at, one) for at, one in enumerate(entries) if one.kind is Kind.TOOL]
    assert entries[at - 1].text == "Do you remember what the residency wants from me?"
    assert (told.role, told.name) == ("tool", "recall")
    assert all(place.startswith("2026-02-25-1#") for place in json.loads(told.text)["places"])
    assert "2026-02-25-1#" in reel("tape", "show", f"{TODAY}-1", "--all").ok().out
    assert "2026-02-25-1#" not in reel("tape", "show", f"{TODAY}-1").ok().out
    assert '"do": "recall"' in "".join(path.read_text() for path in kit.glob("journal/*.jsonl"))


def test_a_moment_that_stands_above_is_not_called_forgotten(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    """REEL §6.4: a moment that came back is there for the answer, also where the model asks for it again."""
    reel("record", "-", stdin=chat()).ok()
    server.say = answers("Recall: the residency", "Recall: the residency", "Forty.")
    text = "Do you remember what the residency wants from me?\n"
    done = reel("chat", "--via", server.address, stdin=text).ok()
    assert CAME_BACK in server.sent(0)[-1][1]
    assert server.sent(2)[-1] == ("user", f"{ABOVE}\n\n{NO_MORE}")
    assert "that came back already" in done.err
    assert done.out == "Forty.\n"


def test_the_model_asks_for_a_moment_and_answers_then(reel: Reel, kit: Path, server: ChatServer) -> None:
    reel("record", "-", stdin=chat()).ok()
    server.say = answers(
        "**Recall:** what the residency wants",
        "It was a letter.\nRecall: the colour of her unicycle",
        "Forty pages, by 30 April.",
        "Recall: it again",
        "Recall: what the residency wants",
        "Recall: and for ever",
    )
    done = reel("chat", "--via", server.address, stdin="What was due\nAnd then\nNot sent\n")
    assert done.out == "It was a letter.\n\nForty pages, by 30 April.\n"
    found, nothing = server.sent(1)[-2:], server.sent(2)[-2:]
    assert found[0] == ("assistant", "**Recall:** what the residency wants")
    assert found[1][1].startswith(f"{CAME_BACK}\n\n25 February 2026")
    asked = "It was a letter.\nRecall: the colour of her unicycle"
    assert nothing == [("assistant", asked), ("user", f"{NOTHING}\n\n{NO_MORE}")]
    assert server.sent(3)[1:] == [
        ("user", "What was due"),
        ("assistant", "It was a letter.\n\nForty pages, by 30 April."),
        ("user", "And then"),
    ]
    assert tape(kit) == server.sent(3)[1:]
    assert "(Ada looked for “the colour of her unicycle”; nothing certain enough)" in done.err
    journal = "".join(path.read_text() for path in kit.glob("journal/*.jsonl"))
    asked_for = json.loads(next(one for one in journal.splitlines() if "what the residency wants" in one))
    # REEL §4.6: what was recalled, and for which chat, is on record
    assert (asked_for["query"], asked_for["session"]) == ("what the residency wants", f"{TODAY}-1")
    path = next(kit.glob(f"tape/*/{TODAY}-1.md"))
    entries = [entry.message for entry in parse_session(path.read_bytes(), path.name).entries]
    answered = [entry for entry in entries if entry.kind in (Kind.SAID, Kind.TOOL)][:6]
    looked_up = [("assistant", Kind.TOOL), ("tool", Kind.TOOL)] * 2
    kinds = [(entry.role, entry.kind) for entry in answered]
    assert kinds == [("user", Kind.SAID), *looked_up, ("assistant", Kind.SAID)]
    assert json.loads(answered[1].text)["arguments"] == {"query": "what the residency wants"}
    assert answered[2].text == found[1][1]
    assert CAME_BACK in reel("tape", "show", f"{TODAY}-1", "--all").ok().out
    assert CAME_BACK not in reel("tape", "show", f"{TODAY}-1").ok().out
    # who only ever asks has said nothing, and what follows is not sent to nobody
    assert "(Ada gave no answer. To ask again:  /again)" in done.err
    assert (done.code, len(server.chats)) == (1, 6)
    going_on = f"reel chat --session {TODAY}-1 --via {server.address}"
    assert done.err.endswith(f"Hint: what was said is on the tape; to go on:  {going_on}\n")


def test_a_full_window_is_summed_up_and_the_chat_ends_with_its_page(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    """REEL §9.2: assemble the window, ask at the end of a session, parse the answer, maintain on schedule."""
    words = "I swept the shards into bucket number %d and counted them twice, as one does. " * 20
    server.say = answers("Aye.", "Buckets. " * 200)
    first = "Begin with the salt."
    turns = f"{first}\n" + "".join(f"{words.replace('%d', str(n))}\n" for n in range(9))
    done = reel("chat", "--via", server.address, "--yes", stdin=turns).ok()
    assert "% full. Summing it up now." in done.err
    assert "Kept, in commit " in done.err
    assert "Going on from there." in done.err
    assert "Here is the new beginning" not in done.err
    names = sorted(path.stem for path in kit.glob("tape/*/*.md"))
    assert names == [f"{TODAY}-1", f"{TODAY}-2"]
    kept = next(
        at for at, one in enumerate(server.chats) if "Which stretch" in one["messages"][-1]["content"]
    )
    begun = server.sent(kept + 1)
    assert "I kept count of the buckets" in begun[0][1]
    assert [role for role, _ in begun] == ["system", "user"]
    assert len(tape(kit, names[0])) + len(tape(kit, names[1])) == 20
    page_of = [path.name for path in kit.glob("checkpoints/*.yaml")]
    assert page_of == [f"{TODAY}-2.1.yaml"]
    # the page is about this session, so nothing of the one before it stands word for word beside it
    asked = server.sent()
    assert "Am I still myself" in asked[-1][1]
    assert first not in asked[0][1]
    reel("tape", "verify").ok()


def test_what_was_said_is_on_the_tape_when_no_answer_comes(reel: Reel, kit: Path, server: ChatServer) -> None:
    server.script = [whole, *[refuse(500)] * 3]
    done = reel("chat", "--via", server.address, stdin="Good evening.\nIs anybody there?\nHello?\n")
    assert done.code == 1
    assert f"There is no answer from {server.address[7:]}: it answered with error 500." in done.err
    assert tape(kit)[2:] == [("user", "Is anybody there?")]
    on = f"reel chat --session {TODAY}-1 --via {server.address}\n"
    assert done.err.endswith(f"Hint: what was said is on the tape; to go on:  {on}")
    server.script = [cut_off(0.5), cut_off(0.9), cut_off(0.2), cut_off(0.5, "length")]
    server.say = answers("One two three four five six seven eight nine ten.")
    again = ("chat", "--via", server.address, "--session", f"{TODAY}-1")
    done = reel(*again, stdin="Count.\nAgain.\n").ok()
    assert server.sent(4)[-1] == ("user", "Is anybody there?\n\nCount.")
    assert tape(kit)[3:] == [
        ("user", "Count."),
        ("assistant", "One two three four five six seven eight nine"),
        ("user", "Again."),
        ("assistant", "One two three four five"),
    ]
    assert "One two three four five six seven eight nine\n" in done.out
    assert "  (The server stopped in the middle of this answer. For another one:  /again)\n" in done.err
    assert done.err.count("(The answer is cut off: it reached the server's limit.)") == 1
    assert f"{TODAY}-1 goes on, with 3 messages in it." in done.err


def test_a_first_turn_without_an_answer_begins_no_chat(reel: Reel, kit: Path, server: ChatServer) -> None:
    before = git(kit, "rev-parse", "HEAD")
    server.script = [refuse(500)] * 3
    done = reel("chat", "--via", server.address, "--model", "qwen3-8b", stdin="Is anybody there?\nHello?\n")
    assert (done.code, done.out, git(kit, "rev-parse", "HEAD")) == (1, "", before)
    assert not list(kit.glob("tape/*/*.md"))
    (beside,) = kit.glob(".reel/state/chat-*.md")
    assert beside.read_text() == "You: Is anybody there?\n"
    assert f"no chat was recorded. What you said lies in {beside}\n" in done.err
    assert done.err.endswith(f"to try again:  reel chat --via {server.address} --model qwen3-8b\n")
    # at a terminal it can be asked for again, and is a chat then
    server.script = [refuse(500)] * 3
    reel("chat", "--via", server.address, stdin="Anybody?\n/again\n/leave\n", tty=True).ok()
    assert tape(kit) == [("user", "Anybody?"), ("assistant", "I swept it into the bucket.")]


# the spool's file is open still, as where a process ends by an error
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_words_without_an_answer_stay_in_the_spool_until_they_lie_in_a_file(
    reel: Reel, kit: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_to_write(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("reel_cli.features.chat.walk.write_beside", refuse_to_write)
    server.script = [refuse(500)] * 3
    assert reel("chat", "--via", server.address, stdin="Is anybody there?\n").code == 3
    kept = [path for path in (kit / ".reel").rglob("*") if path.is_file()]
    assert any(b"Is anybody there?" in path.read_bytes() for path in kept)


def _refuse_too_long(limit: int, size: int) -> Fault:
    """As llama.cpp's server does (tools/server/server-context.cpp)."""
    told = f"request ({size} tokens) exceeds the available context size ({limit} tokens), try increasing it"
    error = {"code": 400, "message": told, "type": "exceed_context_size_error"}
    return refuse(400, json.dumps({"error": {**error, "n_prompt_tokens": size, "n_ctx": limit}}).encode())


def test_a_chat_the_server_refuses_as_too_long_is_summed_up(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    server.knows = {"/v1/models": {"data": [{"id": "a"}]}}
    server.say = answers("word " * 1100)
    server.script = [whole, whole, whole, _refuse_too_long(4000, 5000)]
    talk = "One\nTwo\nThree\nFour\ny\ny\ny\n/leave\n"
    done = reel("chat", "--via", server.address, stdin=talk, tty=True).ok()
    assert "a at 127.0.0.1" in done.err
    assert "refused this: it takes 4,000 tokens at once, and this has 5,000." in done.err
    assert "Pack for 3,592 tokens from now on, and sum this up?" in done.err
    assert "Going on from there." in done.err
    assert "window: 3592" in (kit / "kit.yaml").read_text()
    # what was said without an answer is said again behind the summary, and counts once
    first, second = (tape(kit, f"{TODAY}-{number}") for number in (1, 2))
    assert [text for role, text in first if role == "user"] == ["One", "Two", "Three"]
    assert [(role, text[:4]) for role, text in second] == [("user", "Four"), ("assistant", "word")]
    reel("tape", "verify").ok()


def test_a_chat_that_is_not_summed_up_goes_on_with_its_newest(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    server.knows = {"/v1/models": {"data": [{"id": "a"}]}}
    server.say = answers("word " * 1100)
    server.script = [whole, whole, whole, _refuse_too_long(4000, 5000)]
    done = reel("chat", "--via", server.address, stdin="One\nTwo\nThree\nFour\n").ok()
    assert "it takes 4,000 tokens at once" in done.err
    assert "pack for that:  reel config window 3592" in done.err
    assert "There is no room left for the first" in done.err
    assert len(server.sent(4)) < len(server.sent(3))
    assert server.sent(4)[-1] == ("user", "Four")
    assert [text for role, text in tape(kit) if role == "user"] == ["One", "Two", "Three", "Four"]


def test_a_bundle_too_long_for_the_model_says_how_it_would_fit(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    server.knows = {"/v1/models": {"data": [{"id": "a"}]}}
    server.script = [_refuse_too_long(512, 1300)]
    done = reel("chat", "--via", server.address, stdin="One\n")
    assert (done.code, list(kit.glob("tape/*/*.md"))) == (1, [])
    assert "refused this: it takes 512 tokens at once, and this has 1,300." in done.err
    assert "or pack for this one:  reel config window 512" in done.err


def test_a_stream_without_a_word_is_asked_for_plainly(reel: Reel, kit: Path, server: ChatServer) -> None:
    """As llama-cpp-python 0.3.36 has it: the error of a chat too long is in no stream."""

    def silent(asked: ChatRequest) -> None:
        asked.begin()

    server.knows = {"/v1/models": {"data": [{"id": "a"}]}}
    told = "This model's maximum context length is 512 tokens. However, you requested 1300 tokens"
    server.script = [silent, refuse(400, json.dumps({"error": {"message": told}}).encode())]
    done = reel("chat", "--via", server.address, stdin="One\n")
    assert "it takes 512 tokens at once, and this has 1,300." in done.err
    assert [one.get("stream") for one in server.chats] == [True, None]


def test_a_model_that_is_not_listed_begins_no_chat(reel: Reel, kit: Path, server: ChatServer) -> None:
    before = git(kit, "rev-parse", "HEAD")
    done = reel("chat", "--via", server.address, "--model", "qwen3-9b", stdin="One\n")
    assert (done.code, server.chats, git(kit, "rev-parse", "HEAD")) == (1, [], before)
    assert "has no model called 'qwen3-9b', so nothing was sent." in done.err
    assert "--model qwen3-8b   (there are gemma-3-4b, qwen3-8b)" in done.err


def test_no_letter_and_no_byte_ends_a_chat(reel: Reel, kit: Path, server: ChatServer) -> None:
    server.say = answers("Half a letter \ud83d, a whole \U0001f58a", "<think>on and on", " \n")
    done = reel("chat", "--via", server.address, stdin=b"caf\xe9\nAnd you?\n")
    assert tape(kit) == [
        ("user", "caf\ufffd"),
        ("assistant", "Half a letter \ufffd, a whole \U0001f58a"),
        ("user", "And you?"),
    ]
    assert "(Ada gave no answer." in done.err


def test_a_person_at_a_terminal(reel: Reel, kit: Path, server: ChatServer) -> None:
    reel("record", "-", stdin=chat()).ok()
    server.say = answers("No.", "Yes, <b>he</b> did\x1b[2J.", "Gladly.", "Once more, gladly.")
    typed = [
        "Did he buy \\", "the ticket", "/nonsense", "/recal", "/recall", "/recall what the residency wants",
        "/full", "/help", "//slash", "/again", "/leave",
    ]  # fmt: skip
    done = reel("chat", "--via", server.address, stdin="\n".join(typed) + "\n", tty=True).ok()
    assert server.sent(0)[-1] == ("user", "Did he buy \nthe ticket")
    shown = done.out + done.err
    assert "There is no /nonsense.\nNothing was sent. /help shows what there is.\n" in done.err
    assert "There is no /recal. Did you mean /recall?" in done.err
    assert "  Bo: The residency wants forty pages by 30 April" in done.err
    assert server.sent(1)[-1][1].startswith(CAME_BACK)
    assert server.sent(1)[-1][1].endswith("\n\n/slash")
    assert "\x1b[2J" not in shown
    assert "Ada > " in done.out
    assert "end it with its page (Ctrl-D)" in done.err
    assert tape(kit)[1:] == [("assistant", "No."), ("user", "/slash"), ("assistant", "Gladly.")]
    assert f"To go on with it:  reel chat --session {TODAY}-1 --via {server.address}\n" in done.err
    # at the end of what is typed the page is asked for, and asked about
    good = "Good night.\nAnd sleep well.\n"
    done = reel("chat", "--via", server.address, stdin=good, tty=True, env={"COLUMNS": "60"}).ok()
    assert f"Ada is asked for the page of {TODAY}-2." in done.err
    asked = "Keep this? (v shows every word, c has a model check it, e edits) [Y/v/c/e/n]"
    assert asked in " ".join(done.err.split())


@pytest.mark.parametrize(
    ("text", "at", "shown"),
    [
        ("Three buckets, and then four.", "Three buckets,", "Three buckets,"),
        ("It was blue.\nRecall: the ticket to Turku", "Recall: the ti", "It was blue."),
    ],
)
def test_ctrl_c_stops_an_answer_and_keeps_what_came(
    reel: Reel, kit: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch, text: str, at: str, shown: str
) -> None:
    from reel_cli.features.chat.voice import Voice

    reel("record", "-", stdin=chat()).ok()
    hear = Voice.hear

    def stopped(voice: Voice, words: str) -> None:
        hear(voice, words)
        if voice.text.endswith(at):
            raise KeyboardInterrupt

    monkeypatch.setattr(Voice, "hear", stopped)
    monkeypatch.setattr("tests.support.chat_server.PIECE", 1)
    server.say = answers(text)
    done = reel("chat", "--via", server.address, stdin="Count.\n/leave\n", tty=True).ok()
    assert f"Ada > {shown}\n" in done.out
    assert tape(kit) == [("user", "Count."), ("assistant", shown)]
    assert len(server.chats) == 1
    # a pipe that is stopped sends no more
    assert reel("chat", "--via", server.address, stdin="Count.\nOn.\n").code == 130
    assert tape(kit, f"{TODAY}-2") == [("user", "Count."), ("assistant", shown)]


def test_a_chat_is_kept_by_hand_and_goes_on_later(reel: Reel, kit: Path, server: ChatServer) -> None:
    assert "Nothing was summed up yet" in reel("chat", "--via", server.address, "--resume").err
    typed = "The kiln cracked.\n/keep\ny\ny\nAnd on.\n/keep\n\n/keep\ny\nn\nAnd on.\n/leave\n"
    done = reel("chat", "--via", server.address, stdin=typed, tty=True).ok()
    assert "Going on from there. " in done.err
    assert "Paste it at the beginning of a new chat" not in done.err
    assert "I kept count of the buckets" in server.sent()[0][1]
    assert [text for _, text in tape(kit, f"{TODAY}-2")][::2] == ["And on.", "And on."]
    assert "Nothing was changed" in done.err
    assert done.err.count("summing up would free very little. Sum up anyway? [y/N]") == 3
    # what was summed up goes on with its summary, whichever of its sessions is named
    going = ("chat", "--via", server.address)
    for named, before in ((f"{TODAY}-2", 4), (f"{TODAY}-1", 0)):
        done = reel(*going, "--session", named, stdin="Where was I?\nAnd then?\n").ok()
        sent = server.sent()
        assert sent[0][1].count("I kept count of the buckets") == 1
        assert len(sent) == 1 + before + 3
        assert f"{named} goes on, with {before or 2} messages in it. Said last:\n  Bo: " in done.err
        assert tape(kit, named)[-4] == ("user", "Where was I?")
    reel(*going, "--resume", stdin="And on.\n").ok()
    assert "I kept count of the buckets" in server.sent()[0][1]
    assert tape(kit, f"{TODAY}-3")[0] == ("user", "And on.")


def test_the_documented_chat_happens_as_shown(
    reel: Reel, kit: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reel("record", "-", stdin=chat()).ok()
    server.say = answers("Forty pages by the end of April, and you were to buy a ticket.")
    monkeypatch.setitem(address.KNOWN, "lmstudio", f"{server.address}/v1")
    shown = (
        (CHECKOUT / "docs/chat.md").read_text().partition("```console\n$ reel chat\n")[2].partition("```")[0]
    )
    asked = shown.partition("Bo > ")[2].partition("\n")[0]
    done = reel("chat", stdin=f"{asked}\n", tty=True, env={"TERM": "dumb"})
    screen = "".join(text for _, text in done.screen).replace("Bo > ", f"Bo > {asked}\n", 1)
    assert screen[: len(shown) + 5] == f"{shown}Bo > "


def test_who_is_asked(reel: Reel, kit: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "KNOWN", dict.fromkeys(address.KNOWN, "http://127.0.0.1:9/v1"))
    monkeypatch.setattr(connecting, "KNOWN", address.KNOWN)
    nobody = reel("chat", stdin="Hello\n")
    assert nobody.code == 1
    assert "No model is loaded in LM Studio, Ollama or KoboldCpp" in nobody.err
    monkeypatch.setitem(address.KNOWN, "ollama", f"{server.address}/v1")
    server.knows = {"/api/ps": {"models": [{"name": "tiny", "context_length": 4096}]}}
    small = reel("chat", stdin="Hello\n")
    assert "tiny is loaded with 4,096 tokens of context, and the kit is packed for 8,192." in small.err
    done = reel("chat", stdin="y\nHello\n/leave\n", tty=True).ok()
    assert "Ada is tiny at Ollama, 4,096 tokens of context." in done.err
    assert "window: 4k" in (kit / "kit.yaml").read_text()
    server.knows = {"/api/ps": {"models": [{"name": "tiny", "context_length": 1024}]}}
    tiny = reel("chat", stdin="y\n", tty=True)
    assert "window: 4k" in (kit / "kit.yaml").read_text()
    assert "1K window" in tiny.err
    server.knows = {"/api/ps": {"models": [{"name": "tiny", "context_length": 4096}]}}
    both = reel("chat", "--session", f"{TODAY}-1", "--resume")
    assert both.code == 2
    assert (
        "it cannot go by copy and paste.\nHint: to chat in another program:  reel start\n"
        in reel("chat", "--via", "paste").err
    )
    assert "There is no recorded chat" in reel("chat", "--session", "2020-01-01-1").err
    assert reel("chat", stdin=" \n").ok().err.endswith("Nothing was said.\n")


def test_a_kit_that_cannot_be_written_loses_nothing(
    reel: Reel, kit: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    full: list[bool] = []

    def fails(*given: Any, **more: Any) -> Any:
        if full:
            message = "There is no room left on the disk."
            raise StateError(message)
        return record_one(*given, **more)

    def say(body: dict[str, Any]) -> str:
        full.append("fill" in body["messages"][-1]["content"])
        full[:] = filter(None, full)
        return "So it is."

    monkeypatch.setattr(growing, "record_one", fails)
    server.say = say
    typed = "One\nfill\n/keep\nThree\n/leave\n"
    for _ in range(2):
        done = reel("chat", "--via", server.address, stdin=typed, tty=True)
        assert done.code == 3
        assert done.err.count("There is no room left on the disk. It is tried again.") == 1
        assert "Part of it is not recorded yet, so it cannot be summed up now." in done.err
        full.clear()
    first, second = sorted(kit.glob(".reel/state/chat-*.md"))
    said = "You: One\n\nAssistant: So it is.\n\nYou: fill\n\nAssistant: So it is.\n\n"
    assert first.read_text() == second.read_text() == f"{said}You: Three\n\nAssistant: So it is.\n"
    monkeypatch.undo()
    shown = reel("record", first).ok().out
    assert "has grown: 3 added to " in shown


def test_what_ends_a_chat_by_an_error_loses_nothing(
    reel: Reel, kit: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(chat_mind.Mind, "recollect", fails)
    reel("record", "-", stdin=chat()).ok()
    tries: list[int] = []

    def late(*given: Any, **more: Any) -> Any:
        tries.append(1)
        if len(tries) < 2:
            message = "Not now."
            raise StateError(message)
        return record_one(*given, **more)

    monkeypatch.setattr(growing, "record_one", late)
    with pytest.raises(ZeroDivisionError):
        reel("chat", "--via", server.address, stdin="Hello\n")
    (beside,) = kit.glob(".reel/state/chat-*.md")
    assert beside.read_text() == "You: Hello\n"
    tries.clear()
    monkeypatch.setattr(chat_mind.Mind, "recollect", lambda *_: "")
    reel("chat", "--via", server.address, stdin="Hello\n").ok()
    assert [text for _, text in tape(kit)] == ["Hello", "I swept it into the bucket."]


@pytest.mark.parametrize("how", ["retract", "purge"])
def test_a_session_that_is_taken_back_meanwhile_is_left_behind(
    reel: Reel, kit: Path, server: ChatServer, how: str
) -> None:
    def say(body: dict[str, Any]) -> str:
        if body["messages"][-1]["content"] == "Two":
            # somebody does that in another terminal
            if how == "retract":
                reel.process("tape", "retract", f"{TODAY}-1", "--yes").ok()
            else:
                reel.process("purge", f"{TODAY}-1", "--confirm", "Ada").ok()
        return "So it is."

    server.say = say
    done = reel("chat", "--via", server.address, stdin="One\nTwo\nThree\n").ok()
    assert "into a chat of its own." in done.err
    names = sorted(path.stem for path in kit.glob("tape/*/*.md"))
    new = names[-1]
    assert tape(kit, new) == [("assistant", "So it is."), ("user", "Three"), ("assistant", "So it is.")]
    assert "Recorded " in done.err
    reel("tape", "verify").ok()


def test_two_chats_that_go_on_with_one_session_take_nothing_from_each_other(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    reel("chat", "--via", server.address, stdin="Begin.\n").ok()
    begun = tape(kit)
    other = ("chat", "--via", server.address, "--session", f"{TODAY}-1")

    def say(body: dict[str, Any]) -> str:
        if body["messages"][-1]["content"] == "A one.":
            reel.process(*other, stdin="B one.\n").ok()
        return "So it is."

    server.say = say
    done = reel(*other, stdin="A one.\nA two.\n").ok()
    b_one = ("user", "B one."), ("assistant", "So it is.")
    assert tape(kit) == [*begun, ("user", "A one."), *b_one]
    assert f"Something else was recorded in {TODAY}-1 meanwhile" in done.err
    rest = [("assistant", "So it is."), ("user", "A two."), ("assistant", "So it is.")]
    assert tape(kit, f"{TODAY}-2") == rest


def test_again_where_only_the_persona_spoke_changes_nothing(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    only = {"messages": [{"role": "assistant", "content": "Good evening, stranger."}]}
    reel("record", "-", stdin=json.dumps(only)).ok()
    going = ("chat", "--via", server.address, "--session", f"{TODAY}-1")
    done = reel(*going, stdin="/again\nHello\n/leave\n", tty=True).ok()
    assert "You have said nothing yet." in done.err
    said = [("assistant", "Good evening, stranger."), ("user", "Hello")]
    assert tape(kit) == [*said, ("assistant", "I swept it into the bucket.")]


def test_a_turn_with_no_room_is_not_sent(reel: Reel, kit: Path, server: ChatServer) -> None:
    typed = "word " * 9_000 + "\nHello\n/leave\n"
    done = reel("chat", "--via", server.address, stdin=typed, tty=True).ok()
    assert "there is no room for that much. It was not sent; say it in parts." in done.err
    assert [text for _, text in tape(kit)] == ["Hello", "I swept it into the bucket."]


def test_the_oldest_turns_give_way_and_it_is_said_once(reel: Reel, kit: Path, server: ChatServer) -> None:
    server.say = answers("Buckets. " * 300)
    turns = "".join(f"Turn {n}: {'I swept the shards. ' * 60}\n" for n in range(14))
    done = reel("chat", "--via", server.address, stdin=turns).ok()
    assert done.err.count("There is no room left for the first ") == 1
    assert done.err.count("With --yes it would be summed up; later:  reel keep") >= 1
    assert server.sent()[1][1].startswith("Turn ")
    assert not server.sent()[1][1].startswith("Turn 0:")
    assert len(tape(kit)) == 28


def test_a_server_that_read_too_little_is_named_once(reel: Reel, kit: Path, server: ChatServer) -> None:
    def short(asked: ChatRequest) -> None:
        asked.begin()
        asked.wfile.write(chunk("Yes.") + chunk("", delta={}, finish_reason="stop"))
        asked.wfile.write(b'data: {"choices": [], "usage": {"prompt_tokens": 100}}\n\ndata: [DONE]\n\n')

    server.script = [short, short]
    done = reel("chat", "--via", server.address, stdin="One\nTwo\n").ok()
    assert done.err.count("says it read 100 of about ") == 1
    assert git(kit, "status", "--porcelain") == ""


def test_what_was_said_in_this_chat_is_found_in_it(reel: Reel, kit: Path, server: ChatServer) -> None:
    reel("record", "-", stdin=chat()).ok()
    typed = "My aunt Gerda keeps a violet umbrella.\n/recall violet umbrella\n/recall pelican\n/quit\n"
    done = reel("chat", "--via", server.address, stdin=typed, tty=True).ok()
    assert "That was said in this chat: “My aunt Gerda keeps a violet umbrella.”" in done.err
    assert "Nothing certain enough was found." in done.err


def test_a_turn_that_would_fill_the_window_is_summed_up_before(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    long = "I swept the shards into the bucket and counted them. " * 160
    done = reel("chat", "--via", server.address, "--yes", stdin=f"{long}\n{long}x\n{long}y\n{long}z\n").ok()
    assert "With that the window is " in done.err
    assert all(len(one["messages"]) < 8 for one in server.chats)
    assert "There is no room left" not in done.err
    assert "The part that was summed up has no memory yet:  reel consolidate" in done.err


def test_a_page_that_does_not_come_is_asked_for_again_or_later(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    server.script = [whole, *[refuse(500)] * 3, *[refuse(500)] * 3]
    done = reel("chat", "--via", server.address, stdin="Good night.\n/end\ny\nn\n", tty=True).ok()
    assert done.err.count("could not be asked: it answered with error 500.") == 2
    assert "Paste it into the chat" not in done.err
    later = f"reel checkpoint --via {server.address}"
    assert done.err.endswith(f"What came is kept. To ask for the rest later:  {later}\n")
    assert "Kept." in reel("checkpoint", "--via", server.address, "--yes").ok().out


def test_what_follows_a_session_that_was_taken_back_is_saved_whole_beside(
    reel: Reel, kit: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    full: list[bool] = []

    def fails(context: Any, talk: Any, **more: Any) -> Any:
        if full and "back" not in talk.messages[-1].text:
            message = "There is no room left on the disk."
            raise StateError(message)
        return record_one(context, talk, **more)

    def say(body: dict[str, Any]) -> str:
        if body["messages"][-1]["content"] == "Two":
            reel.process("tape", "retract", f"{TODAY}-1", "--yes").ok()
            return "It is taken back."
        if body["messages"][-1]["content"] == "One":
            return "Indeed."
        full.append(True)
        return "So it is."

    monkeypatch.setattr(growing, "record_one", fails)
    server.say = say
    assert reel("chat", "--via", server.address, stdin="One\nTwo\nThree\n").code == 3
    (beside,) = kit.glob(".reel/state/chat-*.md")
    said = "Assistant: It is taken back.\n\nYou: Three\n\nAssistant: So it is.\n"
    assert beside.read_text() == said


# -- the form of answers (SRIP-11 §III.5d) -----------------------------------------------------------


def behave(reel: Reel, kit: Path, server: ChatServer, text: str) -> tuple[int | None, str]:
    """Have a turn with a kit of this `behavior`; the limit that was sent, and the last line of the system."""
    (kit / "kit.yaml").write_text(f"{(kit / 'kit.yaml').read_text()}\nbehavior: {text}\n")
    reel("chat", "--via", server.address, stdin="Hello.\n").ok()
    assert "policy" not in server.sent()[0][1]
    assert "tolerance" not in server.sent()[0][1]
    return server.chats[-1].get("max_tokens"), server.sent()[0][1].splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "limit", "line"),
    [
        ("{token_policy: {base: 900}}", 900, "Keep an answer below 680 words."),
        ("{token_policy: {max: 500}}", 500, "Keep an answer below 380 words."),
        ("{token_policy: {min: 5000}}", 5_000, "Keep an answer below 3,750 words."),
        ("{list_tolerance: 0.2}", None, "Answer in sentences, without lists."),
        ("{list_tolerance: 0.8}", None, "A list is welcome where it says a thing sooner."),
    ],
)
def test_each_field_of_the_behavior_shapes_an_answer(
    reel: Reel, kit: Path, server: ChatServer, text: str, limit: int | None, line: str
) -> None:
    identity = (kit / "ring0/identity.md").read_bytes()
    assert behave(reel, kit, server, text) == (limit, line)
    # it is said to the server, and is in no bundle, on no tape and not in the identity
    assert line not in reel("pack").ok().out
    assert all(line not in told for _, told in tape(kit))
    assert (kit / "ring0/identity.md").read_bytes() == identity


def test_without_a_behavior_nothing_of_it_is_sent(reel: Reel, kit: Path, server: ChatServer) -> None:
    limit, line = behave(reel, kit, server, "{list_tolerance: 0.5}")
    assert limit is None
    assert line.startswith("That is all you carry with you")


def test_a_server_that_knows_the_limit_by_another_name_or_by_none(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    server.script = [refuse(400)]
    assert behave(reel, kit, server, "{token_policy: {base: 900}}")[0] is None
    assert [one.get("max_completion_tokens") for one in server.chats] == [None, 900]
    server.script = [refuse(400), refuse(400)]
    reel("chat", "--via", server.address, stdin="Hello.\n").ok()
    assert not {"max_tokens", "max_completion_tokens"} & set(server.chats[-1])
    # thinking that takes all of it is no answer
    server.script = [cut_off(0, "length")]
    done = reel("chat", "--via", server.address, stdin="Hello.\n").ok()
    assert "I swept it into the bucket." in done.out
    server.script = [cut_off(0.5, "length")]
    done = reel("chat", "--via", server.address, stdin="Hello.\n").ok()
    assert "it reached the kit's (behavior.token_policy) limit" in done.err
