"""Quality of facts that a model found: whether they are supported, and which questions they answer.

    python bench/facts.py REPLIES [--talk conv-43] [--judged FOLDER]

Each of LoCoMo's conversations is one long chat: one speaker is the person, the other the persona. The facts
are asked for as `reel fact extract` asks; REPLIES holds the answers, word for word, as `conv-43-1.txt`. Where
one is missing its prompt is written beside it (`conv-43-1.prompt.md`): give it to a model, and nothing else.

A question of the data set's kind 4 (single-hop) counts as answered where one line of the facts that a bundle
has holds every word of the answer that says something. That is strict with other words for the same thing,
and blind to the right words in the wrong place; so somebody may judge as well: `conv-43.questions.md` has the
block and the questions, and FOLDER's `conv-43.txt` a line a question, its number and `yes` or `no`.
"""

import argparse
import json
import os
import re
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from stream import DATA, reel

from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.session_file import parse_session

TALKS = ("conv-26", "conv-30", "conv-41", "conv-42", "conv-43")
SINGLE_HOP = 4
LITTLE = re.compile(
    r"(?:a|all|an|and|are|as|at|be|by|for|from|had|has|have|her|his|herself|he|himself|i|in|is|it|its|more|most|my|myself|of|on|one|only"
    r"|or|our|she|so|some|something|still|that|the|their|them|there|they|this|to|was|we|were|what|will|with|you"
    r"|your)"
)


@dataclass
class Known:
    """Figures of one conversation; `answered` and `judged` are (all, about the person's own words)."""

    turns: int
    facts: int = 0
    refused: int = 0
    unborne: list[str] = field(default_factory=list)
    questions: tuple[int, int] = (0, 0)
    answered: tuple[int, int] = (0, 0)
    judged: tuple[int, int] | None = None


class Waiting(Exception):  # noqa: N818 (no error: an answer is not there yet)
    """A prompt was written that nobody has answered yet."""


def load(name: str) -> dict[str, Any]:
    """One of LoCoMo's conversations."""
    items = json.loads((DATA / "locomo/dev.json").read_text(encoding="utf-8"))
    return next(one for one in items if one["sample_id"] == name)


def know(name: str, window: str, replies: Path, judged: Path | None, place: Path) -> Known:
    """Take a conversation in, ask for its facts, and see what they answer."""
    item = load(name)
    talk = item["conversation"]
    user, persona = talk["speaker_a"], talk["speaker_b"]
    said = [one for n in range(1, 100) for one in talk.get(f"session_{n}", ()) if one["text"].strip()]
    chat = place / "chat.json"
    chat.write_text(
        json.dumps(
            {
                "title": name,
                "messages": [
                    {"role": "user" if one["speaker"] == user else "assistant", "content": one["text"]}
                    for one in said
                ],
            }
        ),
        encoding="utf-8",
    )
    kit = place / "kit"
    reel("init", kit, "--template", "companion", "--name", persona, "--window", window)
    os.chdir(kit)
    with Path("kit.yaml").open("a", encoding="utf-8") as settings:
        settings.write(f"user: {user}\n")
    reel("record", chat)
    found = Known(turns=len(said))
    for number in range(1, 100):
        reply = replies / f"{name}-{number}.txt"
        prompt = reel("fact", "extract", "--prompt")
        if not reply.exists():
            asked = reply.with_suffix(".prompt.md")
            asked.write_text(prompt, encoding="utf-8")
            raise Waiting(asked)
        told = json.loads(reel("fact", "extract", "--reply", reply, "--yes", "--json"))
        for problem in told["problems"]:
            print(f"  {name}, refused: {problem['what']}")
        found.refused += len(told["problems"])
        turns = json.loads(reel("status", "--metrics", "--json"))["turns"]
        if turns["gone_through"] == turns["all"]:
            break
    facts = [one for one in json.loads(reel("fact", "list", "--json")) if one["held"]]
    found.facts = len(facts)
    found.unborne = [f"{one['id']}: {one['value']}" for one in facts if not _borne(one, kit)]
    ask = [one for one in item["qa"] if one.get("category") == SINGLE_HOP]
    speakers = {one["dia_id"]: one["speaker"] for one in said}
    own = [{speakers.get(turn) for turn in one["evidence"]} == {user} for one in ask]
    lines = [f"{one['category']} {one['key']} {one['value']}" for one in facts]
    hits = [any(_words(str(one["answer"])) <= _words(line) for line in lines) for one in ask]
    found.questions = (len(ask), sum(own))
    found.answered = _both(hits, own)
    sheet = [f"- {one['category']}: {one['key']}: {one['value']}" for one in facts]
    sheet += ["", *(f"{at}. {one['question']} -- {one['answer']}" for at, one in enumerate(ask, 1))]
    (replies / f"{name}.questions.md").write_text("\n".join(sheet) + "\n", encoding="utf-8")
    if judged is not None:
        marks = dict(
            re.findall(r"(?m)^(\d+)\W+(yes|no)\b", (judged / f"{name}.txt").read_text(encoding="utf-8"))
        )
        found.judged = _both([marks.get(str(at)) == "yes" for at in range(1, len(ask) + 1)], own)
    return found


def _both(hits: list[bool], own: list[bool]) -> tuple[int, int]:
    return sum(hits), sum(hit and mine for hit, mine in zip(hits, own, strict=True))


def _words(text: str) -> frozenset[str]:
    """Return the words of a text that carry meaning, without endings."""
    return frozenset(
        re.sub(r"(?:'s|s|ed|ing|est)$", "", word)
        for word in re.findall(r"[a-z0-9']+", text.casefold().replace("’", "'"))
        if not LITTLE.fullmatch(word)
    )


def _borne(fact: dict[str, Any], kit: Path) -> bool:
    """Whether the turn that a fact names is the person's, and has every word of it, its day apart."""
    session, _, number = fact["source"].partition("#")
    path = next(kit.glob(f"tape/*/{session}.md"))
    turn = next(
        one for one in parse_session(path.read_bytes(), path.name).shown() if one.number == int(number)
    )
    day = day_in_words(date.fromisoformat((turn.message.time or session)[:10]))
    return turn.message.role == "user" and _words(fact["value"]) <= _words(f"{turn.message.text} {day}")


def main() -> int:
    """Measure; 1 where a fact is not borne by its turn, 2 where answers are waited for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("replies", type=Path)
    parser.add_argument("--talk", action="append", help="which of LoCoMo's conversations")
    parser.add_argument("--window", default="16k", help="as much as it holds is asked about at once")
    parser.add_argument("--judged", type=Path, help="a folder with what somebody judged")
    told = parser.parse_args()
    replies, judged = told.replies.resolve(), told.judged.resolve() if told.judged else None
    for who in ("AUTHOR", "COMMITTER"):
        os.environ[f"GIT_{who}_NAME"], os.environ[f"GIT_{who}_EMAIL"] = "Bo Lind", "bo@example.org"
    os.environ["REEL_NOW"] = "2026-03-01T20:00:00+00:00"
    here, all_known, waiting = Path.cwd(), [], False
    for name in told.talk or TALKS:
        with tempfile.TemporaryDirectory() as place:
            try:
                known = know(name, told.window, replies, judged, Path(place))
            except Waiting as asked:
                print(f"{name}: answer {asked}")
                waiting = True
                continue
            finally:
                os.chdir(here)
        all_known.append(known)
        print(
            f"{name}: {known.turns} turns, {known.facts} facts held, {known.refused} refused;"
            f" {_share(known.answered, known.questions)}"
            + (f"; judged {_share(known.judged, known.questions)}" if known.judged else "")
        )
        for one in known.unborne:
            print(f"  not borne by its turn: {one}")
    if waiting:
        return 2
    asked_all = _sum([one.questions for one in all_known])
    print(f"all: {_share(_sum([one.answered for one in all_known]), asked_all)}")
    if all(one.judged for one in all_known):
        print(f"judged: {_share(_sum([one.judged for one in all_known if one.judged]), asked_all)}")
    facts = sum(one.facts for one in all_known)
    print(f"borne by the turn they name: {facts - sum(len(one.unborne) for one in all_known)} of {facts}")
    return 1 if any(one.unborne for one in all_known) else 0


def _sum(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(one for one, _ in pairs), sum(own for _, own in pairs)


def _share(found: tuple[int, int], questions: tuple[int, int]) -> str:
    return (
        f"{found[0]} of {questions[0]} single-hop questions,"
        f" {found[1]} of the {questions[1]} about what the person said"
    )


if __name__ == "__main__":
    sys.exit(main())
