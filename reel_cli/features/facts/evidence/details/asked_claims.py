"""Claims that a sentence only asks about: `Do you think I have asthma?` says nothing of asthma."""

from reel_cli.core.evidence.grounding.lexicon import even, quote_key
from reel_cli.core.frozen import late
from reel_cli.core.question_words import is_question


def is_asked(words: str, sentence: str) -> bool:
    """Return whether some words of a sentence are what it asks, and not what it takes for granted.

    `Do you think I should run, as I have asthma?` and `Did I tell you I have asthma?` say that it is so.
    """
    plain = even(sentence)
    if not is_question(plain) or not _ASKS.match(plain):
        return False
    said = quote_key(even(words)).strip()
    return not any(said in quote_key(part) for part in _GRANTED.split(plain)[1:])


_AND = (
    r"^\W*(?:(?:and|so|but|or|well|hm+|und|aber|also|oder|et|mais|alors|y|pero|o|e|mas|ma|и|а|но|en|maar"
    r"|och|men|czy)\b,? ?)*"
)
_GRANTED = late(
    r"(?i),?\s+\b(?:because|since|as(?= (?:i|my|we)\b)|given (?:that|how|my)|now that|seeing (?:that|as|how)"
    r"|considering|although|even though|weil|da ich|obwohl|puisque|parce que|étant donné|porque|ya que|já que"
    r"|perché|poiché|потому что|раз уж|omdat|eftersom|bo)(?!\w)"
)
"""Pattern of what stands before a clause that gives the reason of a question, and is said to be so."""
_ASKS = late(
    rf"(?i){_AND}(?:"
    # whether it is so of oneself
    r"(?:am|was|do|did|have|had|should|could|would|will|might|may|can)(?:n['’]t)? (?:i|we|my)\b"
    r"(?! (?:ever |already |not |just )*(?:tell|told|mention(?:ed)?|say|said|let you know)\b)"
    r"|(?:bin|war|hab|habe|hatte|soll|sollte|kann|könnte|muss|müsste|werde|darf|mag|wäre|hätte|esse"
    r"|wohne) ich\b"
    r"|(?:est-ce que|ai-je|(?:suis|étais|dois|peux|puis|devrais|serais|aurais|vais)-je)\b"
    r"|(?:(?:ли|разве|неужели)|(?:разве|неужели) (?:я|мы|мне|у меня))\b|я [\w-]+ ли\b"
    r"|(?:heb|ben|had|zou|kan|moet) ik\b|(?:har|är|skulle|kan|borde) jag\b|(?:mam|jestem|może mam)\b"
    # what another thinks of it
    r"|(?:do|did|would|don['’]t)? ?(?:you|u) (?:really |also |honestly |not )?"
    r"(?:think|believe|suppose|reckon|guess|feel|suspect|imagine|say|bet)(?: that)?"
    r" (?:i|i['’]\w+|im|my|we|it)\b"
    r"|(?:glaubst|denkst|meinst|findest|vermutest) du\b|(?:glauben|denken|meinen) sie\b"
    r"|(?:tu|vous) (?:crois|penses|croyez|pensez|trouves)\b"
    r"|(?:crois|penses|trouves)-tu\b|(?:croyez|pensez)-vous\b"
    r"|¿?(?:tú |usted )?(?:crees|cree|piensas|te parece|opinas) que\b"
    r"|(?:você |tu |o senhor )?(?:acha|achas|pensa|pensas|crê) que\b"
    r"|(?:tu )?(?:pensi|credi|ritieni|secondo te)\b"
    r"|(?:ты |вы |как )*(?:думае(?:шь|те)|считае(?:шь|те)|полагае(?:шь|те))\b"
    r"|(?:denk|geloof|vind) (?:je|u)\b|(?:tror|tycker) du\b|(?:myślisz|sądzisz|uważasz),? że\b"
    # whether it may be so
    r"|(?:could|can|might|may|would) (?:it|this|that) (?:really |just )?(?:be|mean)\b"
    r"|(?:is|isn['’]t) (?:it|there) (?:possible|likely|conceivable|true|a chance|any chance)\b"
    r"|(?:what|how) if\b|(?:was,? )?wenn ich\b|kann (?:es|das) sein\b|könnte (?:es|das) sein\b|ob ich\b"
    r"|(?:se (?:peut|pourrait)-il|et si j|est-il possible|c['’]est possible)"
    r"|¿?(?:puede|podría) ser\b|¿?será que\b|¿?y si\b|¿?es posible\b|(?:pode|poderia) ser\b|será que\b|e se\b"
    r"|(?:può|potrebbe) (?:darsi|essere)\b|(?:может|могло) (?:ли )?быть\b|а вдруг\b|а если\b"
    r"|(?:kan|zou) het (?:zijn|kunnen)\b|kan det vara\b|tänk om\b|czy to możliwe\b"
    r")|^[^.!?]*¿(?:y |pero )?(?:soy|estoy|era|tengo|debo|debería|puedo|podría|acaso)\b[^,]*$"
    r"|^\W*(?:eu (?:sou|tenho)|sou|tenho|será que|sono|ho|devo|posso|potrei|dovrei)\b[^,]*$"
)
"""Pattern of a sentence that asks whether something is so of the one who asks."""
