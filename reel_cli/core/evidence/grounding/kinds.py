"""Kinds of things of which there is one at a place: who said one of a kind did not say another of it."""

from functools import cache

from reel_cli.core.evidence.grounding.lexicon import bare
from reel_cli.core.evidence.grounding.words import word_forms

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
