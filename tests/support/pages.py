"""A chat and a model's page about it, to be changed part by part."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from tests.support.cli import Reel

CHAT = {
    "title": "the letter",
    "created_at": "2026-02-25T19:00:00+00:00",
    "model": "qwen3-14b",
    "messages": [
        {"role": "user", "content": "You are colder than usual today. Did I do something?"},
        {"role": "assistant", "content": "No. I was being careful, and careful looks cold from outside."},
        {"role": "user", "content": "Fine. Chapter four: she should open a letter that isn't hers."},
        {"role": "assistant", "content": "Then let her read it standing up, with her coat on."},
        {
            "role": "user",
            "content": "The residency wants forty pages by 30 April. Remind me, penicillin never.",
        },
        {"role": "assistant", "content": "Forty pages by 30 April. Go and buy the ticket."},
    ],
}

PARTS: dict[str, str] = {
    "In a few words": "The letter that wasn't hers",
    "What happened": "He said I was colder than usual. Then chapter four: a letter. Forty pages by 30 April.",
    "What changed": "I said why I was careful, and it eased.",
    "What matters": "He asked instead of guessing.",
    "What's unresolved": "- whether he buys the ticket",
    "Lines to find it by": '"open a letter that isn\'t hers"\n"penicillin never"\n"careful looks cold"',
    "In one breath": "He said I was cold, I told him why, and chapter four opened with a letter.",
    "What kind of memory": "relational, emotional. May fade.",
    "What may be asked later": "Did they quarrel over the novel?\nWhich medicine is dangerous for him?",
    "Am I still myself": "Yes. I told him the true thing first.",
    "How I was": "Brisk at first, warmer once it was named.",
    "What has shifted": '"I was being careful, and careful looks cold from outside." It fitted.\nsteady',
    "Who I am on paper": "Not a word.",
    "Worth showing again": "nothing",
    "My notes": "1. still\nnew: the residency, forty pages by 30 April\nstate: He is close to a deadline.",
    "Never let fade": "nothing",
}


def page(changes: Mapping[str, str | None] | None = None, *, sign: str = "Ada") -> str:
    """The page with some parts changed; None leaves a part out."""
    parts: dict[str, str | None] = {**PARTS, **(changes or {})}
    body = "\n".join(f"## {label}\n{text}\n" for label, text in parts.items() if text is not None)
    return f"{body}\n{sign}\n"


def chat(*more: tuple[str, str], **changes: object) -> str:
    """The chat as a messages file, with messages added at its end and top-level keys changed."""
    messages = [*CHAT["messages"], *({"role": role, "content": text} for role, text in more)]
    return json.dumps({**CHAT, "messages": messages, **changes})


def say(reel: Reel, kit: Path, talk: list[tuple[str, str]], day: int = 10) -> str:
    """Record a talk of that day of February; its session's name."""
    place = kit.parent / f"chat-{day}.json"
    started = f"2026-02-{day}T19:00:00+00:00"
    messages = [{"role": role, "content": text, "created_at": started} for role, text in talk]
    place.write_text(json.dumps({"title": "t", "created_at": started, "messages": messages}))
    reel("record", place, cwd=kit).ok()
    return f"2026-02-{day}-1"


def without_today(text: str) -> str:
    """A bundle of `reel start` without the line about the day, which `reel pack` does not have."""
    whole, found = re.subn(r"Today is \d{1,2} \w+ \d{4}\.\n\n", "", text)
    assert found == 1
    return whole
