"""What numba needs to know to compile a row function; only the machine that compiles imports it."""

from __future__ import annotations
