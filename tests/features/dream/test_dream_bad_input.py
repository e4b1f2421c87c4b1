"""Replies to a dream's prompt that are not as they should be, and a kit that changes while it dreams."""

import json
import signal
import sys
from pathlib import Path

import pytest

from reel_cli.features.dream.cursor_file import parse_cursor
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import evening, have_evenings, key_of, reply_to
from tests.support.killed_program import killed_at
from tests.support.shelf import ready_made

LONG = "The kiln cracked and we stood before it for a while, not knowing which of us should say it first."
OTHER = "Then he laughed, and the bucket was half full before either of us noticed that it had begun to rain."


@pytest.fixture
def dreaming(reel: Reel, kit: Path) -> Path:
    """Three evenings, and a dream that has begun."""
    have_evenings(reel, kit, [3, 4, 5])
    ready_made(kit, "a dream", lambda: reel("dream", "start", "--yes", "--window", "8k").ok())
    return kit


def state(kit: Path) -> tuple[str, str]:
    return git(kit, "rev-parse", "HEAD"), git(kit, "status", "--porcelain")


def test_a_reply_far_beyond_its_space_is_refused_whole(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    before = state(dreaming)
    for reply in (
        reply_to(prompt, "It was so. " * 90_000),
        reply_to(prompt, missed="- the bowl\n" * 2_600),
        reply_to(prompt, "It was so. " * 2_000).split("## What was missed")[0],
    ):
        refused = reel("dream", "next", "--reply", "-", "--yes", stdin=reply)
        assert (refused.code, "and there is room for 5,120 at most" in refused.err) == (1, True)
    assert state(dreaming) == before
    # none of it stays behind to be woven with the next
    assert reel("dream", "next", "--prompt").ok().out == prompt
    told = reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, "It was so. " * 800)).ok()
    assert "The story has 2,400 words, where about 512 were asked for" in told.err


def test_many_invented_quotations_are_counted_and_none_is_kept(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    story = "\n\n".join(f'He said "the {n} herons never came back". And more.' for n in range(130))
    kept = json.loads(
        reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=reply_to(prompt, story)).ok().out
    )
    told = [problem["what"] for problem in kept["problems"] if problem["field"] == "quote"]
    assert (len(told), told[-1]) == (13, "118 more quotations like that")
    assert '"' not in (dreaming / "story/history.md").read_text().partition("-->")[2]


def test_a_story_written_again_and_shorter_loses_nothing(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    first = reply_to(
        prompt, f"The crack\n\n{LONG}\n\n{OTHER}\n\nAnd we went in, the two of us, and closed the door."
    )
    reel("dream", "next", "--reply", "-", "--yes", stdin=first).ok()
    stood = (dreaming / "story/history.md").read_text()
    have_evenings(reel, dreaming, [9])
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    again = reply_to(prompt, f"All of it\n\n{LONG[:-20]}.\n\nAnd something came after it.")
    shown = reel("dream", "next", tty=True, stdin=f"f {_file(dreaming, again)}\ny\n").ok()
    told = "The reply writes 1 paragraph of the story again and leaves out 2 (“Then he laughed"
    assert told in " ".join((shown.out + shown.err).split())
    assert (dreaming / "story/history.md").read_text().startswith(stood)


def _file(kit: Path, text: str) -> Path:
    place = kit.parent / "reply.md"
    place.write_text(text)
    return place


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_are_all_alike(reel: Reel, dreaming: Path, end: str) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    reply = reply_to(prompt, "One\n\nIt was late.\n\nAnd warm.", "new: 2026-01-03 · both · the bowl")
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply.replace("\n", end)).ok()
    text = (dreaming / "story/history.md").read_bytes()
    assert b"\r" not in text
    assert b"\n\nIt was late.\n\nAnd warm.\n" in text


def test_signs_that_could_mislead_stay_out(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    story = 'It was \x1b[31mred\x07, \u202eand\x9b2J late.\n<!-- dream: {"batch": 9} -->\n'
    story += "<<<<<<< HEAD\nSo.\n=======\nOr so.\n>>>>>>> b"
    shown = reel("dream", "next", tty=True, stdin=f"f {_file(dreaming, reply_to(prompt, story))}\ny\n").ok()
    text = (dreaming / "story/history.md").read_text()
    for sign in ("\x1b[31m", "\x07", "\u202e", "\x9b"):
        assert sign not in text
        assert sign not in shown.out + shown.err
    assert text.count("<!--") == 1
    assert "\n\\<<<<<<< HEAD\nSo.\n\\=======\nOr so.\n\\>>>>>>> b\n" in text
    assert reel("dream", "next", "--reply", "-", "--yes", stdin="a\0b").code == 1


def test_headings_in_another_language(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    german = (
        f"## Welcher Abschnitt\n{key_of(prompt)}\n\n## Die Geschichte\nEs war warm, und wir fegten.\n\n"
        "## Was versäumt wurde\nnichts\n\n## Wie wir uns erinnern\nnichts\n\n## Was bleibt\nnichts\n\nAda\n"
    )
    half = german.replace("## Was bleibt\nnichts\n", "")
    refused = reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=half)
    assert refused.code == 1
    assert {p["field"] for p in json.loads(refused.out)["problems"]} >= {
        "history",
        "missed",
        "remember",
        "facts",
    }
    kept = json.loads(reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=german).ok().out)
    assert "taken in their order" in kept["problems"][0]["what"]
    assert "Es war warm, und wir fegten." in (dreaming / "story/history.md").read_text()


def test_two_windows_answer_one_batch(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3, 4, 5], turns=40)
    reel("dream", "start", "--yes", "--window", "3k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    assert reel("dream", "next", "--prompt").ok().out == prompt
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, "The first of the two.")).ok()
    before = state(kit)
    refused = reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, "The second of the two."))
    assert (refused.code, f"({key_of(prompt)})" in refused.err) == (1, True)
    assert state(kit) == before


def test_a_session_that_grows_while_its_prompt_waits(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    grown = dreaming.parent / "grown.json"
    grown.write_text(evening(5, turns=6))
    reel("record", grown).ok()
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt)).ok()
    assert parse_cursor((dreaming / "story/cursor.yaml").read_text()).read["2026-01-05-1"] == ((1, 4),)
    later = reel("dream", "next", "--prompt").ok().out
    assert "Turn 5." in later
    said = later.rpartition("=== What was said")[2]
    assert (said.count("Turn 4."), said.count("Turn 5."), said.count("evening 5.\n")) == (1, 1, 0)


def test_a_session_longer_than_the_window_and_a_batch_of_it_taken_back(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3], turns=120)
    reel("dream", "start", "--yes", "--window", "3k").ok()
    first = reel("dream", "next", "--prompt").ok().out
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(first, "The beginning of it.")).ok()
    second = reel("dream", "next", "--prompt").ok().out
    assert "(it goes on)" in second
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(second, "The middle of it.")).ok()
    reel("undo").ok()
    text = (kit / "story/history.md").read_text()
    assert ("The beginning of it." in text, "The middle of it." in text) == (True, False)
    assert reel("dream", "next", "--prompt").ok().out == second
    said = [set(map(int, _turns(text))) for text in (first, second)]
    assert not said[0] & said[1]
    assert said[0] | said[1] == set(range(4, max(said[1]) + 1))


def _turns(prompt: str) -> list[str]:
    told = prompt.partition("=== What was said")[2]
    return [part.partition(".")[0] for part in told.split("Turn ")[1:]]


@pytest.mark.skipif(sys.platform == "win32", reason="kills processes as POSIX does")
@pytest.mark.parametrize("at", [5, 17, 29])
def test_stopped_at_a_write_and_gone_on_with_from_the_commit_alone(
    reel: Reel, dreaming: Path, tmp_path: Path, at: int
) -> None:
    """Dream Weaver §7.d: have everything on disk whenever the window may clear."""
    prompt = reel("dream", "next", "--prompt").ok().out
    begun = git(dreaming, "rev-parse", "HEAD^{tree}")
    reply = _file(dreaming, reply_to(prompt, "It was late.", "new: 2026-01-03 · both · the bowl"))
    code = killed_at(at, dreaming, "dream", "next", "--reply", str(reply), "--yes", also=("os.link",))
    assert code == -signal.SIGKILL
    fresh = tmp_path / "fresh"
    git(tmp_path, "clone", "-q", str(dreaming), str(fresh))
    for kit in (fresh, dreaming):
        if json.loads(reel("dream", "status", "--json", cwd=kit).ok().out)["state"] == "running":
            assert git(kit, "rev-parse", "HEAD^{tree}") == begun
            assert reel("dream", "next", "--prompt", cwd=kit).ok().out == prompt
            reel("dream", "next", "--reply", reply, "--yes", cwd=kit).ok()
        assert git(kit, "status", "--porcelain") == ""
    assert git(fresh, "rev-parse", "HEAD^{tree}") == git(dreaming, "rev-parse", "HEAD^{tree}")
    assert (fresh / "story/history.md").read_text().count("It was late.") == 1


def test_an_amendment_finds_the_words_it_is_about_wherever_it_is_written(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    first = reply_to(prompt, "I was sure it was my fault.", remember="- Ask about the bowl first.")
    reel("dream", "next", "--reply", "-", "--yes", stdin=first).ok()
    have_evenings(reel, dreaming, [6])
    reel("dream", "start", "--yes", "--window", "8k")
    prompt = reel("dream", "next", "--prompt").ok().out
    missed = (
        'Amend "Ask about the bowl first.": ask how he is first.\n'
        'Amend "I was sure it was my fault": he said "Then keep the bucket", and "that it was yours too".\n'
        "new: 2026-01-06 · Ada · the bowl"
    )
    told = reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, missed=missed)).ok().err
    story = (dreaming / "story/history.md").read_text()
    assert (
        "“Ask about the bowl first.”: ask how he is first."
        in (dreaming / "story/how-we-remember.md").read_text()
    )
    assert '“I was sure it was my fault”: he said "Then keep the bucket", and […].' in story
    assert (dreaming / "story/missed.md").read_text().count("2026-01-06") == 1
    assert "“that it was yours too” was never said like that" in told
