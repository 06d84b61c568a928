"""teamplay: one agent on each cell, a priority table, and a manager that knows no game."""

__version__ = "0.1.0"
