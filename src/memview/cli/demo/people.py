"""What the made-up agents know about two made-up people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Note(NamedTuple):
    """A fact before it is written: its text and what it is filed under."""

    text: str
    category: str
    tags: tuple[str, ...] = ()


NAMES = (
    "Aleida", "Bram", "Chiara", "Dario", "Esra", "Fenna", "Goran", "Hanne", "Ilse", "Jonas", "Katja", "Luca", "Mirek",
    "Noor", "Otto", "Pilar", "Quirin", "Rosa", "Sanna", "Teo", "Ulla", "Viktor", "Wanda", "Xenia", "Yusuf", "Zora",
)  # fmt: skip

_PREFERS = (
    "short answers to long ones", "tables to bullet lists", "metric units to imperial", "tea to coffee after noon",
    "the train to flying within Europe", "code review comments to calls", "dark themes to light ones",
    "ISO dates to anything else", "a plan before any code", "plain text mail to HTML", "aisle seats to window seats",
    "written stand-ups to spoken ones", "small pull requests to big ones", "Postgres to MySQL for new services",
    "pytest to unittest", "a phone call to chat when something is on fire", "oat milk to dairy",
    "mornings to evenings for hard problems", "links to pasted text", "squash merges to merge commits",
    "seven-inch records to streaming", "paper books to e-readers", "walking to cycling in winter",
    "one long meeting to three short ones", "Celsius to Fahrenheit, always",
)  # fmt: skip
_USES = (
    ("Helix", "editing on servers"), ("a split keyboard", "everything but games"), ("Ledger files", "the household"),
    ("two monitors", "reviews"), ("a paper notebook", "one-to-ones"), ("uv", "Python environments"),
    ("a shared calendar", "family plans"), ("tmux", "long sessions"), ("a standing desk", "mornings"),
    ("Graphviz", "architecture sketches"), ("jq", "looking at logs"), ("a YubiKey", "every login that takes one"),
    ("noise-cancelling headphones", "the open office"), ("Zotero", "papers"),
    ("a sourdough starter called Bert", "bread"), ("an e-ink tablet", "proofreading"),
    ("make", "every project's tasks"), ("restic", "backups"), ("a folding bike", "the last mile"),
    ("Wireshark", "anything that times out"),
)  # fmt: skip
_WANTS = (
    "release notes in English and Dutch", "a warning before anything is deployed on a Friday",
    "numbers rounded to two places in reports", "the sources named under every summary",
    "no emoji in commit messages", "a reminder ten minutes before meetings",
    "test output trimmed to the failing part", "the shortest diff that works", "prices with VAT included",
    "an explanation when a library is added", "long running jobs announced beforehand",
    "questions asked in one batch, not one by one", "changelogs grouped by audience",
    "the weekly report before 16:00 on Friday", "links that do not need a login",
    "vegetarian options at every team dinner", "alerts grouped by service, not by host",
    "error messages quoted word for word",
)  # fmt: skip
_AVOIDS = (
    "meetings before 09:30", "flights with less than 70 minutes to change", "peanuts, because of an allergy",
    "abbreviations in customer mail", "working on Wednesdays after 15:00", "global state in tests",
    "rebasing shared branches", "calls without an agenda", "regular expressions longer than a line",
    "screens after 22:00", "vendors without a status page", "the word simply in documentation",
)  # fmt: skip
_CITIES = (
    "Ghent", "Porto", "Tallinn", "Lyon", "Aarhus", "Graz", "Bilbao", "Gdansk", "Turku", "Basel", "Leipzig", "Cork",
    "Trieste", "Brno", "Uppsala",
)  # fmt: skip
_EVENTS = ("the data meetup", "a customer visit", "the design sprint", "a long weekend", "the supplier audit")
_LIKES = (
    "cardamom in coffee", "maps with contour lines", "puns in variable names, outside of work", "second breakfasts",
    "chess problems in two moves", "rain on a tent", "old railway timetables", "gardens with more bees than flowers",
    "spreadsheets with one idea each", "the smell of bookshops", "long walks before decisions", "dry riesling",
)  # fmt: skip
_OWES = (
    "the slides from the workshop", "a review of the retention draft", "feedback on the onboarding guide",
    "a book on bread", "an answer about the office plants", "the numbers for the second quarter",
    "an introduction to the legal team", "two hours of pairing on the importer",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_WEEKLY = (
    "planning with the atlas team", "choir practice", "the on-call handover", "a swim before work",
    "lunch with the data group", "an hour for reading papers", "Spanish lessons",
    "the dentist for the kids, every other month",
)  # fmt: skip


def first_person() -> Iterator[Note]:
    """Notes on ``user:42``."""
    yield from (Note(f"Prefers {what}", "preference", ("style",)) for what in _PREFERS)
    yield from (Note(f"Uses {tool} for {job}", "habit", ("tools",)) for tool, job in _USES)
    yield from (Note(f"Wants {what}", "preference", ("reports",)) for what in _WANTS)
    yield from (Note(f"Avoids {what}", "preference") for what in _AVOIDS)
    yield from (Note(f"Likes {what}", "personal") for what in _LIKES)
    for at, city in enumerate(_CITIES):
        yield Note(
            f"Travels to {city} on {3 + at * 5 % 25} May for {_EVENTS[at % 5]}", "travel", ("travel", city.lower())
        )
    for at, what in enumerate(_WEEKLY):
        yield Note(f"Has {what} on {_DAYS[at * 3 % 5]} at {8 + at * 2 % 10}:{'00' if at % 3 else '30'}", "calendar")
    for at, what in enumerate(_OWES):
        yield Note(f"Owes {NAMES[at * 5 % 26]} {what} by {_DAYS[at % 5]}", "promise", ("open",))
    for at, name in enumerate(NAMES[:18]):
        yield Note(f"Birthday of {name} is on {1 + at * 11 % 28} {('March', 'June', 'October')[at % 3]}", "personal")


def second_person() -> Iterator[Note]:
    """Notes on ``user:43``, who runs the support desk."""
    for at, name in enumerate(NAMES):
        yield Note(f"Works with {name} on {_TOPICS[at % len(_TOPICS)]}", "people", ("team",))
    for at, topic in enumerate(_TOPICS):
        yield Note(f"Needs a summary of {topic} every {_DAYS[at % 5]}", "routine", ("reports",))
        yield Note(f"Asks for examples whenever {topic} comes up", "style")
    yield from (Note(f"Uses {tool} for {job}", "habit", ("tools",)) for tool, job in _USES[::2])
    yield from (Note(f"Avoids {what}", "preference") for what in _AVOIDS[::-2])


_TOPICS = (
    "refund rules", "the escalation rota", "macro texts", "the outage page", "bulk replies",
    "the tone of first answers", "ticket tags", "weekend cover", "the knowledge base", "chat hours",
    "the survey after closing", "language routing",
)  # fmt: skip
