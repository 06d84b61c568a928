"""The table language: text -> syntax tree -> a rule book for one game."""

from teamplay.language.checker import bind, load_rulebook, read_rulebook
from teamplay.language.diagnostics import Diagnostic, TableError
from teamplay.language.parser import Source, load_source, load_table, parse_table
from teamplay.language.rulebook import BoundRule, Rulebook

__all__ = [
    "BoundRule",
    "Diagnostic",
    "Rulebook",
    "Source",
    "TableError",
    "bind",
    "load_rulebook",
    "load_source",
    "load_table",
    "parse_table",
    "read_rulebook",
]
