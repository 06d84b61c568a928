"""The searches: plain functions over words of bits, which numba compiles when a job is large.

`lines.py`, `drops.py`, `words.py` and `flanks.py` each have a `search` of their own, and the four look alike: count the
position, look for what decides it at once, look it up, order the moves, try them, keep the bounds. What they share
stands in `memory.py`, `bits.py` and `workers.py`. The loop around it stays four times. As one function it would have to
be handed what differs: as functions, which numba can't do for a recursion that it keeps on disk; as switches, so that
every search is compiled with the code of all four, which costs each command its first seconds; or as a text that is
filled in, which nobody can read beside a traceback. And they differ within the loop: a score is carried back as plies,
as points or as marks, the turn may stay, a child may be decided before it is searched.
"""
