"""A process that looks at one text for the language server, which may end it at any time: a line of JSON for each look.

It reads a name and a text as JSON; its argument is how many seconds it may take.
"""

import json
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

from teamplay.check.formats import finding_json
from teamplay.check.report import check
from teamplay.language import Source

OUT_OF_TIME = 3  # the exit code
UNSURE = ("T111",)  # a quick look can't distinguish an allow that silences nothing from one whose finding takes longer


def looks(source: Source) -> Iterator[list[dict[str, Any]]]:
    """All findings twice: what is soon found, and then everything."""
    quick = check(source, thorough=False)
    yield [finding_json(one) for one in quick.findings if one.code not in UNSURE]
    if quick.readable:
        yield [finding_json(one) for one in check(source).findings]


def main() -> None:
    answer, sys.stdout = sys.stdout, sys.stderr  # whatever else is printed is no answer
    if hasattr(os, "nice"):
        os.nice(10)  # the editor comes first
    timer = threading.Timer(float(sys.argv[1]), os._exit, [OUT_OF_TIME])
    timer.daemon = True
    timer.start()
    for found in looks(Source(*json.load(sys.stdin))):
        print(json.dumps(found), file=answer, flush=True)


if __name__ == "__main__":
    main()
