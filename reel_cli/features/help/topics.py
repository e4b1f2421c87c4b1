"""Every topic of `reel help` by the words that lead to it; `make docs` makes docs/glossary.md from them.

A new word is a row of `terms.py`, or of `situations.py` where people look for it by words of their own.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from reel_cli.features.help.situations import SITUATIONS
from reel_cli.features.help.terms import TERMS, WORDS
from reel_cli.features.help.topic import Topic


@cache
def list_topics() -> Mapping[str, Topic]:
    """Return every topic by each word that leads to it, in small letters; a topic's own word comes first."""
    found: dict[str, Topic] = {}
    for topic in (*WORDS, *SITUATIONS, *TERMS):
        found.setdefault(topic.term, topic)
    for topic in (*WORDS, *SITUATIONS, *TERMS):
        for word in topic.also:
            found.setdefault(word, topic)
    return found


def render_glossary() -> str:
    """Return docs/glossary.md."""
    return "\n".join(_page())


def _page() -> Iterator[str]:
    yield "# Glossary\n"
    yield "<!-- Made by tools/make_docs.py from reel_cli/features/help/topics.py. -->\n"
    yield (
        "Each term has one meaning, on screen, in the docs and in the code; `reel help WORD` explains it "
        "in the terminal. Sections like\n`REEL §6.6` are told in [the protocols](protocols.md).\n"
    )
    for heading, topics in (
        ("On screen", WORDS),
        ("In files, docs and code", TERMS),
    ):
        yield f"## {heading}\n"
        yield from (f"- **{topic.term}**: {topic.meaning}" for topic in topics)
        yield ""
