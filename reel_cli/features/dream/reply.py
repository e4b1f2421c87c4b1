"""Exchange in which the persona relives a stretch of its past, and its reply (Dream Weaver §3, §7)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reel_cli.core.blockquote import set_apart
from reel_cli.core.exchange.lived_words import read_lived_reply
from reel_cli.core.exchange.prompts import rule_beyond
from reel_cli.core.exchange.reader.labels import names_of
from reel_cli.core.exchange.reader.reply import ReplyReading, merge
from reel_cli.core.exchange.schema import FieldSpec, Schema
from reel_cli.core.resources import read_ask
from reel_cli.core.values.artifact import Problem
from reel_cli.features.dream.dream import Amendment, Thread, ThreadWord
from reel_cli.features.dream.reply_amendments import split_amendments
from reel_cli.features.dream.reply_items import read_threads
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.reply import read_facts

DREAM = Schema(
    "dream",
    (
        FieldSpec(
            "batch", "Which stretch", names=("batch",), loose=("stretch",), shape="line", required=False
        ),
        FieldSpec(
            "history",
            "The story goes on",
            names=("history", "narrative history", "history.md", "story/history.md"),
            loose=("the story", "story", "narrative", "what happened", "full history"),
            filled=True,
        ),
        FieldSpec(
            "missed",
            "What was missed",
            names=("missed tasks", "missed.md", "story/missed.md"),
            loose=("missed", "dropped threads", "missed threads", "what we missed", "what I missed", "tasks"),
        ),
        FieldSpec(
            "remember",
            "How we remember",
            names=("memory proposal", "how-we-remember.md", "story/how-we-remember.md"),
            loose=("how to remember", "how we will remember", "remembering", "proposal"),
        ),
        FieldSpec(
            "facts",
            "What to hold on to",
            names=("facts", "facts to remember", "facts.yaml"),
            loose=("hold on to", "to hold on to", "what to know", "key facts", "things to know"),
        ),
    ),
    ("dream", "the dream", "my dream", "journal", "the page", "my page"),
)
"""Schema of a batch's reply; the protocol's own names are always understood."""

PARTS = ("history", "missed", "remember", "facts")
_KEY = re.compile(r"\b(\d{1,6})-([0-9a-f]{4})\b")
_FRONT = re.compile(
    r"(?:\s*\\?---[ \t]*\n)?((?:[\w-]+[ \t]*:.*\n|[ \t]+\S.*\n|-[ \t].*\n)+)\\?---[ \t]*(?:\n|\Z)"
)
"""Pattern of front matter, whose first rule the reader may have taken for one of its own."""
_RULE = "==="
_HEADING = re.compile(
    r"(?m)^[ \t]*(?P<form>#{1,6}[ \t]+|\*\*)(?P<text>[^*\n][^\n]{0,80}?)(?:\*\*)?[ \t]*[:：]?[ \t]*$"
)


_NOTICED = (
    "{user} asks you for this because of something that was noticed, in these words: “{words}” Read with that"
    " in mind.\n\n"
)
_BEFORE, _KNOWN = "What you wrote when you dreamt before", "What you know by heart already"
_AMEND = (
    " What you wrote before stays: do not write it again, and never shorter. Where something in it is not so,"
    " or two sentences do not agree, give that a line of its own, which copies the words:\n"
    'Amend "the words as they stand there": how it is to be understood now, and whose words show it'
)
_LATER = (
    "Since you wrote of it, this was put right or taken back. Where your story has it otherwise, amend it as"
    " is said below:"
)
_PROMISED = (
    "This was said for a day that may have passed, and nothing was found that was said of it since. List each"
    ' under what was missed, as new, with "done" or "let go" as its last part where it was done or given up;'
    " leave out a day to come:"
)
_MENTIONED = (
    "These threads are open, and were spoken of again, or their day has passed. Say under what was missed how"
    " each of them stands at the end of this stretch: open, done or let go."
)


_WORDS_A_DOZEN = 600
"""A dozen facts are asked for beside so many words of a story; two dozen at least."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A batch as its prompt shows it: which it is (`3-7f2a`), what time in words, what was said.

    `notes` are what was written so far; `words` how many the story may have; `noticed` is why the person
    asks, `later` the lines of what was put right after it was dreamt of, `promised` those of promises that
    were not spoken of since.
    """

    key: str
    span: str
    said: str
    notes: str
    words: int
    noticed: str = ""
    later: str = ""
    dreamt: bool = True
    """True if a dream wrote some of the notes."""
    promised: str = ""
    mentioned: str = ""
    """Open threads that were spoken of again, with the turns that do, or whose day has passed."""


@dataclass(frozen=True, slots=True)
class Dreamt:
    """The contents of a reply: a chapter of the story, threads, a proposal, facts, and amendments.

    `unknown` are lines about threads there are not.
    """

    title: str
    story: str
    amended: tuple[Amendment, ...]
    threads: tuple[Thread, ...]
    words: tuple[ThreadWord, ...]
    remember: str
    remember_amended: tuple[Amendment, ...]
    facts: tuple[Fact, ...]
    unknown: tuple[str, ...] = ()


def render_dream(name: str, user: str, identity: str, stretch: Stretch) -> str:
    """Ask for one batch, with ring 0 loaded and what was written so far."""
    intro, form, outro = read_ask("dream").split("\n---\n")
    whole = f"{intro.strip()}\n\n{form.strip()}\n\n{outro.strip()}\n"
    rule = rule_beyond(
        f"{stretch.said}\n{stretch.notes}\n{stretch.later}\n{stretch.promised}\n{stretch.mentioned}"
    )
    notes = stretch.notes and (
        f"{_RULE} {_BEFORE if stretch.dreamt else _KNOWN} {_RULE}\n{set_apart(stretch.notes.strip())}\n"
        f"{_RULE} The end of {'what you wrote' if stretch.dreamt else 'that'} {_RULE}\n\n"
    )
    fill = {
        "name": name,
        "user": user,
        "span": stretch.span,
        "key": stretch.key,
        "words": f"{stretch.words:,}",
        "dozens": _dozens(stretch.words),
        "identity": identity.strip(),
        # of a first dream nothing stands yet that could be amended
        "amend": _AMEND if stretch.dreamt else "",
        "notes": notes.replace(_RULE, rule) if notes and rule != _RULE else notes,
        "noticed": noticed_told(user, stretch.noticed),
        "later": later_told(stretch.later),
        "promised": (stretch.promised and f"{_PROMISED}\n{stretch.promised}\n\n")
        + (stretch.mentioned and f"{_MENTIONED}\n{stretch.mentioned}\n\n"),
        "said": set_apart(stretch.said.strip("\n")),
    }
    whole = whole.replace(_RULE, rule)
    return re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], whole)


def dozens_for(words: int) -> int:
    """Return how many dozen facts are asked for beside a story of so many words."""
    return min(max(words // _WORDS_A_DOZEN, 2), 5)


def _dozens(words: int) -> str:
    """Return the dozens in a word, for the prompt."""
    return ("two", "three", "four", "five")[dozens_for(words) - 2]


def noticed_told(user: str, words: str) -> str:
    """Return a prompt's text on why the person asks; "" for no reason."""
    return words and _NOTICED.format(user=user, words=words)


def later_told(lines: str) -> str:
    """Return a prompt's text on later corrections; "" for none."""
    return lines and f"{_LATER}\n{lines}\n\n"


def render_dream_rest(name: str, user: str, reading: ReplyReading, key: str, words: int) -> str:
    """Ask in the same chat for the parts that did not come through, and only those."""
    _, form, _ = read_ask("dream").split("\n---\n")
    blocks = {block.split("\n", 1)[0].strip(): block for block in re.split(r"(?m)^## ", form)[1:]}
    wanted = [blocks[spec.label].rstrip() for spec in reading.missing]
    told = "\n".join(f"## {block}" for block in wanted)
    told = told.replace("{{key}}", key).replace("{{words}}", f"{words:,}").replace("{{user}}", user)
    told = told.replace("{{dozens}}", _dozens(words))
    return (
        f"{name}, part of what you wrote did not come through; the rest is kept. Write only what is missing,"
        ' under these headings, as they are. Where there is nothing to say, write "nothing".\n\n'
        f"{told}\n\nSign with your name, alone on the last line of the page.\n"
    )


def read_dream(replies: Sequence[str], *, prompt: str, names: Sequence[str]) -> ReplyReading:
    """Return all replies to one batch so far, read as one; `names` may sign them."""
    whole: ReplyReading | None = None
    for told in replies:
        missing = [spec.key for spec in whole.missing] if whole is not None else []
        reply = _renamed(told)
        if whole is not None:
            alone = read_lived_reply(reply, DREAM, prompt=prompt, names=names)
            if not alone.missing:
                # the whole answer was given again
                whole = alone
                continue
        reading = read_lived_reply(
            reply, DREAM.only(missing) if missing else DREAM, prompt=prompt, names=names
        )
        if missing and not reading.values:
            # the whole answer was given again, rather than the missing part
            reading = read_lived_reply(reply, DREAM, prompt=prompt, names=names)
        if told != reply:
            what = "Its headings are none of those asked for; they were taken in their order."
            reading = replace(reading, problems=(*reading.problems, Problem("history", what)))
        whole = reading if whole is None else merge(whole, reading)
    return whole or ReplyReading(DREAM)


def render_page(name: str, reading: ReplyReading) -> str:
    """Return all answered parts of a batch, under the requested headings, as one page."""
    parts = [(spec.label, reading.values[spec.key]) for spec in DREAM.fields if spec.key in reading.values]
    told = "\n\n".join(f"## {label}\n{value.text or 'nothing'}" for label, value in parts)
    return f"{told}\n\n{name}\n"


def _renamed(reply: str) -> str:
    """Return the reply under the requested headings, if it has as many in its own language."""
    key = _KEY.search(reply)
    heads = list(_HEADING.finditer(reply))
    first = next((at for at in range(len(heads) - 1, -1, -1) if key and heads[at].end() < key.start()), None)
    if first is None or key is None or reply[heads[first].end() : key.start()].strip(" \t\n*_`>-"):
        return reply
    form = heads[first]["form"]
    heads = [head for head in heads[first:] if head["form"] == form]
    known = names_of(DREAM)
    if len(heads) != len(DREAM.fields) or any(known.find(head["text"].strip(" :*_"))[0] for head in heads):
        return reply
    ends = [*(head.start() for head in heads[1:]), len(reply)]
    return "\n\n".join(
        f"## {spec.label}\n{reply[head.end() : end].strip()}"
        for spec, head, end in zip(DREAM.fields, heads, ends, strict=True)
    )


def batch_named(reading: ReplyReading, replies: Sequence[str]) -> str:
    """Return the batch a reply names (`3-7f2a`); "" if it names none."""
    named = _KEY.search(reading.text("batch"))
    if named is None:
        heads = (
            re.match(
                rf"\W*(?:which stretch|batch)?\W*{_KEY.pattern}\W*$",
                reply.lstrip()[:60].partition("\n")[0],
                re.IGNORECASE,
            )
            for reply in replies
        )
        named = next((found for found in heads if found), None)
    return f"{named[1]}-{named[2]}" if named else ""


def parse_dream(reading: ReplyReading, *, name: str, user: str, known: int) -> Dreamt:
    """Return the contents of a whole reading; `known` is the highest number of a thread so far."""
    story, amended = split_amendments(reading.text("history"))
    given, story = _without_front_matter(story)
    title, story = _title(story)
    title = title or given
    missed, more = split_amendments("" if reading.empty("missed") else reading.text("missed"))
    threads = read_threads(missed, name, user, known)
    remember = "" if reading.empty("remember") else reading.text("remember")
    remember, remember_amended = split_amendments(remember)
    facts = () if reading.empty("facts") else tuple(read_facts(reading.text("facts")))
    return Dreamt(
        title,
        story,
        (*amended, *more),
        threads.new,
        threads.words,
        remember,
        tuple(remember_amended),
        facts,
        threads.unknown,
    )


def _without_front_matter(text: str) -> tuple[str, str]:
    """Return the title in a text's front matter ("" for none), and the text without that."""
    found = _FRONT.match(text)
    if found is None:
        return "", text
    named = re.search(r"(?im)^title[ \t]*:[ \t]*(.+)$", found[1])
    return named[1].strip(" *_\"'“”") if named else "", text[found.end() :].strip("\n")


def _title(text: str) -> tuple[str, str]:
    """Return a title on a line of its own at the beginning, and the rest."""
    first, _, rest = text.strip("\n").partition("\n")
    dressed = re.fullmatch(
        r"[ \t]*(?:#{1,6}[ \t]+(.+?)[ \t#]*|\*\*(.+?)\*\*|(?:title|chapter)[ \t]*:[ \t]*(.+))",
        first,
        re.IGNORECASE,
    )
    plain = first.strip()
    if dressed:
        title = next(part for part in dressed.groups() if part)
    elif (
        rest.strip()
        and (rest.startswith("\n") or len(plain) < 60)
        and len(plain) <= 90
        and plain[-1:] not in '.!?…:;,"”'
    ):
        title = plain
    else:
        return "", text
    return re.sub(r"^(?i:title)\s*:\s*", "", title).strip(' *_"“”'), rest.strip("\n")


@dataclass(frozen=True, slots=True)
class Retold:
    """A text held against what was written before.

    `text` is it without the paragraphs that stand there word for word; `again` counts those it tells again,
    in the same or nearly the same words; `left_out` are then the paragraphs of before that it does not tell.
    Paragraphs that tell one again without a word of their own are not in `text` either; `beside` counts those
    that have some, and are.
    """

    text: str
    again: int
    left_out: tuple[str, ...]
    beside: int = 0


def hold_against(text: str, before: Iterable[str]) -> Retold:
    """Return whether a text retells what was written before, and which of it is left out.

    `before` are the chapters so far, in order; what lies outside of those that are told again is not missed.
    """
    parts = [(part, _words(part), _folded(part)) for part in _paragraphs(text)]
    telling = [(part, words, _runs(part)) for part, words, _ in parts if len(words) >= _TELLING]
    mine = frozenset[str]().union(*(words for _, words, _ in telling))
    least = min((len(words) for _, words, _ in telling), default=0)
    retold: dict[str, bool] = {}
    exact = {folded for _, words, folded in parts if len(words) >= _TELLING}
    there: set[str] = set()
    again: set[str] = set()
    left: list[str] = []
    between: list[str] = []
    for chapter in before:
        missing: list[str] = []
        known = len(again)
        for old in map(str.strip, _paragraphs(chapter)):
            words = _words(old)
            if len(words) < _TELLING:
                continue
            likely = len(words & mine) >= _SAME * min(len(words), least)
            same = [
                part for part, one, runs in telling if likely and _alike(one, words) and _share(runs, old)
            ]
            if same:
                again.add(old)
                retold |= {part: retold.get(part, False) or _adds_nothing(part, old) for part in same}
            else:
                missing.append(old)
            if (folded := _folded(old)) in exact:
                there.add(folded)
                again.add(old)
        if len(again) > known:
            left += [*between, *missing]
            between = []
        elif again:
            between += missing
    kept = [part for part, _, folded in parts if folded not in there and not retold.get(part)]
    beside = sum(part in retold for part in kept)
    return Retold("\n\n".join(kept).strip("\n"), len(again), tuple(left), beside)


_TELLING = 8
"""Different words below which paragraphs may be the same by chance."""
_SAME = 0.85
_IN_A_ROW = 0.5


def _paragraphs(text: str) -> list[str]:
    return [part for part in re.split(r"\n[ \t]*\n", text) if part.strip()]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _SAME * min(len(one), len(other))


def _adds_nothing(part: str, old: str) -> bool:
    """Return whether a paragraph has no word that the old one lacks, and lacks none that would turn it."""
    mine, theirs = (Counter(re.findall(r"\w+", text.casefold())) for text in (part, old))
    return mine <= theirs and all(mine[word] == theirs[word] for word in _TURNING)


_TURNING = ("not", "no", "never", "nobody", "nothing", "none", "without", "t")


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    """Return every three words in a row, many of which two texts hardly share by chance."""
    words = re.findall(r"\w+", text.casefold())
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _share(runs: frozenset[tuple[str, ...]], old: str) -> bool:
    theirs = _runs(old)
    return len(runs & theirs) >= _IN_A_ROW * min(len(runs), len(theirs))
