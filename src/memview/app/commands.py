"""The one table of what a person can do: key bindings, footer, palette, help and the README are made from it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from string import punctuation

from textual.binding import Binding
from textual.keys import _character_to_key

from memview.app.command import REVIEWS, WHERE_TITLES, Command, Need, Scene, Spot, Where
from memview.app.review_commands import REVIEW

__all__ = [
    "BY_ID", "COMMANDS", "FOOTER_LIMIT", "REVIEWS", "TABLE", "WHERE_TITLES", "Command", "Need", "Scene", "Spot",
    "Where", "bindings", "continuations", "for_footer", "of_scene", "shown_key", "single_keys",
]  # fmt: skip

FOOTER_LIMIT = 6
"""The most commands a footer shows, besides help."""

_RECORD: tuple[Spot, ...] = ("list", "detail")
_PANES: tuple[Spot, ...] = ("tree", "list", "detail")

ALL: tuple[Scene, ...] = ("browse", *REVIEWS)
"""Every screen with commands."""
_ACTING: tuple[Scene, ...] = ("browse", "inbox", "duplicates", "conflicts", "prune")
"""The screens on which something is changed."""
_IN_ROWS: tuple[Scene, ...] = tuple(scene for scene in ALL if scene != "inbox")
"""The screens with a cursor in a list; the inbox has cards."""

COMMANDS: tuple[Command, ...] = (
    # everywhere
    Command("help", ("question_mark", "f1"), "Help", "What can be done here.", "everywhere", scenes=ALL),
    Command(
        "palette", ("colon", "ctrl+p"), "Commands", "All commands, found by their names.", "everywhere",
        palette=False, scenes=ALL,
    ),
    Command("close", ("q",), "Quit", "Closes this screen; here it quits.", "everywhere", scenes=ALL),
    Command("quit", ("ctrl+q",), "Quit at once", "Quits from anywhere.", "everywhere", palette=False, scenes=ALL),
    Command(
        "escape", ("escape",), "One layer off",
        "Takes off what is on top: running work, range, zoom, search, marks.", "everywhere", palette=False, scenes=ALL,
    ),
    Command(
        "undo", ("u",), "Undo", "Takes back your last change and says what it was.", "everywhere", _PANES, "undo",
        6, need="writable", shown="record", scenes=_ACTING,
    ),
    Command(
        "redo", ("U", "ctrl+r"), "Redo", "Does again what was undone.", "everywhere", need="writable", scenes=_ACTING,
    ),
    Command(
        "back", ("backspace", "ctrl+o"), "Back", "Back to where you came from.", "everywhere", ("detail",), "back",
        1,
    ),
    Command(
        "refresh", ("ctrl+l",), "Ask the list again", "Asks the list again and draws the screen anew.",
        "everywhere", scenes=ALL,
    ),
    Command(
        "menu", ("x",), "What can be done here", "A menu of what can be done with this thing.", "everywhere",
        palette=False, scenes=ALL,
    ),
    Command(
        "copy.selected", ("ctrl+c",), "Copy what is selected",
        "Copies the text selected with the mouse; twice within a second quits.", "everywhere",
        palette=False, scenes=ALL,
    ),
    # moving
    Command(
        "move.down", ("j",), "Down", "One row down; the arrow keys do the same.", "moving", palette=False,
        scenes=_IN_ROWS,
    ),
    Command("move.up", ("k",), "Up", "One row up.", "moving", palette=False, scenes=_IN_ROWS),
    Command(
        "move.first", ("g g",), "First row", "To the first row, taking in what waits above it.", "moving", brief="top",
        scenes=ALL,
    ),
    Command("move.last", ("G",), "Last row", "To the last row.", "moving", scenes=ALL),
    Command(
        "move.half_down", ("ctrl+d",), "Half a page down", "Half a page down.", "moving", palette=False, scenes=ALL,
    ),
    Command("move.half_up", ("ctrl+u",), "Half a page up", "Half a page up.", "moving", palette=False, scenes=ALL),
    Command(
        "move.left", ("h", "left"), "Pane to the left", "The pane to the left; in the tree it folds first.",
        "moving", ("tree",), "fold", 3, palette=False,
    ),
    Command(
        "move.right", ("l", "right"), "Pane to the right", "The pane to the right; in the tree it unfolds first.",
        "moving", ("tree",), "unfold", 4, palette=False,
    ),
    Command("pane.tree", ("1",), "Namespaces", "To the namespaces.", "moving"),
    Command("pane.list", ("2",), "List", "To the list.", "moving"),
    Command("pane.detail", ("3",), "Detail", "To the detail.", "moving"),
    Command("pane.next", ("tab",), "Next pane", "To the next pane.", "moving", palette=False),
    Command("pane.previous", ("shift+tab",), "Previous pane", "To the previous pane.", "moving", palette=False),
    Command("tab.previous", ("left_square_bracket",), "Facts", "The tab to the left: facts.", "moving"),
    Command("tab.next", ("right_square_bracket",), "Turns", "The tab to the right: turns.", "moving"),
    Command(
        "detail.down", ("J",), "Scroll the detail down", "Scrolls the detail from the list.", "moving",
        palette=False, scenes=ALL,
    ),
    Command(
        "detail.up", ("K",), "Scroll the detail up", "Scrolls the detail back.", "moving", palette=False, scenes=ALL,
    ),
    Command("zoom", ("z",), "Zoom this pane", "Gives the focused pane the whole screen, and back.", "moving"),
    Command("match.next", ("n",), "Next match", "To the next match.", "moving", palette=False),
    Command("match.previous", ("N",), "Previous match", "To the previous match.", "moving", palette=False),
    Command(
        "open", ("enter",), "Open",
        "From the tree to the list, from the list to the detail, from a link or source to where it leads.",
        "moving", _PANES, "open", 1, shown="record", palette=False, scenes=ALL,
    ),
    # search
    Command(
        "search", ("slash",), "Search", "Searches the chosen namespaces as you type.", "search", _PANES, "search",
        5,
    ),
    Command(
        "search.keep", ("enter",), "Keep", "Keeps the search and goes to the list.", "search", ("search",), "keep",
        1, palette=False,
    ),
    Command(
        "search.cancel", ("escape",), "Put back", "Puts the former search back.", "search", ("search",),
        "put back", 2, palette=False,
    ),
    Command(
        "search.complete", ("tab",), "Complete", "Completes an operator, else goes to the list.", "search",
        ("search",), "complete", 3, palette=False,
    ),
    Command(
        "search.move", ("down", "up"), "Move in the list", "Moves in the list while you type.", "search",
        ("search",), "rows", 4, palette=False,
    ),
    # this record
    Command(
        "edit", ("e",), "Edit", "Edits the fact: text, category, tags, importance.", "record", _RECORD, "edit", 2,
        need="edit",
    ),
    Command(
        "edit.outside", ("E",), "Edit in $EDITOR", "Edits the text in your own editor (VISUAL or EDITOR).", "record",
        need="edit",
    ),
    Command(
        "correct", ("c",), "Correct", "Gives the right wording; the old one is not learnt again.", "record",
        need="edit",
    ),
    Command("new", ("plus",), "New fact", "Writes a fact into this namespace.", "record", need="writable"),
    Command(
        "forget", ("d",), "Forget", "Hides the fact from agents at once; u brings it back.", "record", _RECORD,
        "forget", 3, need="edit", many=True,
    ),
    Command(
        "accept", ("a",), "Accept", "Notes that the fact, or all that are marked, are right.", "record",
        label="accept", need="edit", many=True,
    ),
    Command(
        "pin", ("p",), "Pin or unpin", "Keeps the fact from being pruned, or lets it go again.", "record",
        label="pin", need="edit", many=True,
    ),
    Command(
        "tags", ("t",), "Tags", "Adds tags and takes them away: +deploy -old.", "record", label="tags",
        need="edit", many=True,
    ),
    Command(
        "link", ("L",), "Link", "Links the fact with another, or changes a link.", "record", _RECORD, "link", 4,
        need="edit",
    ),
    Command(
        "restore", ("r",), "Put back", "Puts back what was forgotten, superseded or pruned.", "record", _RECORD,
        "put back", 2, need="restore", many=True,
    ),
    Command("origin", ("o",), "Origin", "Goes to the turn a fact came from.", "record", need="fact"),
    Command("copy", ("y",), "Copy text", "Copies the text.", "record", _RECORD, "copy", 7, need="record"),
    Command("copy.id", ("Y",), "Copy id", "Copies the id.", "record", need="record"),
    Command(
        "markdown", ("R",), "Markdown or raw", "Shows texts as light Markdown, or as they were written.", "record",
        need="record",
    ),
    Command(
        "secrets", ("exclamation_mark",), "Show or hide its secrets",
        "Shows in the detail the secrets that stand masked, until you move on; again hides them.", "record",
        need="record",
    ),
    Command(
        "sort", ("s",), "Sort", "The next order: best first, newest, oldest, strength, importance, most recalled.",
        "record", ("list",), "sort", 8, shown="record",
    ),
    Command(
        "filter", ("f",), "Filter by this",
        "Searches for what shares its session, agent, tag, category, namespace or kind.", "record", need="record",
    ),
    # marking
    Command(
        "mark", ("space",), "Mark", "Marks the fact, or takes its mark off, and goes one row down.", "mark",
        _RECORD, "mark", 5, need="fact",
    ),
    Command(
        "mark.range", ("v",), "Mark a range",
        "Marks from here to where the cursor goes; v again ends it, Esc drops it.", "mark", need="fact",
    ),
    Command("mark.all", ("asterisk",), "Mark all that match", "Marks all facts that match now.", "mark", need="fact"),
    Command("mark.again", ("g v",), "The last marks", "Brings the last marks back.", "mark", brief="marks"),
    # go
    Command(
        "go.inbox", ("i",), "Inbox", "What agents learnt, changed and forgot, to decide on.", "go",
        ("tree", "list", "detail"), "inbox", 4,
    ),
    Command("go.steps", ("g u",), "Steps", "What you did, the newest first, to take back.", "go"),
    Command("go.neighbours", ("g n",), "Neighbours", "The facts that this one is linked with.", "go", need="fact"),
    Command(
        "go.agents", ("g r",), "What agents get", "What an agent gets of this namespace for a user's message, and why.",
        "go", brief="agents",
    ),
    Command("go.duplicates", ("g d",), "Duplicates", "Facts that say the same, to be merged into one.", "go"),
    Command("go.conflicts", ("g c",), "Conflicts", "Facts of which only one can hold, side by side.", "go"),
    Command("go.prune", ("g p",), "Prune", "Sets aside what has faded, by a rule, after a look at it.", "go"),
    Command("go.health", ("g h",), "Health", "What repeats, fades, is secret or gives orders.", "go"),
    Command("go.trash", ("g t",), "Trash", "What was forgotten.", "go"),
    Command(
        "erase", ("g e",), "Erase",
        "Removes every copy of a fact, turn, session, namespace or value, or of all that are marked, for good.",
        "go", need="writable", many=True,
    ),
    Command(
        "go.again", ("g l",), "Ask the list again", "The same as ctrl+l.", "go", palette=False, brief="again",
        scenes=ALL,
    ),
)  # fmt: skip

TABLE: tuple[Command, ...] = (*COMMANDS, *REVIEW)
"""All commands: those of the browse screen, and those of the screens of a review."""

BY_ID: dict[str, Command] = {command.id: command for command in TABLE}

_SHOWN = {
    **{_character_to_key(sign): sign for sign in punctuation},
    "escape": "Esc", "enter": "Enter", "tab": "Tab", "shift+tab": "shift+Tab", "f1": "F1", "up": "↑", "down": "↓",
    "left": "←", "right": "→",
}  # fmt: skip


def of_scene(scene: Scene, table: Sequence[Command] = TABLE) -> tuple[Command, ...]:
    """The commands of one screen, in the table's order."""
    return tuple(command for command in table if scene in command.scenes)


def shown_key(key: str) -> str:
    """A key as a person reads it: ``?``, ``Esc``, ``ctrl+d``, ``gt``."""
    return "".join(_SHOWN.get(part, part) for part in key.split())


def single_keys(command: Command) -> list[str]:
    """The keys of a command that work by one press."""
    return [key for key in command.keys if " " not in key]


def bindings(
    ids: Collection[str] | None = None, commands: Sequence[Command] = COMMANDS, *, priority: bool = False
) -> list[Binding]:
    """Textual's bindings for commands, each running the action ``command(id)`` of its screen or app.

    Those pressed one key after the other begin with the action ``prefix(key)``.

    Args:
        ids: the commands; None for all.
        commands: the table, with the keys that the person chose.
        priority: whether they come before what has the focus, and work in dialogs too.
    """
    chosen = [command for command in commands if ids is None or command.id in ids]
    made = [_binding(command, keys, priority) for command in chosen if (keys := single_keys(command))]
    first_keys = dict.fromkeys(key.split()[0] for command in chosen for key in command.keys if " " in key)
    return made + [Binding(key, f"prefix('{key}')", "Go", show=False, id=f"prefix.{key}") for key in first_keys]


def _binding(command: Command, keys: list[str], priority: bool) -> Binding:
    """The binding of one command."""
    return Binding(
        ",".join(keys), f"command('{command.id}')", command.title, show=False, id=command.id, tooltip=command.help,
        priority=priority,
    )  # fmt: skip


def continuations(prefix: str, commands: Sequence[Command] = COMMANDS) -> Iterator[tuple[str, Command]]:
    """The commands that begin with a key, each with the key that follows it."""
    for command in commands:
        for key in command.keys:
            first, _, second = key.partition(" ")
            if second and first == prefix:
                yield second, command


def for_footer(
    spot: Spot,
    allowed: Collection[str],
    commands: Sequence[Command] = COMMANDS,
    *,
    marked: bool = False,
    record: bool = True,
) -> list[Command]:
    """The commands that the footer of a focused place shows, the most useful first, then in the table's order.

    Args:
        spot: what has the focus.
        allowed: ids of the commands that are allowed now.
        commands: the table.
        marked: whether facts are marked: then what can be done with them is shown, and how to let go of them.
        record: whether there is a fact or turn under the list's cursor.
    """
    fitting = [command for command in commands if command.label and command.keys and command.id in allowed]
    if marked and spot in _RECORD:
        return [command for command in fitting if command.many or command.id == "mark"][:FOOTER_LIMIT]
    fitting = [command for command in fitting if spot in command.spots and (record or not command.shown)]
    return sorted(fitting, key=lambda command: command.rank)[:FOOTER_LIMIT]
