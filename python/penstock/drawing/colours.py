"""Colours that are seen on light and on dark paper; text and lines take the colour around them."""

from __future__ import annotations

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
BLUE, GREEN, AMBER, RED, PURPLE, GREY = (
    "#3b82f6",
    "#2e9e6b",
    "#d18616",
    "#e5534b",
    "#8b5cf6",
    "#8b949e",
)
# One for each region of a chart, again from the first where there are more.
SERIES = (BLUE, PURPLE, GREEN, "#db61a2", "#1f9fb0", AMBER)
KINDS = {"keyed": BLUE, "stateful": PURPLE}
FRAMES = {"region": GREEN, "branches": GREY, "circle": PURPLE, "together": BLUE}
HEAT = "#f0883e"
