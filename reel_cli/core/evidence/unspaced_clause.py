"""Clauses in Japanese and Chinese that deny or only suppose what stands in them (SRIP-11 §III.5b).

Neither has spaces between words. A Chinese denial stands before what it denies (`我不抽烟`), a Japanese one
behind it, at the end of the clause (`タバコは吸いません`).
"""

from collections.abc import Iterable
from itertools import pairwise

from reel_cli.core.frozen import late
from reel_cli.core.tape.search.query import pairs

_KANA = late(r"[\u3041-\u30ff]")
_CUT = late(r"[。．！？!?；;，、,\n]")
_ASKS = late(r"[？?]|[吗嗎呢][。\s]*$|か[。\s]*$")
_NEXT_CHINESE = late(r"但是?|可是|而是|因为|所以|不过(?!敏)|然而|却")
_NEXT_JAPANESE = late(r"けれども|けれど|けど|ですが|ますが|だが|せんが|ないが|ので|のに|ながら")
"""Words with which another clause begins, where no comma stands."""
_NO_CHINESE = late(
    r"(?<![了差对忍])不(?!错|仅|但|只|光|单|管|论|同|少|断|久|妨|愧|禁|如|客气|好意思|得不|得了|用说|过(?!敏)"
    r"|来梅|莱梅|丹|列颠)"
    r"|[没沒](?!关系|關係|问题|問題|错|錯|想到|事(?!业|業|情))|从未|從未|未(?!来|來|必)|并非|並非|戒(?:了|掉)|别(?!人|的)"
)
_A_NOT_A = late(r"(.)[不没沒]\1|有[没沒]有")
_WITH = late(r"[不没沒](?![是有])[^的]{1,6}的")
"""Pattern of an attribute that something is without: `不加糖的咖啡`."""
_NO_JAPANESE = late(
    r"(?<![少危汚切])(?<!つまら)(?<!くだら)(?<!たまら)(?<!かまわ)(?<!もったい)(?<!かもしれ)(?<!違い)(?<!とんでも)(?<!しょうが)(?<!仕方)"
    r"(?:ない(?![とわ])|なかった|なくて(?!は|も)|なく(?!ては|ても|ちゃ|な))|(?<!かもしれ)(?<!なければなり)(?<!なくてはなり)"
    r"(?<!ばいけ)(?<!はいけ)(?<!といけ)(?<!違いあり)ません|やめました|やめた|ずに"
)
_NOT_ONLY = late(
    r"(?:だけ|ばかり)(?:で|じゃ)は?な|のみならず|しか|なければ|なくては|なくちゃ|ないと|じゃないか|ではないか|じゃん"
)
"""Words with which a `ない` denies nothing of what stands before it."""
_MAYBE = late(
    r"也许|也許|可能|如果|要是|假如|或许|或許|大概|说不定|說不定|かもしれ|たぶん|多分|もし|だろう|でしょう|といいな|たらいい"
)
_SAYS_NO = late(r"[不没沒未无無非别戒]|ない|なく|ません|なかった|ずに|やめ")


def is_unspaced(text: str) -> bool:
    """Return whether a text is in a script without spaces between words."""
    return next(pairs(text), "") != ""


def unspaced_against(value: str, told: str, texts: Iterable[str]) -> tuple[str, str]:
    """Return the clause that speaks against a value, and its verb; two empty strings where it may be so.

    `told` is all that the fact says; `texts` are the turns it rests on. Where one clause says that it is so,
    it is.
    """
    held = [clause for text in texts for clause in _clauses(text) if value in clause]
    found = [(clause.strip(" 。．！!;；，、,\n"), _judge(value, told, clause)) for clause in held]
    return found[0] if found and all(verb for _, verb in found) else ("", "")


def _clauses(text: str) -> list[str]:
    following = _NEXT_JAPANESE if _KANA.search(text) else _NEXT_CHINESE
    found: list[str] = []
    for part in _split_after(text):
        start = 0
        for word in following.finditer(part):
            # a Japanese connective ends its clause, a Chinese one begins the next
            at = word.end() if following is _NEXT_JAPANESE else word.start()
            found.append(part[start:at])
            start = at
        found.append(part[start:])
    return [one for one in found if one.strip()]


def _split_after(text: str) -> list[str]:
    """Return the parts of a text, each with the sign that ends it."""
    ends = [0, *(sign.end() for sign in _CUT.finditer(text)), len(text)]
    return [text[one:other] for one, other in pairwise(ends)]


def _judge(value: str, told: str, clause: str) -> str:
    if _ASKS.search(clause):
        return ""
    if _MAYBE.search(clause) and not _MAYBE.search(told):
        return "only supposes"
    before, behind = clause[: clause.index(value)], clause[clause.index(value) + len(value) :]
    if _SAYS_NO.search(told):
        return ""
    if _KANA.search(clause):
        denied = bool(_NO_JAPANESE.search(behind)) and not _NOT_ONLY.search(behind)
    else:
        denied = bool(_NO_CHINESE.search(_WITH.sub("", _A_NOT_A.sub("", before))))
    return "denies" if denied else ""
