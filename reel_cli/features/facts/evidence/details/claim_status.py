"""The status of a claim: told as so, or doubted, denied, dreamt, nearly so, past or a view.

`I doubt that I have gout` has the words of a fact and does not tell it (SRIP-11 §III.5b). A status is read
from the sentence, in English, German, French and Spanish, and the plainest ones in five more languages.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from reel_cli.core.frozen import late
from reel_cli.features.facts.evidence.details.another_person import MY


class ClaimStatus(StrEnum):
    """How a sentence gives something that it does not tell as so, as the end of a reason."""

    DOUBTED = "doubts it"
    DENIED = "denies it"
    DREAMT = "does not tell it as real"
    FEARED = "only fears it"
    NEARLY = "tells that it nearly was so"
    PAST = "tells of the past"
    VIEW = "is what somebody thought"


class _StatusSigns(NamedTuple):
    """The signs of one status: patterns before and behind the words, and one by which a fact has it too."""

    status: ClaimStatus
    before: re.Pattern[str]
    behind: "re.Pattern[str] | None"
    told: re.Pattern[str]


_THAT = r"(?:,? (?:that|dass|daß|das|que|che|что|czy|że|dat|att|at)\b|, (?=(?:ich|er|sie|ik) ))?"
# the words of a frame reach as far as its clause does
_STEP = (
    r"(?!,? (?:but|because|since|although|though|so|aber|sondern|denn|weil|mais|car|pero|sino"
    r"|porque|но|ma|mas)\b"
    r"|,? (?:and|und|et|y|e|и|en) (?:i|i['’]\w+|we|my|ich|mein\w*|bin|habe|je|j['’]|yo|mi|soy|tengo|я|у)\b"
    r"|,? and (?:they|he|she|it|now|then|became|found|started|took|got|moved|work|live|have|has|had|am|is)\b)"
    r"[^.;:!?,—–]"
)
_SCOPE = rf"(?:{_STEP})*"
# what is denied of a claim or from afar ends at what is well: `far from well with asthma`
_TO_TURN = rf"(?:(?!\b(?:before|until|but|with|fine|safe|well|cured|free|over|able)\b){_STEP})*"
_NOT_TOLD = (
    r"(?!(?:,? (?:that|dass|que))? (?:i|we)(?:['’]ve)? (?:have |had |ever |already )*(?:told|tell"
    r"|mention\w*|said)\b)"
)
_DOCTOR = (
    r"(?:doctor|doc|gp|physician|specialist|consultant|nurse|dentist|optician|therapist|psychiatrist"
    r"|clinic|hospital|vet)"
)


def _frame(words: str, scope: str = _SCOPE) -> re.Pattern[str]:
    """Return the pattern of a frame and the words it governs, up to where a text ends."""
    return late(rf"(?i)(?<![\w'’])(?:{words}){_THAT}{scope}$")


_DOUBTS = _frame(
    rf"(?:(?:i|we) (?:really |seriously |honestly |strongly |very much |rather |still "
    rf"|highly )?doubt(?:ed)?(?: (?:if|whether))?"
    rf"|(?:(?:don['’]t|dont|do not|didn['’]t|did not) (?:really |honestly |actually |for a moment )?"
    rf"(?:think|believe|suppose|reckon|suspect)|(?:am|['’]m|im|was|are) (?:not|far from)"
    rf" (?:at all |entirely |really |so |quite )?(?:convinced|certain|sure|persuaded))){_NOT_TOLD}"
    r"|(?:it (?:is|['’]s|was) )?(?:hardly|unlikely|doubtful|questionable|improbable)"
    r"|(?:ich|wir) (?:bezweifle|bezweifeln|zweifle(?: daran)?|glaube? nicht|denke nicht|meine nicht"
    r"|bin (?:mir )?nicht (?:sicher|überzeugt))"
    r"|(?:je )?doute(?: fort)?|je ne (?:pense|crois|suis) pas(?: (?:sûre?|convaincue?|certaine?))?"
    r"|(?<!no )dudo|no (?:creo|pienso|estoy segur[oa]|me parece)(?: de)?"
    r"|(?<!non )dubito|non (?:credo|penso|sono sicur[oa])|(?<!não )duvido|não (?:acho|creio|penso)"
    r"|(?<!не )сомневаюсь|не (?:думаю|верю|считаю)|(?:ik )?(?:betwijfel|denk niet|geloof niet)"
    r"|nie (?:sądzę|myślę|wydaje mi się)|jag tror inte"
)
_DENIES = _frame(
    r"(?:it|that|this) (?:is|was)(?: not|n['’]t) (?:at all )?(?:true|right|the case)"
    r"|(?:it|that)(?:['’]s| is| was) (?:not (?:at all )?(?:true|right|the case)|(?:just "
    r"|only )?(?:untrue|false|an? (?:old |silly )?"
    r"(?:rumou?r|lie|myth|mistake|misunderstanding|legend|slander|joke)))(?= that)"
    r"|(?:nobody|no one|no doctor|none of them)(?: has| have)? (?:ever )?(?:said|told me|says|claimed"
    r"|found|thinks|thought)"
    r"|(?:ruled|ruling|rules) out|exclude[sd]?|excluding|disprove[dn]?"
    r"|(?:no|not a|not any|without|n['’]t (?:\w+ )?any) (?:\w+ )?(?:sign|evidence|trace|hint"
    r"|indication|symptom)s? (?:of|that)"
    r"|(?:tested|tests?|was|came (?:back|out)) negative (?:for|on)"
    r"|(?:cleared|cured|acquitted|rid) (?:me |us )?(?:of|from)|stopped being|gave up being"
    r"|given up being|quit being"
    r"|ceased to be|left off being|no longer|gave up (?:my )?work(?:ing)? as|stopped working as"
    r"|quit working as"
    r"|es stimmt (?:gar )?nicht|es ist (?:nicht wahr|ein (?:gerücht|irrtum|missverständnis))"
    r"|niemand hat (?:je )?gesagt"
    r"|keine? (?:anzeichen|hinweise?|spur)(?: von| auf| für)?"
    r"|ce n['’]est pas vrai|il est faux|(?:a|ont) (?:exclu|écarté)|aucun signe d(?:e|['’])"
    r"|no es (?:verdad|cierto)|es (?:mentira|falso)|(?:descart|exclu)(?:ó|aron|yó|yeron|ado|ido)"
    r"|ning[úu]n signo de"
    r"|(?:ha|hanno) escluso|(?:descartou|excluiu)|исключил\w*|неправда"
)
_FAR = _frame(
    r"(?:am|['’]m|im|was|were|are|been|is|feel|felt)(?: (?:still|very|so|really|quite|pretty|just|also))*"
    r" (?:(?:far|a long way|miles|worlds|light-?years|(?:a )?far cry) from|nowhere near|not anywhere near"
    r"|(?:any|every)thing but|by no means|in no way|not by any means|the (?:very )?opposite of)"
    r"(?! (?:my|our|his|her|the|home|here|there|it|that|them|him|where|work|school|town|you|us|me)\b)"
    r"(?! (?-i:[A-ZÀ-ÖØ-Þ]))"
    r"|(?:bin|war|sind|waren)(?: ich| wir)? (?:alles andere als|keineswegs|keinesfalls|mitnichten"
    r"|(?:weit|meilenweit) davon entfernt,?|das gegenteil von|weit entfernt davon,?)"
    r"|(?:suis|étais|sommes) (?:tout sauf|(?:bien |très )?loin d(?:e |['’])(?=être|avoir|une?\b)"
    r"|le contraire d)"
    r"|(?:soy|era|estoy|estaba) (?:todo menos|(?:muy )?lejos de (?=ser|tener|estar))"
    r"|(?:sono|ero) (?:tutt['’]altro che|(?:ben |molto )?lontan[oa] dall['’](?=essere|avere))"
    r"|(?:sou|era|estou) (?:tudo menos|(?:muito )?longe de (?=ser|ter))"
    r"|(?:ben|was) (?:ik )?(?:allesbehalve|verre van|ver van)",
    _TO_TURN,
)
_REFUSES = late(
    r"(?i)(?<![\w'’])(?:(?<!not )(?<!n['’]t )(?<!never )(?:refus(?:e|ed|ing)|declin(?:e|ed)|object(?:ed)?)"
    r" to (?:be|being|become|becoming) (?:called (?:an? |the )?|an? |the |(?!\w+ed\b))"
    r"|refus(?:e|ais|é) d(?:e |['’])(?:être|devenir|épouser) (?:appelée? )?(?:une? |le |la )?"
    r"|me (?:niego|negué) a (?:ser|llamarme|casarme con) (?:una? |el |la )?"
    r"|mi (?:rifiuto|sono rifiutat[oa]) di (?:essere|diventare|sposare) (?:una? |il |la )?"
    r"|(?:me recus[oe]i? a|recus(?:o|ei)-me a) (?:ser|casar com) (?:uma? |o |a )?"
    r"|weiger(?:de)? (?:ik )?(?:me )?om (?:een |de |het )?)[\w'’-]+$"
)
"""Pattern of what somebody refuses to be, up to its first word: `I refuse to be a landlord`."""
_REFUSES_ABROAD = late(r"(?i)\bweiger\w* (?:ich )?mich,?\s(?:[\w-]+\s){0,3}$")
_REFUSES_BEHIND = late(r"(?i)[^.;:!?,]*\bzu (?:werden|sein|heißen|heiraten)\b")
_DENIES_BEHIND = late(
    r"(?i)(?=.*(?:"
    r"\b(?:came|comes|come|has come|was|were|is|turned out|proved|tested)(?: back| out)?(?: all"
    r"| to be)? negative\b"
    r"|\b(?:was|were|is|has been|have been|got|could be) (?:quickly |then |later |soon )?(?:ruled out"
    r"|excluded|disproved)\b"
    r"|\b(?:can|konnte\w*|wurde\w*|hat|haben|ist)?\b.*\bausgeschlossen\b|\b(?:war\w*|ist|kam\w*"
    r"|fiel\w*)\b.{0,20}\bnegativ\b"
    r"|\b(?:était|est|revenu\w*) (?:\w+ )?négati(?:f|ve)s?\b|\ba été (?:exclue?|écartée?)\b"
    r"|\b(?:fue|era|es|salió|dio|resultó) negativ[oa]\b|\b(?:fue|quedó) descartad[oa]\b"
    r"|\bjust kidding\b|\bonly joking\b|\bi['’]m (?:just |only )?(?:kidding|joking)\b))"
)
_WRONGLY = (
    r"(?:(?<!not )(?<!nicht )(?<!pas )(?:wrongly|falsely|mistakenly|erroneously|incorrectly|wrongfully"
    r"|by mistake|in error"
    r"|fälschlich\w*|irrtümlich\w*|versehentlich|zu unrecht|aus versehen|à tort|par erreur|faussement"
    r"|por (?:error|equivocación|engano|erro)|equivocadamente|err[óo]n?e(?:a|amente)|erroneamente|erradamente"
    r"|falsamente|per (?:errore|sbaglio)|a torto|ten onrechte|onterecht|per abuis|abusievelijk))"
)
_CLAIMED = (
    r"(?:told|tell|tells|said|says?|claim\w*|wrote|writes?|written|notes?|noted|list(?:s|ed)|record(?:s|ed)"
    r"|regist\w+"
    r"|inform\w*|diagnos\w+|labell?ed|call(?:s|ed)|accus\w+|announc\w+|report(?:s|ed)?|state[sd]?|assum\w+"
    r"|assert\w*"
    r"|allege[sd]?|believe[sd]?|thought|thinks?|had it|has it|suggest(?:s|ed)|describ\w+|put me down"
    r"|taken for"
    r"|gesagt|sagten?|hieß|heißt|behaupt\w*|(?:ge|be)schrieb\w*|schrieb\w*|steht|mitgeteilt|diagnosti\w+"
    r"|eingetragen|gehalten|hielt\w*|dit|disent|dits|écrit|prétend\w*|affirm\w*|annonc\w*|accus\w*"
    r"|dij\w+|dicho|dicen?|escri\w+|diagnostic\w*|afirm\w*|dett[oi]|dicono|disse\w*|scritto|sostenuto"
    r"|disser\w*|dito|escreve\w*|gezegd|zei(?:den)?|beweerd\w*|geschreven)"
)
_TOLD_WRONGLY = late(
    rf"(?i)\b(?:{_WRONGLY}\W+(?:[\w'’]+ ){{0,3}}{_CLAIMED}"
    rf"|{_CLAIMED} (?:[\w'’]+ ){{0,3}}{_WRONGLY})\b(?: with\b)?{_THAT}{_TO_TURN}$"
)
"""Pattern of a claim that somebody made without cause: `I was wrongly told that I had gout`."""
_WRONGLY_BEHIND = late(rf"(?i)(?=[^.;:!?]{{0,30}}\b{_WRONGLY}\W*$)")
_REPORTS = (
    r"(?:told|said|says|thought|believed|diagnos\w+|suspect\w*|assumed|feared|supposed|convinced|hieß"
    r"|sagten?|dachten?"
    r"|glaubten?|dit|croyait|pensait|dijeron|dijo|creía|pensaba)"
)
_MISTAKEN_BEHIND = late(
    r"(?i)(?=.*\b(?:(?:that|it|this|which|they|he|she|and|but)(?: all)? (?:was|were|turned out|proved|is)"
    r"(?: to be)? (?:just |only |all |quite |simply )?(?:an? )?(?:\w+ )?"
    r"(?:mistake|mix-up|error|false alarm|misdiagnosis|misunderstanding|wrong|mistaken|false|untrue"
    r"|not (?:true|so|the case)|nothing|nonsense)\b"
    r"|(?:was|waren|ist|stellte\w*) .{0,25}(?:irrtum|falsch|fehlalarm|fehldiagnose|unsinn)"
    r"|c['’]était (?:une erreur|faux)|(?:fue|era|resultó) (?:ser )?(?:un error|fals[oa]|mentira)))"
)
_MISTAKEN = late(rf"(?i)\b{_REPORTS}\b")
_DREAMS = _frame(
    r"i (?:once |often |again )?dream(?:t|ed)(?: (?:last night|once|again))?(?= (?:that|i|we|my"
    r"|of being|about being)\b)"
    r"|(?:had|have|in) (?:my|the|an?|that|this) (?:\w+ )?(?:dream|nightmare)s?,?(?= (?:that|in which"
    r"|where|i)\b)"
    r"|i(?:['’]m| am| was)? (?:often |sometimes |once )?(?:pretend(?:ed|ing)?|imagin(?:e|ed"
    r"|ing)(?= (?:that |i |we |being )))(?: to)?"
    r"|make[- ]believe|act(?:ed|ing)? as if|(?:just|only) (?:kidding|joking),?"
    r"|(?:habe|hatte|hab) (?:neulich |gestern |heute |schon )?(?:davon )?geträumt,?|träumt(?:e|en),?"
    r"|im traum|gab vor|tat so, als"
    r"|(?:j['’])?(?:ai|avais) (?:souvent )?rêvé|rêvais|dans (?:mon|un) rêve,?|(?:fait"
    r"|faisais) semblant d(?:e|['’])"
    r"|soñ(?:é|aba)(?: con)?|en (?:mi|un) sueño,?|fing(?:í|ía|ir)|ho sognato|sognavo|sonhei"
    r"|мне (?:при)?снилось,?|приснилось,?"
    r"|droomde|heb gedroomd|drömde|śniło mi się,?"
)
_DREAMT_BEHIND = late(
    r"(?i)(?=.*\b(?:in (?:my|the|a|that) (?:dream|nightmare)|in the (?:\w+ )?(?:play|film|movie|piece"
    r"|show|musical|game)"
    r"|(?:just|only) (?:kidding|joking)|im traum|nur (?:ein )?(?:spaß|scherz)|dans (?:mon|un) rêve"
    r"|en (?:mi|un) sueño|pour rire|es broma)\b)"
)
_ACTED = late(r"(?i)\b(?:play(?:s|ed|ing)?|spiele?|joue|interpret\w*)\b")
_FEARS = _frame(
    r"(?:am|['’]m|im|was|were) (?:so |a bit |always |still |really |rather )?(?:afraid|scared|worried"
    r"|terrified|anxious)"
    r"(?: that| i)|(?:i|we) (?:fear|feared|worry|worried)(?: that)?|my (?:fear|worry|nightmare) is"
    r"|(?:habe|hatte) (?:große )?angst,? dass|(?:ich )?(?:fürchte|befürchte),?"
    r"|(?:j['’]ai|j['’]avais) peur (?:que|d['’]être|d['’]avoir|de (?:devenir|perdre))|je crains"
    r"|(?:tengo|tenía) miedo de (?:que|ser|tener|quedarme)|temo|боюсь, что"
)
_FULLY = (
    r"(?! (?:always|never|every\w*|all|daily|exclusively|certainly|entirely|completely|only|forgot\w*"
    r"|done|there|home"
    r"|\d|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a (?:year|month|week|decade|hundred)"
    r"|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|as|like|the same|too|half|immer|nie|jede\w*|alle\w*|toujours|jamais|tous"
    r"|toutes|chaque|siempre|nunca|todos|todas))"
)
_NEAR = _frame(
    rf"(?:i|we|i['’]d|i had|we had|he|she)(?: (?:was|were|had|have|got|once|also|very|so|came|have been))*"
    rf" (?:almost|nearly|practically|virtually|all but|just about){_FULLY}"
    r"|(?:was|were) (?:just )?(?:about|on the (?:verge"
    r"|point|brink)) (?:to|of)|narrowly missed"
    r"|(?:within|by) (?:an inch|a hair(?:['’]s breadth)?|a whisker) of"
    r"|(?:stopped )?(?:just )?short of(?= \w+ing\b)"
    r"|(?:war|bin|stand|waren|standen)(?: (?:ich|wir|mal|einmal|schon|ganz))* (?:kurz davor|drauf und dran"
    r"|nahe dran"
    r"|nahe daran),?|(?:étais|suis|ai été) (?:à deux doigts|sur le point) d(?:e |['’])"
    r"|(?:estuve|estaba|anduve) (?:muy )?(?:cerca|a punto|a un paso) de"
    r"|(?:ero|sono stat[oa]) (?:sul punto|a un passo)(?: di| dal)|stavo per"
    r"|estive (?:muito )?(?:perto|prestes|quase|a ponto|à beira)(?: de| a)?"
    r"|stond (?:ik )?op het punt(?: om)?,?"
    r"|(?:wäre|hätte|war|wurde|bin)(?: (?:ich|wir|mal|einmal))* (?:fast|beinahe?|um ein haar)"
    r"|(?:fast|beinahe?|um ein haar) (?:wäre|hätte) (?:ich|wir)"
    r"|(?:j['’]ai|j['’]avais|nous avons) (?:failli|presque)|(?:j['’]ai|j['’]étais) bien failli"
    rf"|casi(?= (?:me|fui|soy|era|nos|llego|acabo)){_FULLY}|estuve a punto de|per poco non"
    rf"|quase(?= (?:me|fui|casei))|чуть (?:было )?не|bijna"
)
_CLOSE = late(
    r"(?i)\b(?:am|['’]m|was|were|been|got|came|come)(?: (?:very|so|this|really|pretty))* (?:close|near) to"
    r" (?!(?:losing|leaving|missing|selling|quitting)\b)\w+ing(?:(?: an?| the)? [\w'’-]+)?$"
)
"""Pattern of what nearly was done, up to its first word: `close to being a priest`, no `close to a lake`."""
_ONCE = (
    r"(?:as a (?:small |little |young )?(?:child|kid|boy|girl|teen\w*|student|toddler|baby"
    r"|young (?:man|woman|girl|boy))"
    r"|when (?:i|we) (?:was|were) (?:very |still |just |a )*(?:little|small|young|younger|child|kid"
    r"|boy|girl|student|teen\w*"
    r"|at school|in school|children|kids|\d{1,2}|five|six|seven|eight|nine|ten|twelve)"
    r"|(?:in|during|throughout) my (?:childhood|youth|teens|twenties|school ?days|student days)"
    r"|back then|in those days|years ago)"
)
_ONCE_ABROAD = (
    r"(?:als (?:kleines )?(?:kind|junge|mädchen|student(?:in)?|teenager)|in meiner (?:kindheit|jugend)"
    r"|früher|damals"
    r"|(?:quand j['’]étais (?:petite?|enfant|jeune)|enfant|petite?|dans (?:mon enfance|ma jeunesse)"
    r"|avant|autrefois)"
    r"|(?:de (?:niñ[oa]|pequeñ[oa]|joven|chic[oa])|cuando era (?:niñ[oa]|pequeñ[oa]|joven|chic[oa])"
    r"|en mi (?:infancia|juventud)|antes)"
    r"|(?:da (?:bambin[oa]|piccol[oa])|un tempo)|quando era criança|в детстве|раньше|als kind|vroeger"
    r"|som barn|jako dziecko)"
)
_WAS = (
    r"(?:i|we)(?: (?:really|always|also|never|still))* (?:was|were|had|hated|loved|liked|disliked"
    r"|lived|feared|ate|smoked|drank|played"
    r"|believed|wanted|owned|kept|spoke|worked|could|couldn['’]t|suffered)\b"
)
_WAS_ABROAD = (
    r"(?:\b(?:war|waren|hatte|hatten|liebte|hasste|mochte|wohnte|lebte|rauchte|arbeitete|aß"
    r"|trank) (?:ich|wir)\b"
    r"|\b(?:ich|wir) (?:war|waren|hatte|hatten|liebte|hasste|mochte|wohnte|lebte|rauchte|arbeitete|aß"
    r"|trank)\b"
    r"|\b(?:j['’]|je |nous )\w*(?:ais|ions)\b|\b(?:era|estaba|tenía|vivía|trabajaba|fumaba|odiaba"
    r"|me gustaba)\b"
    r"|\b(?:ero|avevo|vivevo|lavoravo|tinha|morava|fumava)\b|\b(?:был|была|боял\w+|жил|жила|работал\w*"
    r"|курил\w*)\b"
    r"|\bwas (?:ik|jag)\b|\b(?:ik|jag) (?:was|var|had|hade)\b|\bbył[ea]m\b)"
)
_PAST = late(
    rf"(?i)(?:(?<!since )(?<!ever since )\b{_ONCE}\b[^.;:!?]*\b{_WAS}{_SCOPE}$"
    rf"|\b{_ONCE_ABROAD}\b[^.;:!?]*{_WAS_ABROAD}{_SCOPE}$"
    r"|\b(?:a|an|the) (?:former|ex-|retired|one-time)(?: \w+)?\s*$"
    r"|\b(?:ehemalige[rs]?|ancienne?|antigu[oa]|ex-)\s*$)"
)
_PAST_LATER = late(rf"(?i)\b{_WAS}[^.;:!?,]*$")
_PAST_BEHIND = late(
    rf"(?i)^[^.;:!?]*?(?<!since )\b(?:{_ONCE}|{_ONCE_ABROAD})\b(?!(?:[^.;:!?]*\b(?:still|and now"
    rf"|to this day)\b))"
)
_ABROAD_LATER = late(rf"(?i){_WAS_ABROAD}[^.;:!?,]*$")
_SOMEBODY = (
    rf"(?:(?:people|everyone|everybody|somebody|someone|many|some|others|(?:my|the|our|his"
    rf"|her) (?!{_DOCTOR})(?:[\w’'-]+ ){{0,2}}[\w’'-]+"
    r"|he|she|they|\b(?-i:[A-Z])[\w-]+)(?: (?:always|often|once|first|still|never|had|has|have|all"
    r"|really|also))*)"
)
_ANY = (
    r"(?:(?:the|my|our|a|one) (?:[\w’'-]+ ){0,2}[\w’'-]+|he|she|they|people|everyone|everybody"
    r"|\b(?-i:[A-Z])[\w-]+)"
)
_VIEWS = late(
    rf"(?i)(?:^|[,;:—] |\b(?:and|but|because|that|for years|once) )(?!i\b"
    rf"|we\b)(?:{_SOMEBODY} (?:thinks?|believes?|assumes?|suspects?|supposes?|reckons?|imagines?"
    rf"|claims?"
    rf"|guesses|insists?|pretends?)|{_ANY}(?: (?:always|often|once|first|had|all|really|also"
    rf"|wrongly))* (?:thought|believed|assumed|suspected|supposed|reckoned|imagined"
    r"|claimed|guessed|insisted|feared|mistook me|took me|(?:was|were) (?:\w+ )?(?:sure|convinced"
    r"|certain|afraid)))"
    rf"(?: for| to be)?{_THAT} (?:i|i['’]\w+|we|me|my|a|an)\b{_SCOPE}$"
    r"|\b(?:meint(?:e|en)?|dacht(?:e|en)|glaubt(?:e|en)?|behauptet(?:e|en)?|vermutet(?:e|en)?"
    r"|hielt(?:en)? mich für|denkt|denken),? "
    r"(?:dass )?(?:ich|mich|wir|einen?)\b"
    rf"{_SCOPE}$"
    r"|(?<!je )(?<!moi )\b(?:pensait|croyait|pensaient|croyaient|prétend\w*|croit|croient|pensent"
    r"|me prenait pour)(?: que| qu['’])? ?(?:je|j['’]|nous|un)"
    rf"{_SCOPE}$"
    r"|(?<!yo )\b(?:pensaba|creía|pensaban|creían|cree|creen|piensan|afirma\w*)(?= que (?:yo|soy|era"
    r"|tenía|tengo|fumo|fumaba))"
    rf"{_SCOPE}$"
)  # fmt: skip
_GRANTED = late(
    r"(?i)\b(?:(?:was|is|are|were|they['’]re|she['’]s|he['’]s|and) (?:quite |all |so "
    r"|absolutely )?right\b|rightly|correctly|which (?:is|was) true|i do\b|i am\b|i really (?:do|am)"
    r"|zu recht|hatte recht|avait raison|tenía razón|turned out to be true|sure enough)"
)
"""Pattern of words that grant what somebody thought: `My wife thought I had gout, and she was right`."""
_TELLS_PAST = late(
    r"(?i)\b(?:was|were|had|used to|once|former\w*|ex|past|until|as a (?:child|kid|boy|girl)|childhood"
    r"|youth|\w{2,}ed|when (?:he|she|they|i)"
    r"|formerly|lived|grew|ago|back then|no longer|stopped|gave up|früher|war|hatte|als kind|kindheit"
    r"|damals|ehemal\w*|avant|était|ancien\w*"
    r"|enfan\w+|antes|era|fue|niñ\w+|infancia|раньше|был\w*|детств\w*)\b"
)
_NOES = (
    r"(?:no|not|none|never|nobody|nothing|neither|without|cannot|no-\w+|non-?\w+|quit\w*|stop\w*"
    r"|g[ai]ve\w? up|former\w*|ex|past|free|ruled out"
    r"|negative|refut\w*|un(?:likely|true)|used to|once|nicht\w*|kein\w*|nie|ohne|früher"
    r"|ausgeschlossen|negativ\w*|pas|plus|jamais|sans|exclue?|nunca|sin|antes|não"
    r"|sem|non|senza|не\w*|без|исключ\w*|niet|geen|nie|inte)\b|n['’]t\b"
)
_TELLS_NO = late(rf"(?i)\b(?:{_NOES}|doubt\w*|bezweifel\w*|doute|dud\w+|unsure|uncertain)")
_TELLS_WRONGLY = late(
    rf"(?i)\b(?:{_NOES}|wrong\w*|false\w*|mist\w+|error\w*|incorrect\w*|accus\w*|convict\w*|alleg\w*|claim\w*"
    r"|fälschlich\w*|irrt\w*|unrecht|tort|erreur|errore|torto|engano|onrechte)"
)
_TELLS_FAR = late(
    rf"(?i)\b(?:{_NOES}|far|long way|nowhere|but|opposite|refus\w*|declin\w*|object\w*|weit|alles|gegenteil"
    rf"|weiger\w*"
    r"|loin|tout|lejos|todo|lontan[oa]|tutt|longe|tudo|alles\w*|ver(?:re)?|nieg[ao]|rifiut\w*|recus\w*)\b"
)
_OWNED = late(rf"(?i)\b(?:{MY})\s+(?:[\w-]+\s+)?$")
_TELLS_OPEN = late(
    rf"(?i)\b(?:{_NOES}|(?:doubt\w*|think\w*|thought|believ\w*|maybe|perhaps|unsure|uncertain|possib\w+"
    rf"|suspect\w*|zweifel\w*|glaub\w*|vielleicht|doute\w*"
    r"|pens\w+|cro\w+|dud\w+|cre[oe]\w*)\b)"
)
_TELLS_DREAM = late(
    r"(?i)(?:\b(?:dream\w*|nightmare\w*|pretend\w*|imagin\w*|play\w*|jok\w+|kidding|actor|stage|traum"
    r"|träum\w*|rêv\w*|sueñ\w*|soñ\w*|sogn\w*|sonh\w*|сн\w+|spiel\w*|joue\w*))"
)
_TELLS_FEAR = late(
    r"(?i)\b(?:afraid|fear\w*|scared|worr\w+|terrif\w+|anxi\w+|angst|fürcht\w*|peur|crain\w*|miedo"
    r"|tem\w+|бо\w+)\b"
)
_TELLS_NEAR = late(
    r"(?i)\b(?:almost|nearly|close to|about to|fast|beinahe?|failli|presque|casi|punto|quase|чуть"
    r"|bijna|practically|virtually)\b"
)
_TELLS_VIEW = late(
    r"(?i)\b(?:thinks?|thought|believe\w*|assum\w+|suspect\w*|claim\w*|view|opinion|said to|according"
    r"|taken for|mistaken|hält|meint\w*|glaubt\w*"
    r"|dacht\w*|cro\w+|pens\w+|cre\w+)\b"
)
_WORD_AT = late(r"[\w'’-]+")
_EVERY = (
    _StatusSigns(ClaimStatus.DREAMT, _DREAMS, None, _TELLS_DREAM),
    _StatusSigns(ClaimStatus.DOUBTED, _DOUBTS, None, _TELLS_OPEN),
    _StatusSigns(ClaimStatus.DENIED, _DENIES, _DENIES_BEHIND, _TELLS_NO),
    _StatusSigns(ClaimStatus.DENIED, _TOLD_WRONGLY, None, _TELLS_WRONGLY),
    _StatusSigns(ClaimStatus.DENIED, _FAR, None, _TELLS_FAR),
    _StatusSigns(ClaimStatus.DENIED, _REFUSES, None, _TELLS_FAR),
    _StatusSigns(ClaimStatus.FEARED, _FEARS, None, _TELLS_FEAR),
    _StatusSigns(ClaimStatus.VIEW, _VIEWS, None, _TELLS_VIEW),
    _StatusSigns(ClaimStatus.NEARLY, _NEAR, None, _TELLS_NEAR),
    _StatusSigns(ClaimStatus.NEARLY, _CLOSE, None, _TELLS_NEAR),
    _StatusSigns(ClaimStatus.PAST, _PAST, None, _TELLS_PAST),
)


def read_status(sentence: str, start: int, end: int, said: str, kind: str) -> ClaimStatus | None:
    """Return the status of the words between two places of a sentence; None where they are told as so.

    `said` is all that a fact says: one that doubts, denies or tells the past itself is as it was said. A fact
    of a `kind` that tells what was, or what is not so yet, may be of the past, or dreamt of.
    """
    before, behind = sentence[:start], sentence[end:]
    # the first word may be the verb that tells the past itself: `When I was little I hated mushrooms`
    verb = sentence[: end if (word := _WORD_AT.match(sentence, start)) is None else word.end()]
    fits = _FITTING.get(kind, ())
    for signs in _EVERY:
        if signs.status in fits or signs.told.search(said):
            continue
        # whom somebody calls their own is so: `I refuse to have my dog Balto clipped`
        if signs.before in (_FAR, _REFUSES) and _OWNED.search(before):
            continue
        # who refuses a thing for an allergy has it: `I refuse to be touched on the neck`
        if signs.before in (_REFUSES, _CLOSE) and kind == "constraints":
            continue
        if signs.status is ClaimStatus.VIEW and _GRANTED.search(behind):
            continue
        text = verb if signs.before in (_PAST, _REFUSES, _CLOSE) else before
        if signs.before.search(text) or (signs.behind is not None and signs.behind.match(behind)):
            return signs.status
    mistaken = _MISTAKEN_BEHIND.match(behind) or _WRONGLY_BEHIND.match(behind)
    if not _TELLS_WRONGLY.search(said) and _MISTAKEN.search(before) and mistaken:
        return ClaimStatus.DENIED
    refuses = _REFUSES_ABROAD.search(before) and _REFUSES_BEHIND.match(sentence, start)
    if refuses and kind != "constraints" and not _TELLS_FAR.search(said):
        return ClaimStatus.DENIED
    if not _TELLS_DREAM.search(said) and _ACTED.search(before) and _DREAMT_BEHIND.match(behind):
        return ClaimStatus.DREAMT
    is_later = _PAST_LATER.search(verb) or _ABROAD_LATER.search(verb)
    if (
        is_later
        and ClaimStatus.PAST not in fits
        and not _TELLS_PAST.search(said)
        and _PAST_BEHIND.match(behind)
    ):
        return ClaimStatus.PAST
    return None


_FITTING: Mapping[str, Sequence[ClaimStatus]] = {
    "history": (ClaimStatus.PAST,),
    "goals": (ClaimStatus.DREAMT, ClaimStatus.FEARED),
    "commitments": (ClaimStatus.DREAMT, ClaimStatus.FEARED),
}
"""The standings that facts of a kind may have."""
