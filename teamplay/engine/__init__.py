"""Compiled evaluation: the same games and tables over arrays."""
