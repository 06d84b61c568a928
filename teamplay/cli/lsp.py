"""serve editors with findings, explanations and layout while a table is typed"""

import argparse

from teamplay.cli import _arguments

SECONDS = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds",
        type=_arguments.seconds,
        default=SECONDS,
        metavar="S",
        help=f"the most that `check` may take for one text (default: {SECONDS})",
    )


def run(args: argparse.Namespace) -> int:
    from importlib.util import find_spec

    from teamplay.errors import BadSpec

    if find_spec("pygls") is None:
        raise BadSpec("`teamplay lsp` needs pygls; install it with `pip install 'teamplay[lsp]'`.")
    from teamplay.editors.server import serve

    serve(args.seconds)
    return 0
