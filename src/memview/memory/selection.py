"""Facts chosen together, as they were when they were counted, and what can be done with all of them in one step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from memview.store import backup, bulk, checks, facts
from memview.store.aim import Aim
from memview.store.bulk import Done as Done
from memview.store.bulk import Progress as Progress

if TYPE_CHECKING:
    from memview.memory.store import MemoryStore
    from memview.store.database import Transaction
    from memview.store.models import Fact


class Selection:
    """The facts that a query had at one moment, or that a person marked. Made by :meth:`memview.MemoryStore.select`.

    Every method is one transaction and one step for ``undo``. Facts that somebody changed or removed since they were
    counted are left alone and named in what it returns. Before the first of a day that is to change more than one fact,
    a copy of the store is made in memview's own folder; the last three are kept.

    Args:
        store: the open store.
        aims: numbers and versions of the facts.
    """

    def __init__(self, store: MemoryStore, aims: Sequence[Aim]) -> None:
        self.store = store
        self.aims = list(aims)

    def __len__(self) -> int:
        """How many facts were counted."""
        return len(self.aims)

    def samples(self, count: int = 3) -> list[Fact]:
        """The first few, as they are now."""
        return self.store._read(lambda raw: facts.by_numbers(raw, [aim.n for aim in self.aims[:count]]))

    def forget(self, progress: Progress | None = None) -> Done:
        """Hide all of them from agents; their texts are not learnt again.

        Args:
            progress: told now and then how many are done; what it raises gives everything up.
        """
        return self._do("forget", lambda tx: bulk.set_status(tx, self.aims, "forgotten", progress))

    def restore(self, progress: Progress | None = None) -> Done:
        """Make all of them active again."""
        return self._do("restore", lambda tx: bulk.set_status(tx, self.aims, "active", progress))

    def pin(self, pinned: bool = True, progress: Progress | None = None) -> Done:
        """Keep all of them from ever being pruned, or let go of that."""
        return self._do("pin" if pinned else "unpin", lambda tx: bulk.set_pinned(tx, self.aims, pinned, progress))

    def prune(self, progress: Progress | None = None) -> Done:
        """Set all of them aside, pinned ones excepted: restorable, and an agent may learn them again."""
        return self._do("prune", lambda tx: bulk.set_status(tx, self.aims, "pruned", progress))

    def accept(self, progress: Progress | None = None) -> Done:
        """Note that these versions were found right."""
        return self._do("accept", lambda tx: bulk.accept(tx, self.aims, progress))

    def tag(self, add: Iterable[str] = (), remove: Iterable[str] = (), progress: Progress | None = None) -> Done:
        """Add tags to all of them and take tags away.

        Raises:
            Invalid: a tag cannot be stored.
        """
        given = checks.checked({"tags": add})["tags"]
        gone = checks.checked({"tags": remove})["tags"]
        return self._do("tag", lambda tx: bulk.retag(tx, self.aims, given, gone, progress))

    def _do(self, verb: str, work: Callable[[Transaction], Done]) -> Done:
        if len(self.aims) > 1 and not self.store.read_only:
            backup.before_bulk(self.store.path, self.store.clock())
        with self.store._transaction(verb) as tx:
            return work(tx)
