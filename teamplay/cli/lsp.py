"""serve editors with findings, explanations and layout while a table is typed"""

import argparse
from importlib.util import find_spec

from teamplay.cli import _arguments
from teamplay.errors import BadSpec

SECONDS = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds",
        type=_arguments.seconds,
        default=SECONDS,
        metavar="S",
        help=f"stop a `check` of one text after S seconds (default: {SECONDS})",
    )


def run(args: argparse.Namespace) -> int:
    if find_spec("pygls") is None:
        raise BadSpec("`teamplay lsp` needs pygls; install it with `pip install 'teamplay[lsp]'`.")
    from teamplay.editors.server import serve

    serve(args.seconds)
    return 0
