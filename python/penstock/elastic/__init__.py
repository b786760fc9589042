"""The controllers that decide how many threads and channels there are, to try out without any.

They are the engine's own: numbers in, a number out, no clock. A period is one call of `update`, so
a machine of any size can be simulated in no time:

>>> controller = ThreadController(maximum=4)
>>> machine = {1: 1000, 2: 1900, 3: 2700, 4: 2500}
>>> for period in range(10):
...     level = controller.update(throughput=machine[controller.level])
>>> level
3
>>> print(controller.explain())
period 0: 1 -> 2 threads: throughput is 1000 with 1, and more threads are untried
period 1: 2 -> 4 threads: throughput rose from 1000 with 1 to 1900 with 2, and more threads are \
untried
period 2: 4 -> 3 threads: the best level tried is 2500 with 4; one as good may lie below it
period 3: 3 -> 2 threads: what was measured on the way up, 1900 with 2, is checked in case the \
load has changed since
period 4: 2 -> 3 threads: throughput is 1900 with 2, and by all samples more threads do better: \
2700 with 3
period 5: stay at 3 threads: throughput is 2700 with 3, and no level above or below is better

A region is split over channels until the splitter is no longer blocked, here by 5,000 tuples per
second of which each channel takes 1,200:

>>> controller = ChannelController()
>>> for period in range(6):
...     most = 1200 * controller.channels
...     channels = controller.update(throughput=min(5000, most), congested=most < 5000)
>>> channels
6
>>> print(controller.explain())
period 0: 1 -> 2 channels: congested at 1200 with 1, and more channels are untried
period 1: 2 -> 3 channels: congested at 2400 with 2, and more channels are untried
period 2: 3 -> 4 channels: congested at 3600 with 3, and more channels are untried
period 3: 4 -> 6 channels: congested at 4800 with 4, and more channels are untried
period 4: stay at 6 channels: not congested at 5000 with 6, and fewer channels were congested

`UtilizationController` and `ReplicaController` are those of another paper: threads by how busy they
are, and one replica more for the operator that holds the others up, which `bottleneck` finds.
"""

from __future__ import annotations

from penstock.elastic.bottleneck import Candidate, ReplicaController, bottleneck
from penstock.elastic.channel_controller import ChannelController
from penstock.elastic.decision import Decision
from penstock.elastic.thread_controller import ThreadController
from penstock.elastic.utilization_controller import UtilizationController

__all__ = [
    "Candidate",
    "ChannelController",
    "Decision",
    "ReplicaController",
    "ThreadController",
    "UtilizationController",
    "bottleneck",
]
