"""Sentences that deny each other in the same words: `Bo has a dog`, `Bo has no dog`; English alone.

Only what does not change from day to day is compared: what somebody is, whom they have, what they can, and
deeds that are done once. A state that may pass by itself, or that comes about (`is not signed`), is silent,
and so is a habit or a thing that somebody has, unless both sides are of one day.
"""

import re
from collections.abc import Iterator, Sequence

from reel_cli.core.evidence.claims import QUOTED, Fact, HeldText, Slot
from reel_cli.core.evidence.grounding.lexicon import even, sentences, spelt_out, stem, stems
from reel_cli.core.evidence.pair_words import CHANGE, FICTION, OPEN, PLAN
from reel_cli.core.frozen import frozen, late
from reel_cli.features.contradictions.compare import Disagreement

_LONGEST = 14
"""Words above which a sentence says more than one thing."""
_SUBJECT = r"(?P<who>[\w.'-]+(?: [\w.'-]+){0,3}?)"
_FORMS = (
    ("be", late(rf"(?i){_SUBJECT} (?:is|are|am)(?P<no> not| never)? (?P<rest>.+)")),
    ("be", late(rf"(?i){_SUBJECT} (?P<verb>was|were)(?P<no> not| never)? (?P<rest>.+)")),
    ("can", late(rf"(?i){_SUBJECT} can(?P<no> not| never)? (?P<rest>.+)")),
    ("have", late(rf"(?i){_SUBJECT} (?:has|have)(?P<no> no) (?P<rest>.+)")),
    ("have", late(rf"(?i){_SUBJECT} (?:does|do)(?P<no> not) have (?P<rest>.+)")),
    (
        "have",
        late(
            rf"(?i){_SUBJECT} (?:has|have)(?P<no>) (?P<rest>(?:an?|the|his|her|their|children|[a-z]+s)\b.*)"
        ),
    ),
    ("do", late(rf"(?i){_SUBJECT} (?:does|do)(?P<no> not| never) (?P<verb>[a-z]+)(?P<rest>.*)")),
    ("did", late(rf"(?i){_SUBJECT} did(?P<no> not| never) (?P<verb>[a-z]+)(?P<rest>.*)")),
)
_LASTS = (
    r"allergic|intolerant|vegetarian|vegan|diabetic|coeliac|celiac|colou?r-?blind|deaf|blind|alive|left-handed"
    r"|right-handed|adopted|born|related"
)
"""Pattern of being something for good, or until one says that it ended."""
_IS = late(rf"(?i)(?:an? )?(?:{_LASTS})\b")
_IS_FOR_NOW = late(r"(?i)(?:married|insured|an? (?!bit|little|lot|mess|few|while|fan)[a-z]+)\b")
"""Pattern of being something that comes about: only its denial is told, since it may have come later."""
_HABITS = frozenset(
    map(
        stem,
        re.findall(
            r"\w+", "eat drink smoke speak play like love hate believe own live drive fly dance sing swim"
        ),
    )
)
_DIET = late(
    r"(?i)\W*(?:any )?(?:meat|fish|pork|beef|chicken|poultry|ham|seafood|shellfish|shrimps?|prawns?"
    r"|(?:pea|wal|hazel)?nuts?|almonds?|dairy|milk|cheese|eggs?|gluten|wheat|soya?|sesame|celery"
    r"|mustard|animals?)$"
)
"""Pattern of food that somebody leaves for good, by belief or an allergy."""
_LANGUAGE = (
    r"(?:\w+(?:ish|ese|ian|nch|tch)|german|greek|arabic|hindi|urdu|bengali|hebrew|czech|welsh|latin|farsi"
    r"|icelandic|thai)"
)
_SPEAKS = late(rf"(?i)\W*{_LANGUAGE}$")
_SKILL = late(
    r"(?i)(?:swim|sing|dance|ski|skate|cook|bake|knit|sew|type|whistle|juggle|dive|drive|fly"
    r"|ride|read|write|sail|draw|paint|(?:read|write) (?:music|and write|braille)"
    r"|play (?:the \w+|chess)|(?:ride|drive|fly|sail) an? \w+"
    rf"|(?:speak|read|write|understand) {_LANGUAGE})$"
)
"""Pattern of what one can once it is learnt; all else that one can may pass."""
_BEINGS = late(
    r"(?i)^(?:(?:an?|any|the|his|her|their|my|our|\w+) ){0,2}(?:brothers?|sisters?|siblings?|twins?|sons?"
    r"|daughters?|child|children|kids?|parents?|mother|father|husband|wife|partner|aunts?|uncles?|cousins?|nieces?|nephews?"
    r"|grand\w+|publisher|agent|dogs?|cats?|horses?|pony|ponies|rabbits?|birds?|parrots?|canary|hens?|chickens?|goats?|sheep"
    r"|cows?|pigs?|donkeys?|hamsters?|tortoises?|turtles?|snakes?|ferrets?|pets?|puppy|kittens?|goldfish|bees)"
    r"(?=$| (?:called|named|who|in|at|from)\b)"
)
"""Pattern of people and animals that somebody has."""
_ONCE = frozenset(
    map(
        stem,
        re.findall(
            r"\w+",
            "sign sell buy marry divorce adopt inherit graduate attend found resign emigrate win publish",
        ),
    )
)
"""Stems of deeds that are done once with one thing."""
_ONE_THING = late(r"\W*(?:$|(?:the|his|her|their|my|our|[\w-]+'s)\b|(?:from|in|at) )")
"""Pattern of what stands behind such a deed: one thing, and no `a boat`, of which there may be several."""
_GONE_TO = late(r"(?i) to (?:the|his|her|their|my|our|[\w-]+'s) (?:wedding|funeral|christening|premiere)\b")
_PASSES = late(
    r"(?i)\b(?:time|money|cash|plans?|news|idea|cold|fever|headache|flu|pain|visitors?|guests?|appointment|work"
    r"|job|free|day|night|questions?|doubts?|problems?|chance|cough|hope|energy|appetite|answer|work|luck)\b"
)
_SIBLINGS = late(r"(?i)\b(?:brothers?|sisters?|siblings?|twins?)\b")
_NOBODY = frozenset(
    re.findall(
        r"\w+",
        "he she it they this that there these those who what we you here one nobody no none nothing some"
        " somebody someone anyone everyone everybody nor neither",
    )
)
"""Beginnings of subjects that may be of anybody."""
_MANY = frozenset(
    re.findall(
        r"\w+",
        "a an another other others half many most few several people all both each every either any two three"
        " four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred dozen dozens"
        " hundreds thousands lots plenty",
    )
)
"""Beginnings of subjects of which there may be several."""
_ROLES = frozenset(
    map(
        stem,
        re.findall(
            r"\w+",
            "friend colleague coworker neighbour neighbor guest visitor classmate roommate flatmate mate"
            " acquaintance client patient student pupil teacher customer man woman"
            " boy girl person people someone somebody",
        ),
    )
)
"""Stems of roles that several people have: without a name, nobody knows whose they are."""
_KIN = frozenset(map(stem, ("cousin", "uncle", "aunt", "nephew", "niece", "child", "kid")))
"""Stems of relatives: `my aunt` may be told of as one, and a danger of hers is worth a question."""
_SAYING = frozenset(
    map(
        stem,
        re.findall(
            r"\w+", "say tell think believe hear ask know write hope fear claim insist swear mean guess"
        ),
    )
)
"""Stems of verbs behind which a sentence is what somebody says or thinks."""
_MONTH = r"january|february|march|april|may|june|july|august|september|october|november|december"
_DATED = late(rf"(?i)\b(?:in|on|of)\s+(?:the )?(?:\d|{_MONTH})")
_WHEN = late(
    r"(?i)\b(?:today|tonight|yesterday|yet|still|again|always|often|sometimes|usually|every|most|much|only|just"
    r"|really|all|both|alone|at (?:night|home|work|first)|when|while|before|after|with|without"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b"
)
"""Words that limit what is said, so that both may be so."""


@frozen
class _Claim:
    """A sentence as it is compared: who, of which form, the stems of the rest; whether it is denied.

    `stays` says that it holds for good, so that neither side can have come about later; `of_a_day` that it
    may change either way from one day to another.
    """

    key: tuple[str, ...]
    denied: bool
    stays: bool
    of_a_day: bool
    sentence: str
    subject: frozenset[str]


def find_denials(new: Sequence[HeldText], old: Sequence[HeldText]) -> list[Disagreement]:
    """Return the pairs of which one sentence denies the other in the same words."""
    held: dict[tuple[str, ...], list[tuple[HeldText, _Claim]]] = {}
    mine = [(one, claim) for one in new for claim in _claims(one.text)]
    if not mine:
        return []
    for one in old:
        for claim in _claims(one.text):
            held.setdefault(claim.key, []).append((one, claim))
    return [
        _pair(was, before, telling, claim)
        for telling, claim in mine
        for was, before in held.get(claim.key, ())
        if claim.denied != before.denied and _is_sure(was, before, telling, claim)
    ]


def denied_words(text: str) -> Iterator[frozenset[str]]:
    """Yield the stems of each sentence of a text that another may deny."""
    return (claim.subject for claim in _claims(text))


def _is_sure(was: HeldText, before: _Claim, telling: HeldText, claim: _Claim) -> bool:
    """Return whether what the later side says cannot have come about since the earlier."""
    if claim.of_a_day:
        return was.day is not None and was.day == telling.day
    if claim.stays or was.day == telling.day:
        return True
    later = claim if was.day is None or telling.day is None or telling.day >= was.day else before
    return later.denied


def _pair(was: HeldText, before: _Claim, telling: HeldText, claim: _Claim) -> Disagreement:
    then, now = (
        Fact(
            Slot.STATE,
            one.subject,
            frozenset(),
            frozenset(),
            one.sentence,
            negated=one.denied,
            clause=even(one.sentence),
        )
        for one in (before, claim)
    )
    return Disagreement(Slot.STATE, was, before.sentence, telling, claim.sentence, then, now, denial=True)


def _claims(text: str) -> Iterator[_Claim]:
    plain = even(text)
    quoted = QUOTED.sub(lambda found: " " * len(found[0]), plain)
    for start, end in sentences(plain):
        sentence = plain[start:end].strip()
        if quoted[start:end].strip() != sentence or "?" in sentence or len(sentence.split()) > _LONGEST:
            continue
        if any(one.search(sentence) for one in (CHANGE, OPEN, PLAN, FICTION, _WHEN)) or "," in sentence:
            continue
        claim = _read(sentence, text[start:end].strip())
        if claim is not None:
            yield claim


def _read(sentence: str, said: str) -> _Claim | None:
    plain = _I_AM.sub("i am ", re.sub(r"\s+", " ", spelt_out(sentence.rstrip(".!… "))))
    for form, pattern in _FORMS:
        found = pattern.fullmatch(plain)
        if found is None or len(found["rest"].split()) > _LONGEST:
            continue
        verb = found.groupdict().get("verb") or ""
        return _claim_of(form, found["who"], verb, found["rest"], denied=bool(found["no"]), said=said)
    return _read_deed(plain, said)


def _read_deed(plain: str, said: str) -> _Claim | None:
    """Return the claim of a sentence with a full verb that is not denied: `eats meat`, `signed the lease`."""
    words = plain.split()
    for place, word in enumerate(words[1:5], 1):
        root, denied = stem(word), words[place - 1] == "never"
        who = " ".join(words[: place - denied])
        present = root in _HABITS and (word.endswith("s") or who == "i")
        past = not word.endswith("s") and (word.endswith("ed") or word in _PASTS)
        once = past and (root in _ONCE or word == "went")
        if who and (present or once):
            rest = " ".join(words[place + 1 :])
            form = "do" if present else "did"
            return _claim_of(form, who, word, f" {rest}", denied=denied, said=said)
    return None


_I_AM = re.compile(r"^i'm ")
_PASTS = frozenset(("sold", "bought", "won", "went"))


def _claim_of(  # noqa: PLR0913 (the parts of one sentence)
    form: str, who: str, verb: str, rest: str, *, denied: bool, said: str
) -> _Claim | None:
    named = who.split()
    if not _is_one(named) or not _SAYING.isdisjoint(map(stem, named)):
        return None
    root, stays = stem(verb) if verb not in ("", "was", "were") else verb and "was", False
    of_a_day = False
    if form == "be":
        stays = _IS.match(rest.strip()) is not None
        if not stays and _IS_FOR_NOW.match(rest.strip()) is None:
            return None
    elif form == "have":
        if _PASSES.search(rest):
            return None
        stays = _SIBLINGS.search(rest) is not None
        of_a_day = _BEINGS.match(rest) is None
    elif form == "can":
        if _SKILL.match(rest) is None:
            return None
    elif form == "do":
        if root not in _HABITS:
            return None
        stays = root in _FEEDS and _DIET.match(rest) is not None
        of_a_day = not stays and (root != stem("speak") or _SPEAKS.match(rest) is None)
    elif form == "did":
        one_thing = _GONE_TO if root == stem("go") else _ONE_THING
        if (root != stem("go") and root not in _ONCE) or one_thing.match(rest) is None:
            return None
        stays = _DATED.search(rest) is not None
    words = tuple(stem(word.strip(".'")) for word in f"{who} {rest}".split() if word not in _ARTICLES)
    subject = frozenset((*stems(f"{who} {rest}"), *filter(None, [root])))
    return _Claim((form, root, *words), denied, stays, of_a_day, said, subject)


def _is_one(who: Sequence[str]) -> bool:
    """Return whether a subject, by its words, is one that both sentences must mean."""
    first = who[0].lower()
    last = stem(who[-1].lower())
    several = last in _ROLES or (last in _KIN and first not in ("my", "the"))
    return not (first in _NOBODY or first in _MANY or first[0].isdigit() or several)


_FEEDS = frozenset(map(stem, ("eat", "drink")))
_ARTICLES = frozenset(("a", "an", "any", "at"))
