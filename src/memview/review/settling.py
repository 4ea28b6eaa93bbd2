"""What a reviewer does with a conflict: say which fact holds, or that both do. Each is one step for undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memview.errors import Conflict, NotFound
from memview.memory.looking import Aim
from memview.review.conflicts import BOTH_HOLD
from memview.review.judging import judge

if TYPE_CHECKING:
    from memview.memory import MemoryStore
    from memview.store.facts import Scope
    from memview.store.models import Fact


def this_holds(store: MemoryStore, holds: Aim, other: Aim) -> None:
    """Note that one of two facts holds: it supersedes the other, which agents do not get any more.

    A fact that holds and was set aside is active again; a link that said the contrary goes.

    Args:
        store: the open store, bound to the tenant of both.
        holds: the fact that holds, as it was seen.
        other: the other one, as it was seen.

    Raises:
        Conflict: one of them changed since it was seen; nothing is done.
        NotFound: one of them is not in this tenant.
    """
    from memview.store import facts, links

    with store._transaction("settle") as tx:
        one, two = (_seen(facts.by_numbers(tx.raw, [aim.n]), store.tenant_name, aim) for aim in (holds, other))
        scope: Scope = facts.Scope(one.tenant, one.namespace)
        for tie in links.of(tx.raw, one.id):
            if tie.kind == "contradicts" and two.id in (tie.source, tie.target):
                links.unlink(tx, scope, one.id, two.id, "contradicts")
            if tie.kind == "supersedes" and tie.source == two.id:
                links.unlink(tx, scope, one.id, two.id, "supersedes")
        links.link(tx, scope, one.id, two.id, "supersedes")
        one, two = (facts.by_numbers(tx.raw, [aim.n])[0] for aim in (holds, other))
        if one.status != "active":
            facts.change(tx, one, {"status": "active"})
        if two.status == "active":
            facts.change(tx, two, {"status": "superseded"})


def both_hold(store: MemoryStore, a: Aim, b: Aim) -> None:
    """Note that two facts do not exclude each other: they are not offered as a conflict again.

    Raises:
        NotFound: one of them is not in this tenant.
    """
    judge(store, BOTH_HOLD, [(a, b)])


def _seen(found: list[Fact], tenant: str, aim: Aim) -> Fact:
    """The fact as it was seen."""
    if not found or found[0].tenant != tenant:
        raise NotFound("One of these facts is not there.", "Look at the list again.")
    if found[0].version != aim.version:
        raise Conflict("One of these facts changed since it was seen.", "Look at both again.", id=found[0].id)
    return found[0]
