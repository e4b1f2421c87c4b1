"""The other forms of an English word, as far as the stemmer does not know them, and the things of a kind.

Closed classes in full (irregular verbs and plurals, number words, months, weekdays, how kin and everyday
things are called for short), and the endings by which nouns, verbs and adjectives are made of one another. A
form that nobody wrote finds nothing, so the endings may make too many. `What pets has she?` is answered where
a dog is spoken of: the kinds are written from general knowledge, not from any set of questions, with their
commonest members and what is done with them. English only, and only ever a help.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from math import log

from reel_cli.core.tokens.word_rank import word_rank

_VERBS = """
arise arose arisen; awake awoke awoken; bear bore borne born; beat beaten; become became; befall befell
befallen; beget begot begotten; begin began begun; behold beheld; bend bent; beseech besought; bind bound;
bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built;
burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came; creep crept; deal
dealt; dig dug; dive dove; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; dwell
dwelt; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fling
flung; fly flew flown flight; forbid forbade forbidden; foresee foresaw foreseen; foretell foretold;
forget forgot forgotten; forgive forgave forgiven; forsake forsook forsaken; freeze froze frozen; get got
gotten; give gave given gift; go went gone; grind ground; grow grew grown growth; hang hung; hear heard;
hide hid hidden; hold held; keep kept; kneel knelt; know knew known knowledge; lay laid; lead led; lean
leant; leap leapt; learn learnt; leave left; lend lent; light lit; lose lost loss; make made; mean meant;
meet met; mislead misled; mistake mistook mistaken; misunderstand misunderstood; mow mown; outdo outdid
outdone; outgrow outgrew outgrown; overcome overcame; overdo overdid overdone; overhear overheard; oversee
oversaw overseen; oversleep overslept; overtake overtook overtaken; overthrow overthrew overthrown;
partake partook partaken; pay paid; plead pled; prove proven proof; rebuild rebuilt; repay repaid; rethink
rethought; rewind rewound; rewrite rewrote rewritten; rid ridden; ride rode ridden; ring rang rung; rise
rose risen; run ran; saw sawn; say said; see saw seen sight; seek sought; sell sold sale; send sent; sew
sewn; shake shook shaken; shear shorn; shine shone; shoe shod; shoot shot; show shown; shrink shrank
shrunk; sing sang sung song; sink sank sunk; sit sat; slay slew slain; sleep slept asleep; slide slid;
sling slung; slink slunk; smell smelt; sow sown; speak spoke spoken speech; speed sped; spell spelt; spend
spent; spill spilt; spin spun; spit spat; spoil spoilt; spring sprang sprung; stand stood; steal stole
stolen theft; stick stuck; sting stung; stink stank stunk; stride strode stridden; strike struck stricken;
string strung; strive strove striven; swear swore sworn; sweep swept; swell swollen; swim swam swum; swing
swung; take took taken; teach taught; tear tore torn; tell told; think thought; thrive throve; throw threw
thrown; tread trod trodden; undergo underwent undergone; understand understood; undertake undertook
undertaken; undo undid undone; unwind unwound; uphold upheld; wake woke woken; wear wore worn; weave wove
woven; weep wept; win won; wind wound; withdraw withdrew withdrawn withdrawal; withhold withheld;
withstand withstood; wring wrung; write wrote written
"""
"""English's irregular verbs, those left out that are the same in all forms (`cut`, `put`), with the nouns no
rule makes of them."""

_NOUNS = """
man men; woman women; child children childhood kid; person people; foot feet; tooth teeth; goose geese;
mouse mice; louse lice; ox oxen; penny pence; leaf leaves; loaf loaves; half halves; calf
calves; shelf shelves; wolf wolves; thief thieves; knife knives; wife wives; life lives live alive; elf
elves; scarf scarves; hoof hooves; crisis crises; thesis theses; diagnosis diagnoses diagnose; basis
bases; analysis analyses analyse analyze; criterion criteria; phenomenon phenomena; medium media; cactus
cacti; fungus fungi; alumnus alumni; stimulus stimuli; curriculum curricula
"""

_MADE = """
die death dead; bear birth; high height; long length; strong strength; wide width; broad breadth; deep
depth; young youth; hot heat; proud pride; angry anger; hungry hunger; thirsty thirst; free freedom; bore
boredom; wise wisdom; poor poverty; choose choice; advise advice; believe belief; relieve relief; grieve
grief; succeed success; proceed process; hate hatred; laugh laughter; weigh weight; sick ill illness
sickness; true truth; compare comparison; explain explanation; pronounce pronunciation; maintain
maintenance; destroy destruction; marry marriage wedding; defend defence defense; offend offence offense;
respond response; expand expansion; compete competition contest; repeat repetition; enter entry entrance;
remember memory; try attempt; sun sunny; rain rainy; snow snowy; wind windy; cloud cloudy; storm stormy;
fog foggy; noise noisy; fun funny; sleep sleepy; health healthy; wealth wealthy; luck lucky; mess messy;
favourite favorite; allergy allergic
"""

_SHORT = """
mother mom mum mama mommy mummy; father dad daddy papa; grandmother grandma granny nana nan; grandfather
grandpa granddad grandad; brother bro; sister sis; husband hubby; parent folks; aunt auntie; baby infant;
television tv telly; telephone phone cellphone smartphone mobile; photograph photo picture pic; bicycle
bike; motorcycle motorbike; automobile car; airplane plane aeroplane aircraft; refrigerator fridge;
advertisement ad advert; examination exam; laboratory lab; mathematics math maths; veterinarian vet;
doctor dr physician; professor prof; information info; application app; university uni college; apartment
flat; movie film; vacation holiday; purchase buy; begin start; happen occur; gasoline gas petrol;
influenza flu; gymnasium gym; saxophone sax; hippopotamus hippo; rhinoceros rhino; champion champ;
documentary doc; vegetable veggie veg; repetition rep; specification spec; kilogram kg kilo; kilometre
kilometer km; pound lb; hour hr; minute min; appointment appt; birthday bday; okay ok; percent percentage;
dollar usd buck; euro eur; donkey mule
"""

_NUMBERS = """
one 1 once first 1st; two 2 twice second 2nd couple; three 3 third 3rd; four 4 fourth 4th; five 5 fifth
5th; six 6 sixth 6th; seven 7 seventh 7th; eight 8 eighth 8th; nine 9 ninth 9th; ten 10 tenth 10th; eleven
11 eleventh 11th; twelve 12 twelfth 12th dozen; thirteen 13; fourteen 14; fifteen 15; sixteen 16;
seventeen 17; eighteen 18; nineteen 19; twenty 20; thirty 30; forty 40; fifty 50; sixty 60; seventy 70;
eighty 80; ninety 90; hundred 100; thousand 1000; million 1000000
"""

_CALENDAR = """
january jan; february feb; april apr; june jun; july jul; august aug; september sept sep;
october oct; november nov; december dec; tuesday tue tues; thursday thu thur
thurs; wednesday weds; friday fri; christmas xmas; fall autumn; tomorrow tmrw tmr; tonight tonite
"""

_ENDING_PAIRS = """
ide ision; ade asion; ode osion; ude usion; use usion; fess fession; scribe scription; ceive ception; duce
duction; mit mission; solve solution; sume sumption; tend tension; vert version; pel pulsion; ify
ification; ply plication; quire quisition; pose position; graph graphy; logy logist; logy logical; nomy
nomist; try trist; y iage; our or; ise ize; yse yze; isation ization; re er; ogue og; ence ense; ill il;
lling ling; lled led; ysis yse; eep ept
"""
"""Endings that stand for one another, either way: `decide`, `decision`; `colour`, `color`."""

_ENDINGS = [(pair.split()[0], pair.split()[1]) for pair in _ENDING_PAIRS.split(";")]

_TAKEN = ("ship", "hood", "ment", "less", "ist", "ly", "ian", "ness")
_LEAST = 4
"""Letters a word needs, and has left, for an ending to be put on or taken off."""


_COMMON, _RARE = 300, 200_000
"""Ranks in the token table of a word that stands in any text, and of one that hardly any has."""

_LONGEST = 40
"""Letters a word has at most; what is longer was never inflected."""


def forms(word: str) -> tuple[str, ...]:
    """Return a word with its other forms: `went` for `go`, `marriage` for `married`."""
    found = dict.fromkeys((word,))
    for base in bases(word):
        found.update(dict.fromkeys(_KNOWN.get(base, ())))
    for base in bases(word):
        found.update(dict.fromkeys(_alike(base)))
    return tuple(found)


def known_forms(word: str) -> tuple[str, ...]:
    """Return a word with its other forms that are listed, and so are words: `phone` for `telephone`."""
    return tuple(dict.fromkeys((word, *(form for base in bases(word) for form in _KNOWN.get(base, ())))))


def bases(word: str) -> tuple[str, ...]:
    """Return a word, and what it may be a plural, a past or an -ing of; plain letters only."""
    if len(word) > _LONGEST or not (word.isascii() and word.isalpha()):
        return (word,)
    return tuple(dict.fromkeys((word, *_bases(word))))


@cache
def rarity(word: str) -> float:
    """Return how rare a word is in any text, from 0 to 1; in the commonest of its forms."""
    ranks = [rank for form in bases(word) if (rank := word_rank(form)) is not None]
    rank = max(_COMMON, min(ranks, default=_RARE))
    return log(rank / _COMMON) / log(_RARE / _COMMON)


def match_words(terms: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that says of a word whether it is one of the terms, or another form of one."""
    known = {base for term in set(terms) - STOP for form in forms(term.casefold()) for base in bases(form)}
    return lambda word: bool(known) and not known.isdisjoint(bases(word.casefold()))


def _read(*lists: str) -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for group in ";".join(lists).split(";"):
        words = group.split()
        for word in words:
            known[word] = tuple(dict.fromkeys((*known.get(word, ()), *words)))
    return known


_KNOWN = _read(_VERBS, _NOUNS, _MADE, _SHORT, _NUMBERS, _CALENDAR)


def _bases(word: str) -> Iterator[str]:
    size = len(word)
    if size > 4 and word.endswith(("ies", "ied")):
        yield f"{word[:-3]}y"
    if size > 4 and word.endswith("ing"):
        yield from _cut(word[:-3])
    if size > 3 and word.endswith("ed"):
        yield from _cut(word[:-2])
    if size > 4 and word.endswith("es"):
        yield word[:-2]
    if size > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        yield word[:-1]


def _cut(stem: str) -> Iterator[str]:
    if len(stem) > 2:
        yield stem
        yield f"{stem}e"
        if stem[-1] == stem[-2]:
            yield stem[:-1]


def _alike(word: str) -> Iterator[str]:
    """Yield the word with equivalent endings exchanged or removed; some results are not words."""
    for one, other in _ENDINGS:
        for old, new in ((one, other), (other, one)):
            if word.endswith(old) and len(word) - len(old) > 1:
                yield word[: -len(old)] + new
    for ending in _TAKEN:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            base = word[: -len(ending)]
            yield f"{base[:-1]}y" if base.endswith("i") else base


_STOP = """
a an the and or but if of in on at to for from by with about as into than then that this these those it
its is are was were be been being am do does did doing done has have had having i me my mine we us our you
your he him his she her hers they them their what which who whom whose when where why how can could would
should will shall may might must not no yes so such there here also just only some any all both each other
more most very too s t re ve ll d m don didn doesn isn wasn
"""
STOP = frozenset(_STOP.split())
"""Words that say how something is asked, not what for."""

_ASKING = """
type types kind kinds sort sorts many much often long between both different various several multiple specific
specifically particular main general certain similar whether total amount number mention mentioned mentions
describe described describes topic topics discuss discussed discussion subject subjects related regarding
according say says said tell told talk talked called name named around during after before since still ever
while currently recently happen happened happens because due based considered likely way ways reason purpose
example answer thing things item items besides per became become
"""
ASKING = frozenset(_ASKING.split())
"""Words that say what sort of answer is wanted, and are seldom said in it: they make nothing less certain."""
DOING = frozenset({*forms("go"), *forms("speak"), "going", "on", "up", "chat", "chatted", "day", "evening"})
"""More words of somebody who names a day or a month, and nothing that was in it."""

UNSPACED_ASKING = (
    r"[什甚]么(?:时候)?|[什甚]麼(?:時候)?|谁|誰|哪(?:里|裡|儿|兒|个|個|些|天|年|位)?|怎(?:么样?|麼樣?|样|樣)|为(?:什么|何)|為什麼"
    r"|多(?:少|大|久)|几(?:个|点|岁|号|次)?|幾(?:個|點|歲|次)?|何(?:时|時|歳|処|人|個)?|吗|嗎|呢|吧|啊|了|的|是不是|有没有|有沒有|是|在"
    r"|对|對|把|被|和|跟|[他她它我你](?:们|們)?|这|那|都|也|还|還|就|会|會|请问|請問|告诉|告訴|叫"
    r"|なに|なん|だれ|どこ|いつ|どう(?:して)?|どの|どんな|どれ|いくつ|いくら|なぜ|(?:でし|まし)たか|ですか|ますか|でしょうか|だ?っけ|し(?=ます|まし)"
    r"|という|って|さん|[かはがをにのへともで](?![ぁ-ゖ]{2})|があ(?:る|り)|が(?:いる|いま)"
)
"""Pattern of the words by which a question in Chinese or Japanese asks, or that only join others."""
_KOREAN_ASKING = """
무엇 무슨 뭐 뭐야 뭐예요 뭘 뭔데 누구 누가 누구야 어디 어디야 어디에 언제 언제야 왜 어떻게 어떤 어느
몇 얼마 있어 있나 있니 있지 있나요 있어요 있습니까 인가 인가요 이야 예요 이에요 하지 했지 했어 하나요
그 그의 나 내 너 네 우리 이름이 이름은
"""
KOREAN_ASKING = frozenset(_KOREAN_ASKING.split())
KOREAN_PARTICLES = (
    r"(?:에게서|한테서|에서는|에게는|으로는|이라고|이랑|에게|한테|에서|으로|까지|부터|처럼|보다|하고|라고|이는|이가|이를|은|는|이|가|을|를"
    r"|의|에|로|와|과|랑|도|만|야)"
)
"""Pattern of the particles at the end of a Korean word."""

_KINDS = """
animal pet creature: animal pet dog puppy cat kitten horse pony donkey mule bird parrot fish goldfish hamster
    rabbit bunny turtle tortoise snake lizard mouse rat cow pig sheep goat chicken duck bear wolf fox deer
    lion tiger elephant monkey whale dolphin bee butterfly vet breed;
food dish meal cuisine recipe dessert snack: food eat ate meal cook bake recipe breakfast lunch dinner
    bread rice pasta pizza soup salad sandwich burger chicken beef pork fish egg cheese fruit vegetable
    apple banana chocolate cake cookie pie delicious tasty restaurant;
drink beverage: drink coffee tea water juice milk beer wine cocktail whisky soda lemonade smoothie;
fruit: apple pear banana orange lemon grape cherry peach plum berry strawberry blueberry mango melon
    pineapple;
sport exercise: sport exercise train game match team football soccer basketball baseball tennis golf
    hockey volleyball rugby cricket swim run jog marathon race gym yoga cycle ski surf skate climb hike
    box dance;
hobby activity interest pastime: hobby enjoy love fun free time read write paint draw music dance cook
    bake garden hike camp fish photography game craft knit pottery collect play;
instrument musician: play guitar piano violin cello drum flute clarinet saxophone trumpet bass harp banjo
    ukulele keyboard music lesson;
music band song concert: music listen song sing band album concert festival jazz rock pop classical rap
    dance playlist orchestra choir;
book author novel read: book read novel author writer write story series fiction fantasy mystery poem
    memoir biography chapter page library;
movie show series: movie film watch cinema theater tv show series episode season documentary comedy drama
    thriller actor actress director;
game: game play board card chess puzzle video console player level tournament;
art artist: art paint painting draw drawing sketch sculpture photograph gallery museum exhibition canvas;
country nationality abroad: country abroad travel home America England Britain Ireland Scotland France
    Germany Italy Spain Portugal Greece Netherlands Belgium Switzerland Austria Sweden Norway Denmark
    Finland Poland Russia Ukraine Turkey Egypt Morocco Nigeria Kenya Israel India China Japan Korea
    Thailand Vietnam Indonesia Philippines Australia Canada Mexico Brazil Argentina Peru Cuba;
city town place location: city town village place street live move visit near downtown London Paris Rome
    Berlin Madrid Barcelona Amsterdam Dublin Tokyo Beijing Sydney Toronto York Angeles Francisco Chicago
    Boston Seattle Washington Miami Houston Dallas;
state: Alabama Alaska Arizona California Carolina Colorado Connecticut Dakota Florida Georgia Hawaii
    Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota
    Mississippi Missouri Montana Nebraska Nevada Hampshire Jersey Ohio Oklahoma Oregon Pennsylvania
    Tennessee Texas Utah Vermont Virginia Wisconsin Wyoming;
trip travel vacation journey: trip travel vacation visit tour flight fly drive road hotel beach mountain
    island abroad airport sightsee;
family relative: family parent mother mom father dad sister brother sibling son daughter child kid baby
    husband wife aunt uncle cousin nephew niece grandmother grandma grandfather grandpa;
child kid: child kid son daughter baby toddler boy girl school;
relationship partner spouse marital: relationship partner husband wife boyfriend girlfriend married single
    divorce engaged fiance date wedding anniversary breakup;
job career work profession occupation: job work career company office boss colleague hire promotion
    business interview project teacher doctor nurse engineer lawyer manager writer driver chef;
school education degree study: school college university class course study student teacher learn degree
    graduate exam lesson major;
health illness condition injury allergy: health sick ill doctor hospital pain hurt injury broken disease
    fever flu allergy asthma diabetes cancer surgery medicine treatment therapy symptom;
medicine medication tablet pill drug prescription: medicine medication tablet pill drug dose mg milligrams
    prescribe prescription painkiller antibiotic;
vehicle transport: car truck bus train bike motorcycle van boat ship plane drive ride;
clothes outfit: clothes wear shirt dress skirt trousers jeans jacket coat shoes boots hat sweater suit;
color colour: red orange yellow green blue purple pink brown black white gray grey gold silver;
weather: weather rain snow sun storm wind cloud hot cold warm temperature;
season: spring summer autumn fall winter;
emotion feeling mood: feel happy sad angry afraid scared nervous anxious worried excited proud grateful
    lonely jealous surprised upset stressed relieved;
gift present: gift present give gave birthday christmas surprise received;
event celebration: event party birthday wedding festival concert conference meeting ceremony fair parade
    anniversary celebrate;
home house: home house apartment room kitchen garden rent move bought neighborhood;
money cost price budget: money cost price pay paid spend buy cheap expensive budget save dollar loan debt
    salary;
goal plan dream: goal plan dream hope want wish future achieve start;
language: language speak English Spanish French German Italian Portuguese Chinese Mandarin Japanese Korean
    Arabic Russian Hindi;
religion faith: religion faith church god pray temple mosque christian muslim jewish buddhist hindu;
plant flower: plant flower grow garden tree rose tulip lily sunflower orchid;
furniture: chair table sofa couch bed desk shelf lamp;
device gadget: phone computer laptop tablet camera watch speaker headphones printer;
charity cause: charity volunteer donate help shelter fundraiser community support;
"""


def _read_kinds() -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for kind in _KINDS.split(";"):
        names, _, likely = kind.partition(":")
        for name in names.split():
            known[name] = tuple(dict.fromkeys([*known.get(name, ()), *likely.lower().split()]))
    return known


_THINGS = _read_kinds()


def things(word: str) -> tuple[str, ...]:
    """Return words likely to be said of a thing of this kind: `dog` for `pet`; mostly none."""
    return next((_THINGS[base] for base in bases(word) if base in _THINGS), ())
