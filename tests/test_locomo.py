"""A real conversation, loaded through the library: what was learned is found, and leads to what was said."""

from __future__ import annotations

from pathlib import Path

import pytest

import locomo
from memview import MemoryStore
from terminal import Terminal, memview

PLACE = locomo.folder()
pytestmark = pytest.mark.skipif(
    PLACE is None,
    reason=f"the LoCoMo conversations are not part of this repository; {locomo.SETTING} names their folder",
)


@pytest.fixture
def loaded(path: Path) -> Path:
    assert PLACE is not None
    data = dict(locomo.conversations(PLACE))["26"]
    with MemoryStore(path, agent="loader") as store:
        turns = locomo.load(data, store)
        stats = store.stats()
        assert (stats.turns, stats.sessions) == (len(turns), len(list(locomo.sessions(data)))) == (419, 19)
        assert {space.namespace: space.facts for space in stats.by_namespace} == {
            "Caroline": 102, "Melanie": 82, "talk": 0,
        }  # fmt: skip
    return path


def test_facts_are_found_and_lead_to_their_turns(loaded: Path) -> None:
    with MemoryStore(loaded, read_only=True) as store:
        found = store.memory("Melanie").search("pottery", limit=0)
        assert len(found) == 12
        assert all("pottery" in fact.content.lower() for fact in found)
        said = {turn.id: turn for turn in store.search_turns("pottery class", limit=0)}
        assert any(set(fact.turns) & said.keys() for fact in found)


def test_the_story_of_a_person_who_puts_it_right(loaded: Path) -> None:
    with Terminal(memview(loaded)) as terminal:
        terminal.wait_for("184 facts")
        terminal.press("/", "pottery")
        terminal.wait_for("Facts 12")
        terminal.press("Enter")
        terminal.wait_for("FACTS 12")
        terminal.press("o")
        terminal.wait_for("TURNS")
        terminal.press("Backspace")
        terminal.wait_for("FACTS 12")
        terminal.press("e")
        terminal.wait_for("confidentiality")
        terminal.press("Surely ", "ctrl+s")
        terminal.wait_for("changed the")
        terminal.press("j", "d")
        terminal.wait_for("forgot 1")
        terminal.press("u")
        terminal.wait_for("brought back 1")
        terminal.press("j", "L")
        terminal.wait_for("related")
        terminal.press("painting")
        terminal.wait_for(lambda text: text.count("painting") > 9)
        terminal.press("Enter")
        terminal.wait_for("linked 2 facts")
        terminal.press("q")
        assert terminal.ended() == 0
    with MemoryStore(loaded) as store:
        melanie = store.memory("Melanie")
        (edited,) = [fact for fact in melanie.list(0) if fact.content.startswith("Surely ")]
        assert edited.turns
        assert melanie.count() == 82
        assert melanie.trash() == []
        assert store.stats().links == 1
    with Terminal(memview(loaded)) as terminal:
        terminal.wait_for("184 facts")
        terminal.press("/", "surely", "Enter")
        terminal.wait_for("Surely Melanie")
        terminal.press("q")
        terminal.ended()
