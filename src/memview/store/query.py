"""One query: the value that the list on the screen, the command line and bulk actions share, and its language.

A `Query` says which records are meant. `parse` reads it from what a person types, `render` writes it back, and
`completions` helps while typing. The language:

==============================  ================================================================================
``word``  ``"a phrase"``        in the text; in any order; unless quoted a word also stands for what it begins
``-word``  ``-tag:x``           not; before anything below as well
``ns:user``  ``ns:=user``       that namespace and those below it; that one alone
``tag:``  ``cat:``  ``kind:``   tag, category, memory type
``agent:``  ``by:``             who wrote it; whose words it was
``session:``  ``from:``         a session; the id of a turn it came from
``is:``                         pinned accepted new unreviewed stale duplicate secret hostile command echo
                                active superseded pruned forgotten
``before:``  ``after:``         created before, or at or after, a date (``2026-03-01``) or an age (``24h 3d 2w 4mo 1y``)
``strength<0.3``                also ``importance`` and ``recalled``, with ``< <= > >= =`` or ``:``
==============================  ================================================================================

A value with blanks stands in quotes, where a quote is written twice. Several values of one operator mean any of them.
Any other ``word:value`` is plain text. Dates are UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from memview.clock import from_text, to_text
from memview.store.conditions import ALL as ALL
from memview.store.conditions import STATUSES as STATUSES
from memview.store.conditions import Bound as Bound
from memview.store.conditions import Every as Every
from memview.store.conditions import Exclusion as Exclusion
from memview.store.conditions import Order as Order
from memview.store.conditions import Query as Query
from memview.store.words import MAX_QUERY, Term, distinct, storable, term


@dataclass(frozen=True, slots=True)
class Problem:
    """A part of a typed query that could not be understood; the rest holds without it.

    An action on everything that matches must not go ahead while there is one.
    """

    start: int
    end: int
    message: str
    """One plain sentence."""


@dataclass(frozen=True, slots=True)
class Operator:
    """Where an operator stands in the typed text."""

    start: int
    end: int
    name: str
    value: str
    """Without its quotes; empty while it is half typed, and then it limits nothing."""
    excludes: bool


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a typed query means."""

    query: Query
    problems: tuple[Problem, ...] = ()
    operators: tuple[Operator, ...] = ()


_DEFAULT = Query()
_MEMORY_TYPES = ("episodic", "semantic", "reflection")
_ORIGINS = ("user", "assistant", "tool", "import", "person", "extraction")
_SHORT_ORIGINS = {"asst": "assistant", "you": "person"}
_VALUE_FIELDS = {
    "tag": "tags",
    "cat": "categories",
    "kind": "memory_types",
    "agent": "agents",
    "by": "origins",
    "session": "sessions",
}
_FIELDS = ("pinned", "accepted", "stale", "duplicate", "secret", "hostile", "command", "echo")
_STATES = {**dict(zip(_FIELDS, _FIELDS, strict=True)), "new": "unseen", "unreviewed": "news"}
_KNOWN_VALUES = {"kind": _MEMORY_TYPES, "by": _ORIGINS, "is": (*_STATES, *STATUSES)}
_NUMBERS = ("strength", "importance", "recalled")
_AGES = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "mo": 2_629_800, "y": 31_557_600}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!="}
_NAMES = ("ns", *_VALUE_FIELDS, "session", "from", "is", "before", "after")

OPERATORS = (
    "ns:", "tag:", "cat:", "kind:", "agent:", "by:", "from:", "session:", "is:", "before:", "after:", "strength<",
    "importance>=", "recalled:",
)  # fmt: skip
"""How each operator begins, as it is offered for completion."""

_TOKEN = re.compile(
    r"(?P<minus>-(?=[^\s-]))?"
    rf"(?:(?P<name>(?:{'|'.join(dict.fromkeys(_NAMES))})(?=:)|(?:{'|'.join(_NUMBERS)})(?=[:<>=]))"
    r"(?P<op>(?<=ns):=|:|<=|>=|<|>|=))?"
    r'(?:"(?P<quoted>(?:[^"]|"")*)(?P<close>"|\Z)|(?P<bare>\S*))'
)
_AGE = re.compile(r"(\d{1,9})(mo|[mhdwy])", re.ASCII)
_MONTH = re.compile(r"\d{4}(-\d\d)?", re.ASCII)


class _Wrong(Exception):
    """A value that an operator does not take; its text is the message of the problem."""


def parse(text: str, *, now: datetime, base: Query | None = None) -> Parsed:
    """What a typed query means. Never raises.

    Args:
        text: as typed; half-typed is fine.
        now: the present time, from which ages are counted.
        base: what holds besides, such as scope, kind and order; the text narrows it, and wins where both say something.
    """
    reading = _Reading(now, base or _DEFAULT)
    for token in _tokens(storable(text[:MAX_QUERY])):
        reading.take(token)
    return reading.parsed()


def _tokens(text: str) -> Iterator[re.Match[str]]:
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = _TOKEN.match(text, at)
        assert found is not None  # the bare branch takes any character that is no blank
        yield found
        at = found.end()


def _value(token: re.Match[str]) -> str:
    quoted = token["quoted"]
    return token["bare"] if quoted is None else quoted.replace('""', '"')


@dataclass
class _Reading:
    """A query while it is read, token by token."""

    now: datetime
    query: Query
    terms: list[Term] = field(default_factory=list)
    states: list[tuple[str, bool]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    operators: list[Operator] = field(default_factory=list)

    def take(self, token: re.Match[str]) -> None:
        if token["name"] is None:
            self.terms.append(_term(token))
            return
        operator = Operator(token.start(), token.end(), token["name"], _value(token), bool(token["minus"]))
        self.operators.append(operator)
        if not (operator.value or token["close"] == '"'):
            return
        try:
            self.query = self._narrowed(operator, token["op"])
        except _Wrong as wrong:
            self.problems.append(Problem(operator.start, operator.end, str(wrong)))

    def parsed(self) -> Parsed:
        query = replace(
            self.query,
            terms=distinct([*self.query.terms, *self.terms]),
            statuses=_statuses(self.query.statuses, self.states),
        )
        return Parsed(query, tuple(self.problems), tuple(self.operators))

    def _narrowed(self, operator: Operator, op: str) -> Query:
        name, value = operator.name, operator.value
        if name in _NUMBERS:
            return _bounded(self.query, operator, op)
        if name in ("before", "after"):
            earlier = (name == "before") is not operator.excludes
            return _dated(self.query, name, _moment(name, value, self.now), earlier=earlier)
        if name == "is":
            return self._is(value, not operator.excludes)
        if name in ("ns", "from"):
            return self._single(operator, exact=op == ":=")
        return _with_value(self.query, operator, value)

    def _is(self, value: str, holds: bool) -> Query:
        _known("is", value)
        if value in STATUSES:
            self.states.append((value, holds))
            return self.query
        changes: dict[str, bool] = {_STATES[value]: holds}
        return replace(self.query, **changes)  # type: ignore[arg-type]

    def _single(self, operator: Operator, *, exact: bool) -> Query:
        """An operator that can stand once: a second one is a problem, since no record could satisfy both."""
        attribute = "turn" if operator.name == "from" else "namespace" if exact else "under"
        value = operator.value
        if operator.excludes:
            return _excluding(self.query, attribute, value)
        if any(other.name == operator.name and not other.excludes and other.value for other in self.operators[:-1]):
            raise _Wrong(f"Only one {operator.name}: can be used; the first one counts.")
        if operator.name == "from":
            return replace(self.query, turn=value)
        return replace(self.query, namespace=value if exact else ALL, under=None if exact else value)


def _term(token: re.Match[str]) -> Term:
    """The term of a token that is no operator. What holds no letter or digit is taken as it stands, signs included."""
    made = term(_value(token), phrase=token["close"] == '"', exclude=bool(token["minus"]))
    if not made.literal:
        return made
    inside = made.text.strip()
    return made if made.phrase and inside and not made.exclude else term(token[0].rstrip())


def _with_value(query: Query, operator: Operator, value: str) -> Query:
    if operator.name == "by":
        value = _SHORT_ORIGINS.get(value, value)
    if operator.name in _KNOWN_VALUES:
        _known(operator.name, value)
    attribute = _VALUE_FIELDS[operator.name]
    if operator.excludes:
        return _excluding(query, attribute, value)
    return _set(query, attribute, _added(getattr(query, attribute), value))


def _excluding(query: Query, attribute: str, value: str) -> Query:
    exclusion = Exclusion(attribute, value)
    return query if exclusion in query.excluded else replace(query, excluded=(*query.excluded, exclusion))


def _added(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    return values if value in values else (*values, value)


def _set(query: Query, attribute: str, values: tuple[str, ...]) -> Query:
    changes: dict[str, tuple[str, ...]] = {attribute: values}
    return replace(query, **changes)  # type: ignore[arg-type]


def _known(name: str, value: str) -> None:
    known = _KNOWN_VALUES[name]
    if value not in known:
        raise _Wrong(f"{name}: takes {', '.join(known[:-1])} or {known[-1]}.")


def _statuses(given: tuple[str, ...], states: Iterable[tuple[str, bool]]) -> tuple[str, ...]:
    """The statuses meant by every ``is:`` and ``-is:`` together, those given where only others are excluded."""
    states = list(states)
    if not states:
        return given
    wanted = {status for status, holds in states if holds} or set(given or STATUSES)
    unwanted = {status for status, holds in states if not holds}
    left = wanted - unwanted or set(STATUSES) - unwanted
    return tuple(status for status in STATUSES if status in left)


def _bounded(query: Query, operator: Operator, op: str) -> Query:
    op = "=" if op == ":" else op
    try:
        number = float(operator.value)
        finite = abs(number) < 1e15
    except ValueError:
        finite = False
    if not finite:
        raise _Wrong(f"{operator.name} is compared with a number, as in {operator.name}>=1.")
    bound = Bound(operator.name, _OPPOSITE[op] if operator.excludes else op, number)
    return query if bound in query.bounds else replace(query, bounds=(*query.bounds, bound))


def _dated(query: Query, name: str, moment: datetime, *, earlier: bool) -> Query:
    """Several limits narrow each other."""
    if earlier:
        return replace(query, before=min(query.before or moment, moment))
    return replace(query, after=max(query.after or moment, moment))


def _moment(name: str, value: str, now: datetime) -> datetime:
    try:
        age = _AGE.fullmatch(value)
        if age:
            return now - timedelta(seconds=int(age[1]) * _AGES[age[2]])
        if _MONTH.fullmatch(value):
            return datetime(int(value[:4]), int(value[5:] or 1), 1, tzinfo=UTC)
        return from_text(value)
    except (ValueError, OverflowError):
        raise _Wrong(f"{name}: takes a date such as 2026-03-01 or an age such as 24h, 3d, 2w, 4mo or 1y.") from None


def render(query: Query) -> str:
    """The text that `parse` reads as this query, as far as the language can say it.

    It cannot say the kind of record, the tenant, the order, the limit, ``match`` and ``prefix``, nor the namespace of
    turns without one: those are the base to parse with. Times are written out.
    """
    parts = [*_scope_text(query), *_value_texts(query), *_state_texts(query)]
    parts += [_number_text(bound) for bound in query.bounds]
    for name, moment in (("before", query.before), ("after", query.after)):
        if moment is not None:
            parts.append(f"{name}:{to_text(moment)}")
    parts += [_exclusion_text(exclusion) for exclusion in query.excluded]
    parts += [_term_text(wanted) for wanted in query.terms]
    return " ".join(parts)


def _scope_text(query: Query) -> Iterator[str]:
    if isinstance(query.namespace, str):
        yield f"ns:={_escaped(query.namespace)}"
    if query.under is not None:
        yield f"ns:{_escaped(query.under)}"
    if query.turn is not None:
        yield f"from:{_escaped(query.turn)}"


def _value_texts(query: Query) -> Iterator[str]:
    for name, attribute in _VALUE_FIELDS.items():
        for value in getattr(query, attribute):
            yield f"{name}:{_escaped(value)}"


def _state_texts(query: Query) -> Iterator[str]:
    for name, attribute in _STATES.items():
        if (holds := getattr(query, attribute)) is not None:
            yield f"is:{name}" if holds else f"-is:{name}"
    if query.statuses != _DEFAULT.statuses:
        for status in query.statuses or STATUSES:
            yield f"is:{status}"


def _number_text(bound: Bound) -> str:
    number = f"{bound.value:.17g}" if bound.value % 1 else f"{bound.value:.0f}"
    return f"-{bound.field}={number}" if bound.op == "!=" else f"{bound.field}{bound.op}{number}"


def _exclusion_text(exclusion: Exclusion) -> str:
    names = {attribute: name for name, attribute in _VALUE_FIELDS.items()}
    names |= {"under": "ns", "namespace": "ns", "turn": "from"}
    exact = "=" if exclusion.field == "namespace" else ""
    return f"-{names[exclusion.field]}:{exact}{_escaped(exclusion.value)}"


def _escaped(value: str) -> str:
    plain = value and not value.startswith(('"', "=")) and not any(letter.isspace() for letter in value)
    return value if plain else _in_quotes(value)


def _in_quotes(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def _term_text(wanted: Term) -> str:
    """A term as typed; one that needs quotes and yet is no phrase was left open, at the end of the text."""
    minus = "-" if wanted.exclude else ""
    if wanted.phrase:
        return minus + _in_quotes(wanted.text)
    bare = minus + wanted.text
    tokens = list(_tokens(bare))
    if len(tokens) == 1 and tokens[0]["name"] is None and _term(tokens[0]) == wanted:
        return bare
    return minus + _in_quotes(wanted.text)[:-1]


def completions(text: str, cursor: int, values: Callable[[str], Sequence[str]]) -> list[str]:
    """How the word at the cursor may go on, for Tab.

    Args:
        text: as typed.
        cursor: the place of the cursor in it, in characters.
        values: the values of an operator by its name (``ns``, ``tag``, ``cat``, ``agent``, ``session``, ``from``), the
            likeliest first. Operators with a fixed set of values do not ask.

    Returns:
        For each way the text up to the cursor as it would read; what follows the cursor is the caller's to append.
    """
    head = storable(text[: min(cursor, MAX_QUERY)])
    token = next((token for token in _tokens(head) if token.end() == len(head)), None)
    if token is None:
        return []
    before = head[: token.start()] + (token["minus"] or "")
    if token["name"] is None:
        typed = token["bare"] or ""
        return [
            before + operator for operator in OPERATORS if typed and operator.startswith(typed) and operator != typed
        ]
    if token["name"] in _NUMBERS or token["close"] == '"':
        return []
    return [before + token["name"] + token["op"] + value for value in _value_completions(token, values)]


def _value_completions(token: re.Match[str], values: Callable[[str], Sequence[str]]) -> list[str]:
    name, typed = token["name"], _value(token)
    offered = ("24h", "3d", "2w", "4mo", "1y") if name in ("before", "after") else _KNOWN_VALUES.get(name)
    wanted = typed.casefold()
    known = values(name) if offered is None else offered
    return [_escaped(value) for value in known if value.casefold().startswith(wanted) and value != typed]
