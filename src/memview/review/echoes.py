"""Texts that only hand back what was recalled: see :mod:`memview.store.echoes` for the rule."""

from __future__ import annotations

from memview.store.echoes import echoes, unwrapped

__all__ = ["echoes", "unwrapped"]
