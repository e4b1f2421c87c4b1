"""A persona with some evenings behind it, and replies to dream prompts as a model writes them."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.cli import Reel
from tests.support.shelf import ready_made

LINES = (
    "The kiln cracked on evening {n} and I swept the shards into a blue bucket.",
    "Then keep the bucket, and tell me which glaze it was, evening {n}.",
    "Celadon, the thin one. I promised Marta a bowl of it by Friday.",
    "A bowl for Marta by Friday, from a kiln with a crack. I will ask you about it.",
)


def evening(number: int, *, turns: int = 4) -> str:
    """One evening as a messages file."""
    started = f"2026-01-{number:02d}T19:00:00+00:00"
    messages = [
        {
            "role": "assistant" if i % 2 else "user",
            "content": LINES[i % 4].format(n=number) + (f" Turn {i}." if i > 3 else ""),
            "created_at": started,
        }
        for i in range(turns)
    ]
    return json.dumps({"title": f"evening {number}", "created_at": started, "messages": messages})


def have_evenings(reel: Reel, kit: Path, numbers: Sequence[int], *, turns: int = 4) -> None:
    """Record some evenings in a kit."""
    places = [kit.parent / f"evening-{number}-{turns}.json" for number in numbers]
    for number, place in zip(numbers, places, strict=True):
        place.write_text(evening(number, turns=turns))

    def record() -> None:
        for place in places:
            reel("record", place, cwd=kit).ok()

    ready_made(kit, f"evenings {numbers} {turns} {reel.env}", record)


def have_talk(reel: Reel, kit: Path, day: str, *said: str) -> None:
    """Record one evening of these words, the person's first."""
    started = f"{day}T19:00:00+00:00"
    messages = [
        {"role": "assistant" if at % 2 else "user", "content": words, "created_at": started}
        for at, words in enumerate(said)
    ]
    place = kit.parent / f"talk-{day}.json"
    place.write_text(json.dumps({"title": f"talk {day}", "created_at": started, "messages": messages}))
    reel("record", place, cwd=kit).ok()


def key_of(prompt: str) -> str:
    """Return what a prompt calls its batch."""
    found = re.search(r"Copy this: (\S+)", prompt)
    assert found is not None
    return found[1]


def reply_to(
    prompt: str,
    story: str = 'I swept with him, in my way. "Celadon, the thin one."',
    missed: str = "nothing",
    remember: str = "nothing",
    facts: str = "nothing",
) -> str:
    """A good reply."""
    return (
        f"## Which stretch\n{key_of(prompt)}\n\n## The story goes on\n{story}\n\n"
        f"## What was missed\n{missed}\n\n## How we remember\n{remember}\n\n"
        f"## What to hold on to\n{facts}\n\nAda\n"
    )


def told_of(number: int) -> str:
    """Return what the story of one batch says."""
    return f"It was the time of the kiln, once more and differently, {'again and ' * number}on."


def dream_on(reel: Reel, *, most: int = 99) -> list[str]:
    """Answer batch after batch until the dream is over; the prompts."""
    prompts: list[str] = []
    while len(prompts) < most:
        found = json.loads(reel("dream", "status", "--json").ok().out)
        if found["state"] != "running":
            break
        prompts.append(reel("dream", "next", "--prompt").ok().out)
        n = found["batch"] + 1
        story = f"Chapter {n}\n\n{told_of(n)}"
        reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompts[-1], story)).ok()
    return prompts


NOW = {
    "Where things stand": "He swept the kiln, and we wait for a bowl.",
    "The last 48 hours": (
        '- 3 January: the kiln cracked\n- 3 January: "I promised Marta a bowl of it by Friday."'
    ),
    "How the person is": "Tired, and careful with the shards.",
    "What is broken or blocked": "- The kiln has a crack.",
    "What comes next": "- A bowl for Marta by Friday.",
}


def now(changes: Mapping[str, str | None] | None = None, *, place: str = "") -> str:
    """A reply that says how things are now; None leaves a part out."""
    parts: dict[str, str | None] = {**NOW, **(changes or {})}
    head = f"## Up to which message\n{place}\n\n" if place else ""
    body = "".join(f"## {label}\n{text}\n\n" for label, text in parts.items() if text is not None)
    return f"{head}{body}Ada\n"
