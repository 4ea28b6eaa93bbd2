"""What an agent asks its memory, as a value, and the SQL of which facts may answer."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from memview import clock
from memview.errors import Invalid
from memview.store import checks
from memview.store.conditions import ALL, Every
from memview.store.decay import EFFECTIVE


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts for the score of a recalled fact. Each part is 0 to 1.

    The parts and the defaults are those of heartbit-core's composite score.

    Raises:
        Invalid: a weight is no number, or below 0.
    """

    recency: float = 0.25
    """Of ``e^(-0.01 h)``, ``h`` hours after it was written."""
    importance: float = 0.25
    """Of ``(importance - 1) / 9``."""
    relevance: float = 0.30
    """Of bm25, divided by the best of the result."""
    strength: float = 0.20
    """Of the effective strength."""

    def __post_init__(self) -> None:
        for part in fields(self):
            value = getattr(self, part.name)
            if not checks.is_number(value) or value < 0:
                raise Invalid(f"The weight of {part.name} is a number from 0 up.")


WEIGHTS = Weights()
"""The weights unless others are asked for."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question and its limits; which of the facts in reach answer it best is for :mod:`memview.store.recalling`.

    Raises:
        Invalid: a limit makes no sense.
    """

    text: str = ""
    """The words; blank: every fact within the limits."""
    tenant: str = ""
    namespace: str | Every = ALL
    """Exactly this one, unless ``prefix`` is given."""
    prefix: str | None = None
    """This namespace and those whose name goes on with ``:``; ``user:alice`` never reaches ``user:alice2``."""
    category: str | None = None
    tags: tuple[str, ...] = ()
    """One of them is enough."""
    memory_type: str | None = None
    min_strength: float = 0.0
    """The least effective strength."""
    max_confidentiality: str | None = None
    """The most confidential; None does not limit."""
    limit: int = 10
    """The most facts, those that only a link brought included; 0: all."""
    context: bool = True
    """Whether the words of the turns that a fact came from help to find it."""
    weights: Weights = WEIGHTS
    unsaid: str | None = None
    """A session whose user's own words, as they were captured, are left out; None leaves out none."""

    def __post_init__(self) -> None:
        checks.asked(self.text)
        for name in ("prefix", "category"):
            if getattr(self, name) is not None:
                checks.text(getattr(self, name), name)
        object.__setattr__(self, "limit", checks.limit(self.limit))
        if not isinstance(self.weights, Weights):
            raise Invalid("weights is a Weights.")
        if not checks.is_number(self.min_strength):
            raise Invalid("min_strength is a number from 0 to 1.")
        if self.memory_type is not None:
            checks.checked({"memory_type": self.memory_type})
        if self.max_confidentiality is not None:
            checks.checked({"confidentiality": self.max_confidentiality})


class Limits:
    """The SQL conditions of an ask on a row ``r`` of facts, and their values.

    Args:
        ask: the question.
        now: the present, from which strength fades.
    """

    def __init__(self, ask: Ask, now: datetime) -> None:
        self.values: dict[str, Any] = {"now": clock.to_text(now), "tenant": ask.tenant}
        self.reach = " AND ".join(["r.tenant = :tenant", *self._namespace(ask)])
        """Tenant and namespace alone."""
        self.shared = " AND ".join([self.reach, "r.status = 'active'", *self._bounds(ask)])
        """What holds for every fact that is given, also for one that a link brings."""
        self.matches = " AND ".join([self.shared, *self._filters(ask)])
        """What holds for a fact that is given for its own words."""

    @property
    def scope(self) -> tuple[str, str] | None:
        """Tenant and namespace where one namespace is asked for, so that `facts_scope` finds what matches."""
        return (self.values["tenant"], self.values["namespace"]) if "namespace" in self.values else None

    def _namespace(self, ask: Ask) -> list[str]:
        if ask.prefix is not None:
            self.values |= under(ask.prefix)
            return [UNDER]
        if ask.namespace is ALL:
            return []
        self.values["namespace"] = ask.namespace
        return ["r.namespace = :namespace"]

    def _bounds(self, ask: Ask) -> list[str]:
        found = []
        if ask.min_strength > 0:
            self.values["min_strength"] = ask.min_strength
            found.append(f"{EFFECTIVE} >= :min_strength")
        if ask.max_confidentiality is not None:
            allowed = permitted(ask.max_confidentiality)
            self.values["allowed"] = json.dumps(allowed)
            found.append("r.confidentiality IN (SELECT value FROM json_each(:allowed))")
        if ask.unsaid is not None:
            self.values["unsaid"] = ask.unsaid
            found.append("NOT (r.session IS :unsaid AND r.memory_type = 'episodic' AND r.origin IS 'user')")
        return found

    def _filters(self, ask: Ask) -> list[str]:
        found = []
        for name in ("category", "memory_type"):
            if getattr(ask, name) is not None:
                self.values[name] = getattr(ask, name)
                found.append(f"r.{name} = :{name}")
        if ask.tags:
            self.values["tags"] = json.dumps(ask.tags)
            listed = "SELECT value FROM json_each(iif(json_valid(r.tags), r.tags, '[]'))"
            found.append(f"EXISTS ({listed} WHERE value IN (SELECT value FROM json_each(:tags)))")
        return found


UNDER = "(r.namespace = :prefix OR (r.namespace >= :prefix || ':' AND r.namespace < :prefix || ';'))"
"""SQL for a namespace and those whose name goes on with ``:``."""


def under(prefix: str) -> dict[str, str]:
    """The values of :data:`UNDER`."""
    return {"prefix": prefix}


def permitted(most: str) -> tuple[str, ...]:
    """The kinds of confidentiality up to one."""
    return checks.CONFIDENTIALITY[: checks.CONFIDENTIALITY.index(most) + 1]
