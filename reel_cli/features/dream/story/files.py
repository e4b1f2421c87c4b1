"""`story/history.md` and `story/how-we-remember.md`: chapters, added to and amended, never rewritten."""

import json
import re
from collections.abc import Sequence

from reel_cli.core.files.markdown import plain_chapter
from reel_cli.core.values.change import one_line
from reel_cli.features.dream.dream import Amendment, Chapter
from reel_cli.features.dream.shortening import AMENDED

HISTORY = "story/history.md"
REMEMBER = "story/how-we-remember.md"
TITLES = {HISTORY: "History", REMEMBER: "How we remember"}
_HEAD = re.compile(r"(?m)^## (.*)$")
_NOTE = re.compile(r"(?m)^<!-- dream: .*-->\n?")


def parse_chapters(text: str) -> list[Chapter]:
    """Return the chapters of a file, oldest first, without text before the first heading."""
    heads = list(_HEAD.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)] if heads else []
    return [
        Chapter(head[1].strip(), _NOTE.sub("", text[head.end() : end]).strip("\n"))
        for head, end in zip(heads, ends, strict=True)
    ]


def add_chapter(text: str, path: str, chapter: Chapter, about: dict[str, object]) -> str:
    """Return the file with one more chapter at its end; `about` is kept with it as a comment."""
    head = text if text.strip() else f"# {TITLES[path]}\n"
    noted = json.dumps(about, ensure_ascii=True).replace("-->", "--\\u003e")
    title = one_line(chapter.title, 120) or "Without a title"
    return (
        f"{head.rstrip(chr(10))}\n\n## {title}\n\n<!-- dream: {noted} -->\n\n{plain_chapter(chapter.text)}\n"
    )


def amend(text: str, amendments: Sequence[Amendment], when: str) -> tuple[str, list[Amendment]]:
    """Return the file with each amendment below its chapter, and the amendments whose words it lacks.

    What stood stays; the amendment says what it is about, what holds now, and `when` it was written.
    """
    lost: list[Amendment] = []
    for one in amendments:
        at = _find(text, one.old)
        if at < 0:
            lost.append(one)
            continue
        following = _HEAD.search(text, at)
        end = following.start() if following else len(text)
        note = f"{render_amendment(one, when)}\n"
        text = f"{text[:end].rstrip(chr(10))}\n\n{note}" + (f"\n{text[end:]}" if following else "")
    return text, lost


def render_amendment(one: Amendment, when: str) -> str:
    """Return an amendment as it stands below its chapter, on one line."""
    line = f"{AMENDED}{when}.** “{one_line(one.old, 200)}”: {one_line(one.new)}"
    return line.replace("<!--", "‹!--").replace("-->", "--›")


def stands_in(text: str, words: str) -> bool:
    """Return whether some words occur in a text, whatever its line breaks."""
    return _find(text, words) >= 0


def _find(text: str, words: str) -> int:
    """Return where some words occur, whatever the line breaks and quotation marks; -1 for nowhere."""
    parts = re.findall(r"\w+", words)
    if not parts:
        return -1
    pattern = r"(?<!\w)" + r"[^\w]{1,6}".join(map(re.escape, parts)) + r"(?!\w)"
    found = re.search(pattern, text, re.IGNORECASE)
    return found.start() if found else -1
