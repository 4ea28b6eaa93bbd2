"""``memview review --plain``: the inbox line by line, for screen readers, pipes and people who like it short."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from memview import clock
from memview.cli import options, output, secrecy, typed
from memview.errors import Conflict, Duplicate, NotFound
from memview.text import one_line, visible

if TYPE_CHECKING:
    from memview.memory import MemoryStore
    from memview.review.deciding import Reviewing
    from memview.review.inbox import Alike, Card, Group, Inbox, Opened

Start = Literal["all", "now"]

HELP = """\
a  accept it                    A  accept the rest of this session, those with a warning left out
d  forget it                    D  forget the rest of this session
p  accept it and pin it         j  later: it stays in the inbox
r  put back what was before     u  undo your last decision
o  show the whole turn          !  show its secret
q  quit; what was decided stays decided"""
_WARNINGS = {
    "secret": "holds a secret", "hostile": "holds hidden or unsafe characters", "command": "commands the agent",
    "echo": "echoes what was recalled",
}  # fmt: skip
_TITLES = {"new": "NEW", "changed": "CHANGED", "forgotten": "FORGOTTEN", "tried": "WRITTEN AGAIN"}


@click.command()
@options.file
@click.option("--plain", is_flag=True, help="Line by line, without a screen.")
@click.option("--reviewer", metavar="NAME", type=options.text, help="Who decides; you unless given.")
@click.option("--start", type=click.Choice(["all", "now"]), help="Where to begin, the first time.")
@click.option("--tenant", metavar="T", type=options.text, help="Only this tenant.")
@options.as_json
@secrecy.option
@options.wait
def review(
    file: Path, plain: bool, reviewer: str | None, start: Start | None, tenant: str | None, as_json: bool, wait: float
) -> int:  # fmt: skip
    """Decide on what agents learnt, changed and forgot.

    Each letter is one decision; on a terminal without Enter, from a pipe as many on a line as you like. --json lists
    what waits, and decides nothing.
    """
    from memview.memory.person import person

    if as_json:
        return _listed(file, person(reviewer), tenant, wait)
    if not plain:
        raise click.UsageError("Add --plain, or press i in memview FILE.", ctx=click.get_current_context())
    from memview.review.deciding import Reviewing

    with options.opened(file, agent=person(reviewer), wait=wait) as store, typed.at_once():
        return _Session(store, Reviewing(store), tenant).run(start)


def _listed(file: Path, reviewer: str, tenant: str | None, wait: float) -> int:
    """Print what waits for a reviewer as JSON, in the order in which it is worked off."""
    from memview.memory.looking import ALL
    from memview.review.inbox import inbox

    with options.looking(file, wait) as looker:
        cards = looker.read(lambda raw: inbox(raw, reviewer, ALL if tenant is None else tenant)).cards
        found = (looker.read(partial(_shape, card=card)) for card in cards)
        output.put_array(shape for shape in found if shape is not None)
    return 0 if cards else 1


def _shape(connection: Any, card: Card) -> dict[str, Any] | None:
    from memview.cli import shapes
    from memview.memory.looking import fact

    first, detail = card.first, fact(connection, card.first.n)
    if detail is None:
        return None
    return {
        "kind": first.kind, "session": first.session, "agent": first.agent or None,
        "at": clock.to_text(clock.stored(first.at)), "times": len(card.news), "flags": card.flags,
        "overwrites": first.overwrites or None, "before": first.before,
        "fact": shapes.fact(detail, clock.utc_now()),
    }  # fmt: skip


class _Session:
    """One sitting."""

    def __init__(self, store: MemoryStore, reviewing: Reviewing, tenant: str | None) -> None:
        self.store = store
        self.reviewing = reviewing
        self.tenant = tenant
        self.keys = _keys()
        self.decided = 0
        self.later: set[str] = set()
        self.inbox: Inbox | None = None

    def run(self, start: Start | None) -> int:
        """Go through the inbox until it is empty, or the person stops."""
        inbox = self._read()
        if not inbox.begun and (inbox.left or start) and not self._began(inbox, start):
            return 1
        inbox = self._read()
        if not inbox.left:
            output.say("Nothing waits for a decision.")
            return 0
        self._through()
        left = self._read().left
        output.say(f"Decided on {_facts(max(0, self.decided))}; {left:,} left.")
        return 0

    def _read(self) -> Inbox:
        from memview.memory.looking import ALL
        from memview.review.inbox import inbox

        tenant = ALL if self.tenant is None else self.tenant
        return self.store._read(lambda raw: inbox(raw, self.reviewing.reviewer, tenant))

    def _began(self, inbox: Inbox, start: Start | None) -> bool:
        """Ask where to begin, the first time. False when the person went away."""
        if start is None:
            output.put([f"{_facts(inbox.left)} from {len(inbox.groups):,} sessions wait. Your first review begins"])
            key = self._ask("with all of them (a), newest session first, or from now on (n)?", "an")
            if key is None:
                return False
            start = "all" if key == "a" else "now"
        self.reviewing.begin(from_now=start == "now")
        return True

    def _through(self) -> None:
        """Card by card, read anew after each decision."""
        last: object = None
        while (found := self._next()) is not None:
            group, card = found
            if group.session != last:
                output.put(["", _heading(group)])
                last = group.session
            if not self._one(group, card):
                return

    def _next(self) -> tuple[Group, Card] | None:
        """The next card; the inbox is read again where all that was read is done, or something else changed it."""
        for fresh in (False, True):
            if self.inbox is None or fresh:
                self.inbox = self._read()
            for group in self.inbox.groups:
                for card in group.cards:
                    if card.first.id not in self.later:
                        return group, card
        return None

    def _one(self, group: Group, card: Card) -> bool:
        """Show a card and take a decision on it. False when the person stops."""
        shown = self._open(card)
        if shown is None:
            self.later.add(card.first.id)
            return True
        output.put(_lines(*shown, clock.utc_now()))
        while True:
            key = self._ask(f"[{_letters(card)} ?]", "adprjouqAD?!")
            if key is None or key == "q":
                return False
            if key == "?":
                output.put(HELP.splitlines())
            elif key == "!":
                output.put(f"  {line}" for line in visible(card.content).splitlines())
            elif key == "o":
                output.put(_turn(shown[0]))
            elif key == "j":
                self.later.update(one.id for one in card.news)
                return True
            elif self._done(key, group, card):
                return True

    def _open(self, card: Card) -> tuple[Opened, list[Alike]] | None:
        from memview.review.inbox import already_there, opened

        now = self.store.clock()

        def work(raw: Any) -> tuple[Opened, list[Alike]] | None:
            known = opened(raw, card)
            return known and (known, already_there(raw, known.detail, now))

        return self.store._read(work)

    def _done(self, key: str, group: Group, card: Card) -> bool:
        """Carry a decision out. False where it came to nothing, in words."""
        inbox, self.inbox = self.inbox, None
        if key == "u":
            return self._undo()
        if key in "AD":
            return self._rest(key, group)
        if key == "r" and card.kind == "new":
            output.put(["It is new: there is nothing to put back."])
            self.inbox = inbox
            return False
        act = {
            "a": self.reviewing.accept, "d": self.reviewing.forget, "p": self.reviewing.pin,
            "r": self.reviewing.put_back,
        }[key]  # fmt: skip
        try:
            act(card)
        except Conflict:
            output.put(["It changed while you were reading; here it is again."])
            return True
        except (NotFound, Duplicate) as error:
            output.put([visible(str(error))])
            return isinstance(error, NotFound)
        self.decided += len(card.news)
        group.cards.remove(card)
        self.inbox = inbox
        return True

    def _rest(self, key: str, group: Group) -> bool:
        cards = [card for card in group.cards if not (key == "A" and card.flags)]
        count = sum(len(card.news) for card in cards)
        flagged = len(group.cards) - len(cards)
        what = "Accept" if key == "A" else "Forget"
        left = f" ({flagged:,} with a warning left out)" if flagged else ""
        if not count:
            output.put([f"There is nothing to accept at once{left}."])
            return False
        if self._ask(f"{what} {_facts(count)}{left}? [y n]", "yn") != "y":
            return False
        done = self.reviewing.accept_rest(cards) if key == "A" else self.reviewing.forget_rest(cards)
        if missed := len(done.moved) + len(done.gone):
            output.put([f"{missed:,} changed meanwhile, and left alone."])
        self.decided += count - missed
        return True

    def _undo(self) -> bool:
        try:
            done = self.store.undo()
        except Conflict as error:
            output.put([visible(str(error))])
            return False
        if done is None:
            output.put(["There is nothing to undo."])
            return False
        self.decided -= sum(kind == "decision" for kind, _, _ in done.records)
        output.put([f"Took back: {one_line(done.verb, 40)}."])
        return True

    def _ask(self, question: str, letters: str) -> str | None:
        """The next letter that counts; None when nothing more comes."""
        while True:
            _prompt(question)
            key = next(self.keys, None)
            _prompt(f"{visible(key)}\n" if key else "\n", gap="")
            if key is None or key in letters:
                return key
            output.put([f"{visible(key)} does nothing here; ? shows what does."])


def _keys() -> Iterator[str]:
    """Letter by letter: each key on a terminal, each letter of each line from a pipe."""
    if sys.stdin is None:
        return
    if typed.from_terminal():
        with suppress(KeyboardInterrupt):
            for key in typed.one_by_one():
                if key == "\x04":
                    return
                if key not in "\r\n":
                    yield key
        return
    for line in sys.stdin:
        yield from (letter for letter in line if not letter.isspace())


def _prompt(words: str, gap: str = " ") -> None:
    click.echo(words + gap, nl=False)


def _letters(card: Card) -> str:
    back = "" if card.kind == "new" else "r "
    return f"a d p {back}o j A D u q{' !' if 'secret' in card.flags else ''}"


def _heading(group: Group) -> str:
    from memview.memory.person import named

    left = f"{_facts(group.left)} left"
    if group.session is None:
        return f"Agents overwrote what a person had decided · {left}"
    name = one_line(group.session.session, 60) or "no session"
    return f"Session {name} · {one_line(named(group.session.agent), 40)} · {left}"


def _lines(known: Opened, alike: list[Alike], now: Any) -> list[str]:
    """A card in words, safe to show."""
    card, row = known.card, known.detail.row
    times = f" ×{len(card.news)}" if len(card.news) > 1 else ""
    where = " · ".join(filter(None, (one_line(row.namespace, 60), one_line(row.category, 40))))
    lines = ["", f"{_title(card)}{times}  {where}", *(f"  {line}" for line in secrecy.whole(card.content).splitlines())]
    lines += [f"  before, {name}: {secrecy.line(str(value))}" for name, value in card.first.before.items()]
    if known.quote and known.quoted:
        lines.append(f'  from turn {known.quoted.place}: "{secrecy.line(known.quote, 300)}"')
    for other in alike:
        age = clock.ago(clock.stored(other.fact.created_at), now)
        same = "the same" if other.same else f"{other.score:.0%} alike"
        lines.append(f"  already there, {age}, {same}: {secrecy.line(other.fact.content, 300)}")
    return [*lines, *(f"  warning: it {_WARNINGS[flag]}" for flag in card.flags)]


def _title(card: Card) -> str:
    from memview.memory.person import named, person

    first = card.first
    who = one_line(named(first.agent, person()), 40)
    if first.kind == "new":
        return "NEW"
    title = f"{_TITLES[first.kind]} by {who}"
    if first.kind == "tried":
        return f"{title}, {first.times}× though it stays forgotten"
    whose = "your" if first.overwrites == person() else f"{one_line(named(first.overwrites), 40)}'s"
    return f"{title}, overwrites {whose} correction" if first.overwrites else title


def _turn(known: Opened) -> list[str]:
    """The turn that a fact came from, as a row holds it."""
    turns = [source.turn for source in known.sources if source.turn is not None]
    if not turns:
        return ["  No turn is known that it came from."]
    return [
        f"  {side}: {secrecy.line(text)}"
        for turn in turns
        for side, text in (("asked", turn.request), ("answered", turn.response))
        if text
    ]


def _facts(count: int) -> str:
    return f"{count:,} {'fact' if count == 1 else 'facts'}"
