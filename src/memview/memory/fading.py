"""Facts that answer, fade and are summed up: the part of :class:`memview.Memory` that time has a hand in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, overload

from memview.errors import Invalid, ReadOnlyStore
from memview.store import bulk, checks, clusters, consolidating, facts, pruning, recalling
from memview.store.aim import Aim
from memview.store.ask import WEIGHTS, Ask, Weights
from memview.store.files import shown
from memview.store.models import Fact
from memview.store.recalling import Scored, Why

if TYPE_CHECKING:
    import sqlite3

    from memview.memory.store import MemoryStore
    from memview.store.facts import Scope

Facts = list[Fact]


@dataclass(frozen=True, slots=True)
class Recalled:
    """A fact that answers a question. Made by :meth:`memview.Memory.recall`."""

    fact: Fact
    """As it is after the recall."""
    score: float
    """The weighted sum of the four parts of ``why``; higher is better."""
    why: Why
    """What the score is made of, from before the recall; ``str`` says it in words."""


class Fading:
    """Recall, prune and consolidate, for :class:`memview.Memory`."""

    store: MemoryStore
    namespace: str
    _scope: Scope

    def recall(
        self, query: str = "", *, category: str | None = None, tags: Iterable[str] = (), memory_type: str | None = None,
        min_strength: float = 0.0, max_confidentiality: str | None = None, prefix: str | None = None, limit: int = 10,
        reinforce: bool = True, context: bool = True, weights: Weights = WEIGHTS,
    ) -> list[Recalled]:  # fmt: skip
        """The active facts that answer a question, best first, ties newest first; what is recalled grows stronger.

        Candidates are the facts that have one of the words, and those that a link ties to one of them, whatever their
        category, tags and type; every other limit holds for both. Where the words hit very many facts, those with the
        rarer and with more of the words are scored, then the newest.

        Args:
            query: what to look for; no character is syntax. Blank: every fact within the limits, relevance 0.
            category: only this one.
            tags: one of them is enough.
            memory_type: only this one.
            min_strength: the least effective strength: what is left of the stored one after its last access.
            max_confidentiality: nothing more confidential.
            prefix: this namespace and those whose name goes on with ``:``, anywhere in the tenant, instead of this
                memory's own; never take it from a model.
            limit: the most to return, 0 for all.
            reinforce: count the recall, set the last access to now and add 0.2 to the stored strength, up to 1. That is
                no change of the fact: version, history and undo have nothing of it. False touches nothing at all.
            context: let the words of the turns that a fact came from, and of their neighbours, help to find it.
            weights: how much each part of the score counts.

        Raises:
            Invalid: a limit makes no sense.
            ReadOnlyStore: the store was opened read-only and ``reinforce`` is not False.
        """
        ask = Ask(
            query, self._scope.tenant, self.namespace, prefix, category, tuple(checks.texts(tags, "tags")),
            memory_type, min_strength, max_confidentiality, limit, context, weights,
        )  # fmt: skip
        return self._recall(ask, reinforce)

    def _recall(self, ask: Ask, reinforce: bool) -> list[Recalled]:
        if reinforce and self.store.read_only:
            raise ReadOnlyStore(
                f"{shown(self.store.path)} was opened read-only, and a recall is counted.", "Pass reinforce=False."
            )
        now = self.store.clock()
        if not reinforce:
            return self.store._read(lambda raw: _whole(raw, recalling.recall(raw, ask, now)))
        found = self.store._read(lambda raw: recalling.recall(raw, ask, now))
        if not found:
            return []
        with self.store._transaction("recall") as tx:
            still = recalling.reinforce(tx.raw, [one.id for one in found], tx.at)
            return _whole(tx.raw, [one for one in found if one.id in still])

    @overload
    def prune(
        self, min_strength: float = ..., min_age: timedelta = ..., prefix: str | None = ..., *,
        dry_run: Literal[False] = ...,
    ) -> int: ...  # fmt: skip

    @overload
    def prune(
        self, min_strength: float = ..., min_age: timedelta = ..., prefix: str | None = ..., *, dry_run: Literal[True]
    ) -> Facts: ...  # fmt: skip

    def prune(
        self, min_strength: float = pruning.MIN_STRENGTH, min_age: timedelta = pruning.MIN_AGE,
        prefix: str | None = None, *, dry_run: bool = False,
    ) -> int | Facts:  # fmt: skip
        """Set aside what has faded: active facts both weaker and older than the limits.

        :meth:`Memory.restore` brings them back, and so does writing the text again. Pinned facts stay. It is one step
        for ``undo``.

        Args:
            min_strength: the effective strength that keeps a fact; exactly as strong is strong enough.
            min_age: the age since it was written up to which a fact is kept; exactly as old is young enough.
            prefix: this namespace and those whose name goes on with ``:``, anywhere in the tenant, instead of this
                memory's own.
            dry_run: change nothing.

        Returns:
            How many were set aside; with ``dry_run`` the facts that would be, the oldest first.

        Raises:
            Invalid: a limit makes no sense.
        """
        Ask(min_strength=min_strength, prefix=prefix)
        if not isinstance(min_age, timedelta):
            raise Invalid("min_age is a timedelta.")
        tenant, own = self._scope
        space, below = (own, False) if prefix is None else (prefix, True)

        def faded(raw: sqlite3.Connection) -> list[Aim]:
            return pruning.faded(
                raw, tenant, space, self.store.clock(), min_strength=min_strength, min_age=min_age, below=below
            )

        if dry_run:
            return self.store._read(lambda raw: facts.by_numbers(raw, [aim.n for aim in faded(raw)]))
        with self.store._transaction("prune") as tx:
            return bulk.set_status(tx, faded(tx.raw), "pruned").changed

    def consolidate(self, ids: Iterable[str], content: str, *, origin: str | None = None) -> Fact:
        """Put one summary in the place of several facts, which it supersedes; one step for ``undo``.

        It is a new semantic fact with links ``derived-from`` to them and with their tags, keywords and turns, the
        highest importance and the strictest confidentiality; it is pinned if one of them is. Trust never rises by being
        summarised: its ``origin`` is the least trusted of theirs (of person, user, import, assistant, extraction, tool,
        unknown, in this order). Category and session stay where all agree.

        Args:
            ids: at least two active facts of this namespace.
            content: what they say together.
            origin: whose words that is; it counts among theirs where it is given.

        Raises:
            Invalid: fewer than two facts, one that is not active, or a blank text.
            NotFound: facts that are not in this namespace; the error names them all.
            Duplicate: a fact of this namespace says exactly this already, forgotten or not.
        """
        given = checks.checked({"content": content, "origin": origin})
        wanted, words = checks.texts(ids, "ids"), [given["origin"]] if origin else []
        with self.store._transaction("consolidate") as tx:
            return consolidating.consolidate(tx, self._scope, wanted, given["content"], words=words)

    def clusters(self, min_overlap: float = clusters.MIN_OVERLAP) -> list[Facts]:
        """Propose what to consolidate: groups of active facts whose keywords overlap, the largest first.

        Args:
            min_overlap: the least share of keywords, above 0 and up to 1, that ties two facts: those in both divided by
                those in either (Jaccard). A fact without keywords goes by the words of its text. What is tied to one
                member belongs to the group; within it the newest come first.

        Raises:
            Invalid: the share makes no sense.
        """
        if isinstance(min_overlap, bool) or not isinstance(min_overlap, (int, float)) or not 0 < min_overlap <= 1:
            raise Invalid("min_overlap is a number above 0 and up to 1.")

        def work(raw: sqlite3.Connection) -> list[Facts]:
            found = clusters.clusters(raw, *self._scope, min_overlap)
            known = {fact.n: fact for fact in facts.by_numbers(raw, [n for group in found for n in group])}
            return [[known[n] for n in group] for group in found]

        return self.store._read(work)


def _whole(raw: sqlite3.Connection, found: Iterable[Scored]) -> list[Recalled]:
    """The same with the facts as they are now."""
    found = list(found)
    known = {fact.n: fact for fact in facts.by_numbers(raw, [one.n for one in found])}
    return [Recalled(known[one.n], one.score, one.why) for one in found if one.n in known]
