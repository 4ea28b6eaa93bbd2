"""What memview keeps about a store outside of it, for programs above: no SQLModel."""

from __future__ import annotations

from memview.store.state import folder, kept

__all__ = ["folder", "kept"]
