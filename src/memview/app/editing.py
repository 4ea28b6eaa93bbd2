"""Every write of a person, in one place; no screen inside.

All methods wait for the file and belong in a thread. Errors of :mod:`memview.errors` pass through: nothing was written
then. The store is opened for writing at the first write and not before, since a viewer changes nothing.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from memview import clock as clocks
from memview.app.alike import Resting, resting
from memview.app.deeds import DEEDS, REDONE, UNDONE
from memview.app.erasing import Counted, Target, added, recalls
from memview.app.keeping import holding, of_record
from memview.memory import looking
from memview.memory.looking import FactDetail, FactRow, Looker, Neighbour, Step, TurnDetail
from memview.text import one_line

if TYPE_CHECKING:
    from memview import Undone
    from memview.memory import Memory, MemoryStore
    from memview.memory.looking import Aim
    from memview.memory.selection import Selection

Record = tuple[str, str]
"""Kind (``fact``, ``turn``, ``link`` or ``decision``) and id."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a write did."""

    sentence: str
    """One calm sentence for the status line, safe to show."""
    records: tuple[Record, ...] = ()
    """What changed; empty when nothing did."""
    there: str | None = None
    """The id of a fact that stood in the way of a new one."""


class Editing:
    """What a person changes in a store, and their undo.

    Args:
        path: the store; it must exist.
        me: the actor, as :func:`memview.memory.person.person` gives it.
        clock: tells the time.
        started: when the sitting began; None for now.
        timeout: how many seconds a write waits for another program's lock.
    """

    def __init__(
        self,
        path: Path,
        me: str,
        clock: clocks.Clock = clocks.utc_now,
        *,
        started: datetime | None = None,
        timeout: float = 5.0,
    ) -> None:
        self.path = path
        self.me = me
        self.clock = clock
        self.started = started or clock()
        self._timeout = timeout
        self._lock = threading.Lock()
        self._store: MemoryStore | None = None
        self._looker: Looker | None = None

    def close(self) -> None:
        """Close the file, if it was ever opened. Every other reader of the program closes before."""
        with self._lock:
            for handle in (self._looker, self._store):
                if handle is not None:
                    handle.close()
            self._looker = self._store = None

    # One fact

    def forget(self, fact: FactRow) -> Outcome:
        """Hide a fact from agents; what is forgotten already stays as it is."""
        if self._in(fact).forget(fact.id):
            return _of(fact, "forgot 1", "u brings it back")
        return Outcome("it is forgotten already")

    def restore(self, fact: FactRow) -> Outcome:
        """Make a forgotten, pruned or superseded fact active again."""
        if self._in(fact).restore(fact.id):
            return _of(fact, "brought back 1", "u takes that back")
        return Outcome("it is active already")

    def pin(self, fact: FactRow) -> Outcome:
        """Pin a fact, or unpin it if it was shown as pinned."""
        wanted = not fact.pinned
        if not self._changes(fact, lambda memory: memory.pin(fact.id, wanted)):
            return Outcome(f"it is {'pinned' if wanted else 'unpinned'} already")
        return _of(fact, "pinned 1" if wanted else "unpinned 1", "u takes it back")

    def accept(self, fact: FactRow) -> Outcome:
        """Note that this person found the present version of a fact right."""
        if not self._changes(fact, lambda memory: memory.accept(fact.id)):
            return Outcome("you accepted it already")
        return _of(fact, "accepted 1", "u takes it back")

    def edit(self, fact: FactRow, values: Mapping[str, Any], version: int | None) -> Outcome:
        """Change what a fact says.

        Args:
            fact: the fact.
            values: the columns to change, as :meth:`memview.memory.memory.Memory.update` takes them; none given or
                none new leaves the row untouched, its times too.
            version: the version that was read; None to save over whatever stands there.

        Raises:
            Conflict: the fact has another version by now.
            Duplicate: another fact of the namespace has this text.
        """
        if not values or not self._changes(fact, lambda memory: memory.update(fact.id, version=version, **values)):
            return Outcome("nothing changed")
        return _of(fact, "saved 1", "u takes it back")

    def correct(self, fact: FactRow, content: str, version: int | None, also: Sequence[str] = ()) -> Outcome:
        """Give a fact its right wording, and block the old one.

        Args:
            fact: the fact.
            content: the right wording.
            version: the version that was read; None to correct whatever stands there.
            also: ids of other facts that go with the old wording, in the same step.

        Raises:
            Conflict: the fact has another version by now.
            Duplicate: another fact of the namespace has this wording.
            NotFound: one of the facts is gone.
        """

        def write(memory: Memory) -> object:
            return memory.correct(fact.id, content, version=version, also_forget=also)

        if not self._changes(fact, write):
            return Outcome("nothing changed")
        with_it = f", forgot {len(also)} with it" if also else ""
        records = (("fact", fact.id), *(("fact", id) for id in also))
        return Outcome(f"corrected{with_it} · the old wording is blocked · u takes it back", records)

    def learn(self, tenant: str, namespace: str, values: Mapping[str, Any]) -> Outcome:
        """Write a fact of a person's own; what is there already is said, with what can be done.

        Args:
            tenant: where.
            namespace: where in it.
            values: columns, as :meth:`memview.memory.memory.Memory.write` takes them; at least ``content``.
        """
        before, _ = self._step(looking.undoable)
        fact = self._opened().tenant(tenant).memory(namespace).write(origin="person", **values)
        if fact.blocked:
            return Outcome("this was forgotten before · r brings it back", there=fact.id)
        if fact.status == "superseded":
            return Outcome("this is there and superseded · r makes it active again", there=fact.id)
        wrote = self._step(looking.undoable)[0] != before
        if wrote and fact.version == 1:
            where = f" in {one_line(namespace, 40)}" if namespace else ""
            return Outcome(f"wrote 1{where} · u takes it back", (("fact", fact.id),))
        tags = " · your tags were added" if wrote else ""
        return Outcome(f"this was there already{tags} · e edits it", there=fact.id)

    def link(self, fact: FactRow, other: FactRow, kind: str) -> Outcome:
        """Tie a fact to another; ``supersedes`` sets the other aside.

        Raises:
            Invalid: both are one fact.
            NotFound: one of them is gone.
        """
        if not self._changes(fact, lambda memory: memory.link(fact.id, other.id, kind)):
            return Outcome("these two are linked so already")
        records = (("fact", fact.id), ("fact", other.id))
        aside = " · agents no longer get the other" if kind == "supersedes" else ""
        return Outcome(f"linked 2 facts ({kind.replace('-', ' ')}){aside} · u takes it back", records)

    def relink(self, fact: FactRow, near: Neighbour, kind: str) -> Outcome:
        """Change the kind of a link; it keeps its direction where the new kind has one."""
        first, second = (fact, near.fact) if near.outward else (near.fact, fact)

        def write(memory: Memory) -> object:
            return memory.link(first.id, second.id, kind, instead_of=near.kind)

        if not self._changes(first, write):
            return Outcome("these two are linked so already")
        now = self.read(second.id)
        status = now.row.status if now is not None else second.status
        said = {"superseded": " · agents no longer get one of them", "active": " · agents get both again"}
        aside = said.get(status, "") if status != second.status else ""
        records = (("fact", fact.id), ("fact", near.fact.id))
        return Outcome(f"changed the link ({kind.replace('-', ' ')}){aside} · u takes it back", records)

    def unlink(self, fact: FactRow, other: FactRow, kind: str | None = None) -> Outcome:
        """Remove the links of one kind, or all, between two facts."""
        if not self._in(fact).unlink(fact.id, other.id, kind):
            return Outcome("there is no such link")
        pairs = ((row, self.read(row.id)) for row in (fact, other))
        back = any(now and now.row.status == "active" and row.status == "superseded" for row, now in pairs)
        again = " · agents get both again" if back else ""
        return Outcome(f"removed the link{again} · u puts it back", (("fact", fact.id), ("fact", other.id)))

    # Looking

    def read(self, id: str) -> FactDetail | None:
        """A fact as it is now; None when it is no longer in the store."""

        def work(raw: sqlite3.Connection) -> FactDetail | None:
            n = looking.number_of(raw, "fact", id)
            return None if n is None else looking.fact(raw, n)

        return self._looking().read(work)

    def record(self, kind: str, n: int) -> FactDetail | TurnDetail | None:
        """A fact or turn as it is now, by its number."""
        read = looking.fact if kind == "fact" else looking.turn
        return self._looking().read(lambda raw: read(raw, n))

    def links(self, fact: FactRow) -> list[Neighbour]:
        """The links of a fact, from both ends."""
        return self._looking().read(lambda raw: looking.neighbours(raw, fact.id))

    def resting(self, fact: FactDetail) -> Resting:
        """What rests on the present wording of a fact."""
        return self._looking().read(lambda raw: resting(raw, fact, self.clock()))

    # Erase

    def count(self, target: Target) -> Counted:
        """What erasing something would reach. Nothing is changed.

        Raises:
            NotFound: it is no longer in the store.
        """
        store = self._opened()
        places = added(store.tenant(part.tenant).erase(**part.named, dry_run=True).places for part in target.parts)
        drafts = sum(keeper.path.exists() for id in _ids(target) for keeper in of_record(self.path, id))
        if target.value:
            drafts = holding(self.path, target.value)
        now = self.clock()
        recalled = self._looking().read(lambda raw: sum(recalls(raw, part, now) for part in target.parts))
        return Counted({**places, "drafts": drafts}, recalled)

    def erase(self, target: Target) -> tuple[dict[str, int], list[str]]:
        """Remove every copy of something, for good.

        Returns:
            How many of each place are gone, and a sentence for each that could not be reached.
        """
        store = self._opened()
        done = [store.tenant(part.tenant).erase(**part.named) for part in target.parts]
        for id in _ids(target):
            for keeper in of_record(self.path, id):
                keeper.drop()
        unreached = dict.fromkeys(sentence for part in done for sentence in part.unreached)
        return added(part.places for part in done), list(unreached)

    # Many facts

    def selection(self, aims: Sequence[Aim]) -> Selection:
        """Facts of any tenant, chosen together; see `memview.app.many` for what a person does with them."""
        from memview.memory.selection import Selection

        return Selection(self._opened(), aims)

    def writer(self, tenant: str = "") -> MemoryStore:
        """The store, opened for this person to write, for what the screens of a review do with many facts at once."""
        return self._opened().tenant(tenant) if tenant else self._opened()

    def in_tenant(self, tenant: str) -> MemoryStore:
        """The store opened for writing, for what :mod:`memview.review` does with facts of one tenant."""
        return self._opened().tenant(tenant)

    # Undo

    def can_undo(self) -> bool:
        """Whether this person has anything to take back, in any tenant. It reads the file."""
        return self._step(looking.undoable)[0] is not None

    def can_redo(self) -> bool:
        """Whether the last undo can be done again. It reads the file."""
        return self._step(looking.redoable)[0] is not None

    def earlier(self) -> str | None:
        """A question to ask before :meth:`undo`, when what it would take back was done before this sitting."""
        step, _ = self._step(looking.undoable)
        if step is None or clocks.stored(step.at) >= self.started:
            return None
        age = _when(clocks.stored(step.at), self.clock())
        return f"Your last change was {DEEDS.get(step.verb, step.verb)}, {age}. Take it back?"

    def undo(self) -> Outcome:
        """Take back this person's newest standing action, whichever tenant it was in.

        Raises:
            Conflict: someone else changed the record since; nothing is taken back.
        """
        step, tenant = self._step(looking.undoable)
        done = self._opened().tenant(tenant).undo() if step else None
        if done is None:
            return Outcome("nothing of yours to take back")
        return self._told(done, UNDONE, "took back", "U does it again")

    def redo(self) -> Outcome:
        """Do again what the last undo took back."""
        step, tenant = self._step(looking.redoable)
        done = self._opened().tenant(tenant).redo() if step else None
        if done is None:
            return Outcome("nothing to do again")
        return self._told(done, REDONE, "did again", "u takes it back")

    # Within

    def _opened(self) -> MemoryStore:
        from memview.memory import MemoryStore

        with self._lock:
            if self._store is None:
                self._store = MemoryStore(self.path, agent=self.me, clock=self.clock, timeout=self._timeout)
            return self._store

    def _looking(self) -> Looker:
        with self._lock:
            if self._looker is None:
                self._looker = Looker(self.path)
            return self._looker

    def _in(self, fact: FactRow) -> Memory:
        return self._opened().tenant(fact.tenant).memory(fact.namespace)

    def _step(self, choose: _Choice) -> tuple[Step | None, str]:
        """The step that an undo or redo would take, and its tenant."""

        def work(connection: sqlite3.Connection) -> tuple[Step | None, str]:
            step = choose(connection, self.me)
            changes = looking.since(connection, step.seq - 1, 1) if step else []
            return (step, changes[0].tenant) if changes else (None, "")

        return self._looking().read(work)

    def _changes(self, fact: FactRow, write: Callable[[Memory], object]) -> bool:
        """Write, and tell whether that made a step to take back."""
        memory = self._in(fact)
        before, _ = self._step(looking.undoable)
        write(memory)
        return self._step(looking.undoable)[0] != before

    def _told(self, done: Undone, words: Mapping[str, str], otherwise: str, way_back: str) -> Outcome:
        """What an undo or redo did, in words; what lies before this sitting with its age."""
        when = clocks.stored(done.at)
        spaces = list(dict.fromkeys(namespace for _, _, namespace in done.records if namespace))
        told = words.get(done.verb, f"{otherwise} {done.verb} of {{}}").format(_count(done))
        where = (
            f" in {one_line(spaces[0], 40)}" if len(spaces) == 1 else f" in {len(spaces)} namespaces" if spaces else ""
        )
        age = f", from {_when(when, self.clock())}" if when < self.started else ""
        records = tuple(dict.fromkeys((kind, id) for kind, id, _ in done.records))
        left = f", {len(done.left)} changed since and stay as they are" if done.left else ""
        return Outcome(f"{told}{where}{age}{left} · {way_back}", records)


class _Choice(Protocol):
    """`looking.undoable` or `looking.redoable`."""

    def __call__(self, raw: sqlite3.Connection, actor: str | None) -> Step | None: ...


def _when(then: datetime, now: datetime) -> str:
    age = clocks.ago(then, now)
    return "just now" if age == "now" else f"{age} ago"


def _of(fact: FactRow, deed: str, way_back: str) -> Outcome:
    where = f" in {one_line(fact.namespace, 40)}" if fact.namespace else ""
    return Outcome(f"{deed}{where} · {way_back}", (("fact", fact.id),))


def _count(done: Undone) -> str:
    """How many facts it was about; accepting changes a decision about each."""
    facts = len({id for kind, id, _ in done.records if kind in ("fact", "decision")})
    return "1 fact" if facts == 1 else f"{facts:,} facts"


def _ids(target: Target) -> list[str]:
    """The records that a target names by their ids."""
    return [id for part in target.parts for id in part.named.get("ids", ())]
