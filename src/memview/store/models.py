"""The records of a store: SQLModel tables that are also the values the library hands out.

They are detached: nothing is loaded behind the caller's back, and changing an attribute changes no file. Writing goes
through :class:`memview.Memory` and :class:`memview.Conversation`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from memview import clock
from memview.store.orm import (
    JSON,
    Column,
    Field,
    InstanceState,
    LargeBinary,
    SQLModel,
    String,
    TypeDecorator,
    configure_mappers,
)

R = TypeVar("R", bound=SQLModel)


class UTCText(TypeDecorator[datetime]):
    """A time, stored as sortable text in UTC (see :mod:`memview.clock`)."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: object) -> str | None:
        """The stored form."""
        return None if value is None else clock.to_text(value)

    def process_result_value(self, value: str | None, dialect: object) -> datetime | None:
        """The time."""
        return None if value is None else clock.from_text(value)


def _time(**more: Any) -> Any:
    return Field(sa_column=Column(UTCText, nullable=False, **more))


def _json(name: str | None = None) -> Any:
    return Column(name, JSON, nullable=False) if name else Column(JSON, nullable=False)


class _Metadata:
    """``record.metadata``: SQLModel keeps that name for itself on the class, so records answer it one by one."""

    def __init__(self, tables: Any) -> None:
        self.tables = tables

    def __get__(self, record: Any, owner: type | None = None) -> Any:
        return self.tables if record is None else record.meta


class Namespace(SQLModel, table=True):
    """What belongs to a namespace as a whole."""

    __tablename__ = "namespaces"

    tenant: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    max_entries: int | None = None
    """How many active facts it keeps; the oldest beyond are pruned. None: no limit."""
    created_at: datetime = _time()


class Fact(SQLModel, table=True):
    """One durable fact of a namespace."""

    __tablename__ = "facts"

    n: int | None = Field(default=None, primary_key=True)
    """The insertion number, which says what "newest" means."""
    id: str = Field(unique=True)
    """A ULID in small letters."""
    hash: bytes | None = Field(default=None, sa_column=Column(LargeBinary, unique=True))
    """Identity of tenant, namespace and text; None where another program wrote the row."""
    tenant: str = ""
    namespace: str = ""
    content: str
    """The text, as it was given."""
    category: str | None = None
    tags: list[str] = Field(default_factory=list, sa_column=_json())
    keywords: list[str] = Field(default_factory=list, sa_column=_json())
    summary: str | None = None
    importance: int = 5
    """1 to 10."""
    memory_type: str = "semantic"
    """``semantic``, ``episodic`` or ``reflection``."""
    strength: float = 1.0
    """0 to 1, as it stood at ``last_accessed_at``; it fades from there."""
    access_count: int = 0
    """How often it was recalled."""
    created_at: datetime = _time()
    updated_at: datetime = _time()
    last_accessed_at: datetime = _time()
    version: int = 1
    """Counts up with each change; an edit names the version that was read."""
    status: str = "active"
    """``active``, ``superseded``, ``pruned`` or ``forgotten``."""
    pinned: bool = False
    """A pinned fact is never pruned."""
    confidentiality: str = "public"
    """``public`` < ``internal`` < ``confidential`` < ``restricted``."""
    agent: str | None = None
    """Who wrote it."""
    session: str | None = None
    turns: list[str] = Field(default_factory=list, sa_column=_json())
    """The ids of the turns it came from."""
    origin: str | None = None
    """Whose words it rests on: ``user``, ``assistant``, ``tool``, ``import``, ``person`` or ``extraction``."""
    meta: dict[str, Any] = Field(default_factory=dict, sa_column=_json("metadata"))
    """Anything the author attached; also ``fact.metadata``."""

    blocked: ClassVar[bool] = False
    """True on what ``write`` returns for a text that was forgotten: it was not learnt again."""
    score: ClassVar[float | None] = None
    """How well it matched, on what ``search`` returns; higher is better."""
    why: ClassVar[str] = ""
    """What the score rests on, in words."""

    if TYPE_CHECKING:

        @property
        def metadata(self) -> dict[str, Any]:  # type: ignore[override]
            """The same as ``meta``."""


class Turn(SQLModel, table=True):
    """One exchange of a session: a request and its response."""

    __tablename__ = "turns"

    n: int | None = Field(default=None, primary_key=True)
    id: str = Field(unique=True)
    tenant: str = ""
    namespace: str | None = None
    session: str = ""
    request: str = ""
    response: str = ""
    at: datetime = _time()
    agent: str | None = None
    meta: dict[str, Any] = Field(default_factory=dict, sa_column=_json("metadata"))

    score: ClassVar[float | None] = None
    """How well it matched, on what ``search_turns`` returns; higher is better."""
    why: ClassVar[str] = ""
    """What the score rests on, in words."""

    if TYPE_CHECKING:

        @property
        def metadata(self) -> dict[str, Any]:  # type: ignore[override]
            """The same as ``meta``."""


class Link(SQLModel, table=True):
    """A tie between two facts. ``related`` and ``contradicts`` are seen alike from both ends."""

    __tablename__ = "links"

    id: str = Field(primary_key=True)
    source: str = Field(foreign_key="facts.id")
    target: str = Field(foreign_key="facts.id")
    kind: str = "related"
    """``related``, ``contradicts``, ``supersedes`` or ``derived-from``."""
    created_at: datetime = _time()
    agent: str | None = None


class Decision(SQLModel, table=True):
    """What a reviewer decided about one version of a fact."""

    __tablename__ = "decisions"

    id: str = Field(primary_key=True)
    fact: str = Field(foreign_key="facts.id")
    reviewer: str
    version: int
    decision: str
    at: datetime = _time()


class Change(SQLModel, table=True):
    """One entry of the change feed."""

    __tablename__ = "changes"

    seq: int | None = Field(default=None, primary_key=True)
    at: datetime = _time()
    actor: str | None = None
    """Who did it: an agent's name, ``person:<user>``, or None for another program."""
    action: str | None = None
    """What it was part of, ``<verb>:<id>``: one call of the library or one step of a person."""
    op: str
    """``insert``, ``update``, ``delete`` or ``erase``."""
    kind: str
    id: str
    tenant: str = ""
    namespace: str | None = None
    before: str | None = None
    """The changed columns as they were, as typed JSON (see :mod:`memview.store.feed_sql`)."""


for _model in (Fact, Turn):
    _model.metadata = _Metadata(SQLModel.metadata)  # type: ignore[assignment]
configure_mappers()


def made(model: type[R], values: dict[str, Any]) -> R:
    """A record from values that are known to be right, by attribute name; every field must be among them.

    The dict becomes the record's own. This skips SQLModel's constructor, which checks nothing on a table and takes a
    hundred times as long. What Pydantic notes as set, all fields, is one set for all records: it never grows.
    """
    record = _new(model)
    _set(record, "__pydantic_fields_set__", _fields(model))
    _set(record, "__pydantic_extra__", None)
    _set(record, "__pydantic_private__", None)
    values["_sa_instance_state"] = InstanceState(record, model.__dict__["_sa_class_manager"])
    _set(record, "__dict__", values)
    return record


_new, _set = object.__new__, object.__setattr__


@cache
def _fields(model: type[SQLModel]) -> set[str]:
    return set(model.model_fields)


def attach(record: Fact | Turn, **attributes: object) -> None:
    """Set attributes that are no columns, such as ``score`` or ``blocked``."""
    record.__dict__.update(attributes)


def columns(model: type[SQLModel]) -> Iterable[str]:
    """The column names of a table, in order."""
    return [column.name for column in model.__table__.columns]  # type: ignore[attr-defined]
