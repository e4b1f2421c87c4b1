"""A story, a shared context and a tape for kits in memory: what a warm start is made of."""

from collections.abc import Sequence

from hypothesis import strategies as st

from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.talk import Conversation, Message, session_path
from tests.support.installed_features import is_installed
from tests.support.kits_at_random import WORDS, Files, kits, long_text

HISTORY = "story/history.md"
CONTEXT = "SHARED-CONTEXT.md"
SESSION = "2026-02-26-1"
EARLIER = "2026-02-25-2"


def talk(session: str, said: Sequence[tuple[str, str]]) -> dict[str, bytes]:
    """One session's file; each message by its role and its words."""
    messages = [Message(role, text) for role, text in said]
    return {session_path(session): render_session(session, Conversation("messages", messages))}


def story(chapters: Sequence[tuple[str, str]]) -> str:
    """The story with these chapters, as batches of a dream add them."""
    from reel_cli.features.dream.dream import Chapter
    from reel_cli.features.dream.story.files import add_chapter

    text = ""
    for number, (title, told) in enumerate(chapters, 1):
        text = add_chapter(text, HISTORY, Chapter(title, told), {"batch": number})
    return text


@st.composite
def waking_kits(draw: st.DrawFn, most: int = 4) -> Files:
    """A random kit that has some, all or nothing of what a warm start loads."""
    files = dict(draw(kits(most)).files)
    lengths = st.sampled_from([0, 1, 3, 30])
    chapters = [
        (f"{number} {draw(WORDS)}", "\n\n".join(long_text(draw(WORDS), draw(lengths)) for _ in range(3)))
        for number in range(draw(st.sampled_from([0, 1, 3, 12])))
    ]
    if is_installed("dream"):
        from reel_cli.features.dream.dream import Amendment
        from reel_cli.features.dream.story.files import amend

        told = story(chapters)
        if chapters and draw(st.sampled_from([0, 1])):
            told, _ = amend(told, [Amendment(draw(st.sampled_from(["lamp", "out again"])), "so")], "today")
        files[HISTORY] = told.encode()
    if draw(st.sampled_from([0, 1])):
        sections = [
            f"## Part {n}\n{long_text(draw(WORDS), draw(lengths))}\n" for n in range(draw(lengths) % 7)
        ]
        note = '<!-- context: {"known": "2026-02-25-1#3", "on": "2026-02-26"} -->\n'
        files[CONTEXT] = "\n".join(
            (note, draw(st.sampled_from(["", "# Title\n", "Before.\n"])), *sections)
        ).encode()
    roles = st.sampled_from(["user", "user", "assistant"])
    for session in (SESSION, EARLIER):
        said = [(draw(roles), long_text(draw(WORDS), draw(lengths))) for _ in range(draw(st.integers(0, 8)))]
        if said:
            files |= talk(session, said)
    return Files(files)
