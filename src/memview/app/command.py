"""One thing a person can do, as the table of commands declares it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scene = Literal["browse", "inbox", "duplicates", "conflicts", "prune", "health", "agents"]
"""A screen with keys of its own."""

REVIEWS: tuple[Scene, ...] = ("inbox", "duplicates", "conflicts", "prune", "health", "agents")
"""The screens of a review."""

Where = Literal[
    "everywhere", "moving", "search", "record", "mark", "go", "inbox", "duplicates", "groups", "conflicts", "prune",
    "health", "agents",
]  # fmt: skip
"""The groups of the help screen, in its order."""

Spot = Literal["tree", "list", "detail", "search"]
"""A part of the browse screen that can have the focus."""

Need = Literal["", "record", "fact", "forgotten", "writable", "edit", "restore"]
"""A condition: nothing; a record or a fact under the cursor, a fact that can be put back; a store that may be written;
a fact and a store that may be written; one that can be put back and a store that may be written."""

WHERE_TITLES: dict[Where, str] = {
    "everywhere": "Everywhere",
    "moving": "Moving",
    "search": "Search",
    "record": "This fact or turn",
    "mark": "Marking",
    "go": "Go",
    "inbox": "Inbox",
    "duplicates": "Duplicates",
    "groups": "Duplicates and conflicts",
    "conflicts": "Conflicts",
    "prune": "Prune",
    "health": "Health",
    "agents": "What agents get",
}


@dataclass(frozen=True, slots=True)
class Command:
    """One thing a person can do."""

    id: str
    """Stable; keys are rebound by it."""
    keys: tuple[str, ...]
    """The keys as Textual names them, the first one shown; two with a blank between are pressed one after the other."""
    title: str
    """What it does in one to four words: the palette's line and the footer's tooltip."""
    help: str
    """One sentence for the help screen."""
    where: Where
    """The group it stands in."""
    spots: tuple[Spot, ...] = ()
    """The focused places whose footer may show it."""
    label: str = ""
    """The footer's word; empty is never shown there."""
    rank: int = 9
    """Its place in a footer: the lower, the sooner."""
    need: Need = ""
    """What must hold for it to be allowed."""
    shown: Need = ""
    """What must hold besides for a footer to show it."""
    palette: bool = True
    """Whether it makes sense to pick it from the palette."""
    many: bool = False
    """Whether it acts on the marked facts, if there are any."""
    brief: str = ""
    """Its word among the keys that may follow one that was pressed; empty for its title."""
    scenes: tuple[Scene, ...] = ("browse",)
    """The screens that it belongs to."""

    @property
    def writes(self) -> bool:
        """Whether it changes the store."""
        return self.need in ("writable", "edit", "restore")
