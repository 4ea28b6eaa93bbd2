"""What a reviewer asks of a memory: what is new, what repeats, what contradicts, what is stale, what is secret.

Library functions first, so that the command line, a script and the screen give the same answer. Modules that find read
through a :class:`memview.memory.looking.Looker` and load no SQLModel; those that do something take an open
:class:`memview.MemoryStore`, and each of their functions is one step for undo.

- Inbox: :mod:`.inbox` finds, :mod:`.deciding` decides.
- Duplicates: :mod:`.duplicates` finds (by :mod:`.copies`, :mod:`.blocking` and :mod:`.nearness`), :mod:`.differences`
  says which words to light, :mod:`.merging` merges, keeps only one, or notes that facts are not alike.
- Conflicts: :mod:`.conflicts` finds (by :mod:`.opposing`), :mod:`.settling` says which fact holds, or that both do.
- Pruning: :mod:`.prune`.

::

    looker = Looker(Path("agent.db"))
    found = duplicates.find(looker, Query(namespace="user:42"), clock.utc_now())
    with MemoryStore("agent.db", agent=person()) as store:
        merging.merge_all(store, found.equal)
"""
