"""What an analysis raises as soon as it cannot prove something."""

from __future__ import annotations


class Doubt(Exception):
    """The operator stays serial; the text says which line made it so."""
