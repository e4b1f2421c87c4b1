"""German signs of what may be worth keeping."""

from re import IGNORECASE

from reel_cli.core.frozen import late
from reel_cli.features.intake.signs import make_rules

_MY = r"\bmein(?:e[rmns]?)? "
_CLOSE = (
    r"(?:ehefrau|frau|ehemann|mann|freundin|freund|partnerin|partner|schwester|bruder|mutter"
    r"|mama|vater|papa"
    r"|sohn|tochter|baby|oma|großmutter|opa|großvater|tante|onkel|cousine?|nichte|neffe|chefin|chef|hund"
    r"|katze"
    r"|kater|pferd|verlobter?|schwiegermutter|schwiegervater|enkelin|enkel)\b"
)
_NAMED = r"(?-i:[A-ZÄÖÜ][a-zäöüß]+\b)"
_NO_NAME = (
    r"(?!Geburtstag|Besuch|Zeit|Angst|Recht|Lust|Hunger|Probleme|Kuchen|Kaffee|Sorgen|Fieber"
    r"|Urlaub|Arbeit)"
)
_TO = r"(?:dir|dich|euch|ihm|ihr|ihnen|ihn|sie|es dir|dir das|dir alles)"
_MONTH = (
    r"(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november"
    r"|dezember|jan|feb"
    r"|mär"
    r"|apr|jun|jul|aug|sept?|okt|nov|dez)\b"
)
_END = r"(?=[.!,;]|$)"
_DO = (
    r"(?:rufe?|schicke?|bringe?|hole?|schreibe?|besuche?|frage?|erzähle?|zeige?|gebe?|kaufe?|backe?|repariere"
    r"|helfe?|leihe?)"
)
"""Verbs of what somebody does on a day that is named."""

RULES = make_rules(
    remember=(
        r"\bmerke? dir\b|\bmerken sie sich\b|\b(?:dir|euch) (?:\w+ ){0,3}merken\b"
        r"|\bvergiss\b[^.!?,\n]{0,30}\b(?:nicht|nie|niemals)\b|\bvergessen sie\b[^.!?,\n]{0,20}\bnicht\b"
        r"|\bdenke? (?:bitte |immer )*(?:daran|dran)\b"
        r"|\bbehalt(?:e|en sie)?\b[^.!?\n]{0,40}\b(?:im (?:kopf|hinterkopf|gedächtnis)|in erinnerung)\b"
        r"|\bfürs protokoll\b|\bnotiere? dir\b|\bschreib dir\b[^.!?\n]{0,20}\bauf\b"
        r"|(?<!ich )\berinnere? mich (?:bitte |morgen |nachher |(?:am|nächsten|diesen) \w+tag "
        r"|am mittwoch )*"
        r"(?:daran|an|dass)\b"
    ),
    correction=(
        r"\bnein,? ich (?:sagte|meinte)\b|\bnein,? ich habe? [^,.!?\n]{0,25}(?:gesagt|gemeint)\b"
        r"|\bnein,? nicht (?:am|im|in der|er|sie|ihn|ihm|meine?|dieser?)\b|\bdas stimmt (?:so )?nicht\b"
        r"|\bdas ist (?:so )?(?:nicht richtig|falsch)\b|\bdu irrst dich\b|\bdu liegst (?:da )?falsch\b"
        r"|\bdu hast (?:das|mich|da was|da etwas) (?:falsch verstanden|missverstanden|verwechselt)\b"
        r"|\bich meinte\b(?! ja| nur| doch)|\b(?:das|so) hab(?:e)? ich (?:so )?(?:nicht gemeint"
        r"|nie gesagt)\b"
        r"|\bnicht \w+, sondern \w+|\beigentlich heiß(?:e|t)\b"
    ),
    health=(
        r"\ballergisch (?:gegen|auf)\b|\b(?:gegen|auf) [^,.!?\n]{2,30} (?:\w+ ich )?(?:stark "
        r"|sehr )?allergisch\b"
        r"|\b(?:wurden? bei mir|bei mir wurden?)\b[^,.!?\n]{2,40}\b(?:festgestellt|gefunden)\b"
        r"|\bich spritze\b[^.!?\n]{0,30}\binsulin\b|\bich hab(?:e)? [^,.!?\n]{0,20}(?:allergie"
        r"|unverträglichkeit)\b"
        r"|\bich (?:darf|kann) kein(?:e|en)? [^,.!?\n]{1,30}\b(?:essen|trinken)\b"
        r"|\b(?:ich (?:esse|trinke|vertrage)|(?:esse|trinke|vertrage) ich) (?:absolut |leider "
        r"|gar )?kein(?:e|en)?\b"
        r"|\bdiagnostiziert\b|\bmeine diagnose\b"
        r"|\b(?:ich nehme|nehme ich)\b[^.!?\n]{0,60}\b(?:tabletten?|medikamente?|insulin|antidepressiva"
        r"|blutverdünner|die pille|kortison|cortison)\b"
        rf"|\b(?:ich nehme|nehme ich)\b[^.!?,\n]{{3,60}}\bein\b{_END}"
        r"|\bmein (?:blutdruck|blutzucker|insulin)\b|\bmeine (?:medikamente|tabletten"
        r"|chemo(?:therapie)?|blutwerte)\b"
        r"|\bich bin (?:seit \w+ )?(?:diabetiker(?:in)?|schwanger|vegan(?:er(?:in)?)?|vegetarier(?:in)?"
        r"|taub|blind"
        r"|gehörlos|epileptiker(?:in)?|trockener alkoholiker|trockene alkoholikerin)\b"
        r"|\b(?:ich habe?|habe? ich) (?:seit \w+ |chronische[ns]? |schwere[ns]? )?(?:asthma|diabetes"
        r"|krebs|epilepsie"
        r"|adhs|migräne|depressionen|rheuma|multiple sklerose|bluthochdruck|zöliakie)\b"
    ),
    promise=(
        r"\bich (?:verspreche|schwöre)\b(?! mir)|\b(?:verspreche|schwöre) ich\b(?! mir)"
        r"|\bversprochen(?=[.!])"
        r"|\bich gebe dir mein wort\b|\bdu hast mein wort\b|\bich schulde dir\b|\behrenwort\b"
        r"|\bich hab(?:e)? (?:es )?(?:ihm|ihr|dir|ihnen|euch) (?:\w+ ){0,2}versprochen\b"
        rf"|\b(?:ich rufe?|rufe? ich) (?:dich|ihn|sie|euch|\w+)\b(?:(?! nicht\b)[^.!?,\n]){{0,30}}"
        rf"\ban\b{_END}"
        rf"|\b(?:ich (?:bringe?|schicke?|hole?|zahle?)|(?:bringe|schicke|hole|zahle) ich) {_TO}\b"
        r"|\bich werde (?:da sein|dich (?:nie|anrufen|abholen)|nie wieder|dir (?:nie|immer|das))\b"
        r"|\b(?:ich sage?|sage? ich) (?:dir|ihm|ihr|euch) (?:\w+ )?bescheid\b|\b(?:ich melde"
        r"|melde ich) mich\b"
    ),
    who=(
        r"\bich hei(?:ß|ss)e\b|\bmein (?:voller |richtiger )?name ist\b|\bnenn mich (?-i:[A-ZÄÖÜ])"
        r"|\bich (?:bin|wurde)\b[^.!?\n]{0,40}\bgeboren\b"
        r"|\b(?:ich (?:wohne|lebe)|(?:wohne|lebe) ich) (?:\w+ ){0,2}(?:in|am|an|bei|im|auf|nahe)\b"
        r"|\b(?:ich arbeite|arbeite ich) (?:\w+ )?(?:als|bei|für|in (?:der|einer|einem)|im)\b"
        r"|\bich (?:komme|bin) (?:ursprünglich )?aus (?-i:[A-ZÄÖÜ])"
        r"|\bich bin (?:in [^.!?\n]{2,20} )?aufgewachsen\b"
        r"|\bich bin \d{1,3}(?= jahre?\b| und\b|[.,!;]|$)"
        rf"|{_MY}{_CLOSE},? {_NO_NAME}{_NAMED}|{_MY}{_CLOSE} (?:hei(?:ß|ss)t|ist (?:eine? |\d))"
        r"|\bmeine (?:adresse|telefonnummer|handynummer|nummer|e-?mail)\b[^.!?\n]{0,20}\b(?:ist"
        r"|lautet)\b"
        r"|\bich habe? am [^.!?\n]{3,25}\bgeburtstag\b"
    ),
    life=(
        r"\b(?:verstorben|beerdigung|fehlgeburt)\b|(?<!fast )\bgestorben\b(?! vor)"
        rf"|{_MY}{_CLOSE} ist tot\b|\b(?:ich|wir|uns|mich|mir|mein\w*|er|sie)\b[^.!?\n]{{0,40}}"
        r"\b(?:verlobt|geheiratet|scheiden lassen|geschieden|gekündigt|entlassen|befördert)\b"
        r"|\b(?:uns|mich|sich) (?:\w+ ){0,3}getrennt\b"
        r"|\bich hab(?:e)? (?:den|die|einen|eine) (?:\w+ )?(?:job|stelle|zusage"
        r"|studienplatz) (?:bekommen|gekriegt)\b"
        r"|\bich hab(?:e)? mein(?:e|en) (?:job|arbeit|wohnung|stelle|mann|frau|mutter|vater) verloren\b"
        r"|\bist schwanger\b|\bwir (?:bekommen|erwarten|kriegen) ein (?:kind|baby)\b|\bein (?:kind"
        r"|baby) bekommen\b"
        r"|\bschluss gemacht\b|\bwir sind umgezogen\b"
    ),
    decision=(
        r"\b(?:ich habe?|habe? ich|wir haben) (?:mich |uns )?(?:endlich |jetzt |dafür |dagegen |nun "
        r"|gestern )*"
        r"(?:entschieden|entschlossen|beschlossen)\b"
        r"|\b(?:ich habe? mich|wir haben uns) (?:für|gegen)\b[^.!?\n]{2,40}\bentschieden\b"
        r"|\bmein entschluss steht\b"
        r"|\b(?:ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an)\b(?=[^.!?\n]*\b(?:ich|wir)\b)"
        r"|\bich kündige\b"
        r"|\bich höre? (?:\w+ ){0,3}auf(?: zu \w+)?(?=[.!,]|$)|\bich ziehe\b[^.!?,\n]{0,30}\b(?:um|aus"
        r"|nach)\b"
        r"|\bich (?:werde|will) (?:\w+ ){0,4}(?:kündigen|heiraten|umziehen|ausziehen|verkaufen"
        r"|mich bewerben)\b"
    ),
    feeling=(
        r"\bich hab(?:e)? (?:so|solche|riesige|furchtbare|schreckliche|wahnsinnige) (?:viel )?angst\b"
        r"|\b(?:ich (?:bin|war|fühle? mich)|bin ich) (?:so|total|unendlich|wahnsinnig|völlig|vollkommen"
        r"|absolut"
        r"|komplett|einfach nur) (?:traurig|wütend|einsam|verletzt|erleichtert|verzweifelt|hoffnungslos"
        r"|am ende"
        r"|am boden"
        r"|glücklich|stolz auf (?:mich|ihn|sie|uns|meine?n?))\b(?!,? dass du| darüber)"
        r"|\bich schäme mich\b|\bich liebe dich\b|\b(?:untröstlich|am boden zerstört|todunglücklich"
        r"|überglücklich)\b"
        r"|\b(?:schlimmste|schönste|beste)[rns]? (?:tag|nacht|woche|moment) meines lebens\b"
        r"|\bbedeutet mir (?:alles|so viel|die welt)\b|\b(?:nicht aufhören zu weinen"
        r"|nicht auf zu weinen)\b"
    ),
    habit=(
        r"\bmein(?:e|er)? lieblings\w+ (?:\w+ )?(?:ist|sind|war)\b|\b(?:ist|sind) meine? lieblings\w+"
        r"|\bich (?:trinke|esse|mag|höre|lese) am liebsten\b|\bam liebsten (?:trinke|esse|mag|höre"
        r"|lese) ich\b"
        r"|\bich (?:bevorzuge|verabscheue)\b|\bich hasse\b(?! es| das| dich| mich)"
        r"|\bich kann \w+ nicht (?:ausstehen|leiden)\b|\bich (?:trinke|esse|trage) (?:immer|nie)\b"
    ),
    will=(
        r"\b(?:ich werde|werde ich|wir werden|werden wir)\b(?=[^,;!?\n]{0,90} "
        r"(?!(?:können|müssen|wollen|dürfen|sollen)\b)\w+(?:en|ern|eln|tun)\b ?(?:[,;.!?]|und\b|$))"
        rf"|\b(?:ich {_DO}|{_DO} ich)\b(?! (?:mich|mir|zu)\b)"
        r"(?![^,;!?\n]{0,30}\b(?:klausur|prüfung|test|examen)\b)"
        r"|\b(?:ich (?:melde|kümmere)|(?:melde|kümmere) ich) mich\b"
        r"|\b(?:ich komme?|komme? ich)\b(?=[^,;!?\n]{0,40}\b(?:vorbei|zu (?:dir|euch|ihm|ihr))\b)"
    ),
    denied=(
        r"\b(?:nichts?|nie|niemals|kein\w*|weder|jede[nrsm]?|immer|meistens|vielleicht|womöglich|eventuell"
        r"|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs)\b"
    ),
    retold=(
        r"\b(?:sagt|sagst|sagten?|sagtest|gesagt|meint|meinst|meinte|behauptet\w*|schrieb|geschrieben"
        r"|erzählte"
        r"|versprach|angeblich)\b"
    ),
    event=(
        r"\b(?:\w*(?:termin|prüfung|operation|gespräch|verhandlung|untersuchung|konzert|feier"
        r"|arzt|ärztin))\b"
        r"|\b(?:treffen|klausur|op|flug|hochzeit|geburtstag|jahrestag|abgabe|frist|deadline"
        r"|gericht|biopsie"
        r"|ergebnisse"
        r"|reise|besuch|umzug|heirat(?:e|et|en)|therapie|premiere|beerdigung|party|abschluss"
        r"|spiel|rennen"
        r"|meeting|interview)\b"
    ),
    day=(
        r"(?<!letzten )(?<!letzter )\b(?:mon|diens|donners|frei|sams|sonn)tag(?:abend|morgen"
        r"|nachmittag)?\b"
        r"|(?<!letzten )\bmittwoch\w*\b|\bsonnabend\b"
        r"|(?<!guten )(?<!am )(?<!jeden )(?<!heute )\bmorgen\b"
        r"|\bübermorgen\b"
        r"|\bheute (?:abend|nachmittag|nacht|um)\b|\bnächste[nrsm]? (?:woche|monat|jahr)\b"
        r"|\bin (?:einer|einem|zwei|drei|vier|fünf|sechs|\d{1,2}) (?:tag(?:en)?|wochen?|monat(?:en)?)\b"
        rf"|\b(?:ende|mitte) (?:{_MONTH}|der woche|des (?:monats|jahres))|\bmonatsende\b"
        rf"|\b(?:am|zum) \d{{1,2}}\.(?= (?-i:[a-zäöü])| ?$)(?! ?{_MONTH})"
        rf"|\b\d{{1,2}}\. ?(?:{_MONTH}|\d{{1,2}}\.)|\bum \d{{1,2}}(?:[:.]\d\d)? ?uhr\b"
        rf"|\b\d{{4}}-\d{{2}}-\d{{2}}\b"
    ),
    past=r"\b(?:war|waren|hatten?|gestern|vorgestern|letzte[nrs]?|vorige[nrs]?|vergangene[nrs]?|gewesen)\b",
)._replace(
    sentence=late(
        rf"(?:[^.!?\n]|(?<=\d)\.(?= ?(?:{_MONTH}|\d))|(?<=[au]m \d)\.(?= (?-i:[a-zäöü]))"
        r"|(?<=[au]m \d\d)\.(?= (?-i:[a-zäöü])))*[.!?]*[\"'”’“«»)]*[ \t]*\n?",
        IGNORECASE,
    )
)
