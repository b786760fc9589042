"""Benchmarks: what a flow costs and gains on this machine, against other ways.

`penstock bench <suite>` is their door. They are programs, not tests: they measure and say
whether a goal is met, and a goal that is missed is a finding, not a failure.
"""

from __future__ import annotations
