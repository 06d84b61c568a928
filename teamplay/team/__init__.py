"""The paper's section III: views, agents, managers, and the team they make."""

from teamplay.team.agent import Agent
from teamplay.team.manager import Manager
from teamplay.team.messages import Response
from teamplay.team.team import Team
from teamplay.team.view import View

__all__ = ["Agent", "Manager", "Response", "Team", "View"]
