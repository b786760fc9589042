"""Scheduling policies, as a simulation may use them: numbers in, the place of an operator out.

They decide which operator a free worker takes next. Flows run by the same code; see
docs/policies.md for what each of them does and how a flow chooses one.

CT takes the operator with the lowest throughput in the window, counted in tuples that entered the
pipeline. Below the first operator makes 3 tuples of one. It ran for 4 seconds at 1 second a tuple,
so 4 tuples are through; the second one ran for 6 seconds, and its 6 tuples are 2 that entered:

>>> from penstock.policies import OperatorState, pick
>>> first = OperatorState(selectivity=3, cost=1, worklist=5, window_time=4)
>>> second = OperatorState(selectivity=1, cost=1, worklist=5, window_time=6)
>>> pick("CT", [first, second])
1

ET takes the one that needs longest for what waits, and LP the last one for which something waits:

>>> operators = [{"worklist": 5, "cost": 2}, {"worklist": 3, "cost": 3}, {"worklist": 0, "cost": 9}]
>>> pick("ET", operators), pick("LP", operators)
(0, 1)
"""

from __future__ import annotations

from penstock.policies.operator_state import OperatorState
from penstock.policies.pick import names, pick

__all__ = ["OperatorState", "names", "pick"]
