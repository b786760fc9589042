"""The words by which scheduling policies are chosen.

>>> word_of("ct"), word_of("MAXQUEUE")
('currentThroughput', 'maxQueue')
"""

from __future__ import annotations

from penstock.errors import FlowError, did_you_mean

DEFAULT = "lastInPipeline"
WORDS: tuple[str, ...] = (
    DEFAULT,
    "leastRecent",
    "random",
    "maxQueue",
    "minLatency",
    "maxRunningTime",
    "queueThrottling",
    "estimatedTime",
    "currentThroughput",
)
ABBREVIATIONS = {
    "LP": "lastInPipeline",
    "QST": "queueThrottling",
    "ET": "estimatedTime",
    "CT": "currentThroughput",
}
_BY_NAME = {word.lower(): word for word in WORDS} | {
    short.lower(): word for short, word in ABBREVIATIONS.items()
}


def word_of(name: object) -> str:
    """The word of a policy, by that or its abbreviation, in small letters or large ones."""
    found = _BY_NAME.get(name.lower()) if isinstance(name, str) else None
    if found is None:
        known = (*WORDS, *ABBREVIATIONS)
        raise FlowError(f"{name!r} is not a policy; {did_you_mean(str(name), known)}")
    return found
