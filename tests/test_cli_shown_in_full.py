"""All that a yes would keep is on the screen before the question."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reel_cli.flows.review import Kind, Waiting
from reel_cli.flows.review_diff import changed_lines, render_diff
from tests.cli import Reel, git
from tests.pages import chat, page

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
    r"[\s-]*(id|uid|level|created|sessions?|source|model|ring0|at|kind|session|made|role|span|title|about):.*"
)


def words(text: str) -> list[str]:
    return WORD.findall(text.casefold())


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    reel("record", "-", stdin=chat()).ok()
    return kit


def missing(text: str, screen: str) -> set[str]:
    return set(words(text)) - set(words(screen))


@pytest.mark.parametrize("columns", ["40", "200"])
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "path", ["ring0/identity.md", "ring1/the-bus-window.md", "ring2/working.md", "ring1/new.md"]
)
def test_review_cuts_nothing(reel: Reel, told: Path, path: str, name: str, columns: str) -> None:
    with (told / path).open("a", encoding="utf-8", newline="") as file:
        file.write(f"\n{TEXTS[name]}\n")
    env = {"COLUMNS": columns}
    for arguments in (("review",), ("review", "show", path)):
        assert missing(TEXTS[name], reel(*arguments, env=env, tty=True).ok().out) == set()
    done = reel("review", "accept", path, "--as", ME, "--yes", env=env, tty=True).ok()
    assert missing(TEXTS[name], done.err) == set()
    assert "\x0c" not in done.err


@pytest.mark.parametrize("columns", ["40", "120"])
def test_a_page_is_on_the_screen_before_it_is_kept(reel: Reel, told: Path, columns: str) -> None:
    reply = page(
        {
            "What happened": f"Bo read the letter again. {LONG}",
            "What matters": "It was never hers.\n\nsource: the clock\n\n# It kept ticking",
            "Who I am on paper": "Kinder than it was, drier than it looks.",
        }
    )
    (told.parent / "reply.md").write_text(reply, encoding="utf-8")
    reel("checkpoint", "--prompt").ok()
    given = ("checkpoint", "--reply", told.parent / "reply.md")
    done = reel(*given, env={"COLUMNS": columns}, tty=True, stdin="y\ny\ny\n").ok()
    screen = done.err.partition("Keep all this?")[0]
    (memory,) = told.glob("ring3/*.md")
    body = memory.read_text(encoding="utf-8").partition("\n---\n")[2]
    added = git(told, "show", "--unified=0", "--format=", "HEAD", "--", "ring2", "review")
    texts = reply, body, "\n".join(line[1:] for line in added.split("\n") if line.startswith("+"))
    for line in "\n".join(texts).split("\n"):
        if not line.startswith(("#", "++")) and not MACHINE.fullmatch(line):
            assert missing(line, screen) == set(), line


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=400),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=400),
)
def test_a_diff_shows_every_line_that_would_be_kept(before: str, after: str) -> None:
    one = Waiting("x", Kind.HAND, "edited", "waits", "x", before.encode(), after.encode())
    shown = [line[1:] for line in changed_lines(render_diff(one)) if line[:1] in ("+", " ")]
    old = before.split("\n")
    assert all(not line or line in shown or line in old for line in after.split("\n"))
