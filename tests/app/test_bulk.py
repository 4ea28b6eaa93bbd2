from __future__ import annotations

import threading
from pathlib import Path

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.app.editing import Editing
from memview.app.many import Deed, GivenUp, Many
from memview.app.screens.message import MessageScreen
from memview.app.screens.tags import read
from memview.memory.looking import Query
from support import plain, sql

ASYNC = pytest.mark.asyncio


def active(store: MemoryStore, namespace: str) -> list[str]:
    """The texts of a namespace that agents get, oldest first."""
    return sorted(fact.content for fact in store.memory(namespace).list())


def asked(driven: Driven) -> str:
    """The question on the screen."""
    assert isinstance(driven.app.screen, MessageScreen)
    return driven.text().replace("\N{NO-BREAK SPACE}", " ")


async def search(driven: Driven, text: str) -> None:
    await driven.press("slash")
    await driven.type(text)
    await driven.press("enter")


@ASYNC
async def test_many_are_forgotten_only_by_y_and_brought_back_by_one_undo(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("space", "space", "space", "d")
        question = asked(driven)
        assert "Forget 3 facts in 3 namespaces?" in question
        assert "Users sign in by mail" in question
        assert "y forget 3   Esc stay" in question
        await driven.press("enter", "d", "space")
        assert "Forget 3 facts" in asked(driven)
        await driven.press("escape")
        assert filled.memory("user").count() == 1
        await driven.press("d", "y")
        assert "forgot 3 facts in 3 namespaces · u brings them back" in driven.status
        assert driven.app.clipboard == ""  # the y was an answer, and copied nothing beneath
        assert filled.memory("user").count() == filled.memory("user:43").count() == 0
        assert driven.title.startswith("FACTS 3")
        await driven.press("u")
        assert "brought back 3 facts in 3 namespaces" in driven.status
        assert filled.memory("user").count() == filled.memory("user:43").count() == 1


@ASYNC
async def test_one_mark_acts_at_once_wherever_the_cursor_is(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("space", "j", "d")
        assert active(filled, "user") == []
        assert "forgot 1 fact in user · u brings it back" in driven.status
        assert driven.title.startswith("FACTS 5")


@ASYNC
async def test_a_mark_out_of_sight_is_asked_about(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("space")
        await search(driven, "oslo")
        await driven.press("d")
        assert "Forget 1 fact in user?" in asked(driven)
        assert "Users sign in by mail" in asked(driven)
        await driven.press("escape")
        assert active(filled, "user") == ["Users sign in by mail"]


@ASYNC
async def test_pinned_facts_stay_and_later_arrivals_are_named(filled: MemoryStore, opened: Open) -> None:
    (atlas,) = filled.memory("project/atlas").list()
    filled.memory("project/atlas").pin(atlas.id)
    async with opened() as driven:
        await search(driven, "deploy")
        await driven.press("*")
        filled.memory("support").write("How do I deploy?")
        await driven.press("d")
        question = asked(driven)
        assert "Forget 2 facts in user:42?" in question
        assert "stay as they are: 1 pinned" in question
        assert "not touched: 1 that came to match after the marks were set" in question
        await driven.press("y")
        assert "forgot 2 facts in user:42; 1 is pinned and stays" in driven.status
        assert active(filled, "support") == ["How do I deploy?"]
        assert active(filled, "project/atlas") == ["Atlas deploys from main"]


@ASYNC
async def test_one_that_vanished_and_one_that_changed_are_named_and_the_rest_is_done(
    filled: MemoryStore, opened: Open, path: Path
) -> None:
    async with opened() as driven:
        await driven.press("*")
        (users,) = filled.memory("user").list()
        (oslo,) = filled.memory("user:43").list()
        filled.memory("user").update(users.id, "Users sign in by passkey")
        sql(path, "DELETE FROM facts WHERE id = ?", (oslo.id,))
        await driven.press("d")
        assert "stay as they are: 1 changed since, 1 no longer in the store" in asked(driven)
        await driven.press("y")
        assert "forgot 4 facts in 2 namespaces; 1 changed meanwhile and stays, 1 is no longer in" in driven.status
        assert active(filled, "user") == ["Users sign in by passkey"]
        assert active(filled, "user:42") == active(filled, "project/atlas") == []


@ASYNC
async def test_what_vanishes_between_the_question_and_the_answer_is_named_too(
    filled: MemoryStore, opened: Open, path: Path
) -> None:
    async with opened() as driven:
        await driven.press("*", "d")
        assert "Forget 6 facts" in asked(driven)
        (oslo,) = filled.memory("user:43").list()
        with plain(path) as other:
            other.execute("DELETE FROM facts WHERE id = ?", (oslo.id,))
        await driven.press("y")
        assert "forgot 5 facts in 4 namespaces; 1 is no longer in the store" in driven.status


@ASYNC
async def test_the_right_rows_are_hit_though_the_order_changed(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("j", "space", "space")
        filled.memory("user").write("Somebody wrote meanwhile")
        filled.memory("user:43").write("And once more")
        await driven.press("ctrl+l", "s", "d", "y")
        assert active(filled, "project/atlas") == active(filled, "user:43")[1:] == []
        assert active(filled, "user") == ["Somebody wrote meanwhile", "Users sign in by mail"]


@ASYNC
async def test_pin_accept_and_put_back_many(filled: MemoryStore, opened: Open) -> None:
    memory = filled.memory("user:42")
    async with opened() as driven:
        await search(driven, "ns:user:42")
        for keys, said in [
            ("*py", "pinned 3 facts"),
            ("*py", "unpinned 3 facts"),
            ("*ay", "accepted 3 facts"),
            ("*a", "nothing to do: 3 are accepted already"),
            ("*dy", "forgot 3 facts"),
        ]:
            await driven.press(*keys)
            assert said in driven.status
        assert memory.count() == 0
        await driven.press("g", "v", "r", "y")
        assert "brought back 3 facts in user:42" in driven.status
        assert memory.count() == 3


@ASYNC
async def test_tags_for_one_and_for_many(filled: MemoryStore, opened: Open) -> None:
    memory = filled.memory("user:42")
    async with opened() as driven:
        await search(driven, "deploy window")
        await driven.press("t")
        assert "now: deploy" in driven.text()
        await driven.type("+calm -dep")
        await driven.press("tab", "enter")
        assert "tagged 1 fact in user:42" in driven.status
        (fact,) = [fact for fact in memory.list() if fact.content.startswith("Deploy window")]
        assert fact.tags == ["calm"]
        await driven.press("escape", "*", "t")
        await driven.type("ca")
        await driven.press("tab")
        await driven.type('"two words"')
        await driven.press("enter")
        assert "Tag 6 facts in 4 namespaces: +calm +two words?" in asked(driven)
        await driven.press("y")
        assert "tagged 6 facts" in driven.status
        assert {tuple(fact.tags) for fact in memory.list()} == {("calm", "two words")}
        await driven.press("u")
        assert sorted(tuple(fact.tags) for fact in memory.list()) == [(), (), ("calm",)]


@ASYNC
async def test_facts_of_several_tenants_are_one_step(store: MemoryStore, opened: Open) -> None:
    for tenant in ("", "acme", "zebra"):
        store.tenant(tenant).memory("user").write("Shared words")
        store.tenant(tenant).memory("user").write("Other words")
    async with opened() as driven:
        await search(driven, "words")
        await driven.press("*", "d", "y")
        assert "forgot 6 facts in 3 namespaces" in driven.status
        assert store.tenant("acme").memory("user").count() == 0
        await driven.press("u")
        assert "brought back 6 facts" in driven.status
        await driven.press("U")
        assert "forgot 6 facts again" in driven.status
        assert store.tenant("zebra").memory("user").count() == 0


@ASYNC
async def test_d_held_down_on_marks_asks_once_and_does_nothing(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("space", "space")
        for _ in range(5):
            driven.send("d")
        await driven.settle()
        assert "Forget 2 facts" in asked(driven)
        await driven.press("escape")
        assert driven.app.screen is driven.screen
        assert filled.memory("user").count() == 1


@ASYNC
async def test_a_read_only_store_is_not_acted_on(filled: MemoryStore, opened: Open) -> None:
    async with opened(read_only=True) as driven:
        await driven.press("*", "d")
        assert "read-only" in driven.status
        assert driven.app.screen is driven.screen


def crowd(store: MemoryStore, count: int) -> None:
    """Fill a namespace in one go, as another program would."""
    with plain(store.path) as other:
        other.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
            "INSERT INTO facts (namespace, content) SELECT 'big', 'fact number ' || i FROM n",
            (count,),
        )
        other.execute("DELETE FROM queue")  # nothing here searches for words


@ASYNC
async def test_more_than_sqlite_has_variables_in_one_step(store: MemoryStore, opened: Open) -> None:
    crowd(store, 33_000)
    async with opened() as driven:
        await driven.press("*", "d")
        assert "Forget 33,000 facts in big?" in asked(driven)
        assert "and 32,997 more" in asked(driven)
        await driven.press("y")
        assert "forgot 33,000 facts in big" in driven.status
        assert store.memory("big").count() == 0
    assert sum('"fact number ' in line for line in store.export("big")) == 33_000


@ASYNC
async def test_escape_gives_everything_up(store: MemoryStore, opened: Open) -> None:
    crowd(store, 3_000)
    async with opened() as driven:
        await driven.press("*", "d")
        bulk = driven.screen.doing.bulk
        tell = bulk.acting._tell

        def stop_at_second(done: int, of: int) -> None:
            tell(done, of)
            if done == 1_000:
                driven.app.call_from_thread(bulk.stop_or_drop)

        bulk.acting._tell = stop_at_second  # type: ignore[method-assign]
        await driven.press("y")
        assert "gave up · nothing was changed" in driven.status
        assert store.memory("big").count() == 3_000
        assert len(bulk.marks) == 3_000
        assert store.undo() is None


def test_tagging_tens_of_thousands_needs_no_variable_each(store: MemoryStore) -> None:
    crowd(store, 33_000)
    many = Many(Editing(store.path, "person:ana"))
    marked = many.matching(Query())
    prospect = many.look(Deed("tag", ("calm",)), marked)
    assert len(prospect.aims) == 33_000
    told: list[int] = []

    def tell(done: int, of: int) -> None:
        told.append(done)
        if done == 2_000:
            stop.set()

    stop = threading.Event()
    with pytest.raises(GivenUp):
        many.do(prospect, stop, tell)
    assert told == [0, 1_000, 2_000]
    many.close()


def test_tags_are_read_as_typed() -> None:
    assert read("+deploy -old") == (("deploy",), ("old",))
    assert read("deploy, ops") == (("deploy", "ops"), ())
    assert read('+"two words" -"more of them') == (("two words",), ("more of them",))
    assert read("a -a") == ((), ("a",))
    assert read("+ - ") == ((), ())
    assert read("ci/cd x-y") == (("ci/cd", "x-y"), ())
