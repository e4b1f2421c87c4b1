"""The one reader of what models answer: any shape in, the same fields out (REEL §6.2, §6.6).

Nothing is invented: what is missing is missing, and what could be read two ways is named.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace

from reel_cli.core.exchange.reader.cleaning import (
    Echoes,
    after_prompt,
    clean,
    find_echoes,
    rejoin_prompt,
    safe,
    stops_short,
    strip_ending,
    trails_off,
)
from reel_cli.core.exchange.reader.dialects import ENOUGH, Stranger, name_by_place
from reel_cli.core.exchange.reader.islands import Islands, read_json, read_tags
from reel_cli.core.exchange.reader.labels import Names, names_of, squash
from reel_cli.core.exchange.reader.repetition import Repetition, drop_repetition
from reel_cli.core.exchange.reader.reply import ReplyReading, answers, find_slips, missing_of
from reel_cli.core.exchange.reader.sections import Entry, Page, read_lines
from reel_cli.core.exchange.reader.trees import Pairs, Tree
from reel_cli.core.exchange.reader.values import Value, make_value
from reel_cli.core.exchange.schema import Schema
from reel_cli.core.frozen import frozen, mutable
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line

_FULL = 8
"""A run of labels that lacks no more than one field in so many is a whole page."""
_NEARLY = 0.8
_MOST = 0.6
_SIGNED = frozenset({"signed", "signedby", "signature", "signoff"})
"""Keys under which a structured reply gives the name it was asked to sign with."""
_MANY = 8


def read_reply(
    text: str, schema: Schema, *, prompt: str = "", names: Sequence[str] = (), once: bool = False
) -> ReplyReading:
    """Read a model's reply into the schema's fields, whatever shape it took.

    `prompt` is the text that was handed out, whose own words are no answer; `names` are those the
    reply may be signed with. With `once`, words that come over and over are read once, as a page's
    are: elsewhere a text is measured as it came. Raises ReelError when the text is far too long to
    be a reply.
    """
    plain, cut = clean(text)
    asked = safe(prompt)
    plain = rejoin_prompt(plain, asked)
    pasted = _is_prompt(after_prompt(plain, asked), asked)
    plain, repeated = drop_repetition(plain) if once and not pasted else (plain, None)
    table = names_of(schema)
    echoes = find_echoes(schema, table, asked)
    answer = after_prompt(plain, asked)
    found = _best(answer, schema, table)
    named = name_by_place(answer, schema.asked) if len(found.keys) < ENOUGH else ""
    if named:
        found = replace(_best(named, schema, table), by_place=True)
    if not found.entries and answer != plain and len(schema.asked) > 1:
        answer, found = plain, _best(plain, schema, table)
    entries = found.entries or _bare(answer, schema, found)
    made, last, short, trails = _settle(entries, schema, echoes, names)
    runs = _runs(made, table)
    values, problems = _choose([run for run in runs if not _is_prompts(run)], schema)
    pasted = pasted or (not values and bool(runs) and _is_prompts(runs[-1])) or _is_prompt(answer, asked)
    if pasted:
        values, problems = {}, []
    if found.by_place and not pasted:
        problems.append(Problem("", "Its headings are in other words, and were read by their places."))
    problems += _merged(entries, schema, values)
    problems += [
        Problem(one_line(key, 40), f"“{one_line(key, 40)}” was not asked for and is left out.")
        for key in [key for key in found.unknown if squash(key) not in _SIGNED][:_MANY]
    ]
    reading = ReplyReading(schema, values, dialect=found.dialect, is_prompt=pasted, last=last)
    reading = replace(reading, missing=missing_of(reading), problems=tuple(problems))
    proposed = _proposals(found, reading, echoes)
    problems += _unread(found, reading, proposed)
    cut = cut or found.cut or (not pasted and _tail_is_missing(reading, short=short))
    broken = last if (short or trails or found.cut) and _ends_in(reading, last) else ""
    if broken:
        problems.append(Problem(broken, f"“{schema[broken].label}” breaks off in the middle."))
    elif short and last and not reading.missing:
        problems.append(Problem(last, "This may be cut off."))
    problems += find_slips(schema, values, prompt)
    if repeated is not None and values:
        problems.append(_repeated(repeated, reading))
    return replace(
        reading,
        problems=tuple(problems),
        cut_off=cut or (repeated is not None and repeated.at_end and bool(reading.missing)),
        proposed=proposed,
        broken=broken,
        repeated=repeated,
    )


def _repeated(repeated: Repetition, reading: ReplyReading) -> Problem:
    """Return the problem of words that come over and over, with the part that they stand in."""
    folded = squash(repeated.words)
    inside = (key for key, value in reading.values.items() if folded in squash(value.text))
    key = next(inside, reading.last)
    what = f"“{one_line(repeated.words, 60)}” comes {repeated.copies:,} times in a row, and is read once."
    return Problem(key, what)


@mutable
class _Result:
    """The result of reading the text in one way."""

    entries: list[Entry]
    dialect: str
    proposed: Mapping[str, str] = field(default_factory=dict)
    strangers: Sequence[Stranger] = ()
    stray: Sequence[tuple[str, str]] = ()
    unknown: list[str] = field(default_factory=list)
    cut: bool = False
    by_place: bool = False

    @property
    def keys(self) -> set[str]:
        return {entry.key for entry in self.entries}


def _best(text: str, schema: Schema, table: Names) -> _Result:
    """Read by line, as JSON and as tagged text; the way that finds most fields is the right one."""
    lines = text.split("\n")
    best = _from_page(read_lines(lines, schema, table))
    ways: list[tuple[str, str, Callable[[str, Names], Islands]]] = [
        ("json", "{", read_json),
        ("xml", "<", read_tags),
    ]
    for dialect, sign, read in ways:
        if sign not in text:
            continue
        islands = read(text, table)
        doubtful = not islands.sure or (len(best.keys) >= ENOUGH and best.keys >= islands.keys)
        if not islands.keys or (len(islands.keys) < ENOUGH and best.keys and doubtful):
            continue
        page = read_lines(islands.rest.split("\n"), schema, table, islands.keys)
        found = _Result(
            [*islands.entries, *page.entries],
            f"{dialect}, {page.dialect}" if page.entries else dialect,
            page.proposed,
            page.strangers,
            page.stray,
            islands.unknown,
            islands.cut,
        )
        sure = len(islands.keys) >= ENOUGH and not islands.cut
        if len(found.keys) >= len(best.keys) * (_NEARLY if sure else 1):
            best = found
    return best


def _from_page(page: Page) -> _Result:
    return _Result(page.entries, page.dialect, page.proposed, page.strangers, page.stray, page.unknown)


def _bare(text: str, schema: Schema, found: _Result) -> list[Entry]:
    """Return an unlabelled reply as the answer to a prompt that asked for one thing."""
    if len(schema.asked) != 1 or not text.strip():
        return []
    found.dialect = "bare"
    return [Entry(schema.asked[0].key, text, "bare", final=True)]


@frozen
class _FieldAnswer:
    """One field as often as it came: its value, or whether it held nothing but the prompt's words."""

    key: str
    value: Value | None
    echoed: bool


def _settle(
    entries: Sequence[Entry], schema: Schema, echoes: Echoes, names: Sequence[str]
) -> tuple[list[_FieldAnswer], str, bool, bool]:
    """Return the value of each entry, the key of the last, and whether the reply stops short in it.

    The last value says whether it may, if nothing of what was to follow came.
    """
    short = trails = False
    made: list[_FieldAnswer] = []
    for entry in entries:
        body, spec = entry.body, schema[entry.key]
        given = _has_words(body)
        if isinstance(body, str):
            body = echoes.drop(entry.key, body)
            if entry.final and not entry.explicit and entry.form != "table":
                body, signed = strip_ending(body, names)
                short = not signed and stops_short(body, spec)
                trails = not signed and trails_off(body, spec)
        body = _echoless(body, entry, echoes)
        value = make_value(_made_safe(body), spec)
        if value is None and entry.explicit and not given:
            value = Value("", (), empty=True)
        made.append(_FieldAnswer(entry.key, value, given and value is None))
    return made, entries[-1].key if entries else "", short, trails


def _has_words(tree: Tree) -> bool:
    return any(map(str.isalnum, tree)) if isinstance(tree, str) else bool(tree)


def _echoless(body: Tree, entry: Entry, echoes: Echoes) -> Tree:
    """Return the value without a YAML template's `[one line]`, which is the prompt's as well."""
    if isinstance(body, list) and len(body) == 1 and isinstance(body[0], str):
        return body if echoes.drop(entry.key, body[0]).strip() or not body[0].strip() else ""
    return body


def _made_safe(tree: Tree) -> Tree:
    """Return the tree without the characters dropped from text, since JSON and YAML can escape any."""
    if isinstance(tree, str):
        return safe(tree)
    if isinstance(tree, list):
        return [_made_safe(part) for part in tree]
    return Pairs([(safe(key), _made_safe(value)) for key, value in tree.items])


def _runs(made: Sequence[_FieldAnswer], table: Names) -> list[list[_FieldAnswer]]:
    """Return the entries split where the labels start again, and where the prompt's own words end."""
    runs: list[list[_FieldAnswer]] = []
    have: set[str] = set()
    for given in made:
        last = runs[-1][-1] if runs else None
        again = last is not None and given.key in have and given.key != last.key
        back = last is not None and table.order[given.key] <= table.order[last.key]
        if last is None or again or (back and last.echoed and not given.echoed):
            runs.append([])
            have = set()
        runs[-1].append(given)
        have.add(given.key)
    return runs


def _is_prompts(run: Sequence[_FieldAnswer]) -> bool:
    """Return whether this run of labels is the prompt's own: most of them hold only its words."""
    return sum(given.echoed for given in run) >= max(min(ENOUGH, len(run)), _MOST * len(run))


def _choose(
    parts: Sequence[Sequence[_FieldAnswer]], schema: Schema
) -> tuple[dict[str, Value], list[Problem]]:
    """Return one value for each field: of several whole pages the last, else repeated ones joined."""
    runs: list[dict[str, list[Value]]] = []
    for part in parts:
        runs.append({})
        for one in part:
            if one.value is not None:
                runs[-1].setdefault(one.key, []).append(one.value)
    every = {key for run in runs for key in run}
    whole = [n for n, run in enumerate(runs) if run and len(every) - len(run) <= len(every) // _FULL]
    chosen: dict[str, Value] = {}
    problems: list[Problem] = []
    for spec in schema.fields:
        if spec.key not in every:
            continue
        if whole:
            have = [n for n, run in enumerate(runs) if spec.key in run]
            at = whole[-1] if spec.key in runs[whole[-1]] else have[-1]
            given = runs[at][spec.key]
            later = [value for n in have if n > at for value in runs[n][spec.key]]
        else:
            given, later = [value for run in runs for value in run.get(spec.key, [])], []
        chosen[spec.key], differ = _joined(given)
        if differ:
            problems.append(
                Problem(spec.key, f"“{spec.label}” is given twice, with different words; both are kept.")
            )
        elif any(squash(value.text) != squash(chosen[spec.key].text) for value in later):
            problems.append(
                Problem(spec.key, f"“{spec.label}” is given again, with different words; the first is kept.")
            )
    return chosen, problems


def _joined(given: Sequence[Value]) -> tuple[Value, bool]:
    """Return several values joined into one, and whether they differ."""
    distinct = {squash(value.text): value for value in given if not value.empty}
    if len(distinct) <= _MANY:
        distinct = {
            folded: value
            for folded, value in distinct.items()
            if not any(folded in other for other in distinct if other != folded)
        }
    kept = list(distinct.values())
    if len(kept) < 2:
        return (kept or given)[0], False
    text = "\n\n".join(value.text for value in kept)
    return Value(text, tuple(dict.fromkeys(line for value in kept for line in value.lines))), True


def _merged(entries: Iterable[Entry], schema: Schema, values: Mapping[str, Value]) -> list[Problem]:
    """Return a problem for labels that shared one line, whose text is the first one's."""
    return [
        Problem(
            key,
            f"“{schema[key].label}” shares a heading with “{schema[entry.key].label}”,"
            " and the words were read as that.",
        )
        for entry in entries
        for key in entry.merged
        if key not in values and entry.key in values
    ]


def _is_prompt(text: str, prompt: str) -> bool:
    """Return whether nearly every line of the reply is one of the prompt's."""
    told = {squash(line) for line in prompt.split("\n")} - {""}
    lines = [folded for line in text.split("\n")[:10_000] if (folded := squash(line[:4_000]))]
    return (
        len(told) >= ENOUGH
        and len(lines) >= ENOUGH
        and sum(line in told for line in lines) >= 0.9 * len(lines)
    )


def _proposals(found: _Result, reading: ReplyReading, echoes: Echoes) -> dict[str, Value]:
    """Return values for missing fields, from the nameless headings that stand in their place."""
    made: dict[str, Value] = {}
    for key, body in found.proposed.items():
        value = make_value(echoes.drop(key, body), reading.schema[key])
        if value and value.text and not reading.is_prompt and key not in reading.values:
            made[key] = value
    return made


def _unread(found: _Result, reading: ReplyReading, proposed: Mapping[str, Value]) -> list[Problem]:
    """Return a problem for each text under a heading that names no field."""
    problems: list[Problem] = []
    for stranger in found.strangers[:_MANY]:
        title = one_line(stranger.title, 60)
        if stranger.key in proposed:
            label = reading.schema[stranger.key].label
            problems.append(
                Problem(stranger.key, f"“{label}” is missing; perhaps it stands under “{title}”.")
            )
        elif not reading.is_prompt:
            what = f"“{title}” is none of the headings asked for, and what stands under it was not read."
            problems.append(Problem(stranger.near, what))
    for near, text in found.stray[:_MANY]:
        what = f"“{one_line(text, 60)}” stands under no heading, and was not read."
        problems.append(Problem(near, what))
    return problems


def _ends_in(reading: ReplyReading, key: str) -> bool:
    """Return whether nothing came of all that was to follow this field, and something was."""
    keys = [spec.key for spec in reading.schema.fields]
    if key not in reading.values:
        return False
    after = [spec for spec in reading.schema.fields[keys.index(key) + 1 :] if spec.asked and spec.required]
    return bool(after) and not any(answers(spec, reading.values) for spec in after)


def _tail_is_missing(reading: ReplyReading, *, short: bool) -> bool:
    """Return whether only the last fields are missing, as when a reply stops in the middle."""
    asked = [spec for spec in reading.schema.asked if spec.required]
    given = [spec.key in reading.values or answers(spec, reading.values) for spec in asked]
    if not any(given) or all(given):
        return False
    tail = given[::-1].index(True)
    return tail > 0 and all(given[: len(given) - tail]) and (tail > 1 or short)
