"""What managers and agents say to each other."""

from dataclasses import dataclass

AgentName = int  # a number to call an agent by; equals are put in this order


@dataclass(frozen=True)
class Response:
    """An agent's answer: who, how urgent (1 is the most, None is silence), the letter it would place, by which rule.

    An agent that has no preference between letters sends one response for each.
    """

    sender: AgentName
    priority: int | None
    letter: str = ""
    rule: str = ""
