"""Words of a memory in whose place another of the same kind was said."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from reel_cli.core.evidence.grounding.lexicon import WORD, bare, clauses, sentences, stem
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Passage, Source, clipped
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.frozen import frozen

_KINDS = """
red orange yellow green blue purple pink brown black white grey gray golden silver violet turquoise
mother father grandmother grandfather aunt uncle stepmother stepfather mom mum dad auntie grandma
    grandpa gran granny grandson granddaughter
sister brother cousin twin
son daughter nephew niece grandson granddaughter
husband wife fiance fiancee boyfriend girlfriend
dog cat hamster rabbit guinea horse pony donkey parrot budgie canary goldfish tortoise turtle snake
    lizard bird chicken duck goose pig goat sheep cow mouse rat ferret hedgehog squirrel fox wolf bear
    seal whale
guitar piano violin cello clarinet flute trumpet trombone saxophone drums harp accordion banjo oboe
    viola ukulele bass
acoustic electric
north south east west northern southern eastern western
breakfast lunch dinner supper
spring summer autumn winter
rose tulip sunflower lily daisy orchid carnation daffodil violet
apple pear plum cherry peach apricot banana lemon grape strawberry raspberry blueberry blackberry
potato tomato carrot onion cabbage leek garlic pumpkin parsley basil spinach
tea coffee cocoa beer wine whisky whiskey gin rum milk juice lemonade
bread cake pie soup stew salad pasta pizza rice porridge pancake biscuit cookie sandwich
beef pork chicken lamb fish turkey ham salmon tuna cod
football soccer basketball baseball volleyball hockey rugby cricket golf badminton
swimming hiking sailing skiing climbing cycling fishing rowing kayaking surfing skating riding
yoga pilates kickboxing boxing karate judo taekwondo aerobics
ring necklace bracelet earring brooch
shirt dress skirt coat jacket sweater jumper scarf hat glove sock shoe boot
car motorbike motorcycle bike bicycle bus train tram plane boat ferry truck van taxi
lake river sea pond stream
mountain valley forest desert island
kitchen bathroom bedroom attic cellar basement garage hallway
oak pine birch willow maple elm beech spruce
wooden metal plastic glass leather woollen silk cotton linen paper stone
doctor nurse dentist teacher lawyer plumber baker butcher carpenter electrician farmer fisherman
    priest architect accountant librarian waiter waitress barber cashier pilot soldier
foot knee elbow shoulder ankle wrist finger toe hip
painting sculpture drawing photograph poem song
biology chemistry physics history geography mathematics philosophy psychology economics
english french german spanish italian czech polish dutch russian norwegian swedish danish portuguese
never sometimes often always rarely
church mosque synagogue temple
hospital school library museum theatre theater cinema bakery pharmacy
"""
"""One kind on each line; a line that is indented goes on with the kind before it."""


@cache
def _kinds() -> dict[str, tuple[int, ...]]:
    """Return the kinds of each word."""
    found: dict[str, tuple[int, ...]] = {}
    for place, words in enumerate(_KINDS.replace("\n    ", " ").splitlines()):
        for word in words.split():
            for form in (word, f"{word}s", f"{word}es"):
                found[form] = (*found.get(form, ()), place)
    return found


def kinds_of(word: str) -> tuple[int, ...]:
    """Return the kinds that a word names one of."""
    return _kinds().get(bare(word), ())


def are_rivals(word: str, other: str) -> bool:
    """Return whether two words name two different things of one kind."""
    mine = kinds_of(word)
    return bool(mine) and not set(mine).isdisjoint(kinds_of(other)) and not word_forms(word).stands_in(other)


_HALF = 50
"""Percent of a clause's other words that were said with the other of its kind."""
_RARE = 2
"""Messages, at most, that have a word by which alone two things are the same."""
_NEAR = 2
"""Messages between two words of a kind, up to which both may mean one thing."""
_ADVERBS = frozenset(("never", "sometimes", "often", "always", "rarely"))
"""Words that count only before the same verb."""


@frozen
class Substitution:
    """A word that stands in another's place: where it stands, its clause's other words, what was said."""

    start: int
    end: int
    word: str
    words: tuple[str, ...]
    said: Passage


@frozen
class _Window:
    """One or two sentences of a message, in lower case: where each begins and ends in it, and their words."""

    place: int
    text: str
    bounds: tuple[tuple[int, int], ...]
    words: tuple[str, ...]


def substitutions(masked: str, source: Source) -> Iterator[Substitution]:
    """Yield the words of a text for which another of the same kind was said of the same things.

    `masked` is a text without its quotations.
    """
    for first, last in sentences(masked):
        sentence = masked[first:last]
        if "?" in sentence or not any(kinds_of(match[0]) for match in WORD.finditer(sentence)):
            continue
        at = first
        for clause in clauses(sentence):
            at = masked.index(clause, at)
            for match in WORD.finditer(clause):
                word = bare(match[0])
                if kinds_of(word) and match[0].partition("'")[2] in ("", "s"):
                    found = _said_instead(word, match, clause, sentence, source)
                    if found is not None:
                        start = at + match.start()
                        words = tuple(_others(word, clause, source))
                        yield Substitution(start, start + len(match[0]), word, words, found)
            at += len(clause)


@lru_cache(maxsize=2)
def _windows(source: Source) -> Sequence[_Window]:
    """Return the sentences of every message, each alone or with the next; no questions by themselves."""
    found: list[_Window] = []
    for place, turn in enumerate(source.turns):
        bounds = list(sentences(turn))
        for (first, last), (_, end) in pairwise([*bounds, (0, len(turn))]):
            text = turn[first:end] if end > last else turn[first:last]
            # a question says nothing, but its words may be what the next sentence is about
            if not turn[first:last].rstrip().endswith("?"):
                words = tuple(bare(match[0]) for match in WORD.finditer(text))
                both = ((first, last), (last, end)) if end > last else ((first, last),)
                found.append(_Window(place, text, both, words))
    return found


def _others(word: str, clause: str, source: Source) -> list[str]:
    return [one for one in content(clause, source) if one != word and not are_rivals(word, one)]


def _said_instead(
    word: str, match: re.Match[str], clause: str, sentence: str, source: Source
) -> Passage | None:
    """Return where another of the same kind was said of a clause's things, if this one was not."""
    mine = word_forms(word)
    others = _others(word, clause, source)
    patterns = [word_forms(one) for one in others]
    after = WORD.search(clause, match.end())
    next_word = stem(after[0]) if after is not None else ""
    adverb = word in _ADVERBS
    said = any(map(mine.stands_in, source.turns))
    best: tuple[_Window, str] | None = None
    most = rival = 0
    spoken: list[int] = []
    for window in _windows(source):
        shared = [one for one in patterns if one.stands_in(window.text)]
        if not shared:
            continue
        if mine.stands_in(window.text):
            rival = max(rival, len(shared))
            spoken.append(window.place)
            continue
        told = [place for place, one in enumerate(window.words) if are_rivals(word, one)]
        # what the clause names as well is not what was said in its place
        told = [place for place in told if not word_forms(window.words[place]).stands_in(sentence)]
        if not told:
            continue
        beside = any(stem(one) == next_word for place in told for one in window.words[place + 1 : place + 2])
        beside = beside and next_word in {stem(one) for one in others}
        alike = len(shared) >= 2 and len(shared) * 100 >= _HALF * len(others)
        # one word that both have says little where the doubted word was said of something
        rare = not said and len(others) <= 2
        rare = rare and any(_is_rare(one, source) for one in others if word_forms(one) in shared)
        if (beside or (not adverb and (alike or rare))) and len(shared) > most:
            best, most = (window, window.words[told[0]]), len(shared)
    if best is None or rival >= most or any(abs(place - best[0].place) <= _NEAR for place in spoken):
        # what was said beside it (`the ferry`, two turns before `the boat`) may be another word for it
        return None
    return _passage(*best, source)


def _passage(window: _Window, word: str, source: Source) -> Passage:
    """Return the sentence of a window that has a word."""
    turn, forms = source.said[window.place].turn, word_forms(word)
    texts = [turn.text[first:last] for first, last in window.bounds]
    told = next((text for text in texts if forms.stands_in(text)), texts[0])
    return Passage(turn.number, turn.speaker, clipped(told), turn.session if source.several else "")


def _is_rare(word: str, source: Source) -> bool:
    forms = word_forms(word)
    return sum(map(forms.stands_in, source.turns)) <= _RARE
