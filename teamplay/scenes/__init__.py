"""Scenes: drawings of a board with what the team should do there, and claims about a whole table."""
