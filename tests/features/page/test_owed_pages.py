"""Chats without a page: `start`, `status` and `doctor` name them, with the command that mends it."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.terminal import clipboard
from tests.core.kit.test_catalog import settle
from tests.features.page.test_due import evening
from tests.support.cli import Reel, git
from tests.support.growing_kit import TODAY
from tests.support.pages import PARTS, chat, page

MARK = "he said penicillin never"
NO_PAGE = (
    "The last chat (25 February 2026) is kept word for word, but has no page yet, "
    "so no memory is made of it:  reel end"
)
HALF_OF = ("Am I still myself", "How I was", "What has shifted", "Who I am on paper", "Worth showing again")


def more(count: int) -> list[tuple[str, str]]:
    """So many messages about turnips."""
    return [
        ("assistant" if n % 2 else "user", f"And turnips, number {n}, by the gate.") for n in range(count)
    ]


def said_by_start(reel: Reel) -> list[str]:
    """Return what `start` says before it says what it packed."""
    lines = reel("start").ok().err.splitlines()
    return lines[: next(n for n, line in enumerate(lines) if line.startswith("Packed"))]


def due(reel: Reel) -> list[str]:
    return reel("status", "--due").out.splitlines()


def hints(reel: Reel) -> list[str]:
    """Return what `doctor` hints at of pages and flags, with the mend."""
    found = json.loads(reel("doctor", "--json").out)["findings"]
    return [f"{one['evidence']}:  {one['mend']}" for one in found if one["check"] in ("page", "flag")]


def keep(reel: Reel, reply: str = "", *arguments: str) -> None:
    reel("checkpoint", *arguments, "--reply", "-", "--yes", stdin=reply or page()).ok()


def sources(kit: Path) -> Sequence[str]:
    """The stretch of tape each memory stands for."""
    texts = [path.read_text() for path in sorted((kit / "ring3").glob("M-*.md"))]
    return [line for text in texts for line in text.splitlines() if line.startswith("source:")]


def is_quiet(reel: Reel) -> bool:
    return not said_by_start(reel) and not due(reel) and not hints(reel)


def test_where_nothing_is_owed_nothing_is_said(reel: Reel, kit: Path) -> None:
    assert is_quiet(reel)
    reel("record", "-", stdin=chat()).ok()
    keep(reel)
    assert is_quiet(reel)


def test_the_last_chat_without_a_page(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    assert said_by_start(reel) == [NO_PAGE]
    assert hints(reel) == [f"{NO_PAGE[0].lower()}{NO_PAGE[1:]}"]
    assert due(reel)[0] == f"page: chat {TODAY} has no page yet:  reel end"
    keep(reel)
    assert is_quiet(reel)


@pytest.mark.parametrize("keys", ["q\n", "f declined.md\nn\n"], ids=["put off", "declined"])
def test_every_hint_at_a_page_that_is_not_the_one_due_names_its_chat(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch, keys: str
) -> None:
    reel("record", "-", stdin=chat()).ok()
    keep(reel)
    reel("record", "-", stdin="You: The ferry, tomorrow?\n\nAda: At six, from the old quay.\n").ok()
    (reel.cwd / "declined.md").write_text(page({"How I was": "Slower than before."}))
    monkeypatch.setattr(clipboard, "copy", lambda _: clipboard.BY_TERMINAL)
    told = " ".join(reel("checkpoint", "--session", TODAY, stdin=keys, tty=True).err.split())
    assert "s shows the prompt here" in told
    assert f"reel checkpoint --session {TODAY} --reply FILE" in told
    assert "reel checkpoint --reply" not in told


def test_half_of_a_page_is_named_and_asked_on_with(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    done = reel("checkpoint", "--reply", "-", "--yes", stdin=page(dict.fromkeys(HALF_OF)))
    assert (done.code, "10 of 15 parts are kept" in done.err) == (1, True)
    told = "part of the page of the last chat (25 February 2026) came through, 10 of 15 parts"
    command = "reel end"
    assert said_by_start(reel) == [f"{told[0].upper()}{told[1:]}:  {command}"]
    assert hints(reel) == [f"{told}:  {command}"]
    assert due(reel)[0] == (f"page: part of the page of chat {TODAY} came through, 10 of 15 parts:  reel end")
    assert "(part of its page came, 10 of 15 parts) the letter" in reel("tape", "list").ok().out
    asked = reel("checkpoint", "--session", TODAY, "--prompt").ok().out
    assert all((f"## {label}" in asked) == (label in HALF_OF) for label in PARTS)
    rest = "\n".join(f"## {label}\n{PARTS[label]}\n" for label in HALF_OF)
    done = reel("checkpoint", "--reply", "-", "--yes", stdin=rest).ok()
    assert "The page was read." in done.err
    assert is_quiet(reel)
    assert "half" not in reel("tape", "list").ok().out


def test_two_chats_of_one_day_are_told_apart(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    assert "The chat of 25 February 2026 has no page yet." in reel("end", stdin="").err
    for title in ("the harbour", "the boat"):
        turn = {"role": "user", "content": f"Tell me of {title}."}
        reply = {"role": "assistant", "content": f"I liked {title} best in the rain."}
        reel("record", "-", stdin=chat(title=title, messages=[turn, reply])).ok()
    assert "The chat “the boat” of 25 February 2026 has no page yet." in reel("end", stdin="").err
    shown = reel("checkpoint", "--session", TODAY, "--drop").ok().out
    assert "No page of the chat “the letter” of 25 February 2026 is asked for any more" in shown


@pytest.mark.parametrize("full", ["exchanges", "handed"])
def test_half_a_page_that_could_not_be_kept_is_not_called_kept(reel: Reel, kit: Path, full: str) -> None:
    """On a full disk one of two files may still be written, so that the next command told of it as kept."""
    reel("record", "-", stdin=chat()).ok()
    shutil.rmtree(kit / f".reel/state/{full}", ignore_errors=True)
    (kit / f".reel/state/{full}").write_text("no folder, so that nothing can be written to it")
    done = reel("checkpoint", "--reply", "-", "--yes", stdin=page(dict.fromkeys(HALF_OF)))
    assert "The kit cannot be written" in done.err
    assert "10 of 15 parts came, but what came now is not kept." in done.err
    assert "then give the whole answer again" in done.err
    assert "--prompt" not in done.err
    assert said_by_start(reel) == [NO_PAGE]


def test_half_a_page_counts_against_the_same_whole_with_the_shared_context(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    (kit / "SHARED-CONTEXT.md").write_text("# Shared context\n\n## Where things stand\n\nLong ago.\n")
    reel("checkpoint", "--prompt").ok()
    done = reel("checkpoint", "--reply", "-", "--yes", stdin=page(dict.fromkeys(HALF_OF)))
    assert "10 of 15 parts are kept" in done.err


def test_half_a_page_that_came_before_its_chat_was_recorded(reel: Reel, kit: Path) -> None:
    reel("checkpoint", "--prompt").ok()
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(dict.fromkeys(HALF_OF)))
    rest = "\n".join(f"## {label}\n{PARTS[label]}\n" for label in HALF_OF)
    keep(reel, rest)
    assert is_quiet(reel)


@pytest.mark.parametrize("count", [2, 200])
def test_turns_said_after_the_page_are_due_again(reel: Reel, kit: Path, count: int) -> None:
    reel("record", "-", stdin=chat()).ok()
    keep(reel)
    before = (kit / "ring3/M-001.md").read_bytes()
    reel("record", "-", stdin=chat(*more(count))).ok()
    told = (
        f"{count} messages came after the page of the last chat (25 February 2026) and are in no memory yet"
    )
    assert hints(reel) == [f"{told}:  reel end"]
    assert said_by_start(reel) == [f"{told}:  reel end"]
    assert f"memory: chat {TODAY} has no memory of its end yet:  reel end" in due(reel)
    reel("checkpoint", "--prompt").ok()
    keep(reel, page({"In a few words": "The turnips", "Lines to find it by": '"number 1, by the gate"'}))
    assert is_quiet(reel)
    assert (kit / "ring3/M-001.md").read_bytes() == before
    assert sources(kit) == [f'source: ["{TODAY}#1-6"]', f'source: ["{TODAY}#7-{6 + count}"]']


@pytest.mark.parametrize("count", [20])
def test_an_earlier_chat_that_went_on_after_its_page_is_due_again(reel: Reel, kit: Path, count: int) -> None:
    reel("record", "-", stdin=chat(*more(30))).ok()
    keep(reel)
    reel("record", "-", stdin=evening(1, "harbour")).ok()
    keep(reel, page({"Lines to find it by": '"harbour 1, and harbour again"'}))
    assert is_quiet(reel)
    reel("record", "-", stdin=chat(*more(30 + count))).ok()
    told = "the chat of 25 February 2026 went on after its page, and the rest of it is in no memory yet"
    assert hints(reel) == [f"{told}:  reel consolidate {TODAY}"]
    assert said_by_start(reel) == [f"{told[0].upper()}{told[1:]}:  reel consolidate {TODAY}"]
    assert due(reel) == [f"memory: chat {TODAY} has no memory of its end yet:  reel consolidate"]
    asked = reel("consolidate", TODAY, "--prompt").ok().out
    assert (f"number {29 + count}," in asked, "number 3, by" in asked) == (True, False)
    rest = page({"Lines to find it by": f'"number {30 + count - 1}, by the gate"'})
    reel("consolidate", "--reply", "-", "--yes", stdin=rest).ok()
    assert is_quiet(reel)
    assert sources(kit)[-1] == f'source: ["{TODAY}#37-{36 + count}"]'


def test_what_was_said_after_the_prompt_is_in_no_page_that_answers_it(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--prompt").ok()
    reel("record", "-", stdin=chat(*more(4))).ok()
    keep(reel)
    assert sources(kit) == [f'source: ["{TODAY}#1-6"]']
    told = "4 messages came after the page of the last chat (25 February 2026) and are in no memory yet"
    assert said_by_start(reel) == [f"{told}:  reel end"]
    keep(reel, page({"Lines to find it by": '"number 1, by the gate"'}))
    assert sources(kit)[-1] == f'source: ["{TODAY}#7-10"]'
    assert is_quiet(reel)


def test_what_was_said_after_the_reply_in_its_chat_is_due_again(reel: Reel, kit: Path) -> None:
    prompt = reel("checkpoint", "--prompt").ok().out
    talk = [("user", prompt), ("assistant", page()), *more(4)]
    reel("record", "-", stdin=chat(*talk)).ok()
    keep(reel)
    assert sources(kit) == [f'source: ["{TODAY}#1-6"]']
    assert hints(reel)[0].startswith("4 messages came after the page of the last chat")


def test_a_prompt_that_was_never_answered_does_not_cut_a_later_page_short(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--prompt").ok()
    for count in (4, 8):
        reel("record", "-", stdin=chat(*more(count))).ok()
        if count == 4:
            reel("checkpoint", "--prompt").ok()
        keep(reel, page({"Lines to find it by": f'"number {count - 1}, by the gate"'}))
        assert is_quiet(reel)
    assert sources(kit) == [f'source: ["{TODAY}#1-10"]', f'source: ["{TODAY}#11-14"]']


def test_an_answer_that_was_edited_later_is_no_chat_that_went_on(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    keep(reel)
    reel("record", "-", stdin=evening(1, "harbour")).ok()
    keep(reel, page({"Lines to find it by": '"harbour 1, and harbour again"'}))
    reel("record", "-", stdin=chat().replace("Go and buy the ticket", "Go, buy that ticket")).ok()
    assert is_quiet(reel)


def test_an_earlier_chat_gone_on_with_from_an_earlier_place_is_due_again(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    keep(reel)
    reel("record", "-", stdin=evening(1, "harbour")).ok()
    keep(reel, page({"Lines to find it by": '"harbour 1, and harbour again"'}))
    talk = json.loads(chat())
    talk["messages"][4:] = [{"role": role, "content": text} for role, text in more(2)]
    reel("record", "-", stdin=json.dumps(talk)).ok()
    assert due(reel) == [f"memory: chat {TODAY} has no memory of its end yet:  reel consolidate"]


def test_a_batch_that_did_not_hold_all_of_an_earlier_chat_leaves_its_rest_due(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat(*more(30))).ok()
    reel("checkpoint", "--prompt").ok()
    keep(reel)
    reel("record", "-", stdin=chat(*more(40))).ok()
    reel("record", "-", stdin=evening(1, "harbour")).ok()
    keep(reel, page({"Lines to find it by": '"harbour 1, and harbour again"'}))
    assert due(reel) == [f"memory: chat {TODAY} has no memory of its end yet:  reel consolidate"]


# -- flags ------------------------------------------------------------------------------------------


def test_a_flag_set_after_the_page_is_named_until_a_page_was_asked_about_it(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    keep(reel)
    reel("tape", "flag", MARK).ok()
    told = f"you marked “{MARK}”, and no page was asked about it yet"
    command = f"reel checkpoint --session {TODAY}"
    assert said_by_start(reel) == [f"{told[0].upper()}{told[1:]}:  {command}"]
    assert hints(reel) == [f"{told}:  {command}"]
    assert due(reel) == [f"page: a moment was marked: {MARK}:  {command}"]
    assert f"- {MARK}" in reel("checkpoint", "--session", TODAY, "--prompt").ok().out
    keep(reel, page({"How I was": "Calm."}))
    assert is_quiet(reel)


def test_the_words_of_a_flag_hide_nothing_that_is_due(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--only", "checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    reel("tape", "flag", "the harbour has no page yet").ok()
    assert f"memory: chat {TODAY} has no memory yet:  reel consolidate" in due(reel)


def test_a_flag_set_while_the_reply_was_on_its_way_is_not_lost(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--prompt").ok()
    reel("tape", "flag", MARK).ok()
    later = {"REEL_NOW": "2026-03-02T20:00:00+00:00"}
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(), env=later).ok()
    assert due(reel) == [f"page: a moment was marked: {MARK}:  reel checkpoint --session {TODAY}"]
    reel("record", "-", stdin=evening(3, "harbour")).ok()
    assert f"- {MARK} (marked before this chat began)\n" in reel("checkpoint", "--prompt").ok().out
    keep(reel, page({"Lines to find it by": '"harbour 1, and harbour again"'}))
    assert is_quiet(reel)


def test_a_flag_set_after_the_page_is_not_told_as_of_the_next_chat(reel: Reel, kit: Path) -> None:
    """The next chat's prompt had it as marked along the way, though nothing of it was said there."""
    reel("record", "-", stdin=chat()).ok()
    keep(reel)
    reel("tape", "flag", MARK).ok()
    reel("record", "-", stdin="**You:** The ferry?\n\n**Ada:** I missed it.\n").ok()
    assert f"- {MARK} (perhaps in an earlier chat)\n" in reel("checkpoint", "--prompt").ok().out


@pytest.mark.usefixtures("kit")
def test_a_flag_is_of_the_chat_where_no_other_has_a_page(reel: Reel) -> None:
    reel("tape", "flag", MARK).ok()
    reel("record", "-", stdin="**You:** The ferry?\n\n**Ada:** I missed it.\n").ok()
    assert f"- {MARK}\n" in reel("checkpoint", "--prompt").ok().out


def test_a_flag_in_a_kit_without_a_chat_is_asked_about_at_its_end(reel: Reel, kit: Path) -> None:
    reel("tape", "flag", MARK).ok()
    assert said_by_start(reel) == [f"You marked “{MARK}”, and no page was asked about it yet:  reel end"]
    (kit.parent / "chat.json").write_text(chat())
    assert f"- {MARK}\n" in reel("end", kit.parent / "chat.json").ok().out
    keep(reel)
    assert is_quiet(reel)


def test_flags_of_pages_that_an_older_reel_kept_are_not_asked_about_again(reel: Reel, kit: Path) -> None:
    reel("tape", "flag", MARK, env={"REEL_NOW": "2026-02-26T20:00:00+00:00"}).ok()
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--prompt").ok()
    keep(reel)
    file = kit / f"checkpoints/{TODAY}.1.yaml"
    lines = [line for line in file.read_text().splitlines() if MARK not in line]
    start = next(n for n, line in enumerate(lines) if line.startswith("flags_asked:"))
    assert lines[start + 1].startswith(("  - ", "- "))
    file.write_text("\n".join(lines[:start] + lines[start + 2 :]) + "\n")
    git(kit, "commit", "-qam", "as an older reel kept it")
    assert is_quiet(reel)


def test_start_asks_no_git_where_nothing_is_owed(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reel("record", "-", stdin=chat()).ok()
    keep(reel)
    settle(kit)
    reel("start").ok()
    monkeypatch.setenv("PATH", str(kit.parent / "nothing"))
    assert said_by_start(reel) == []


def test_a_declining_answer_to_the_request_for_the_rest_is_no_part_of_the_page(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    half, rest = page().split("## How I was")
    assert reel("checkpoint", "--reply", "-", "--yes", stdin=half).code == 1
    asked = reel("checkpoint", "--prompt").ok().out
    for text in ("I am sorry, but I cannot write as a persona.", asked):
        refused = reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=text)
        assert (refused.code, json.loads(refused.out)["repair"]) == (1, asked.rstrip("\n") + "\n")
        assert "are kept" not in refused.err
    assert reel("checkpoint", "--prompt").ok().out == asked
    reel("checkpoint", "--reply", "-", "--yes", stdin=f"## How I was{rest}").ok()
    stored = next((kit / "checkpoints").glob("*.yaml")).read_text()
    assert "cannot write as a persona" not in stored


@pytest.mark.parametrize("come", ["none", "half"])
def test_no_page_is_asked_for_or_kept_of_a_chat_that_was_taken_back(reel: Reel, kit: Path, come: str) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--prompt").ok()
    if come == "half":
        reel("checkpoint", "--reply", "-", "--yes", stdin=page(dict.fromkeys(HALF_OF)))
    reel("tape", "retract", TODAY, "--yes").ok()
    head = git(kit, "rev-parse", "HEAD")
    assert is_quiet(reel)
    for command in (
        ("checkpoint", "--session", TODAY, "--prompt"),
        ("checkpoint", "--session", TODAY, "--brief", "--reply", "-", "--yes"),
        ("consolidate", TODAY, "--reply", "-", "--yes"),
    ):
        refused = reel(*command, stdin=page())
        assert (refused.code, refused.err.splitlines()) == (
            1,
            [
                f"Error: {TODAY} was taken back, so no page of it is due.",
                f"Hint: to make it count again:  reel tape retract {TODAY} --undo",
            ],
        )
    for command in (("checkpoint", "--reply", "-", "--yes"), ("end", "--reply", "-", "--yes")):
        assert reel(*command, stdin=page()).code == 1
    ended = reel("end", tty=True, stdin="q\n")
    assert (ended.code, "has not come yet" in ended.err, "came, " in ended.err) == (0, False, False)
    assert "type its name, and press Enter" in ended.err
    assert git(kit, "rev-parse", "HEAD") == head
    # what came, and what was asked for, counts again with its chat
    reel("tape", "retract", TODAY, "--undo").ok()
    ended = reel("end", tty=True, stdin="e\nq\n")
    told = "has not come yet." if come == "none" else "came, 10 of 15 parts."
    assert f"of the chat of 25 February 2026 {told}" in ended.err
    rest = "\n".join(f"## {label}\n{PARTS[label]}\n" for label in HALF_OF)
    keep(reel, page() if come == "none" else rest)
    assert is_quiet(reel)


def test_the_end_takes_up_a_page_that_was_undone(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    reel("undo").ok()
    ended = reel("end", tty=True, stdin="q\n")
    told = "The chat of 25 February 2026 has no page yet."
    assert told in " ".join(ended.err.split())
    reel("end", "--reply", "-", "--yes", stdin=page()).ok()
    assert is_quiet(reel)


def test_an_editor_that_is_closed_unsaved_is_told_and_the_page_waits(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    asked = reel("checkpoint", tty=True, stdin="e\nq\n", env={"EDITOR": "true", "VISUAL": ""}).ok()
    assert "Nothing was saved in the editor." in asked.err
    assert "The reply is empty" not in asked.err
    assert "When you have the page:" in asked.err
