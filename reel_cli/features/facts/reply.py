"""Exchange about what the user said that must be known by heart, and its reply (SRIP-11 §III.5b)."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reel_cli.core.blockquote import plain_item, set_apart
from reel_cli.core.evidence.phrases import unquote
from reel_cli.core.exchange.prompts import rule_beyond
from reel_cli.core.exchange.reader.days import find_day
from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.reader.reply import Reading
from reel_cli.core.exchange.reader.values import says_nothing
from reel_cli.core.exchange.schema import FieldSpec, Schema
from reel_cli.core.frozen import frozen
from reel_cli.core.resources import read_ask
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.facts.reply_items import name_parts, read_fact_parts

MOST_ASKED = 12
"""Maximum number of facts of one stretch that are asked for."""
FIELD = FieldSpec(
    "facts",
    "What I know for sure",
    names=("anchor facts", "known facts"),
    loose=("key facts", "known for sure", "facts to know by heart"),
    required=False,
    hint=(
        "What {{user}} said that one would be sorry not to know by heart, {{most}} at most; nothing that only"
        " you said, and nothing you gather. One a line: kind | what it says, in a word or two | the fact, in"
        " {{user}}'s own words and as few as will do |"
        ' "the place where {{user}} says so, letter for letter" | how sure you are, from 0 to 1.'
        " The kinds: {{kinds}}.{{look}} What has changed, give as it is now, under the same kind and"
        " name.{{known}}"
    ),
)
"""Field on a page, where the bare word `facts` is taken for what happened."""
FACTS = Schema(
    "facts",
    (replace(FIELD, names=(*FIELD.names, "facts"), loose=(*FIELD.loose, "what is known", "what I know")),),
    ("the page", "my page"),
)
LONGEST_KEY, LONGEST_VALUE = 80, 600
_SURE = {"high": 9_000, "medium": 7_000, "low": 4_000}
_WORDS = {
    **dict.fromkeys(("sure", "certain", "very sure", "high", "definite", "explicit", "confirmed"), "high"),
    **dict.fromkeys(("likely", "medium", "probable", "probably", "fairly sure"), "medium"),
    **dict.fromkeys(("unsure", "low", "guess", "maybe", "perhaps", "uncertain", "not sure"), "low"),
}
_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6}) ?(%?)", re.ASCII)
_RULE = "==="


@frozen
class ToldFact:
    """One fact as a reply gives it; `sure` is of `WHOLE`, `evidence` the words it claims were said."""

    category: str
    key: str
    value: str
    evidence: str = ""
    sure: int = _SURE["medium"]
    when: str = ""


@frozen
class FactRequest:
    """The values of a prompt for facts: the kinds, what to look for, and what is known."""

    kinds: Sequence[str]
    look: str = ""
    known: Sequence[str] = ()

    def fill(self) -> dict[str, str]:
        """Return the values for the part of a page."""
        known = "".join(f"\n- {plain_item(one_line(one, 200))}" for one in self.known)
        return {
            "kinds": ", ".join(self.kinds),
            "look": f" {self.look.strip()}" if self.look.strip() else "",
            "known": f" Known already, and not to be said again:{known}" if known else "",
            "most": str(MOST_ASKED),
        }


def render_facts_prompt(  # noqa: PLR0913 (who asks whom, as what, about which words)
    name: str, user: str, identity: str, said: str, when: str, wanted: FactRequest
) -> str:
    """Ask for the facts of a stretch of tape, given in the prompt, with ring 0 loaded."""
    intro, _, outro = read_ask("facts").partition("\n---\n")
    whole = f"{intro.strip()}\n\n## {FIELD.label}\n{FIELD.hint}\n\n{outro.strip()}\n"
    whole = whole.replace(_RULE, rule_beyond(said))
    fill = {
        "name": name,
        "user": user,
        "identity": identity.strip(),
        "said": set_apart(said.strip("\n")),
        "when": when,
        **wanted.fill(),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], whole)


def read_facts_reply(reply: str, prompt: str, names: Sequence[str]) -> Reading:
    """Return the reading of a reply to the prompt for facts alone."""
    return read_reply(reply, FACTS, prompt=prompt, names=names)


def text_of(reading: Reading, reply: str, names: Sequence[str]) -> str | None:
    """Return the answer's words; the whole reply if it is a list without heading, None for none."""
    if FIELD.key in reading.values:
        return "" if reading.empty(FIELD.key) else reading.text(FIELD.key)
    plain = reply.strip()
    lines = plain.splitlines()
    if lines and lines[-1].strip(" *_—-.") in names:
        plain = "\n".join(lines[:-1]).strip()
    if says_nothing(plain):
        return ""
    rows = [line for line in plain.splitlines() if line.count("|") >= 3]
    return "\n".join(rows) if rows else plain if plain[:1] in "[{" else None


def read_told(text: str) -> Iterator[ToldFact]:
    """Yield the facts of an answer, in any of the forms that models write."""
    for parts in _objects(text) or read_fact_parts(text):
        value = one_line(unquote(parts["value"].strip(" *_`")))
        if not value or says_nothing(value):
            continue
        yield ToldFact(
            one_line(parts.get("category", "").strip(" *_`[]()")).casefold(),
            one_line(unquote(parts.get("key", "").strip(" *_`"))),
            value,
            one_line(unquote(parts.get("evidence", "").strip(" *_`"))),
            _sure(parts.get("confidence", "")),
            find_day(parts.get("when", "")),
        )


def _objects(text: str) -> list[dict[str, str]]:
    """Return the facts of a JSON answer; none if it is not JSON."""
    if text.lstrip()[:1] not in ("[", "{"):
        return []
    try:
        # what closed an object around it may still stand behind
        value, _ = json.JSONDecoder().raw_decode(text.strip())
    except (ValueError, RecursionError):
        return []
    listed = value if isinstance(value, list) else [value]
    return [named for one in listed if isinstance(one, dict) and (named := name_parts(one))]


def _sure(text: str) -> int:
    plain = text.strip(" *_`()").casefold()
    found = _NUMBER.fullmatch(plain)
    if found:
        share = float(found[1]) / (100 if found[2] or float(found[1]) > 1 else 1)
        return min(WHOLE, round(share * WHOLE))
    return _SURE[_WORDS.get(plain, "medium")]
