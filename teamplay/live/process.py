"""What does a private host process run? It reads its work from standard input, and ends when that closes."""

import asyncio
import json
import os
import sys
import threading

from teamplay.errors import TeamplayError
from teamplay.game_file import load_game
from teamplay.language import load_rulebook
from teamplay.live.area import parse_area
from teamplay.live.network import broker
from teamplay.live.serve import BATCH, HostService


def _watch() -> None:
    """Whoever started this process holds the other end of its standard input."""
    sys.stdin.buffer.read()
    os._exit(0)


def main() -> int:
    """One host, as one line of JSON describes it."""
    work = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_watch, daemon=True).start()
    try:
        book = load_rulebook(work["table"], load_game(work["game"]))
        area = parse_area(book.game.grid, work["area"])
        asyncio.run(_serve(work, book, area))
    except TeamplayError as error:
        print(f"teamplay host: {error}", file=sys.stderr, flush=True)
        os._exit(2)  # the thread above still reads, and an ordinary end would wait for it
    return 0


async def _serve(work: dict[str, str], book: object, area: object) -> None:
    service = HostService(work["name"], book, area, work["team"], int(work.get("batch", BATCH)))  # type: ignore[arg-type]
    await service.run(broker(work["url"], work.get("credentials")))


if __name__ == "__main__":
    sys.exit(main())
