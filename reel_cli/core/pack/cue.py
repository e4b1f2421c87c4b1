"""Mood and content words of a conversation, from a few words about it (REEL §4.2).

Nothing is learnt: a mood's score is the sum of the weights of what was found, and `evidence` says what.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from reel_cli.core.frozen import late
from reel_cli.core.values.memory import MOODS

STRONG, PLAIN, FAINT = 3, 2, 1

_STEMS: Mapping[str, Mapping[int, str]] = {
    "conflict": {
        STRONG: """
            angry anger furious argu(?!abl) fight fought disagree pushback accus blame betray lied liar insult
            confront quarrel unfair conflict criticis criticiz""",
        PLAIN: """
            wrong annoy irritat frustrat upset offend defend complain correct challeng refus stubborn mistake
            disappoint rude harsh contradict resent mad hostil tense""",
        FAINT: "problem push doubt issue fault never always",
    },
    "playful": {
        STRONG: """
            joke joking kidding playful tease teasing banter silly prank pun puns riddle haha+ lol lmao rofl
            hehe giggl goof mischie""",
        PLAIN: """
            fun funny laugh humor humour witty game games play plays playing meme absurd nonsense
            mock dare""",
        FAINT: "smile cheer bored weekend party wink",
    },
    "emotional": {
        STRONG: """
            grief griev cry crying cried tears sad sadness lonel heartb mourn depress funeral died death
            dying ashamed shame despair anxi scared afraid panic homesick miscarr divorc""",
        PLAIN: """
            lost loss miss misses missing hurt pain fear worr love loved loving overwhelm tender vulnerab
            guilt sorry hope hopeless proud comfort alone exhaust broke breakup hospital illness sick cancer
            struggl feel feeling feelings""",
        FAINT: "tired heavy mother father mum mom dad heart night remember quiet hard",
    },
}
_SIGNS = (
    ("conflict", PLAIN, "?!", re.compile(r"\?!|!\?|!!")),
    ("conflict", FAINT, "capitals", re.compile(r"\b[A-Z]{4,}\b.*\b[A-Z]{3,}\b", re.DOTALL)),
    (
        *("playful", STRONG, "a laughing face"),
        re.compile("[\U0001f600-\U0001f606\U0001f609\U0001f61b-\U0001f61d\U0001f923\U0001f92a]"),
    ),
    ("playful", PLAIN, ":)", re.compile(r"(?<!\w)[;:8]-?[)DPp](?!\w)")),
    (
        *("emotional", STRONG, "a sad face"),
        re.compile("[\U0001f614\U0001f622\U0001f625\U0001f62d\U0001f97a\U0001f494]"),
    ),
    (
        *("conflict", STRONG, "pushing back"),
        late(
            r"(?i)\b(?:that(?:['’]?s| is) (?:wrong|not (?:true|right|fair|what I (?:said|meant|asked)))"
            r"|I (?:never|did(?:n['’]?t| not)) (?:said|say|meant|mean|asked?) (?:that|it|any such)\b"
            r"(?! (?:it|was|is|he|she|they|we|you)\b)"
            r"|(?<!could )(?<!couldn't )(?<!would )(?<!never )(?<!to )(?<!can )(?<!can't )(?:stop|quit)"
            r" (?:it|saying|telling|lecturing|twisting)\b|shut up|leave me alone"
            r"|you(?:['’]?re| are) not (?:listening|hearing|getting it)"
            r"|you (?:don['’]?t|never|didn['’]?t|do not) (?:understand|get|listen(?: to)?|hear) (?:me|it)\b"
            r"|das (?:stimmt (?:so |gar |doch )*nicht|ist falsch|hab(?:e)? ich (?:so |nie |nicht )+gesagt)"
            r"|h(?:ö|oe)r (?:endlich )?auf\b(?! (?:mich|ihn|sie|uns|de|da|ein|mein))"
            r"|du (?:h(?:ö|oe)rst (?:mir )?(?:gar )?nicht zu|verstehst mich nicht)"
            r"|c['’]est faux|jamais dit (?:ça|cela)|arrête\b|tu (?:ne )?(?:m['’]écoutes|me comprends) pas"
            r"|eso no es (?:verdad|cierto|así)|nunca (?:he dicho|dije) eso|basta ya|para ya"
            r"|no me (?:escuchas|entiendes|estás escuchando))"
        ),
    ),
    (
        *("emotional", STRONG, "sadness"),
        late(
            r"(?i)\b(?:traurig|trauer|(?:ge)?weint?\b|gestorben|einsam|(?:je suis|si) triste|pleur\w+"
            r"|est morte?\b|estoy (?:muy |tan )?triste|llor\w+|ha muerto|murió)"
        ),
    ),
    (
        *("playful", STRONG, "a joke"),
        late(
            r"(?i)\b(?:witz(?:e|ig)?\b|scherz\w*|lustig|blagues?\b|rigol\w+|bromas?\b|chistes?\b|ja(?:ja)+\b)"
        ),
    ),
    ("emotional", PLAIN, ":(", re.compile(r"(?<!\w):'?-?\((?!\w)")),
)
_NOT = re.compile(r"not?|never|without|nothing|hardly|(?:is|do|does|was|are|did|wo|ca)n't")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WHOLE_WORDS = 4
"""A stem shorter than this is a word of its own: `mad` is not in `made`."""

_ORDINARY_WORDS = """
    about after again all also and any are because been before being between both but can could did does doing
    down during each few for from further had has have having her here hers him his how into its itself just
    let like did made make many may more most much must nor not now off once one only other our out over own
    same say says said she should some such than that the their them then there these they thing things this
    those through too two under until upon very was way were what when where which while who whom why will
    with would yet you your yours talk talked tell told get got going went want wants know think today"""
_ORDINARY = frozenset(re.findall(r"\w+", _ORDINARY_WORDS))


def _compile(stems: str) -> re.Pattern[str]:
    """Match words by stems: short ones whole, those of four letters with an ending, longer ones begun."""
    words = stems.split()
    short = [s for s in words if len(s) < _WHOLE_WORDS]
    parts = [rf"(?:{'|'.join(short)})$"] if short else []
    parts += [rf"{s}(?:s|d|ed|ing|ty)?$" for s in words if len(s) == _WHOLE_WORDS]
    return re.compile("|".join([*parts, *(s for s in words if len(s) > _WHOLE_WORDS)]))


def evidence(cue: str) -> dict[str, dict[str, int]]:
    """Return the words and signs in a cue that speak for each mood, with their weights.

    A word right after a negation ("not angry") speaks for nothing.
    """
    found: dict[str, dict[str, int]] = {mood: {} for mood in MOODS}
    spoken = [w.replace("’", "'") for w in _WORD.findall(cue.casefold())]
    for mood, weights in _STEMS.items():
        for weight, stems in weights.items():
            pattern = _compile(stems)
            for at, word in enumerate(spoken):
                if pattern.match(word) and not any(map(_NOT.fullmatch, spoken[max(0, at - 2) : at])):
                    found[mood].setdefault(word, weight)
    for mood, weight, name, sign in _SIGNS:
        if sign.search(cue):
            found[mood][name] = weight
    return found


def classify(cue: str) -> dict[str, int]:
    """Return each mood's score for a cue, the highest first; a mood that nothing speaks for scores 0."""
    scores = {mood: sum(words.values()) for mood, words in evidence(cue).items()}
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


def moods_of(cue: str) -> dict[str, tuple[str, ...]]:
    """Return the moods a cue calls for, the clearest first, each with its evidence.

    A mood counts when it scores at least two, and at least half of the clearest one.
    """
    scores = classify(cue)
    best = max(scores.values())
    told = evidence(cue)
    return {mood: tuple(told[mood]) for mood, score in scores.items() if score >= PLAIN and score * 2 >= best}


def content_words(text: str) -> AbstractSet[str]:
    """Return the stems of a text's content words; for scripts without spaces, pairs of characters."""
    return {stem for word in _WORD.findall(text.casefold()) for stem in stems_of(word)}


def stems_of(word: str) -> Sequence[str]:
    """Return the stems of one word in lower case; none if it is an ordinary one."""
    if not word.isascii() and any("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3" for c in word):
        return [word[i : i + 2] for i in range(len(word) - 1)]
    if len(word) > 2 and word not in _ORDINARY:
        return [_stem(word.partition("'")[0].partition("’")[0])]
    return ()


def _stem(word: str) -> str:
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: -len(ending)].rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def touches(cue: AbstractSet[str], text: str) -> bool:
    """Return whether a text shares a content word with the cue."""
    return not cue.isdisjoint(content_words(text))
