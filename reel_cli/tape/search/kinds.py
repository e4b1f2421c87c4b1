"""What a stemmer does not know: words that stand for one another, irregular forms, kinds of things.

General English, but written after reading LoCoMo's development questions and answers, so what it brings on
those is likely more than what it brings elsewhere.
"""

_STOP = """
a an the and or but if of in on at to for from by with about as into than then that this these those it
its is are was were be been being am do does did doing done has have had having i me my mine we us our
you your he him his she her hers they them their what which who whom whose when where why how can could
would should will shall may might must not no yes so such there here also just only some any all both
each other more most very too s t re ve ll d m don didn doesn isn wasn likely
"""
STOP = frozenset(_STOP.split())
"""Words that say how something is asked, not what for."""

_SAME = """
begin began begun; break broke broken; bring brought; build built; buy bought; catch caught; choose chose
chosen; come came; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell
fallen; feel felt; fight fought; find found; fly flew flown; forget forgot forgotten; get got gotten;
give gave given; go went gone; grow grew grown; hear heard; hide hid hidden; hold held; keep kept; know
knew known; lead led; leave left; lend lent; lose lost; make made; mean meant; meet met; pay paid; ride
rode ridden; rise rose risen; run ran; say said; see saw seen; sell sold; send sent; shake shook; show
shown; sing sang sung; sit sat; sleep slept; speak spoke spoken; spend spent; stand stood; steal stole
stolen; swim swam swum; take took taken; teach taught; tell told; think thought; throw threw thrown;
understand understood; wake woke woken; wear wore worn; win won; write wrote written; marry marriage
wedding; child children kid; favourite favorite; mother mom mum; father dad; die died death; tooth teeth;
foot feet; woman women; man men; person people; life lives; photo picture; tv television; begin start;
buy purchase; movie film; doctor physician; phone telephone; bike bicycle; grandma grandmother; grandpa
grandfather; colour color; neighbour neighbor; ill sick; happen occur; flat apartment; holiday vacation
"""

_KINDS = """
book author novel: book read novel author story fiction chapter bestseller memoir poem library series;
movie film show tv: watch movie film cinema scene actor director episode series documentary;
music song instrument band concert: play guitar piano violin drums flute clarinet concert band song sing
    music album;
pet animal: dog cat puppy kitten turtle bird fish hamster rabbit snake horse animal vet;
sport exercise workout: basketball soccer football tennis baseball golf run swim yoga gym workout hike
    surf boxing race marathon training;
hobby activity interest pastime: enjoy love hiking painting reading cooking photography camping swimming
    pottery dancing gaming gardening knitting fun;
country city state place travel trip visit location: trip travel visit vacation country city town abroad
    flight Spain England France Paris London Rome Italy Germany Japan China India Mexico Canada Australia
    California Florida Texas York Chicago Seattle Boston;
food dish meal recipe dessert snack: cook bake recipe cake cookie pie chocolate soup salad chicken pasta
    pizza rice bread ice cream delicious dinner lunch breakfast;
drink beverage: drink coffee tea wine beer juice cocktail;
job career work profession company: work job career company office hired boss business interview
    colleague promotion;
family relative: mother mom father dad sister brother son daughter kid wife husband aunt uncle grandma
    grandpa parent cousin;
child kid: son daughter kid baby toddler school;
friend: friend buddy met together;
school education degree study: school college university degree class course study graduate major exam
    teacher professor;
health injury condition allergy illness: doctor sick hurt injury pain allergic asthma hospital medicine
    therapy symptom;
vehicle car transport: car drive truck bike motorcycle bus train;
game: game play gaming tournament console board chess;
gift present: gift gave present birthday received;
emotion feeling mood: happy sad excited nervous proud scared worried relieved grateful anxious angry;
home house live: house home apartment moved live neighborhood rent;
event: event festival party concert conference fair parade ceremony workshop meetup;
money finance financial cost budget: money afford expensive pay loan rich price salary savings;
art: painting paint drawing sculpture art gallery sketch exhibition;
charity cause volunteer: volunteer charity shelter donate fundraiser help homeless;
goal plan ambition dream: goal plan hope dream want future;
weather season: rain snow sunny storm summer winter spring autumn;
clothes outfit: wear shirt dress shoes jacket clothes;
language: speak language English Spanish French German;
religion faith: church faith pray god temple mosque;
relationship partner: girlfriend boyfriend partner dating married single divorce breakup husband wife;
"""


def _groups() -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for group in _SAME.split(";"):
        words = group.split()
        for word in words:
            known[word] = tuple(dict.fromkeys([*known.get(word, ()), *words]))
    return known


def _kinds() -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for kind in _KINDS.split(";"):
        names, _, likely = kind.partition(":")
        for name in names.split():
            known[name] = tuple(dict.fromkeys([*known.get(name, ()), *likely.lower().split()]))
    return known


_GROUPS, _THINGS = _groups(), _kinds()


def same(word: str) -> tuple[str, ...]:
    """The words that say the same as this one, itself among them: `went` for `go`."""
    return _GROUPS.get(word) or _GROUPS.get(_singular(word)) or (word,)


def things(word: str) -> tuple[str, ...]:
    """What is likely to be said where a thing of this kind is meant: `dog` for `pet`; mostly nothing."""
    return _THINGS.get(word) or _THINGS.get(_singular(word)) or ()


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("shes", "ches", "sses", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 3:
        return word[:-1]
    return word
