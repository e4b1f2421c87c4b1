"""Choice of the exemplars a bundle loads: the anchor, and what varies beside it (REEL §4.2)."""

from collections.abc import Iterator, Mapping, Sequence

from reel_cli.core.frozen import late
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.core.values.memory import CARD_SOURCE, MOODS, SEED, ActiveSet, Exemplar
from reel_cli.core.values.settings import SMALL_WINDOW, Settings

MOST_BESIDE_ANCHOR = 4
LEAST_BESIDE_ANCHOR = 2
SHORT_BESIDE = 3
"""Number of short exemplars beside the anchor, at most, in a small window."""
SHORT_SHARE = 24
"""Part of a small window, one in so many, that short exemplars take at most."""
LOST_WORDS = "a purge took words of it"
SHORTEST_LINE = 8
"""Bytes below which a line says nothing of a voice."""
LONGEST_LINE = 220
"""Characters of a turn, at most, that is heard without the one before it."""
_TURN = late(r"(?ms)^\*\*(?P<who>[^*\n]{1,80}):\*\*[ \t]*(?P<said>.*?)(?=^\*\*[^*\n]{1,80}:\*\*|\Z)")
_OPENING = late(r"[^\W\d_]+")

OUT_OF_USE = "a person took it out of use"
"""Reason why an example that was put away is left out."""


class Choice:
    """The anchor, those beside it by relevance, the others, and in words: why each was chosen or was not.

    `pool` are all but those that a person lets rest and those that lost words, the oldest first.
    """

    def __init__(self) -> None:
        """Begin with nothing chosen; `missing` says which roles were called for that nothing has."""
        self.anchor: Exemplar | None = None
        self.beside: list[Exemplar] = []
        self.others: Sequence[Exemplar] = ()
        self.pool: Sequence[Exemplar] = ()
        self.left: dict[str, str] = {}
        self.why: dict[str, str] = {}
        self.missing: list[str] = []
        self.warnings: list[str] = []


def choose_exemplars(
    pool: Sequence[Exemplar], active: ActiveSet, moods: Mapping[str, Sequence[str]]
) -> Choice:
    """Choose from a pool; `moods` are those called for, the clearest first, with the words that say so."""
    resting = {one.slug for one in pool if one.slug in active.resting and one.slug != active.anchor}
    # a model would speak with the mark that stands for the words
    lost = {one.slug: one for one in pool if one.slug not in resting and one.lost_words}
    pool = [one for one in pool if one.slug not in resting | lost.keys()]
    # of those said and added on one day the one that came into use last is the newest
    place = {slug: at for at, slug in enumerate(active.active)}
    by_name = sorted(pool, key=lambda e: e.slug)
    newest = sorted(
        by_name, key=lambda e: (e.added, -1 if e.source == SEED else place.get(e.slug, -1)), reverse=True
    )
    by_slug = {exemplar.slug: exemplar for exemplar in newest}
    choice = Choice()
    # the oldest first, so that a new one changes nothing that is packed
    choice.pool = newest[::-1]
    choice.left.update(dict.fromkeys(sorted(resting), OUT_OF_USE))
    choice.left.update(dict.fromkeys(sorted(lost), LOST_WORDS))
    choice.anchor = _anchor(newest, by_slug, active, choice.warnings, lost)
    missing = [slug for slug in active.active if slug not in by_slug and slug not in lost]
    if missing:
        choice.warnings.append(f"ring1/active.yaml names what is not in ring1: {', '.join(missing)}.")
    if choice.anchor is None:
        return choice
    choice.why[choice.anchor.slug] = "the anchor"
    others = [e for e in newest if e is not choice.anchor]
    shown = [e for e in others if e.slug in active.active]
    rest = [e for e in others if e.slug not in active.active]
    ranked: dict[str, Exemplar] = {}
    for mood, words in moods.items():
        role = MOODS[mood]
        called = [e for e in shown if e.role == role] or [e for e in rest if e.role == role][:1]
        for exemplar in called:
            ranked[exemplar.slug] = exemplar
            choice.why.setdefault(exemplar.slug, _called(mood, words))
        if not called and choice.anchor.role != role:
            choice.missing.append(f"{_called(mood, words)}, but no other example has the role {role}")
    for exemplar in shown:
        ranked.setdefault(exemplar.slug, exemplar)
        choice.why.setdefault(exemplar.slug, "active")
    for exemplar in rest:
        if exemplar.slug in ranked:
            continue
        if len(ranked) < LEAST_BESIDE_ANCHOR:
            ranked[exemplar.slug] = exemplar
            choice.why[exemplar.slug] = "the newest of the pool"
        else:
            choice.left[exemplar.slug] = (
                "not called for by the cue, and not active" if moods else "not active"
            )
    choice.beside = list(ranked.values())
    choice.others = [e for e in reversed(rest) if e.slug not in ranked]
    for exemplar in choice.beside[MOST_BESIDE_ANCHOR:]:
        choice.left[exemplar.slug] = f"{MOST_BESIDE_ANCHOR + 1} examples are enough; others suit better"
    del choice.beside[MOST_BESIDE_ANCHOR:]
    return choice


def list_short(choice: Choice, active: Sequence[str], *, called: bool) -> Sequence[Exemplar]:
    """Return the exemplars for the room beside the anchor of a small window, the best first.

    Where none is `called` for, those that were said come before those of the template or the card: active
    ones first, the oldest before the others. Only the last place is the newest one's (REEL §4.2), so that a
    new one moves none of the places before it.
    """
    if called:
        return [*choice.beside, *choice.others]
    order = [one for one in choice.pool if one is not choice.anchor]
    order.sort(key=lambda one: (_came(one), one.slug not in active, one.added, one.slug))
    newest = find_newest(choice, active)
    if newest is not None and order.index(newest) >= SHORT_BESIDE:
        order.remove(newest)
        order.insert(SHORT_BESIDE - 1, newest)
    return order


def find_newest(choice: Choice, active: Sequence[str]) -> Exemplar | None:
    """Return the newest active exemplar beside the anchor that was said; None if there is none."""
    said = (one for one in reversed(choice.pool) if not _came(one) and one is not choice.anchor)
    return next((one for one in said if one.slug in active), None)


def _came(exemplar: Exemplar) -> bool:
    """Return whether an exemplar came with the template or the card, so that nobody said it."""
    return exemplar.source == SEED or exemplar.source.startswith(CARD_SOURCE)


def count_most(settings: Settings) -> int:
    """Return how many exemplars a bundle holds at most, the anchor too."""
    return 1 + (SHORT_BESIDE if settings.cap <= SMALL_WINDOW else MOST_BESIDE_ANCHOR)


def longest_shown(settings: Settings) -> int:
    """Return the token count above which no bundle holds an exemplar beside the anchor."""
    if settings.cap <= SMALL_WINDOW:
        return settings.cap // SHORT_SHARE
    return settings.ranges["1"].tokens(settings.cap)[1]


def list_lines(
    pool: Sequence[Exemplar], heard: Sequence[Exemplar], name: str
) -> Iterator[tuple[Exemplar, str]]:
    """Yield exemplars of the pool that are not `heard` by the persona's words alone, the last in each.

    They are short, of one paragraph, and what was said: nothing of the template's, no note in brackets, and
    no `No?`, which anybody may say. No two of them, nor of those heard, open with the same word.
    """
    opened = {_opening(_own_line(one, name)) for one in heard}
    for one in (one for one in pool if one not in heard):
        line = _own_line(one, name)
        if (
            one.source == SEED
            or not SHORTEST_LINE <= len(line) <= LONGEST_LINE
            or "\n" in line
            or "[" in line
        ):
            continue
        if (opening := _opening(line)) not in opened:
            opened.add(opening)
            yield one, line


def _own_line(exemplar: Exemplar, name: str) -> str:
    """Return the last turn of the persona in an exemplar."""
    turns = _TURN.finditer(remove_syntax(exemplar.text))
    own = [turn for turn in turns if turn["who"].casefold() == name.casefold()]
    return own[-1]["said"].strip() if own else ""


def _opening(line: str) -> str:
    found = _OPENING.search(line)
    return found[0].casefold() if found else line


def _anchor(
    newest: Sequence[Exemplar],
    by_slug: Mapping[str, Exemplar],
    active: ActiveSet,
    warnings: list[str],
    lost: Mapping[str, Exemplar],
) -> Exemplar | None:
    """Return the anchor that is set, else the newest active example, else the newest, with a warning."""
    if active.anchor and active.anchor in by_slug:
        return by_slug[active.anchor]
    stand_in = next((e for e in newest if e.slug in active.active), next(iter(newest), None))
    if active.anchor:
        found = f"; {stand_in.title} stands in for it" if stand_in else ""
        if active.anchor in lost:
            warnings.append(f"A purge took words of {lost[active.anchor].title}{found}.")
        else:
            warnings.append(f"The anchor exemplar {active.anchor!r} is not in ring1{found}.")
    elif stand_in:
        warnings.append(f"No anchor exemplar is set; {stand_in.title} stands in for it.")
    return stand_in


def _called(mood: str, words: Sequence[str]) -> str:
    return f"the conversation is {_ADJECTIVES[mood]} ({', '.join(words)})" if words else f"asked for ({mood})"


_ADJECTIVES = {"conflict": "in conflict", "playful": "playful", "emotional": "emotional"}
