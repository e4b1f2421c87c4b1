"""Spanish signs of what may be worth keeping."""

from reel_cli.features.intake.signs import make_rules

_CLOSE = (
    r"(?:esposa|mujer|marido|esposo|pareja|novi[oa]|herman[oa]|madre|mamá|padre|papá|hij[oa]|bebé|abuel[oa]"
    r"|tí[oa]"
    r"|prim[oa]|amig[oa]|jef[ea]|perr[oa]|gat[oa]|caballo|sobrin[oa]|suegr[oa]|niet[oa])\b"
)
_MY = rf"\bmi {_CLOSE}"
_NAMED = r"(?-i:[A-ZÁÉÍÓÚÑ])"
_DAYS = r"(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo)"
_MONTH = (
    r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)"
)
_BEGINS = r"(?:^|[.,;:!¡—] ?|\b(?:yo|y|que|pero|ahora|porque) )"
_TELLS = (
    r"(?:llamaré|avisaré|diré|enviaré|mandaré|traeré|llevaré|mostraré"
    r"|pagaré|escribiré|recordaré|devolveré|daré)"
)
_NOT_AHEAD = (
    r"(?:(?:ser|estar|tendr|podr|deber|habr)(?:é|emos)|queremos|corremos"
    r"|(?:p|prep|sep|comp|disp|rep|decl|acl)aré"
    r"|(?:esp|alt|gen|sup|lib|op|consid|recup|acel|enter|toler)eré|(?:m|t|ret|g|resp|adm|insp|susp|est)iré)"
)
"""Words with the ending of the future that say nothing that will be done, or what was done."""

RULES = make_rules(
    remember=(
        r"(?<!me )(?<!te )(?<!le )(?<!nos )(?<!que )\brecuerda (?:que|esto|siempre|bien|por favor)\b"
        r"|\brecuérda(?:lo|me)\b"
        r"|\bac(?:uérdate|uerdate|ordate|uérdese) (?:de|que)\b|\bno (?:te |lo )?olvid(?:es|és|e)\b"
        r"|\bno se te olvide\b|\bten(?:lo)? (?:esto |eso |siempre )?(?:en cuenta|presente)\b"
        r"|\btoma nota\b"
        r"|\bapunta (?:que|esto)\b|\bquiero que (?:recuerdes|te acuerdes)\b|\bque conste\b"
    ),
    correction=(
        r"\bno,? (?:dije|te dije|he dicho|quise decir|quería decir|me refería)\b"
        rf"|\bno,? (?:es )?el (?:{_DAYS}|\d)|\b(?:eso|esto) no es (?:cierto|verdad|así|correcto|lo que)\b"
        r"|\bno es lo que (?:dije|quise decir)\b|\b(?:te equivocas|estás equivocad[oa]"
        r"|te has equivocado)\b"
        r"|\bme (?:entendiste|has entendido) mal\b|\b(?:nunca|yo no) (?:dije|he dicho)\b|\bquise decir\b"
        r"|\bme refería a\b|\bno \w+, sino \w+|\ben realidad (?:me llamo|se llama)\b"
    ),
    health=(
        r"\balérgic[oa]s? al?\b|\balergia al?\b|\bintolerantes? al?\b|\bno (?:puedo|debo) (?:comer"
        r"|tomar|beber|probar)\b"
        r"|\bno (?:como|bebo|tomo|pruebo) (?:carne|alcohol|gluten|leche|lácteos|cerdo|azúcar|café"
        r"|mariscos?|pescado)\b"
        r"|\bdiagnosticaron\b|\bdiagnosticad[oa]\b"
        r"|\bmi (?:diagnóstico|medicación|medicina|tensión|presión|quimio(?:terapia)?|insulina"
        r"|tratamiento)\b"
        r"|\btomo (?:\w+ ){0,3}(?:pastillas?|medicamentos?|medicación|insulina|antidepresivos?"
        r"|anticoagulantes?)\b"
        r"|\bsoy (?:diabétic[oa]|vegan[oa]|vegetarian[oa]|celíac[oa]|sord[oa]|cieg[oa]|epiléptic[oa]"
        r"|asmátic[oa]"
        r"|hipertens[oa])\b|\bestoy embarazada\b|\b(?:tengo|padezco|sufro)(?: de)? (?:asma|diabetes"
        r"|cáncer|epilepsia"
        r"|tdah|migrañas?|depresión|ansiedad|hipertensión)\b"
    ),
    promise=(
        r"(?<!me )\b(?:te |le |les |os |se )?(?:lo )?(?<!me )(?:prometo|juro)\b|\btienes mi palabra\b"
        r"|\bte doy mi palabra\b|\bte debo\b"
        rf"|\b(?:te|le|les|os|lo|la) (?:lo |la )?{_TELLS}\b|\bse l[oa] {_TELLS}\b|\bahí estaré\b"
        r"|\bestaré (?:ahí|allí)\b|\b(?:nunca|no) te (?:dejaré|abandonaré|mentiré)\b"
        rf"|\b(?:te|lo|la|le) (?:llamo|aviso|mando|traigo|recojo) (?:mañana|el {_DAYS}|esta noche|luego"
        rf"|después)\b"
    ),
    who=(
        rf"\bme llamo\b|\bmi (?:verdadero |segundo )?nombre (?:es|completo)\b|\bmi apellido es\b"
        rf"|\bll[aá]mame {_NAMED}"
        rf"|\bnací (?:en|el|un)\b|(?<!en )\b(?:vivo|crecí|me crié) (?:en|cerca|con)\b|\bsoy de {_NAMED}"
        rf"|{_BEGINS}trabajo (?:como|de|en|para) |\btengo \d{{1,3}} años\b|{_MY},? {_NAMED}"
        rf"|{_MY},? (?:se llama|es (?:una? |médic|profesor|enfermer|abogad|ingenier|maestr)|tiene \d)"
        r"|\bmi (?:dirección|número|teléfono|cumpleaños|correo)\b[^.!?\n]{0,20}\bes\b"
    ),
    life=(
        r"\b(?:murió|ha muerto|falleció|ha fallecido)\b(?! de risa)|\b(?:funeral|entierro"
        r"|aborto espontáneo)\b"
        r"|\bme (?:casé|comprometí|divorcié|separé|despidieron|echaron|ascendieron|contrataron"
        r"|han (?:despedido|contratado))\b"
        r"|\bnos (?:casamos|comprometimos|divorciamos|separamos|mudamos|vamos a casar|hemos (?:casado"
        r"|separado))\b"
        r"|\b(?:conseguí|me dieron|he conseguido) (?:el|un) (?:trabajo|puesto|empleo)\b"
        rf"|\b(?:perdí|he perdido) (?:mi|el|a mi) (?:trabajo|empleo|casa|{_CLOSE})\b|\bestá embarazada\b"
        rf"|\besperamos un (?:bebé|hijo)\b|\btuvimos una? (?:bebé|hij[oa])\b|{_MY} me dejó\b"
    ),
    decision=(
        r"\b(?:he|hemos) decidido\b|\b(?:decidí|decidimos|he tomado (?:una|la) decisión|tomé (?:una"
        r"|la) decisión)\b"
        r"|\b(?:de ahora en adelante|a partir de (?:ahora|hoy|mañana))\b|\b(?:renuncié|acepté)\b"
        r"|\bvoy a (?:renunciar|dejar (?:de|el|mi)|casarme|mudarme|divorciarme|vender|postularme"
        r"|inscribirme|estudiar)\b"
    ),
    feeling=(
        r"\b(?:tengo|tenía) (?:tanto|mucho|muchísimo) miedo\b"
        r"|\b(?:estoy|me siento) (?:tan|muy|demasiado|completamente|totalmente"
        r"|absolutamente) (?:desesperad[oa]|triste|sol[oa]|asustad[oa]|enojad[oa]"
        r"|enfadad[oa]|perdid[oa]"
        r"|dolid[oa]|aliviad[oa]|preocupad[oa]|avergonzad[oa]|orgullos[oa] de (?:mí|mi|él|ella|mis)"
        r"|feliz(?! (?:por|de) (?:ti|eso)))\b"
        r"|\bte (?:amo|quiero)\b(?! \w+[aei]r(?:te|lo|la)?\b)|\b(?:aterrad[oa]|destrozad[oa]"
        r"|devastad[oa]|desconsolad[oa])\b"
        r"|\bel (?:peor|mejor) (?:día|momento) de mi vida\b|\bno puedo (?:dejar|parar) de llorar\b"
        r"|\bsignifica (?:todo|muchísimo|el mundo) para mí\b|\bme da (?:tanta|mucha) vergüenza\b"
    ),
    habit=(
        r"\bmi \w+ (?:favorit[oa]|preferid[oa])s?(?: \w+)? (?:es|son|era)\b|\bprefiero (?:el|la|los"
        r"|las)\b"
        r"|\b(?:odio|detesto|no soporto) (?:el|la|los|las)\b|\b(?:siempre|nunca) (?:tomo|bebo|como|uso"
        r"|llevo)\b"
    ),
    will=(
        rf"\b(?!{_NOT_AHEAD}\b)\w*(?:ar|er|ir|dr)(?:é|emos)\b"
        r"|\b(?:voy|vamos) a (?!(?:ser|estar|tener|ver|morir)\b)\w+(?:ar|er|ir)(?:l[aeo]s?|te|les?|nos)?\b"
        r"|(?<!me )\b(?:llamo|mando|envío|traigo|devuelvo|recojo)\b|\b(?:te|le|les) pregunto\b"
    ),
    denied=(r"\b(?:no|nunca|jamás|tampoco|nada|cada|siempre|tal vez|quizás?|a lo mejor|tod[oa]s l[oa]s)\b"),
    retold=(
        r"\b(?:dijo|dijiste|dijeron|dice[sn]?|decía[sn]?|ha[sn]? dicho|escribió|contestó|respondió|según)\b"
    ),
    event=(
        r"\b(?:cita|reunión|examen|operación|cirugía|entrevista|vuelo|boda|cumpleaños|aniversario|plazo"
        r"|fecha límite"
        r"|dentista|médic[oa]|doctora?|juicio|audiencia|escáner|resonancia|biopsia|resultados|viaje"
        r"|concierto|visita"
        r"|mudanza|terapia|estreno|partido|carrera|graduación|fiesta|entrega|turno|consulta)\b"
    ),
    day=(
        rf"\b(?:el|este|próximo|para el) {_DAYS}\b(?! pasado)|(?<!la )(?<!esta )\bmañana\b|\besta noche\b"
        r"|\b(?:próxima semana|próximo (?:mes|año)|(?:semana|mes|año) que viene)\b"
        r"|\b(?:en|dentro de) (?:una?|dos|tres|cuatro|cinco|seis|\d{1,2}) (?:días?|semanas?|mes(?:es)?)\b"
        rf"|\b(?:fin(?:al)?(?:es)?|mediados) de (?:{_MONTH}|mes|semana|año)\b"
        rf"|\bel \d{{1,2}}\b(?!:| de\b| %|%)"
        rf"|\b\d{{1,2}} de {_MONTH}\b|\ba las? \d{{1,2}}(?::\d\d)?\b|\b\d{{4}}-\d{{2}}-\d{{2}}\b"
    ),
    past=r"\b(?:fue|fueron|era|estuvo|tuve|tuvo|ayer|anteayer|salió|pasad[oa](?! mañana))\b",
)
