"""Layout of a pasted chat: one style of speaker labels throughout, and who is who.

A content line such as `Wine: faults next` has a speaker line's shape. What tells them apart is
recurrence: two labels of one style that answer each other. Words for roles and the kit's names count
as known; of unknown labels only one that keeps following a known one is believed.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.formats.pasted.speaker_lines import (
    BRACKET,
    People,
    SpeakerLine,
    fold_label,
    is_ambiguous,
)

_MOST_LABELS = 12
"""Maximum number of the most frequent labels that are tried as speakers."""
_TWICE = 2
_LOOSE = frozenset({"plain", "italic", BRACKET})
"""Styles that lists and notes have as well."""

_TOLD = frozenset({"stamped", "angle"})
"""Styles that only a speaker has."""
_IN_LETTERS = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*")

_HEADS = frozenset((
    "note", "notes", "tip", "tips", "hint", "warning", "caution", "example", "examples", "summary",
    "conclusion", "question", "questions", "answer", "answers", "pros", "cons", "step", "steps",
    "title", "subject", "date", "time", "place", "where", "when", "who", "why", "how", "what",
    "source", "sources", "link", "links", "result", "results", "output", "input", "ingredients",
    "instructions", "directions", "details", "edit", "update", "ps", "nb", "fyi", "tldr", "todo",
    "first", "second", "third", "finally", "also", "next", "then", "now", "today", "tomorrow",
    "yesterday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "morning", "evening", "night", "option", "options", "plan", "idea", "ideas", "reason",
    "reasons", "problem", "solution", "name", "age", "role", "style", "tone", "setting", "scene",
    "chapter", "part", "draft", "version", "list", "items", "goal", "goals", "rule", "rules", "key",
    "total", "hinweis", "beispiel", "frage", "antwort", "fazit", "titel", "datum", "ort", "achtung",
    "notiz", "schritt", "zutaten", "remarque", "exemple", "résumé", "réponse", "titre", "lieu",
    "attention", "étape", "nota", "ejemplo", "resumen", "pregunta", "respuesta", "título", "fecha",
    "lugar", "aviso", "paso", "exemplo", "resumo", "pergunta", "resposta", "data", "local", "passo",
    "esempio", "domanda", "risposta", "titolo", "luogo",
))  # fmt: skip
"""Words that begin a line of notes or lists and are nobody's name."""


@frozen
class Layout:
    """The lines that begin turns, each label's side, and what had to be guessed, in words.

    `sure`: both sides are told apart by recurrence or by known words.
    """

    turns: Sequence[SpeakerLine]
    sides: dict[str, str]
    guesses: tuple[str, ...]
    sure: bool


def find_layout(
    found: Sequence[SpeakerLine], people: People, first_content: int, said: str = ""
) -> Layout | None:
    """Return the layout among all lines in a speaker line's shape; None if nobody speaks.

    `first_content` is the index of the first line that could be a turn's: after a title and the like. `said`
    is the text without the labels.
    """
    styles: dict[str, list[SpeakerLine]] = {}
    for line in found:
        styles.setdefault(line.style, []).append(line)
    layouts = [
        layout
        for lines in styles.values()
        if (layout := _layout(lines, people, first_content, said)) is not None
    ]
    return min(layouts, key=lambda layout: (not layout.sure, layout.turns[0].index), default=None)


def _layout(lines: Sequence[SpeakerLine], people: People, first_content: int, said: str) -> Layout | None:
    labels = [line.folded for line in lines]
    if lines[0].style == BRACKET and all(people.side(name) is None for name in labels):
        # unknown labels alone mean verses, tags or notes
        return None
    counts = Counter(labels)
    often = [name for name, _ in counts.most_common()]
    users = [name for name in often if people.side(name) == "user"][:_MOST_LABELS]
    personas = [name for name in often if people.side(name) == "assistant"][:_MOST_LABELS]
    pair, guess = _pair(lines, users, personas, people)
    named = (people.user_names | people.persona_names) & counts.keys()
    sides = {name: people.side(name) or "assistant" for name in named}
    if pair is not None:
        sides |= {pair[0]: "user", pair[1]: "assistant"}
    elif users or personas:
        alone = (users or personas)[0]
        sides |= {alone: people.side(alone) or "user"}
        guess = f"only one speaker was found, “{_spelled(lines, alone)}”"
    others = _others(lines, sides, people, said) if pair is not None else ()
    sides |= dict.fromkeys(others, "user")
    turns = [line for line in lines if line.folded in sides]
    if people.side(labels[0]) == "system" and turns:
        turns.insert(0, lines[0])
        sides[labels[0]] = "system"
    known = pair is not None and any(people.side(name) is not None for name in pair)
    if not turns or (not known and turns[0].index > first_content):
        return None
    sure = pair is not None and (known or min(counts[name] for name in pair) > _TWICE)
    guesses = [guess] if guess else []
    guesses += [f"“{_spelled(lines, name)}” was taken as another who speaks" for name in others]
    guesses += _passed_over(lines, counts, sides, people)
    return Layout(turns, sides, tuple(guesses), sure=sure)


def _pair(
    lines: Sequence[SpeakerLine], users: Sequence[str], personas: Sequence[str], people: People
) -> tuple[tuple[str, str] | None, str]:
    """Return the two speakers (the user first), and which part of that is a guess.

    Two known sides; else a known one, and the unknown label that answers it most; else the first
    label, as the user, and the one that answers it most.
    """
    labels = [line.folded for line in lines]
    if users and personas:
        users, personas = _telling(users, people), _telling(personas, people)
        pairs = [(user, persona) for user in users for persona in personas]
        return _best(pairs, labels) or pairs[0], ""
    counts = Counter(labels)
    strangers = [name for name, _ in counts.most_common() if people.side(name) is None][:_MOST_LABELS]
    if users or personas:
        if not _alternate(labels):
            strangers = [name for name in strangers if counts[name] >= _TWICE]
        pair = _best(
            [(u, s) for u in users for s in strangers] + [(s, p) for p in personas for s in strangers], labels
        )
        unsure = pair is not None and min(counts[name] for name in pair) < _TWICE
        return (
            pair,
            f"“{_spelled(lines, pair[1])}” was taken as a speaker, going by one line"
            if pair and unsure
            else "",
        )
    first = labels[0]
    least = _TWICE if lines[0].style in _LOOSE else 1
    pair = _best([(first, s) for s in strangers if s != first], labels, least)
    if pair is None:
        return None, ""
    you, persona = (_spelled(lines, name) for name in pair)
    return pair, f"neither name is known: “{you}” was taken as you, “{persona}” as the persona"


def _others(
    lines: Sequence[SpeakerLine], sides: Mapping[str, str], people: People, said: str
) -> Sequence[str]:
    """Return the unknown names of others who speak beside the two: a third one's words are nobody else's.

    A stamp or `<Name>` tells a speaker. Any other label must mostly stand between turns of those who speak,
    and be no part of one speaker's answers: it follows two of them, or is called by name in what is `said`.
    """
    labels = [line.folded for line in lines]
    counts = Counter(labels)
    wanted = [
        name
        for name, _ in counts.most_common(_MOST_LABELS + len(sides))
        if name not in sides
        and people.side(name) is None
        and name not in _HEADS
        and _IN_LETTERS.fullmatch(name)
    ]
    style = lines[0].style.split("/")[0]
    if style in _TOLD or style == BRACKET:
        return wanted if style in _TOLD else ()
    found: list[str] = []
    before = -1
    while before < len(found):
        before = len(found)
        speak = {*sides, *found}
        found += [
            name
            for name in wanted
            if name not in found and _is_other(_spelled(lines, name), lines, speak, sides, said)
        ]
    return found


def _is_other(
    label: str, lines: Sequence[SpeakerLine], speak: Collection[str], sides: Mapping[str, str], said: str
) -> bool:
    name, labels = fold_label(label), [line.folded for line in lines]
    places = [at for at, one in enumerate(labels) if one == name]
    before = [labels[at - 1] for at in places if at]
    beside = [*before, *(labels[at + 1] for at in places if at + 1 < len(labels))]
    if sum(one in speak for one in beside) * 2 <= len(beside):
        return False
    # whoever speaks below the label elsewhere does so here
    if {bool(lines[at].rest) for at in places} - {bool(line.rest) for line in lines if line.folded in sides}:
        return False
    opens = labels[0] == name
    after = {one for one in before if one in speak}
    least = _TWICE + (lines[0].style in _LOOSE and not opens)
    if len(places) >= least and len(after) + opens >= _TWICE:
        return True
    if len(places) < _TWICE and not opens:
        return False
    written = re.escape(label)
    if re.search(rf"(?m)(?:^|[,.!?] ){written}[,!?]|, {written}[.,!?]", said):
        return True
    # what always follows the persona's own words may be a part of them
    answers = after and all(sides.get(one) == "assistant" for one in after)
    return not answers and re.search(rf"(?<=[^\W\d_][, ]){written}\b", said) is not None


def _telling(names: Sequence[str], people: People) -> Sequence[str]:
    """Return the names that can hardly be anything but a speaker's, if there are any."""
    given = [name for name in names if name in people.user_names | people.persona_names]
    return given or [name for name in names if not is_ambiguous(name)] or names


def _alternate(labels: Sequence[str]) -> bool:
    """Return whether there are exactly two labels, and they take strict turns."""
    return len(set(labels)) == _TWICE and all(a != b for a, b in pairwise(labels))


def _best(pairs: Sequence[tuple[str, str]], labels: Sequence[str], least: int = 1) -> tuple[str, str] | None:
    """Return the pair whose labels most often follow each other, at least `least` times, or None.

    A label within a turn (`Note:` in a long answer) follows its own speaker, not the other one.
    """
    following = Counter(pairwise(labels))

    def answers(pair: tuple[str, str]) -> int:
        return following[pair] + following[pair[1], pair[0]]

    best = max(pairs, key=answers, default=None)
    return best if best is not None and answers(best) >= least else None


def _spelled(lines: Sequence[SpeakerLine], folded: str) -> str:
    return next(line.label for line in lines if line.folded == folded)


def _passed_over(
    lines: Sequence[SpeakerLine], counts: Counter[str], sides: dict[str, str], people: People
) -> list[str]:
    """Return labels that mean a speaker elsewhere, or may be a third one's name, and were kept as text.

    A third name is looked for where one of the two goes by a name of the kit. A word that may be a name
    counts from its first line on: what a third person said would else be another's without a word.
    """
    named = not sides.keys().isdisjoint(people.user_names | people.persona_names)
    thirds = named and lines[0].style != BRACKET and all(people.side(name) is not None for name in sides)
    found = []
    for name, count in counts.items():
        third = thirds and name.isalpha() and name not in _HEADS
        if name in sides or not (third or (count >= _TWICE and people.side(name) is not None)):
            continue
        what = f"{count} lines that begin" if count > 1 else "1 line that begins"
        kept = "were" if count > 1 else "was"
        found.append(f"{what} with “{_spelled(lines, name)}” {kept} kept as part of what was said")
    return found
