"""Drawings that a command writes: SVG or PNG by the name of the file, or SVG on standard output."""

import argparse

from teamplay import library
from teamplay.cli import _files
from teamplay.errors import BadSpec
from teamplay.show.png import check_png, png

STDOUT = "-"


def add_svg(parser: argparse.ArgumentParser) -> None:
    help = "also write the picture to a .svg or .png file; - writes SVG to standard output and nothing else"
    parser.add_argument("--svg", metavar="FILE", help=help)


def check_svg(args: argparse.Namespace) -> None:
    """Refuse a drawing that could not be written, before anything is computed."""
    name: str | None = args.svg
    if name is None:
        return
    if not name:
        raise BadSpec("--svg needs the name of a file, such as board.svg, or - for standard output.")
    if name == STDOUT:
        if args.json:
            raise BadSpec("--svg - and --json would both write to standard output; name a file for the drawing.")
        return
    ending = name.rpartition(".")[2].lower()
    if ending not in ("svg", "png"):
        raise BadSpec(f"`{name[:80]}` must end in .svg or .png, which says how the drawing is written.")
    library.refuse_existing(name, args.force)
    if ending == "png":
        check_png()


def write_svg(args: argparse.Namespace, svg: str) -> bool:
    """Write a drawing where it was asked for; True if standard output holds it and must hold nothing else."""
    if args.svg == STDOUT:
        _files.speak_utf8()
        print(svg, end="")
        return True
    library.save(args.svg, png(svg) if args.svg.lower().endswith(".png") else svg)
    return False
