"""Agents elsewhere: hosts that seat them, a network between, and what holds when things go wrong."""
