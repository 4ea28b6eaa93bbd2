"""Secrets in texts, for whatever shows or hands on a text: where they stand, and the text without them."""

from __future__ import annotations

from memview.store.secrets import MASK, SHAPES, Secret, has_secret, mask, spans

__all__ = ["MASK", "SHAPES", "Secret", "has_secret", "mask", "spans"]
