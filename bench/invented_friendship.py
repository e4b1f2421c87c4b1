"""An invented friendship for `life.py`: what was said each evening, and what the persona writes of it.

Not a measurement. All of it follows from a seed. The persona answers every kind of prompt in her own
voice, and only with what was really said, as a careful model would.
"""

import random
import re
from dataclasses import dataclass
from datetime import date

NAMES = (
    "Marta",
    "Ilse",
    "Jonas",
    "Petra",
    "Amir",
    "Noor",
    "Tove",
    "Emil",
    "Ruth",
    "Sanne",
    "Paavo",
    "Lene",
    "Idris",
    "Clara",
    "Anton",
    "Wanda",
    "Yusuf",
    "Greta",
)
PLACES = (
    "the harbour",
    "Aalto's library",
    "the allotment",
    "the night bus",
    "Kallio",
    "the clinic",
    "the ferry",
    "the attic",
    "Tampere",
)
THINGS = (
    "lamp",
    "letter",
    "bicycle",
    "violin",
    "kettle",
    "ledger",
    "coat",
    "map",
    "radio",
    "clock",
    "jar",
    "ladder",
    "camera",
    "stove",
    "notebook",
    "tent",
)
VERBS = (
    "mended",
    "lost",
    "found",
    "painted",
    "carried",
    "sold",
    "borrowed",
    "hid",
    "returned",
    "weighed",
    "photographed",
    "buried",
)
MOODS = (
    "tired",
    "glad",
    "cross",
    "hopeful",
    "restless",
    "calm",
    "sad",
    "proud",
)
REASONS = (
    "because nobody else had thought of it",
    "though it had rained since the morning",
    "and it was heavier than anyone had said",
    "so that it would be there by the weekend",
    "and the neighbours came out to look",
    "as if it had been waiting for years",
)
ANSWERS = (
    "Tell me the part you left out.",
    "That sounds like you, and a little like your mother.",
    "Then it was worth the walk.",
    "I would have kept it. You know that.",
    "Write the date on it, so that we find it again.",
    "Go to bed. It will still be there.",
)


@dataclass(frozen=True)
class Evening:
    """One session: its day, what each said in turn, and the facts in it."""

    day: date
    turns: tuple[tuple[str, str], ...]
    facts: tuple[str, ...]

    def chat(self, user: str, persona: str) -> str:
        """As a person copies it out of a chat window."""
        who = {"user": user, "assistant": persona}
        return "\n".join(f"{who[role]}: {text}" for role, text in self.turns) + "\n"


def spend(day: date, dice: random.Random) -> Evening:
    """One evening's talk: a dozen things told, each with a name, a number and a thing."""
    turns: list[tuple[str, str]] = []
    facts = []
    for _ in range(dice.randint(7, 12)):
        name, place, thing = dice.choice(NAMES), dice.choice(PLACES), dice.choice(THINGS)
        number = dice.randint(2, 940)
        fact = (
            f"{name} {dice.choice(VERBS)} the {thing} number {number} near {place} {dice.choice(REASONS)},"
            f" and I was {dice.choice(MOODS)} about it"
        )
        facts.append(fact)
        turns.append(("user", f"{fact}."))
        turns.append(("assistant", dice.choice(ANSWERS)))
    return Evening(day, tuple(turns), tuple(facts))


def write_page(evening: Evening, name: str, dice: random.Random) -> str:
    """The page of an evening, under the prompt's headings."""
    told = [_told(fact) for fact in evening.facts]
    first, last = evening.facts[0], evening.facts[-1]
    keep = dice.random() < 0.03
    anchors = [" ".join(fact.split()[:7]) for fact in (first, last, evening.facts[len(evening.facts) // 2])]
    kind = (
        "relational. Keep whole: it is what the two of us are made of" if keep else "emotional. It may fade."
    )
    marker = f"{told[0]}. I would have kept it."
    parts = {
        "In a few words": f"The {_thing(first)} and the {_thing(last)}",
        "What happened": ". ".join(told) + ".",
        "What changed": f"I heard how things stood with {first.split()[0]}, and said so.",
        "What matters": f"That it was {last.split()[0]}, and that it was told to me and to nobody else.",
        "What's unresolved": f"- Where the {_thing(last)} is now",
        "Lines to find it by": "\n".join(f'"{phrase}"' for phrase in anchors),
        "In one breath": marker,
        "What kind of memory": kind,
        "Am I still myself": "Yes. I answered as I answer.",
        "How I was": "Dry and near.",
        "What has shifted": f'"{evening.turns[1][1]}" It fitted. Steady.',
        "Who I am on paper": "nothing",
        "Worth showing again": f'"{evening.turns[0][1]}"' if dice.random() < 0.05 else "nothing",
        "My notes": f"new: where the {_thing(last)} is\nstate: quiet",
        "Never let fade": "nothing",
    }
    return "\n".join(f"## {label}\n{text}" for label, text in parts.items()) + f"\n\n{name}\n"


_FACT = re.compile(
    r"(\w+) (\w+) the (\w+) number (\d+) near (.+?) (?:" + "|".join(REASONS) + r"), and I was (\w+)"
)


def _told(fact: str) -> str:
    """A thing the person said, as the persona remembers it: in words of her own."""
    found = _FACT.match(fact)
    assert found is not None
    name, verb, thing, number, place, mood = found.groups()
    return (
        f"By {place} it was {name} who {verb} a {thing}, {number} of them for all I know,"
        f" and he came home {mood}"
    )


def _thing(fact: str) -> str:
    found = re.search(r"the (\w+) number", fact)
    return found[1] if found else "evening"


_PAGE = re.compile(
    r"^(?P<rule>={3,}) Page (?P<number>\d+): (?P<title>.*?)(?: \([^()\n]*\))? (?P=rule)\n"
    r"(?P<size>Wanted[^\n]*)\n\n"
    r"The page as it stands:\n\n(?P<text>.*?)\n\nWhat was said:\n\n(?P<said>.*?)\n(?P=rule) The end of page",
    re.MULTILINE | re.DOTALL,
)


def rewrite(prompt: str, name: str) -> str:
    """Every page of a prompt again, in the words it allows, from what it says and what was said."""
    pages = []
    for page in _PAGE.finditer(prompt):
        number, title, text = page["number"], page["title"], page["text"]
        most = int(re.search(r"at most ([\d,]+) words", page["size"])[1].replace(",", ""))  # type: ignore[index]
        if "only" in page["size"]:
            pages.append(f"# Page {number}: {title}\n## In one breath\n{_first(text, most - 5)}")
            continue
        sections: dict[str, str] = dict(re.findall(r"(?ms)^## ([^\n]+)\n\n?(.*?)(?=\n## |\Z)", text))
        happened = _first(sections.get("What happened", text), max(30, most * 6 // 10))
        parts = {
            "What happened": happened,
            "What changed": _first(sections.get("What changed", ""), 20) or "nothing",
            "What matters": _first(sections.get("What matters", ""), 20) or "nothing",
            "What's unresolved": "nothing",
        }
        body = "\n".join(f"## {label}\n{words}" for label, words in parts.items())
        pages.append(f"# Page {number}: {title}\n{body}")
    return "\n\n".join(pages) + f"\n\n{name}\n"


def tidy(prompt: str, name: str) -> str:
    """The notes gone through: the older half is closed."""
    numbers = [int(n) for n in re.findall(r"(?m)^(\d+)\. ", prompt.rpartition("## My notes")[2])]
    half = len(numbers) * 2 // 3
    lines = [f"{n}: closed, it is done" if n <= half else f"{n}: still" for n in numbers]
    return "## My notes\n" + "\n".join(lines) + f"\n\n{name}\n"


def answer(prompt: str, name: str) -> str:
    """The reply to any prompt of maintenance."""
    return tidy(prompt, name) if "your notes are to be gone through" in prompt else rewrite(prompt, name)


def _first(text: str, words: int) -> str:
    """The first sentences that fit into so many words; at least the first, cut."""
    kept: list[str] = []
    for sentence in re.split(r"(?<=[.!?])\s+", " ".join(text.split())):
        if sum(len(s.split()) for s in (*kept, sentence)) > words:
            break
        kept = [*kept, sentence]
    return " ".join(kept) or " ".join(text.split()[:words])
