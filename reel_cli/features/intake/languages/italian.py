"""Italian signs of a promise; other signs are not read in Italian."""

from reel_cli.features.intake.signs import make_rules

_DAYS = r"(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)"
_MONTH = r"(?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)"
_NOT_AHEAD = (
    r"(?:però|sarò|avrò|(?:sp|sup|op|consid|recup|gen|alt|lib|sup)erò|(?:t|g|v|rit|amm|resp|isp|sosp)irò)"
)
"""Words with the ending of the future that say nothing that will be done, or what was done."""
_TO = r"(?:(?:ti|te lo|te la|gli|le|vi|lo|la|li|glielo|gliela) )?"

RULES = make_rules(
    promise=(
        r"(?<!mi )\b(?:prometto|giuro)\b|\bpromesso(?=[.!])|\b(?:hai|ti do) la mia parola\b"
        r"|\bparola d'onore\b"
        r"|\bti (?:chiamo|richiamo|scrivo|mando|porto|riporto|avviso|restituisco|vengo a prendere)\b"
    ),
    will=(
        rf"\b(?!{_NOT_AHEAD}\b)(?:\w+(?:er|ir)|\w*(?:far|dar|verr|terr|dr))ò\b"
        rf"|(?<!mi )\b{_TO}(?:chiamo|richiamo|porto|riporto|mando|spedisco|restituisco)\b"
    ),
    denied=(r"\b(?:non|né|mai|niente|nessun\w*|ogni|sempre|forse|magari|tutt[ie] (?:i|le))\b"),
    retold=(
        r"\b(?:ha|hai|hanno|aveva) (?:detto|scritto|risposto|promesso)\b"
        r"|\b(?:dice|dici|dicono|diceva|disse|secondo l(?:ui|ei))\b"
    ),
    event=r"(?!)",
    day=(
        rf"(?<!il )(?<!la )(?<!ogni )\b{_DAYS}\b(?! scors| passat)|\b(?:dopo)?domani\b|\bsta(?:sera|notte)\b"
        r"|\b(?:settimana|mese|anno) prossim[oa]\b|\bprossim[oa] (?:settimana|mese|anno)\b"
        r"|\b[tf]ra (?:un[oa']?|due|tre|quattro|cinque|sei|\d{1,2}) ?"
        r"(?:giorn[oi]|settiman[ae]|mes[ei]|ann[oi])\b"
        rf"|\b(?:fine|metà) (?:di )?(?:{_MONTH}|mese|settimana|anno)\b"
        rf"|\bil \d{{1,2}}(?= \w)(?! (?:{_MONTH}|per)\b)"
        rf"|\b\d{{1,2}} {_MONTH}\b|\b\d{{4}}-\d{{2}}-\d{{2}}\b"
    ),
    past=r"\b(?:er[oa]|erano|ieri|avev[oa]|fu|stat[oa]|scors[oa]|passat[oa])\b",
)
