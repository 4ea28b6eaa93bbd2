"""One namespace's durable facts, as an agent uses them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from memview import clock
from memview.errors import Invalid
from memview.memory.fading import Fading
from memview.store import checks, correcting, facts, feed, links, select
from memview.store.database import Transaction
from memview.store.erase import Erased
from memview.store.facts import Scope
from memview.store.feed import ChangeRow
from memview.store.ids import new_id
from memview.store.models import Fact, Link, attach
from memview.store.query import Query
from memview.store.words import terms

if TYPE_CHECKING:
    from memview.memory.store import MemoryStore
    from memview.memory.tools import Answer, Toolbox

Match = Literal["all", "any"]
Facts = list[Fact]
Links = list[Link]
Changes = list[ChangeRow]


class Memory(Fading):
    """The facts of one namespace of one tenant. Made by :meth:`memview.MemoryStore.memory`.

    Args:
        store: the open store, bound to a tenant.
        namespace: any text.
        max_entries: how many active facts the namespace keeps; see :meth:`memview.MemoryStore.memory`.
    """

    def __init__(self, store: MemoryStore, namespace: str, max_entries: int | None = None) -> None:
        self.store = store
        self.namespace = checks.text(namespace, "namespace")
        self._scope = Scope(store.tenant_name, self.namespace)
        self._wanted_cap = max_entries if max_entries is None else checks.whole(max_entries, "max_entries", 1)
        if self._wanted_cap is not None:
            self._announce_cap(self._wanted_cap)

    def __repr__(self) -> str:
        return f"Memory({self.namespace!r})"

    def write(
        self, content: str, metadata: Mapping[str, Any] | None = None, *, session: str | None = None,
        turns: Iterable[str] = (), origin: str | None = None, category: str | None = None, tags: Iterable[str] = (),
        keywords: Iterable[str] = (), summary: str | None = None, importance: int = 5, memory_type: str = "semantic",
        strength: float = 1.0, confidentiality: str = "public",
    ) -> Fact:  # fmt: skip
        """Learn a fact.

        Exactly the same text again gives the fact that is there, with the new turns and tags added as evidence. A text
        that was forgotten is not learnt again: the forgotten fact comes back with ``blocked`` true. A pruned one is
        revived as the newest. A superseded one comes back as it is, ``status`` ``"superseded"``.

        Args:
            content: the text; not blank.
            metadata: anything that JSON can hold.
            session: the session it was learnt in.
            turns: ids of the turns it came from.
            origin: whose words it rests on: user, assistant, tool, import, person or extraction.
            category: one word for what it is about.
            tags: words to filter by.
            keywords: more words to find it by.
            summary: a shorter text.
            importance: 1 to 10; values outside are clamped.
            memory_type: semantic, episodic or reflection.
            strength: 0 to 1, stored as given; it fades from there.
            confidentiality: public < internal < confidential < restricted.

        Raises:
            Invalid: a value cannot be stored (a ValueError).
            StoreError: the file cannot be written.
        """
        given = {
            "meta": metadata, "session": session, "turns": turns, "origin": origin, "category": category,
            "tags": tags, "keywords": keywords, "summary": summary, "importance": importance,
            "memory_type": memory_type, "strength": strength, "confidentiality": confidentiality,
        }  # fmt: skip
        said = {name: value for name, value in given.items() if value is not _UNSAID[name]}
        return self._write([checks.checked({"content": content, **said})])[0]

    def write_many(self, facts_: Iterable[str | Mapping[str, Any]]) -> Facts:
        """Learn many facts in one transaction: all or none.

        Args:
            facts_: texts, or mappings with the arguments of :meth:`write` by name.

        Returns:
            What :meth:`write` would have returned for each, in order.

        Raises:
            Invalid: a value cannot be stored.
        """
        if isinstance(facts_, (str, Mapping)):
            raise Invalid("write_many takes a list of facts.", "Use write for one.")
        return self._write([_draft(given) for given in facts_])

    def _write(self, given: Sequence[dict[str, Any]]) -> Facts:
        if not given:
            return []
        drafts = [facts.draft(self._scope, values) for values in given]  # before the store is locked
        with self.store._transaction("write") as tx:
            cap = self._cap(tx)
            written = facts.write(tx, self._scope, drafts)
            if cap is not None:
                gone = set(facts.prune_beyond(tx, self._scope, cap))
                for fact in written:
                    if fact.id in gone:
                        fact.status = "pruned"
        self._wanted_cap = None
        return written

    def get(self, id: str) -> Fact:
        """The fact of this id, whatever its status.

        Raises:
            NotFound: it is not in this namespace (a KeyError).
        """
        return self.store._read(lambda raw: facts.get(raw, self._scope, id))

    def list(self, limit: int = 50) -> Facts:
        """The active facts, newest first. ``limit`` 0 means all."""
        where = "tenant = ? AND namespace = ? AND status = 'active' ORDER BY n DESC LIMIT ?"
        most = checks.limit(limit) or -1
        return self.store._read(lambda raw: facts.rows(raw, where, (*self._scope, most)))

    def search(self, query: str, limit: int = 5, match: Match = "any") -> Facts:
        """The active facts that match a text, best first, ties newest first; nothing is reinforced.

        No character of the query is syntax. Words match in any order, by their stem, in any script.

        Args:
            query: what to look for; blank finds nothing.
            limit: the most to return; 0 means all.
            match: ``any``: one of the words is enough and more are better; ``all``: every word must be there.

        Returns:
            Facts with ``score`` (higher is better) and ``why``.

        Raises:
            Invalid: ``limit`` or ``match`` makes no sense.
        """
        wanted, most = terms(checks.asked(query)), checks.limit(limit)
        if match not in ("all", "any"):
            raise Invalid("match is any or all.")
        if not wanted:
            return []
        asked = Query(
            tenant=self._scope.tenant, namespace=self.namespace, terms=wanted, match=match, order="relevance",
            limit=most,
        )  # fmt: skip
        found = self.store._read(lambda raw: _with_scores(raw, select.find(raw, asked, self.store.clock())))
        return found

    def count(self) -> int:
        """How many active facts there are."""
        return self.store._read(lambda raw: facts.count(raw, self._scope))

    def trash(self, limit: int = 50) -> Facts:
        """The forgotten and pruned facts, the last to go first. ``limit`` 0 means all."""
        gone = "tenant = ? AND namespace = ? AND status IN ('forgotten', 'pruned')"
        where = f"{gone} ORDER BY updated_at DESC, n DESC LIMIT ?"
        most = checks.limit(limit) or -1
        return self.store._read(lambda raw: facts.rows(raw, where, (*self._scope, most)))

    def history(self, id: str) -> Changes:
        """Every change of a fact, oldest first, with what each changed column held before and after."""
        self.get(id)
        return self.store._read(lambda raw: feed.history(raw, id))

    def update(self, /, id: str, content: str | None = None, *, version: int | None = None, **values: Any) -> Fact:
        """Change what a fact says; whatever is not given stays. Nothing new leaves the row untouched.

        Args:
            id: the fact.
            content: the new text.
            version: the version that was read, so that nobody's change is overwritten unseen.
            **values: any of ``category``, ``tags``, ``keywords``, ``summary``, ``importance``, ``memory_type``,
                ``strength``, ``confidentiality`` and ``metadata``; also ``origin``, whose words the new content is: the
                fact keeps the less trusted of this and the origin it has.

        Raises:
            NotFound: it is not in this namespace.
            Conflict: it has another version by now.
            Duplicate: another fact of the namespace has this content.
            Invalid: a value cannot be stored.
        """
        unknown = values.keys() - _UPDATABLE - {"origin"}
        if unknown:
            raise TypeError(f"update() got unexpected arguments: {', '.join(sorted(unknown))}")
        if content is not None:
            values["content"] = content
        if "metadata" in values:
            values["meta"] = values.pop("metadata")
        given = checks.checked(values)
        with self.store._transaction("edit") as tx:
            return facts.edit(tx, self._scope, id, given, version=version)

    def correct(self, id: str, content: str, *, version: int | None = None, also_forget: Iterable[str] = ()) -> Fact:
        """Give a fact its right wording, and block the old one from being learnt again.

        The old wording stays as a forgotten fact that this one supersedes; restoring that lifts the block.

        Args:
            id: the fact.
            content: the right wording.
            version: the version that was read.
            also_forget: ids of other facts of the tenant that rest on the old wording, forgotten in the same step.

        Raises:
            NotFound: it is not in this namespace, or one of the others is not there.
            Conflict: it has another version than ``version`` by now.
            Duplicate: another fact of the namespace has this wording.
            Invalid: the text cannot be stored.
        """
        given = checks.checked({"content": content})["content"]
        with self.store._transaction("correct") as tx:
            return correcting.correct(tx, self._scope, id, given, version=version, also_forget=also_forget)

    def forget(self, id: str) -> bool:
        """Hide a fact from agents and block its text from being learnt again; :meth:`restore` brings it back.

        Returns:
            True, or False if it was forgotten already.
        """
        return self._set_status(id, "forgotten", "forget")

    def restore(self, id: str) -> bool:
        """Make a forgotten, pruned or superseded fact active again, and count it as just used, so that it does not fade
        at once. False if it is active already.
        """
        return self._set_status(id, "active", "restore")

    def pin(self, id: str, pinned: bool = True) -> Fact:
        """Keep a fact from ever being pruned, or let go of that."""
        with self.store._transaction("pin" if pinned else "unpin") as tx:
            fact = facts.get(tx.raw, self._scope, id)
            return fact if fact.pinned == pinned else facts.change(tx, fact, {"pinned": pinned})

    def accept(self, id: str, *, reviewer: str | None = None) -> Fact:
        """Note that a reviewer found this version of a fact right.

        Args:
            id: the fact.
            reviewer: who; the handle's agent unless given.
        """
        with self.store._transaction("accept") as tx:
            fact = facts.get(tx.raw, self._scope, id)
            tx.raw.execute(
                "INSERT INTO decisions (id, fact, reviewer, version, decision, at) VALUES (?, ?, ?, ?, 'accepted', ?) "
                "ON CONFLICT (fact, reviewer, version) DO UPDATE SET decision = excluded.decision, at = excluded.at "
                "WHERE decision <> excluded.decision",
                (new_id(tx.at), id, reviewer or tx.actor or "", fact.version, clock.to_text(tx.at)),
            )
            return fact

    def link(self, a: str, b: str, kind: str = "related", *, instead_of: str | None = None) -> Link:
        """Tie a fact of this namespace to another of the tenant. Linking twice changes nothing.

        Args:
            a: a fact of this namespace.
            b: the other fact.
            kind: ``related`` or ``contradicts``, alike from both ends; ``supersedes``, which takes ``b`` out of what
                agents get; ``derived-from``.
            instead_of: a kind of link between the two that this one takes the place of.

        Raises:
            NotFound: one of the two does not exist.
            Invalid: the kind is unknown, or both are one.
        """
        with self.store._transaction("relink" if instead_of else "link") as tx:
            return links.link(tx, self._scope, a, b, kind, instead_of=instead_of)

    def unlink(self, a: str, b: str, kind: str | None = None) -> bool:
        """Remove the links between two facts, of one kind or all. Returns whether there were any."""
        with self.store._transaction("unlink") as tx:
            return links.unlink(tx, self._scope, a, b, kind)

    def links(self, id: str) -> Links:
        """The links of a fact, from both ends, oldest first."""
        self.get(id)
        return self.store._read(lambda raw: links.of(raw, id))

    def erase(self, id: str) -> Erased:
        """Remove every copy of a fact from every file of the store; there is no undo.

        Raises:
            NotFound: it is not in this namespace.
        """
        self.get(id)
        return self.store.erase(ids=(id,))

    def tools(
        self,
        *,
        session: str | None = None,
        max_confidentiality: str = "restricted",
        max_chars: int = 1000,
        prefix: str = "",
    ) -> Toolbox[Answer]:
        """What a model may do with this memory, as tools with their handlers.

        Args:
            session: stamped on what the model writes.
            max_confidentiality: the most confidential facts that the model gets to see, and can name.
            max_chars: how many characters of a fact it gets to see.
            prefix: put before each tool's name, such as ``memory_``.
        """
        from memview.memory.tool_table import Desk
        from memview.memory.tools import toolbox

        return toolbox(Desk(self, session, max_confidentiality, max_chars), prefix)

    def _set_status(self, id: str, status: str, verb: str) -> bool:
        with self.store._transaction(verb) as tx:
            fact = facts.get(tx.raw, self._scope, id)
            if fact.status == status:
                return False
            used = {"last_accessed_at": tx.at} if status == "active" else {}
            facts.change(tx, fact, {"status": status, **used})
        return True

    def _announce_cap(self, wanted: int) -> None:
        sql = "SELECT max_entries FROM namespaces WHERE tenant = ? AND name = ?"
        row = self.store._read(lambda raw: raw.execute(sql, self._scope).fetchone())
        holds = self.count()
        if (row and row[0] is not None and row[0] > wanted) or holds > wanted:
            kept = f"kept {row[0]} facts" if row and row[0] is not None else f"holds {holds} facts"
            warnings.warn(
                f"namespace {self.namespace!r} {kept} and this handle asks for {wanted}: "
                "the next write prunes the oldest beyond that",
                stacklevel=4,
            )

    def _cap(self, tx: Transaction) -> int | None:
        """The namespace's cap, after this handle's wish was put down."""
        if self._wanted_cap is not None:
            tx.raw.execute(
                "INSERT INTO namespaces (tenant, name, max_entries, created_at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET max_entries = excluded.max_entries",
                (*self._scope, self._wanted_cap, clock.to_text(tx.at)),
            )
        row = tx.raw.execute("SELECT max_entries FROM namespaces WHERE tenant = ? AND name = ?", self._scope).fetchone()
        return row[0] if row else None


_UPDATABLE = {
    "category", "tags", "keywords", "summary", "importance", "memory_type", "strength", "confidentiality", "metadata",
}  # fmt: skip
_WRITABLE = {*_UPDATABLE, "content", "session", "turns", "origin"}
_UNSAID: dict[str, Any] = {**(Memory.write.__kwdefaults__ or {}), "meta": None}
"""What :meth:`Memory.write` takes for each argument that is not given, the very object."""


def _draft(given: str | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(given, str):
        return checks.checked({"content": given})
    if not isinstance(given, Mapping):
        raise Invalid(f"A fact is a text or a mapping, not {type(given).__name__}.")
    values = dict(given)
    unknown = values.keys() - _WRITABLE
    if unknown:
        raise TypeError(f"write_many() got unexpected keys: {', '.join(sorted(map(str, unknown)))}")
    if "metadata" in values:
        values["meta"] = values.pop("metadata")
    return checks.checked({"content": "", **values})


def _with_scores(raw: Any, found: select.Found) -> list[Fact]:
    known = {fact.n: fact for fact in facts.by_numbers(raw, found.keys)}
    ranked = []
    for n in found.keys:
        if n in known:
            attach(known[n], score=found.scores.get(n), why=found.why.get(n, ""))
            ranked.append(known[n])
    return ranked
