"""All that a yes would keep is on the screen before the question; of a page, behind one key."""

import io
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import FIELDS
from reel_cli.features.page.calibration import EARLIER
from reel_cli.features.review.diff import changed_lines, render_diff
from reel_cli.features.review.proposals import Kind, WaitingProposal
from reel_cli.terminal.console import Console
from reel_cli.terminal.full_view import show_in_full
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import have_evenings, reply_to
from tests.support.kits_at_random import Files
from tests.support.pages import chat, page

ME = "Bo Lind <bo@example.org>"
WORD = re.compile(r"\w+")
MANY = "\n".join(f"line{n} of many" for n in range(300))
LONG = " ".join(f"word{n}" for n in range(900))
HOSTILE = (
    "one\x0c   two"
    + " pad" * 60
    + " hidden1\u2028   three"
    + " pad" * 60
    + " hidden2\r four\n@@ five\n--- six\n"
)
TEXTS = {"many lines": MANY, "a long line": LONG, "odd line ends": HOSTILE}
MACHINE = re.compile(
    r"<!-- dream: .*-->|---|[\s-]*(id|uid|level|created|sessions?|source|model|immune|ring0|at|by|kind|made|"
    r"role|span|state|confidence|origin|when):.*|"
    # each is made of what stands on the screen apart from it
    r"(tag|title|anchor):.*"
)
INDEX_LINE = re.compile(r"M-\d+ \| (.*) \| [\w, -]* \| (?:not )?immune(?: <!--.*-->)?$")
KEY = re.compile(r"^(- |  )?[a-z_]+: ")
LABELS = {"# History", "# How we remember", *(f"## {name}" for name in FIELDS), EARLIER}
NOT_SHOWN = [":!tape", ":!journal", ":!checkpoints", ":!story/cursor.yaml"]


def words(text: str) -> list[str]:
    return WORD.findall(text.casefold())


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    reel.given("record", "-", stdin=chat())
    return kit


def missing(text: str, screen: str) -> set[str]:
    return set(words(text)) - set(words(screen))


@pytest.mark.parametrize(
    ("path", "name", "columns"),
    [
        *(("ring0/identity.md", name, columns) for name in TEXTS for columns in ("40", "200")),
        *((path, "odd line ends", "40") for path in ("ring1/the-bus-window.md", "ring2/working.md")),
        ("ring1/new.md", "many lines", "40"),
    ],
)
def test_review_cuts_nothing(reel: Reel, told: Path, path: str, name: str, columns: str) -> None:
    with (told / path).open("a", encoding="utf-8", newline="") as file:
        file.write(f"\n{TEXTS[name]}\n")
    env = {"COLUMNS": columns}
    walked = reel("review", env={**env, "LINES": "9999"}, tty=True, stdin="w\n").ok()
    assert missing(TEXTS[name], walked.err) == set()
    assert missing(TEXTS[name], reel("review", "show", path, env=env, tty=True).ok().out) == set()
    done = reel("review", "accept", path, "--as", ME, "--yes", env=env, tty=True).ok()
    assert missing(TEXTS[name], done.err) == set()
    assert "\x0c" not in done.err


def unseen(kit: Path, screen: str) -> list[str]:
    """The lines of the last commit with a word that was not on the screen; no page's reply, no tape."""
    shown = set(words(screen))
    kept = git(kit, "show", "--unified=0", "--format=", "HEAD", "--", ".", *NOT_SHOWN)
    stood = [words(line) for line in kept.split("\n") if line.startswith("-")]
    lines = [line[1:] for line in kept.split("\n") if line.startswith("+") and not line.startswith("+++")]
    lines = [line for line in lines if words(line) not in stood]
    lines = [
        # what the persona reads of itself is shown to a person under the persona's name
        INDEX_LINE.sub(r"\1", line).replace(": you said", ": Ada said")
        for line in lines
        if line not in LABELS and not MACHINE.fullmatch(line)
    ]
    return [line for line in lines if not set(words(KEY.sub("", line))) <= shown]


FULL = {
    "What happened": f"Bo read the letter again. {LONG}",
    "What matters": "It was never hers.\n\nsource: the clock\n\n# It kept ticking",
    "What's unresolved": "- whether he buys the ticket\n- whose coat hung there",
    "How I was": f"Brisk and then {' '.join(f'slower{n}' for n in range(80))}.",
    "Who I am on paper": f"Kinder than it was, {' '.join(f'drier{n}' for n in range(80))}.",
    "My notes": f"1. still\nnew: the residency\nstate: Near {' '.join(f'close{n}' for n in range(80))}.",
}


@pytest.mark.parametrize("columns", ["40", "120"])
@pytest.mark.parametrize("op", ["checkpoint", "consolidate"])
def test_every_word_of_a_page_can_be_seen_before_it_is_kept(
    reel: Reel, told: Path, op: str, columns: str
) -> None:
    parts = {key: text for key, text in FULL.items() if op == "checkpoint" or key.startswith("What ")}
    (told.parent / "reply.md").write_text(page(parts), encoding="utf-8")
    reel(op, "--prompt").ok()
    given = (op, "--reply", told.parent / "reply.md")
    done = reel(*given, env={"COLUMNS": columns}, tty=True, stdin="v\ny\n").ok()
    short, _, screen = done.err.partition("Keep this?")
    screen = screen.partition("Keep this?")[0]
    assert unseen(told, screen) == []
    assert "you said" not in " ".join(screen.split())
    # a title and who spoke stand there already
    assert ": Ada said" not in screen
    assert "**" not in screen
    # at first what becomes a memory is told in a breath, and what changes in the notes whole
    assert "Bo read the letter again" not in " ".join(short.split())
    assert missing("The letter that wasn't hers, and chapter four opened with a letter", short) == set()
    if op == "checkpoint":
        assert missing(FULL["My notes"].partition("state: ")[2], short) == set()
    # it is told once and in words: no file is printed, and none of the page's headings
    assert " ".join(screen.split()).count("Bo read the letter again") == 1
    assert not any(line.startswith(("    ## ", "  ring")) or " | " in line for line in screen.splitlines())
    assert ("as it was written, goes into checkpoints/" in " ".join(screen.split())) == (op == "checkpoint")


def test_facts_are_on_the_screen_before_they_are_kept(reel: Reel, told: Path) -> None:
    reel("fact", "extract", "--prompt").ok()
    known = 'preferences | chapter four | she should open a letter | "open a letter that isn\'t hers" | 3'
    reply = told.parent / "reply.md"
    reply.write_text(f"## What I know for sure\n{known}\n\nAda\n", encoding="utf-8")
    done = reel("fact", "extract", "--reply", reply, tty=True, stdin="y\ny\n").ok()
    assert unseen(told, done.err.partition("Keep ")[0]) == []


def test_a_dream_is_on_the_screen_before_it_is_kept(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel.given("dream", "start", "--yes", "--window", "8k")
    prompt = reel("dream", "next", "--prompt").ok().out
    reply = kit.parent / "reply.md"
    reply.write_text(reply_to(prompt, f'I swept. "Celadon, the thin one." {LONG}', remember="Slowly."))
    done = reel("dream", "next", "--reply", reply, tty=True, stdin="y\ny\n").ok()
    assert unseen(kit, done.err.partition("Keep this?")[0]) == []


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
PATHS = ["ring2/working.md", "ring3/M-001.md", "ring4/index.md", "facts.yaml", "review/x.md", "story/1.md"]


@given(st.sampled_from(PATHS), st.lists(TEXT, min_size=1, max_size=4), TEXT, TEXT, st.integers(20, 120))
def test_whatever_a_change_writes_is_on_the_screen(
    path: str, before: list[str], added: str, value: str, width: int
) -> None:
    line = " ".join(added.split())
    held = "\n".join(f"- {' '.join(text.split())}" for text in before)
    if path.endswith(".yaml"):
        old, new = "", f"- category: people\n  key: {render_scalar(line)}\n  value: {render_scalar(value)}\n"
    else:
        old = f"---\nlevel: L1\n---\n{held}\n"
        new = f"---\nlevel: L1\nmarker: {render_scalar(value)}\n---\n{held}\n- {line}\n"
    snapshot = Files({path: old.encode()}).snapshot()
    change = Change("checkpoint", "x", {path: new.encode()})
    screen = _Terminal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        show_in_full(SimpleNamespace(console=Console(screen, screen), snapshot=snapshot), change)  # type: ignore[arg-type]
    wanted = {*words(line), *words(value)} - set(words(held))
    assert wanted <= set(words(screen.getvalue().replace("\ufffd", " "))) | set(words("people"))


def test_words_of_the_files_alone_are_not_shown() -> None:
    files = {
        "facts.yaml": "- category: own\n  key: dog\n  value: deaf\n  said_by: persona\n  confidence: 1\n",
        "intake.yaml": "decided:\n- words: I promise.\n  why: no reason was given\n  by: model\n",
    }
    change = Change("checkpoint", "x", {path: text.encode() for path, text in files.items()})
    screen = _Terminal()
    show_in_full(SimpleNamespace(console=Console(screen, screen), snapshot=Files({}).snapshot()), change)  # type: ignore[arg-type]
    told = screen.getvalue()
    assert "deaf" in told
    assert "I promise." in told
    for raw in ("said by persona", "said_by", "no reason was given", "confidence", "model"):
        assert raw not in told


def test_a_reason_is_shown_with_what_it_is_of() -> None:
    text = "decided:\n- words: I'm allergic to nuts.\n  why: it can hurt her\n  by: model\n"
    screen = _Terminal()
    console = Console(screen, screen)
    console.say("new: nuts: I'm allergic to nuts.")
    change = Change("checkpoint", "x", {"intake.yaml": text.encode()})
    show_in_full(SimpleNamespace(console=console, snapshot=Files({}).snapshot()), change)  # type: ignore[arg-type]
    told = "What was said, and why it is kept or not “I'm allergic to nuts.”: it can hurt her"
    assert told in " ".join(screen.getvalue().split())


def test_a_fact_is_shown_as_one_line_with_its_sentence() -> None:
    """Its value alone stood on the screen before: its kind and its words say nothing without it."""
    fact = (
        "- category: context\n  key: work\n  value: at the mill\n  confidence: 0.95\n"
        "  statement: Bo works at the mill\n  evidence: at the mill since May\n"
    )
    screen = _Terminal()
    console = Console(screen, screen)
    console.say("new: work: at the mill")
    change = Change("checkpoint", "x", {"facts.yaml": fact.encode()})
    show_in_full(SimpleNamespace(console=console, snapshot=Files({}).snapshot()), change)  # type: ignore[arg-type]
    told = (
        "context, work: at the mill; as a sentence: Bo works at the mill; in the words: at the mill since May"
    )
    assert f"Facts, in full {told}" in " ".join(screen.getvalue().split())


def test_a_fact_that_is_over_is_not_shown_as_known() -> None:
    """The screen said "No longer a fact", and then that it is known by heart."""
    fact = (
        "- category: commitments\n  key: map\n  value: back on Thursday\n  confidence: 1\n"
        "  dropped: the page says it is over\n"
    )
    change = Change("checkpoint", "x", {"facts.yaml": fact.encode()})
    for seen in ("map: back on Thursday", ""):
        screen = _Terminal()
        console = Console(screen, screen)
        console.say(seen)
        show_in_full(SimpleNamespace(console=console, snapshot=Files({}).snapshot()), change)  # type: ignore[arg-type]
        told = screen.getvalue()
        assert "commitments, map" not in told
        assert ("no longer: map: back on Thursday" in told) is (not seen)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=400),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=400),
)
def test_a_diff_shows_every_line_that_would_be_kept(before: str, after: str) -> None:
    one = WaitingProposal("x", Kind.HAND, "edited", "waits", "x", before.encode(), after.encode())
    shown = [line[1:] for line in changed_lines(render_diff(one)) if line[:1] in ("+", " ")]
    old = before.split("\n")
    assert all(not line or line in shown or line in old for line in after.split("\n"))
