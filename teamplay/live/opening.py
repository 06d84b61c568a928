"""How is a live team made from a spec? One for each process, table and broker, however often it is named.

Two managers of one team would take its hosts from each other at every move.
"""

from collections import Counter
from weakref import WeakValueDictionary

from teamplay.errors import BadSpec
from teamplay.language.rulebook import Rulebook
from teamplay.live.private import PrivateTeam
from teamplay.live.settings import USUAL, Settings, settings
from teamplay.live.team import LiveTeam
from teamplay.team.round import TieBreak

_open: "WeakValueDictionary[tuple[str, ...], LiveTeam]" = WeakValueDictionary()
# How the choices came about of every team that was made here, by name, closed ones too.
made_choices: list[tuple[str, Counter[str]]] = []


def live_team(book: Rulebook, table: str, tie: TieBreak, hosts: int, where: str) -> LiveTeam:
    """A team on `hosts` processes of its own, or on whoever has joined a broker."""
    if hosts and where:
        raise BadSpec("`hosts` starts processes here and `live` asks others; give one of the two.")
    key = (table, str(book.game), tie, str(hosts), where)
    known = _open.get(key)
    if known is not None and known.is_open:
        return known
    made: LiveTeam
    if hosts:
        made = PrivateTeam(book, table, hosts, USUAL._replace(tie_break=tie))
    else:
        found = settings(where)
        terms = found.terms._replace(tie_break=tie)
        made = LiveTeam(book, Settings(found.broker, found.team, terms, found.join))
    _open[key] = made
    made_choices.append((table, made.manager.choices))
    return made
