"""The words around the list: titles, counts, what a search found, what to do where there is nothing."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.style import Style

from memview.app.commands import Spot
from memview.app.listing import Listing
from memview.app.scope import Node, Scope
from memview.app.view import Tab
from memview.app.widgets.header import entry_point

ORDER_WORDS = {
    "relevance": "best first",
    "sessions": "by session",
    "newest": "newest first",
    "oldest": "oldest first",
    "strength": "strongest first",
    "importance": "most important first",
    "recalled": "most recalled first",
}

EXPLAINED = 66
"""The longest explanation of a wrong operator, in characters."""

TEACH = """\
This store is empty. An agent fills it:

from memview import MemoryStore
memory = MemoryStore({path!r}).memory("user:42")
memory.write("Deploy window is Tuesday")

It shows here as it is written."""


def _button(text: str, style: str, command: str) -> Content:
    """A text in a bar that runs a command when it is clicked."""
    return Content.styled(text, style).stylize(Style.from_meta({"command": command}))


def plural(count: int, one: str) -> str:
    """A count with its noun: ``1 fact``, ``1,204 facts``."""
    return f"{count:,} {one}" + ("" if count == 1 else "s")


def place(scope: Scope) -> str:
    """What a scope is called in a sentence; the only tenant needs no name."""
    return "all namespaces" if scope == Scope("") else scope.name


def tabs(listing: Listing, other: int | None, *, focused: bool) -> Content:
    """The title of the list: both tabs with their counts, the shown one emphasised."""
    shown = f"{len(listing.list.keys) - len(listing.answer.kept) + len(listing.answer.waiting):,}"
    if not listing.answer.whole:
        shown = "…"
    parts = []
    tab: Tab
    for tab in ("facts", "turns"):
        here = tab == listing.view.tab
        count = shown if here else "…" if other is None else f"{other:,}"
        word = tab.upper() if here and focused else tab.capitalize()
        style = "bold $primary" if here and focused else "bold $foreground" if here else "$text-muted"
        parts.append(entry_point(f"{word} {count}", style, "tab.next" if tab == "turns" else "tab.previous"))
    return Content("  ").join(parts)


def found(listing: Listing, node: Node, refresh: str) -> list[Content]:
    """What a search found, or why not, for the right of the search line.

    Args:
        listing: what was asked for.
        node: the chosen line of the tree.
        refresh: the key that takes out what no longer belongs.
    """
    view, answer = listing.view, listing.answer
    if listing.parsed.problems:
        return [Content.styled(_explained(listing.parsed.problems[0].message), "$text-warning")]
    total = node.facts if view.tab == "facts" else node.turns
    count = len(listing.list.keys) - len(answer.kept) + len(answer.waiting)
    shown = f"{count:,}" if answer.whole else "…"
    where = f"in {place(view.scope)}"
    if view.text.strip() and total >= count:
        shown += f" of {total:,}"
    parts = [Content.styled(fallback(listing), "$text-muted")] if fallback(listing) else []
    stays = f"{len(answer.kept):,} {'stays' if len(answer.kept) == 1 else 'stay'} until {refresh}"
    return [
        *parts,
        _button(f"{shown} {where}", "$text-muted", "pane.tree"),
        *([_button(stays, "$text-muted", "refresh")] if answer.kept else []),
        _button(ORDER_WORDS[listing.order], "$text-muted", "sort"),
    ]


def _explained(message: str) -> str:
    """What is wrong with a search, short enough to stand beside it; a long list of words is left open."""
    return message if len(message) <= EXPLAINED else message[:EXPLAINED].rpartition(", ")[0] + ", …"


def fallback(listing: Listing) -> str:
    """Says so where what is shown is not what was typed."""
    if listing.answer.how == "corrected" and listing.parsed.query.terms:
        return "no such words; the likeliest"
    return "nothing has all words; any" if listing.answer.how == "any" else ""


def nothing(listing: Listing, root: Node, path: str, instead: Sequence[Content] = ()) -> Content:
    """What an empty list says.

    Args:
        listing: what was asked for.
        root: all that there is.
        path: the store's name.
        instead: wider questions that have an answer, a line each.
    """
    view, noun = listing.view, "fact" if listing.view.tab == "facts" else "turn"
    if not listing.answer.whole:
        return Content("…")
    if not (root.facts or root.turns or root.children or view.text):
        return Content(TEACH.format(path=path))
    if not view.text.strip():
        said, way = f"No {noun}s in {place(view.scope)}.", "Enter takes one"
    else:
        said, way = f"No {noun} in {place(view.scope)} matches.", "Enter takes one · Esc clears the search"
    if not instead:
        return Content(said + (" Esc clears the search." if view.text.strip() else ""))
    return Content("\n").join([Content(said), Content(), *instead, Content(), Content(way)])


def waiting(listing: Listing, first: str) -> Content:
    """Says at the foot of the list what waits for its order to be let go, and the keys that let it in."""
    count = len(listing.answer.waiting)
    if not count:
        return Content()
    where = "above" if listing.order in ("newest", "relevance") else "more"
    return entry_point(f"+{count:,} {where} ({first})", "$primary", "move.first")


def foot(listing: Listing, marked: str, first: str) -> Content:
    """The last line of the list: what waits, and what is marked."""
    parts = [waiting(listing, first), Content.styled(marked, "$primary" if marked else "")]
    return Content.styled(" · ", "$text-muted").join([part for part in parts if part])


def title(word: str, *, focused: bool) -> Content:
    """The title of a pane; in capitals where it has the focus."""
    return Content.styled(word.upper(), "bold $primary") if focused else Content.styled(word, "$text-muted")


def store(name: str, root: Node, spaces: int) -> list[Content]:
    """What is open and what it holds, for the first line."""
    parts = [Content.assemble(("memview", "bold"), f"  {name}")]
    if spaces:
        counts = [plural(spaces, "namespace"), plural(root.facts, "fact"), plural(root.turns, "turn")]
        places = [("   ", "pane.tree"), (" · ", "tab.previous"), (" · ", "tab.next")]
        parts += [
            Content.styled(gap, "$text-muted") + _button(count, "$text-muted", command)
            for (gap, command), count in zip(places, counts, strict=True)
        ]
    return parts


def way_back(listing: Listing, spot: Spot) -> Content:
    """The first line where one pane fills the screen: where one is, and the way back."""
    if spot == "tree":
        return Content.styled("Namespaces", "bold")
    count = len(listing.list.keys) - len(listing.answer.kept) + len(listing.answer.waiting)
    word = "Facts" if listing.view.tab == "facts" else "Turns"
    here = f"{word} {count:,}" if spot != "detail" else word[:-1]
    back = _button("‹", "bold $primary", "move.left")
    return Content.assemble(back, (f" {here}", "bold"), (f" · {place(listing.view.scope)}", "$text-muted"))
