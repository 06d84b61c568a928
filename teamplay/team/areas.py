"""Local managers with areas of their own, as a tree: managers inside, cells at the leaves."""

from collections.abc import Sequence

import networkx as nx

from teamplay.errors import BadSpec
from teamplay.grid import Grid
from teamplay.team.agent import Agent
from teamplay.team.manager import Manager, Member
from teamplay.team.round import TieBreak

HEAD = "head"
DEEPEST = 200  # managers above each other: every one takes some of Python's stack


def blocks(grid: Grid, side: int) -> "nx.DiGraph[str | int]":
    """A head manager over local ones, each with a square block of the board.

    >>> sorted(blocks(Grid((4, 4)), 2).successors("area 1,2"))
    [2, 3, 6, 7]
    """
    if side < 1:
        raise BadSpec(f"An area has sides of at least 1 cell, not {side}.")
    tree: nx.DiGraph[str | int] = nx.DiGraph()
    for cell in grid.cells:
        area = "area " + ",".join(str(at // side + 1) for at in grid.coordinates(cell))
        tree.add_edge(HEAD, area)
        tree.add_edge(area, cell)
    return tree


def hierarchy(
    tree: "nx.DiGraph[str | int]", agents: Sequence[Agent], only_affected: bool, tie_break: TieBreak
) -> Manager:
    """The head manager of a tree, with all that are below it."""
    if len(tree) < 2 or not tree.is_directed() or not nx.is_arborescence(tree):
        raise BadSpec(
            "A hierarchy is a tree with arrows from every manager to those below it, and one head at the top."
        )
    leaves = {node for node in tree if tree.out_degree(node) == 0}
    if leaves != {agent.cell for agent in agents}:
        raise BadSpec(f"Below the managers of a hierarchy stand the cells, 0 to {len(agents) - 1}, and nobody else.")
    if nx.dag_longest_path_length(tree) > DEEPEST:
        raise BadSpec(f"A hierarchy has at most {DEEPEST} managers above each other.")
    (head,) = (node for node in tree if tree.in_degree(node) == 0)
    members: dict[str | int, Member] = {agent.cell: agent for agent in agents}
    for node in nx.dfs_postorder_nodes(tree, head):
        if node not in leaves:
            members[node] = Manager([members[child] for child in tree.successors(node)], only_affected, tie_break)
    made = members[head]
    assert isinstance(made, Manager)
    return made
