"""Words that say how something is asked, and the kinds of things people ask for.

`What pets has she?` is answered where a dog is spoken of. The kinds are written from general knowledge, not
from any set of questions: one in everyday use a line, with its commonest members and what is done with them.
English only, and only ever a help.
"""

from reel_cli.core.tape.search.forms import bases

_STOP = """
a an the and or but if of in on at to for from by with about as into than then that this these those it
its is are was were be been being am do does did doing done has have had having i me my mine we us our you
your he him his she her hers they them their what which who whom whose when where why how can could would
should will shall may might must not no yes so such there here also just only some any all both each other
more most very too s t re ve ll d m don didn doesn isn wasn
"""
STOP = frozenset(_STOP.split())
"""Words that say how something is asked, not what for."""

_KINDS = """
animal pet creature: animal pet dog puppy cat kitten horse pony bird parrot fish goldfish hamster rabbit
    bunny turtle tortoise snake lizard mouse rat cow pig sheep goat chicken duck bear wolf fox deer lion
    tiger elephant monkey whale dolphin bee butterfly vet breed;
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


def _read() -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for kind in _KINDS.split(";"):
        names, _, likely = kind.partition(":")
        for name in names.split():
            known[name] = tuple(dict.fromkeys([*known.get(name, ()), *likely.lower().split()]))
    return known


_THINGS = _read()


def things(word: str) -> tuple[str, ...]:
    """Return words likely to be said of a thing of this kind: `dog` for `pet`; mostly none."""
    return next((_THINGS[base] for base in bases(word) if base in _THINGS), ())
