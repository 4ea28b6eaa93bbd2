"""Draw the README's pictures from the real program on the made-up store, with a fixed clock."""

from __future__ import annotations

import asyncio
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from memview.app.app import MemviewApp
from memview.cli.demo.building import build

HERE = Path(__file__).parent
NOW = datetime(2026, 3, 3, 14, 2, tzinfo=UTC)
PICTURES = {"browse": "slash r e n e w s enter down down"}


async def draw(name: str, keys: str) -> None:
    """Open the app, type, and write what it shows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "agent.db"
        build(path, now=NOW)
        app = MemviewApp(path, clock=lambda: NOW, watched=False)
        async with app.run_test(size=(140, 30)) as pilot:
            await pilot.pause(0.5)
            await pilot.press(*keys.split())
            await app.workers.wait_for_complete()
            await pilot.pause(0.3)
            (HERE / f"{name}.svg").write_text(app.export_screenshot(title="memview agent.db"))


if __name__ == "__main__":
    for picture in PICTURES.items():
        asyncio.run(draw(*picture))
