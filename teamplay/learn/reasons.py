"""Which positions show that there is no table, and what does a person see in them?"""

from collections.abc import Iterator, Sequence

import networkx as nx

from teamplay.engine.layers import Layers
from teamplay.game import Game, Position
from teamplay.language import Source, read_rulebook
from teamplay.learn.far import Far
from teamplay.learn.graph import OPPONENT, Graph
from teamplay.learn.impossible import Check, Spot
from teamplay.learn.search import Node
from teamplay.learn.vocabulary import Vocabulary
from teamplay.show.words import cell_name

MOST_CHOICES = 3  # that are named for one position


def class_game_nodes(graphs: Sequence[Graph | Far], core: Sequence[Node]) -> list[Node]:
    """The team's nodes of a core, and those that show why some of their options can't be chosen.

    An option is bad where a move of it loses by perfect play, which anybody can work out, or where it leads to a node
    in which, by perfect play lost or not, every class has a bad move.
    """
    found: dict[Node, None] = {}
    open_ = list(core)
    while open_:
        g, n = open_.pop()
        graph = graphs[g]
        if (g, n) in found:
            continue
        if not isinstance(graph, Graph):  # what is bad there is lost by perfect play
            if graph.mine[n]:
                found[g, n] = None
            continue
        if graph.mine[n]:
            found[g, n] = None
        for option in range(int(graph.options[n]), int(graph.options[n + 1])):
            if not graph.good[option]:
                worse = _lost_child(graph, n, option)
                if worse is not None:
                    open_.append((g, worse))
    return list(found)


def _lost_child(graph: Graph, node: int, option: int) -> int | None:
    """A node after a bad option that perfect play would still hold, but no choice of classes does; else None."""
    edges = range(int(graph.edges[option]), int(graph.edges[option + 1]))
    bad = graph.bad_edges()[edges.start : edges.stop]
    lost = [int(graph.child[edge]) for edge in edges if graph.child[edge] >= 0 and not graph.held[graph.child[edge]]]
    if bad.any():
        return None
    needs = {"always-wins": 1, "never-loses": 0, "perfect": 0}.get(graph.goal, -1)
    if any(graph.value[child] < needs for child in lost) and graph.code[option] != OPPONENT:
        return None
    return min(lost, key=lambda child: (-int(graph.value[child]), -child)) if lost else None


def shown_positions(
    graphs: Sequence[Graph | Far], nodes: Sequence[Node], games: Sequence[Game]
) -> Iterator[tuple[int, int, Position]]:
    """Nodes as positions: the game by its number, the seat, the position."""
    decoders: dict[int, Layers] = {}
    for g, n in sorted(nodes):
        graph = graphs[g]
        if g not in decoders:
            silent = read_rulebook(Source("silent", "everyone: return 1"), graph.game)
            decoders[g] = Layers(silent, 0, symmetric=False, compiles=False)
        yield games.index(graph.game), graph.seat, decoders[g].position(int(graph.keys[n]))


def explanation(check: Check) -> list[str]:
    """Sentences that a person can follow: what each position leaves to choose, and where that contradicts itself."""
    claim = check.claim
    lines = []
    for number, seat, position in sorted(check.choices, key=_by_moves):
        game = claim.games[number]
        choices = check.choices[number, seat, position]
        left = [_described(choice.first, claim.vocabulary, game) for choice in choices[:MOST_CHOICES]]
        more = f" or {len(choices) - MOST_CHOICES} more" if len(choices) > MOST_CHOICES else ""
        board = game.drawn(position)
        lines.append(f"{board}: {' or '.join(left)}{more} must come first." if left else f"{board}: every class fails.")
        for look, good, bad in check.mixed.get((number, seat, position), [])[: 0 if left else MOST_CHOICES]:
            alike = _described(look, claim.vocabulary, game)
            names = [cell_name(game.grid, cell) for cell in (good, bad)]
            lines.append(f"There {names[0]} would hold and {names[1]} does not, but each is {alike}.")
    cycle = _forced_cycle(check)
    for one, other in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True):
        before, after = (_described(look, claim.vocabulary, claim.games[0]) for look in (one, other))
        lines.append(f"So {before} comes before {after}.")
    if cycle:
        lines.append("No order can do that.")
    return lines


def _by_moves(spot: Spot) -> tuple[int, int, int, str]:
    """Early positions first."""
    number, seat, position = spot
    return number, seat, -position.marks.count("."), position.marks


def _described(look: tuple[object, ...], vocabulary: Vocabulary, game: Game) -> str:
    """A class of agents in words: the role, and what it counts."""
    role, *values = look
    letter = f" playing {values.pop()}" if game.shared else ""
    if vocabulary.cells:
        return f"{_article(str(role))}{letter} with this view"
    counted = [f"{text}={value}" for text, value in zip(vocabulary.texts, values, strict=True) if value]
    return f"{_article(str(role))}{letter}{' with ' if counted else ''}{' '.join(counted)}"


def _article(role: str) -> str:
    return {"center": "the center", "edge": "an edge", "inner": "an inner cell"}.get(role, f"a {role}")


def _forced_cycle(check: Check) -> list[tuple[object, ...]]:
    """Looks that positions with a single choice put in a circle, if there are any."""
    graph = nx.DiGraph()
    for spot in sorted(check.choices, key=_by_moves):
        choices = check.choices[spot]
        if len(choices) == 1:
            graph.add_edges_from((choices[0].first, other) for other in sorted(choices[0].others, key=repr))
    try:
        return [edge[0] for edge in nx.find_cycle(graph)]
    except nx.NetworkXNoCycle:
        return []
