"""French signs of what may be worth keeping."""

from reel_cli.features.intake.signs import make_rules

_CLOSE = (
    r"(?:femme|mari|compagnon|compagne|conjointe?|copine|copain|petite amie|petit ami|sœur|soeur"
    r"|frère|mère"
    r"|maman"
    r"|père|papa|fils|fille|bébé|grand-mère|grand-père|mamie|papi|tante|oncle|cousine?|meilleure? amie?"
    r"|amie?|chef"
    r"|patron(?:ne)?|chien(?:ne)?|chat(?:te)?|cheval|nièce|neveu|belle-mère|beau-père)\b"
)
_MY = rf"\bm(?:on|a|es) {_CLOSE}"
_NAMED = r"(?-i:[A-ZÉÈÀÂÎÔÇ])"
_DAYS = r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"
_MONTH = r"(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)"
_TO = r"(?:(?:te|vous|lui|leur|le|la|les) |[tl]'){0,2}"
_WE = r"(?=[^.!?\n]*\b(?:je|j|on|nous)\b)"

RULES = make_rules(
    remember=(
        r"\b(?:souviens-toi|rappelle-toi|souvenez-vous|rappelez-vous)\b"
        r"|\bn'oublie(?:z)? (?:pas|jamais|surtout pas)\b|\bretiens (?:bien )?(?:ça|cela|que|ceci)\b"
        r"|\bgarde(?:z)? (?:bien )?(?:ça |cela )?(?:en tête|à l'esprit|en mémoire)\b"
        r"|(?:^|[.,;:—] ?|\bet )note(?:z)? (?:bien )?(?:que|ça|ceci|cela)\b|\bpour mémoire\b"
        r"|\b(?:tu dois|il faut que tu|je veux que tu|j'aimerais que tu) (?:te |t'en )?"
        r"(?:souviennes|souvenir|rappelles|rappeler|retiennes|retenir)\b"
        r"|\brappelle-moi (?:demain |ce soir |"
        rf"{_DAYS} )?(?:de|d'|que)\b"
    ),
    correction=(
        r"\bnon,? (?:j'ai (?:dit|parlé)|je (?:disais|voulais dire|parlais))\b"
        rf"|\bnon,? pas (?:lui|elle|eux|le \d|{_DAYS})\b|\bc'est (?:faux|inexact)\b"
        r"|\bce n'est pas (?:ce que (?:j'ai dit|je voulais dire|je disais)|vrai|exact|ça du tout)\b"
        r"|\btu (?:te trompes|t'es trompée?|as mal compris|confonds)\b|\bje n'ai (?:jamais|pas) dit\b"
        r"|\bje voulais dire\b|\ben fait,? (?:je m'appelle|(?:il|elle) s'appelle)\b"
    ),
    health=(
        r"\ballergiques? (?:à|au|aux)\b|\bune allergie (?:à|au|aux)\b|\bintolérante?s? (?:à|au)\b"
        r"|\bje (?:ne )?(?:mange|bois) (?:pas|plus|jamais) (?:de |d'|du )"
        r"|\bje (?:ne )?(?:peux|dois) (?:pas|plus) (?:manger|boire)\b|\bdiagnostiqu|\bmon diagnostic\b"
        r"|\bje (?:prends|suis sous) [^.!?,\n]{0,40}\b(?:médicaments?|comprimés?|insuline"
        r"|antidépresseurs?"
        r"|anticoagulants?|cortisone|traitement|pilule)\b|\bmon (?:traitement|insuline|diabète"
        r"|hypertension|asthme)\b"
        r"|\bma (?:chimio(?:thérapie)?|tension|glycémie)\b|\bmes médicaments\b"
        r"|\bje suis (?:diabétique|enceinte|végane?|végétarienne?|végétarien|sobre|sourde?|aveugle"
        r"|épileptique"
        r"|cœliaque|asthmatique|séropositive|séropositif)\b|\bj'ai (?:de l'asthme|(?:du|le) diabète"
        r"|(?:un|le) cancer"
        r"|de l'épilepsie|un tdah|des migraines|une dépression|de l'hypertension)\b"
    ),
    promise=(
        r"\bje (?:te |vous |lui |leur )?(?:le )?(?:promets|jure)\b|\bc'est promis\b|(?:^"
        r"|[.,!] ?)promis\b"
        r"|\btu as ma parole\b|\bje te donne ma parole\b|\bje te dois\b|\bje serai là\b|\bje viendrai\b"
        r"|\bje (?:te |t'|l'|vous |lui |leur )(?:le |la )?(?:appellerai|rappellerai|dirai|enverrai"
        r"|apporterai|montrerai"
        r"|paierai|rembourserai|écrirai|préviendrai)\b|\bje ne te (?:laisserai|quitterai"
        r"|mentirai) (?:jamais|pas)\b"
        rf"|\bje (?:te |t'|l')(?:appelle|rappelle|envoie|apporte) (?:[^.!?,\n]{{0,15}})(?:demain"
        rf"|ce soir|{_DAYS})\b"
    ),
    who=(
        r"\bje m'appelle\b|\bmon (?:vrai |deuxième )?(?:nom|prénom),? (?:est|c'est)\b"
        rf"|\bappelle-moi {_NAMED}|\bje suis née?\b|\bj'habite\b|\bj'ai grandi\b"
        rf"|\bje vis (?:à|au|en|dans|chez|près)\b|\bje travaille (?:comme|chez|pour|dans|au|à l'"
        rf"|à {_NAMED})"
        rf"|\bje (?:suis|viens) (?:originaire )?(?:de |d'|du ){_NAMED}|\bj'ai \d{{1,3}} ans\b(?! d[e'])"
        rf"|{_MY},? {_NAMED}|{_MY} (?:s'appelle|est (?:une? |médecin|infirmi|prof|avocat|étudiant))"
        r"|\bm(?:on|a) (?:adresse|numéro(?: de téléphone)?|anniversaire"
        r"|e-?mail)\b[^.!?\n]{0,20}\b(?:est|c'est)\b"
    ),
    life=(
        rf"\bdécéd|\bnous a quittés\b|{_MY}(?: \w+)? est morte?\b|\b(?:enterrement|funérailles"
        rf"|fausse couche)\b"
        r"|\b(?:je (?:me )?suis|on (?:s')?est|nous (?:nous )?sommes) (?:fiancée?s?|mariée?s?|séparée?s?"
        r"|divorcée?s?)\b"
        r"|\b(?:ai été|a été|suis|me suis fait|s'est fait) (?:virer|virée?|licencier|licenciée?"
        r"|embauchée?|promue?)\b"
        r"|\bj'ai (?:eu|décroché|obtenu) (?:le|ce|mon|un) (?:poste|boulot|travail|job|bac|diplôme"
        r"|concours|permis)\b"
        rf"|\bj'ai perdu m(?:on|a) (?:travail|boulot|emploi|maison|appartement|{_CLOSE})\b"
        rf"|\best enceinte\b"
        r"|\b(?:on attend|nous attendons) un (?:bébé|enfant)\b|\bm'a quittée?\b|\b(?:on a"
        r"|nous avons) (?:rompu|déménagé)\b"
    ),
    decision=(
        r"\b(?:j'ai|on a|nous avons) (?:enfin |finalement )?décidé\b|\bje me suis décidée?\b"
        rf"|\bma décision est prise\b|\b(?:dorénavant|désormais|à partir de (?:maintenant|demain"
        rf"|lundi))\b{_WE}"
        r"|\bje démissionne\b|\bj'ai (?:accepté|démissionné|donné ma démission)\b"
        r"|\bje vais (?:quitter|démissionner|épouser|déménager|arrêter de|vendre|postuler|me marier"
        r"|divorcer)\b"
        r"|\bj'arrête de (?:fumer|boire|travailler)\b"
    ),
    feeling=(
        r"\bj'ai (?:si|tellement|trop|vraiment) (?:peur|honte)\b|\bj'ai honte de\b"
        r"|\bje (?:suis|me sens) (?:si|tellement|trop|vraiment|complètement|totalement"
        r"|absolument) (?:triste|seule?|heureu(?:x|se)"
        r"|en colère|perdue?"
        r"|soulagée?|blessée?|inquiète|inquiet|désespérée?|fière? (?:de (?:moi|lui|elle|nous|m(?:on|a"
        r"|es))|d'elle))\b"
        r"|\b(?:terrifiée?|anéantie?|effondrée?|dévastée?|bouleversée?)\b|\bje t'aime\b(?! bien)"
        r"|\ble (?:pire|plus beau) (?:jour|moment|soir)[^.!?\n]{0,10}de ma vie\b"
        r"|\barrête pas de pleurer\b"
        r"|\bcompte (?:tellement|énormément|plus que tout) pour moi\b"
    ),
    habit=(
        r"\bm(?:on|a|es) \w+ (?:préférée?s?|favorite?s?|favoris?),? (?:est|sont|c'est|c'était)\b"
        r"|\bje préfère (?:le|la|les|l')\b|\bje (?:déteste|ne supporte pas) (?:le|la|les|l')\b"
        r"|\bje (?:ne )?(?:bois|mange|porte) (?:toujours|jamais)\b"
    ),
    will=(
        r"\bj'(?:y |en )?(?!aurai\b|aimerai\b)\w+rai\b"
        rf"|\bje {_TO}(?!(?:se|au|dev|pour|sau|voud)rai\b)\w+rai\b"
        rf"|\b(?:je vais|on va|nous allons) {_TO}(?!(?:être|avoir|devoir)\b)\w+(?:er|ir|re)\b"
        rf"|\bj'appelle\b|\bje {_TO}(?:rappelle|envoie|apporte|ramène|rends|rapporte)\b"
    ),
    denied=(r"\bn'|\b(?:ne|pas|jamais|rien|aucune?|chaque|toujours|peut-être|tou(?:s|tes) les)\b"),
    retold=(
        r"\b(?:a|as|avez|ont|avait) (?:dit|écrit|répondu|promis)\b|\b(?:dit|dis|disait|disent)[ -]"
        r"(?:il|elle|que?|qu'\w+)\b|\b(?:il|elle|tu|on) (?:dit|dis|disait|disais)\b"
    ),
    event=(
        r"\b(?:rendez-vous|rdv|réunion|examen|opération|chirurgie|chirurgien|entretien|vol|mariage"
        r"|anniversaire|échéance"
        r"|date limite|dentiste|médecin|docteur|tribunal|audience|scanner|irm|biopsie|résultats|voyage"
        r"|concert|visite"
        r"|(?:me|se) marie(?:nt)?|déménagement|thérapie|spectacle|première|match|course|fête|soutenance"
        r"|enterrement|partiels?"
        r"|séance)\b"
    ),
    day=(
        rf"\b{_DAYS}\b(?! dernier| passé)|\b(?:après-)?demain\b|\bce soir\b|\bcet après-midi\b"
        r"|\b(?:semaine|mois|année|an) prochaine?\b"
        r"|\bdans (?:une?|deux|trois|quatre|cinq|six|\d{1,2}) (?:jours?|semaines?|mois)\b"
        rf"|\b(?:fin|mi)[ -](?:d[eu] )?{_MONTH}\b|\b(?:la )?fin (?:du mois|de (?:la semaine|l'année))\b"
        rf"|\b\d{{1,2}}(?:er)? {_MONTH}\b|\ble \d{{1,2}}(?= à|[.,;])|\bà \d{{1,2}} ?h(?:\d\d|eures?)?\b"
        r"|\b\d{4}-\d{2}-\d{2}\b"
    ),
    past=(r"\b(?:étaient|était|avant-hier|hier|dernière?|passée?s?|avais|avait|a eu lieu|ai eu)\b"),
)
