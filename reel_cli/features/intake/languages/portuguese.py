"""Portuguese signs of what may be worth keeping."""

from reel_cli.features.intake.signs import make_rules

_CLOSE = (
    r"(?:esposa|mulher|marido|esposo|namorad[oa]|companheir[oa]|irmã|irmão|mãe|mamãe|pai|papai|filh[oa]"
    r"|beb[êé]|av[óô]"
    r"|vov[óô]|ti[oa]|prim[oa]|amig[oa]|chefe|cachorr[oa]|cão|gat[oa]|cavalo|sobrinh[oa]"
    r"|sogr[oa]|noiv[oa]"
    r"|net[oa])\b"
)
_MY = rf"\b(?:minha|meu) {_CLOSE}"
_NAMED = r"(?-i:[A-ZÁÉÍÓÚÂÊÔÃÕÇ])"
_DAYS = r"(?:(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|sábado|domingo)"
_MONTH = r"(?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)"
_BEGINS = r"(?:^|[.,;:!—] ?|\b(?:eu|e|que|mas|agora|porque) )"
_TELLS = r"(?:ligar|avisar|mandar|trazer|mostrar|pagar|devolver|contar|lembrar|buscar)"
_NOT_AHEAD = (
    r"(?:(?:ser|estar|ter|dever|poder)(?:ei|emos)|queremos|corremos"
    r"|(?:p|prep|sep|comp|disp|rep|decl)ar(?:ei|emos)"
    r"|(?:esp|alt|ger|sup|lib|op|consid|recup|acel|toler)er(?:ei|emos)"
    r"|(?:m|t|v|ret|g|resp|adm|insp|susp)ir(?:ei|emos))"
)
"""Words with the ending of the future that say nothing that will be done, or what was done."""

RULES = make_rules(
    remember=(
        r"(?<!me )(?<!você )(?<!se )(?<!ele )(?<!ela )(?<!não )\blembr[ae](?:-se|-te)? "
        r"(?:de que|que|disso|disto|sempre|bem|por favor)\b|\b(?:me lembr[ae]|lembr[ae]-me)"
        rf" (?:(?:na|no|nesta|neste|amanhã) ?(?:próxim[oa] )?(?:{_DAYS} )?)?(?:de|que)\b"
        r"|\bnão (?:se |te )?(?:esqueça|esqueças|esquece|esqueçam)\b|\bnão vá esquecer\b"
        r"|\bten(?:ha|s)? (?:isso |isto |sempre )?em mente\b|\bt[ea]m (?:isso |isto )?em mente\b"
        r"|\b(?:anot[ae]|guard[ae]) (?:isso|isto|aí|que)\b|\bquero que (?:você |tu )?(?:se )?lembres?\b"
    ),
    correction=(
        r"\bnão,? (?:eu )?(?:disse|falei|quis dizer) (?!nada|isso)|\bnão,? (?:é )?(?:na|no) "
        rf"(?:{_DAYS}|dia \d)|\bisso não (?:é|está) (?:verdade|certo|correto|o que eu)\b"
        r"|\bnão (?:foi|é) isso que eu (?:disse|quis|falei)\b|\b(?:você|tu) est(?:á|ás) (?:errad[oa]"
        r"|enganad[oa])\b"
        r"|\bvocê (?:se enganou|entendeu (?:mal|errado))\b|\beu (?:nunca|não) (?:disse|falei)\b(?! nada)"
        r"|\beu quis dizer\b"
        r"|\bna verdade,? (?:eu me chamo|me chamo|meu nome)\b|\bnão \w+, mas sim \w+"
    ),
    health=(
        r"\balérgic[oa]s? (?:a|à|ao|aos|às)\b|\balergia (?:a|à|ao)\b|\bintolerantes? (?:a|à|ao)\b"
        r"|\bintolerância (?:a|à)\b|\bnão (?:posso|devo) (?:comer|beber|tomar)\b"
        r"|\bnão (?:como|bebo|tomo) (?:carne|álcool|glúten|leite|lactose|porco|açúcar|café|frutos"
        r"|peixe)\b"
        r"|\bdiagnosticad[oa]\b|\bmeus? (?:diagnóstico|remédios?|tratamento)\b"
        r"|\bminha (?:medicação|pressão|glicemia|quimio(?:terapia)?|insulina)\b"
        r"|\btomo (?:\w+ ){0,3}(?:remédios?|comprimidos?|insulina|medicamentos?|antidepressivos?"
        r"|anticoagulantes?)\b"
        r"|\bsou (?:diabétic[oa]|vegan[oa]|vegetarian[oa]|celíac[oa]|surd[oa]|ceg[oa]|epiléptic[oa]"
        r"|asmátic[oa]"
        r"|hipertens[oa])\b|\bestou grávida\b|\btenho (?:asma|diabetes|câncer|cancro|epilepsia|tdah"
        r"|enxaquecas?"
        r"|depressão|ansiedade|hipertensão)\b"
    ),
    promise=(
        r"(?<!me )\b(?:prometo|juro)\b(?! a mim)|\bt[ea](?:m|ns) (?:a )?minha palavra\b"
        r"|\bte dou minha palavra\b"
        r"|\bte devo\b|\b(?:te|lhe) (?:ligo|aviso|mando|trago|conto|pago) (?:amanhã|depois|quando|na|no"
        r"|hoje)\b"
        rf"|\bvou te {_TELLS}\b|\bvou {_TELLS} (?:para|pra|a) (?:você|ti|ela|ele|vocês)\b"
        r"|\b(?:ligo|telefono|aviso)-te\b|\bestarei lá\b|\bnunca (?:mais )?vou te (?:deixar|abandonar"
        r"|mentir)\b"
    ),
    who=(
        r"\b(?:me chamo|chamo-me)\b|\bmeu (?:segundo |verdadeiro )?nome (?:é|completo)\b|\bme chame de\b"
        rf"|\bme chama de {_NAMED}|\b(?:nasci|cresci) (?:em|no|na)\b|\b(?:moro|vivo) (?:em|no|na|perto"
        rf"|com)\b"
        rf"|{_BEGINS}trabalho (?:como|de|em|no|na|para) |\bsou (?:de|do|da) {_NAMED}"
        rf"|\btenho \d{{1,3}} anos\b"
        rf"|{_MY},? {_NAMED}"
        rf"|{_MY},? (?:se chama|chama-se|é (?:uma? |médic|professor|enfermeir|advogad|engenheir)|tem \d)"
        r"|\bmeu (?:endereço|número|telefone|aniversário|e-?mail)\b[^.!?\n]{0,20} é\b"
    ),
    life=(
        r"\b(?:morreu|faleceu)\b(?! de rir)|\b(?:funeral|enterro|velório|aborto espontâneo)\b"
        r"|\b(?:me (?:casei|divorciei|separei|demitiram|promoveram|contrataram)|nos (?:casamos"
        r"|separamos|divorciamos))\b"
        r"|\bfui (?:demitid[oa]|despedid[oa]|promovid[oa]|contratad[oa])\b|\b(?:ficamos"
        r"|estamos) noivos\b"
        r"|\bfiquei (?:noiv[oa]|grávida)\b|\b(?:consegui|ganhei) (?:o|um) (?:emprego|trabalho|cargo)\b"
        rf"|\bperdi (?:o |a )?(?:meu|minha) (?:emprego|trabalho|casa|{_CLOSE})\b|\bestá grávida\b"
        r"|\b(?:vamos ter|estamos esperando|esperamos) um (?:bebê|bebé|filho)\b|\bterminei com (?:ele"
        r"|ela|meu|minha)\b"
        r"|\bpassei (?:no|na) (?:vestibular|concurso|faculdade|exame)\b"
    ),
    decision=(
        r"\b(?:decidi|decidimos|tomei (?:uma|a) decisão)\b|\bresolvi (?:que|\w+r)\b|\b(?:pedi demissão"
        r"|aceitei)\b"
        r"|\b(?:de agora em diante|daqui (?:pra|para a?) ?frente|a partir de (?:agora|hoje|amanhã))\b"
        r"|\bvou (?:pedir demissão|largar|deixar de|(?:me )?casar|me mudar|mudar (?:de|para)"
        r"|me divorciar|vender"
        r"|parar de|me inscrever|me candidatar)\b"
    ),
    feeling=(
        r"\b(?:estou com|tenho|tinha) (?:tanto|muito) medo\b|\b(?:estou|me sinto) (?:tão"
        r"|muito|completamente|totalmente|absolutamente) (?:sem esperança|triste|sozinh[oa]"
        r"|assustad[oa]"
        r"|perdid[oa]|magoad[oa]|aliviad[oa]|preocupad[oa]|envergonhad[oa]|orgulhos[oa] (?:de mim"
        r"|do meu|da minha|del[ea])"
        r"|feliz(?! (?:por|com) (?:você|ti|isso)))\b"
        r"|\b(?:te amo|amo-te|amo você)\b|\b(?:apavorad[oa]|arrasad[oa]|devastad[oa]|desesperad[oa])\b"
        r"|\b(?:pior|melhor) (?:dia|momento) da minha vida\b|\bnão (?:consigo parar|paro) de chorar\b"
        r"|\bsignifica (?:tudo|muito) (?:para|pra) mim\b|\btenho (?:tanta|muita) vergonha\b"
    ),
    habit=(
        r"\b(?:minha|meu)s? \w+ (?:favorit[oa]|preferid[oa])s?(?: \w+)? (?:é|são|era)\b|\bprefiro (?:o"
        r"|a|os|as)\b"
        r"|\b(?:odeio|detesto|não suporto) (?:o|a|os|as)\b|\b(?:sempre|nunca) (?:tomo|bebo|como|uso)\b"
    ),
    will=(
        rf"\b(?!{_NOT_AHEAD}\b)\w*(?:ar|er|ir)(?:ei|emos)\b"
        r"|\b(?:vou|vamos) (?:(?:te|lhe|lhes|me|nos) )?(?!(?:ser|estar|ter|ver)\b)\w+(?:ar|er|ir|or|ôr)\b"
        r"|\b(?:ligo|telefono|mando|envio|trago|devolvo)\b"
    ),
    denied=(r"\b(?:não|nunca|jamais|nem|nada|cada|sempre|talvez|tod[oa]s? [oa]s?)\b"),
    retold=(
        r"\b(?:disse|disseste|disseram|diz|dizes|dizem|dizia[ms]?|falou|escreveu|respondeu|segundo el[ea])\b"
    ),
    event=(
        r"\b(?:consulta|reunião|prova|exame|operação|cirurgia|entrevista|voo|casamento|aniversário|prazo"
        r"|dentista"
        r"|médic[oa]|julgamento|audiência|biópsia|ressonância|resultados?|viagem|show|concerto|visita"
        r"|mudança|terapia"
        r"|estreia|jogo|corrida|formatura|festa|entrega|parto)\b"
    ),
    day=(
        rf"\b(?:na|nesta|essa|esta|próxima|para|até|no|neste|próximo) {_DAYS}\b(?! passad)"
        rf"|\b\w+-feira\b(?! passada)"
        r"|\bamanhã\b|\bhoje à (?:noite|tarde)\b|\b(?:próxima semana|próximo (?:mês|ano)|(?:semana|mês"
        r"|ano) que vem)\b"
        r"|\b(?:em|daqui a|dentro de) (?:uma?|dois|duas|três|quatro|cinco|seis|\d{1,2}) (?:dias?"
        r"|semanas?"
        r"|m[êe]s(?:es)?)\b"
        rf"|\b(?:fim|final|meados) d(?:e {_MONTH}|o (?:mês|ano)|a semana)\b"
        rf"|\b\d{{1,2}} de {_MONTH}\b|\bdia \d{{1,2}}\b|\bàs \d{{1,2}}(?:h\d*|:\d\d| horas)\b"
        rf"|\b\d{{4}}-\d{{2}}-\d{{2}}\b"
    ),
    past=r"\b(?:foi|foram|era|estava|tive|teve|ontem|anteontem|passad[oa])\b",
)
