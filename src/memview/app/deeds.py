"""What a person did, in the words of undo and redo, by the verb of the change feed."""

from __future__ import annotations

DEEDS = {
    "forget": "forgetting",
    "restore": "bringing back",
    "edit": "an edit",
    "correct": "correcting",
    "pin": "pinning",
    "unpin": "unpinning",
    "accept": "accepting",
    "link": "a link",
    "relink": "changing a link",
    "unlink": "removing a link",
    "write": "a new fact",
    "prune": "pruning",
    "consolidate": "uniting facts",
    "tag": "tagging",
    "merge": "merging duplicates",
    "keep": "keeping one of several",
    "settle": "settling a conflict",
    "judge": "telling facts apart",
}
"""The deed itself."""

UNDONE = {
    "forget": "brought back {}",
    "restore": "let {} go again",
    "edit": "took back the edit of {}",
    "correct": "took back the correction",
    "pin": "unpinned {} again",
    "unpin": "pinned {} again",
    "accept": "took back accepting {}",
    "link": "removed the link again",
    "relink": "put the former link back",
    "unlink": "put the link back",
    "write": "took back writing {}",
    "prune": "brought back {}",
    "consolidate": "took the summary back",
    "tag": "took back the tags of {}",
    "merge": "took the merge of {} apart",
    "keep": "brought back what was left of {}",
    "settle": "took back which of {} holds",
    "judge": "took back that judgement",
}
"""What taking it back did, with a place for what it was done to."""

REDONE = {
    "forget": "forgot {} again",
    "restore": "brought back {} again",
    "edit": "edited {} again",
    "correct": "corrected again",
    "pin": "pinned {} again",
    "unpin": "unpinned {} again",
    "accept": "accepted {} again",
    "link": "linked again",
    "relink": "changed the link again",
    "unlink": "removed the link again",
    "write": "wrote {} again",
    "prune": "set {} aside again",
    "consolidate": "united the facts again",
    "tag": "tagged {} again",
    "merge": "merged {} again",
    "keep": "kept one of {} again",
    "settle": "settled {} again",
    "judge": "judged so again",
}
"""What doing it again did."""
