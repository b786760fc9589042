"""Who runs the operators of a flow: the words, and what they need.

>>> Threading.of("conveyor", 2)
Threading(model='conveyor', threads=2, elastic=False, policy='')
>>> str(Threading.of("automatic"))
'automatic, 1 thread up to one for each core'
>>> Threading.of("manual", 2)
Traceback (most recent call last):
    ...
penstock.errors.FlowError: the manual model has one thread, the caller's; leave out threads=2 or \
choose dynamic, conveyor or automatic
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from penstock.errors import FlowError, did_you_mean
from penstock.library.policy_library import PolicyLibrary
from penstock.policy_names import DEFAULT, word_of

ModelName: TypeAlias = Literal["manual", "dedicated", "dynamic", "conveyor", "automatic"]
MODELS: tuple[str, ...] = get_args(ModelName)
# What has always one thread, or always one for each operator, and why nothing can be chosen.
FIXED = {
    "manual": "has one thread, the caller's",
    "dedicated": "has a thread for each operator",
}
MOST_THREADS = 1024


@dataclass(frozen=True)
class Threading:
    """A threading model, its number of threads, and whether that number may change.

    Attributes:
        model: One of `MODELS`.
        threads: 0 means as many as there are cores. An elastic model has at most so many.
        elastic: Whether a control loop chooses how many threads are used.
        policy: Which operator a thread of the model dynamic runs next: a word, or a library's.
            Empty for the default, and in other models, where nothing is to be chosen.
    """

    model: str = "manual"
    threads: int = 1
    elastic: bool = False
    policy: str | PolicyLibrary = ""

    @classmethod
    def of(
        cls,
        model: str,
        threads: int | None = None,
        elastic: bool | None = None,
        policy: str | PolicyLibrary | None = None,
    ) -> Threading:
        """Check what a user asks for."""
        if model not in MODELS:
            raise FlowError(
                f"{model!r} is not a threading model; {did_you_mean(str(model), MODELS)}"
            )
        if threads is not None and not (type(threads) is int and 1 <= threads <= MOST_THREADS):
            raise FlowError(f"threads must be an int from 1 to {MOST_THREADS}, got {threads!r}")
        if elastic is not None and type(elastic) is not bool:
            raise FlowError(f"elastic must be True or False, got {elastic!r}")
        chosen = policy_of(policy)
        if chosen and model != "dynamic":
            raise FlowError(
                f"the {model} model takes no policy: only dynamic has queues to choose from; leave "
                f"out policy={str(chosen)!r} or choose dynamic"
            )
        if model in FIXED:
            return cls._fixed(model, threads, elastic)
        if elastic is None:
            elastic = model == "automatic"
        return cls(model, threads or 0, elastic, chosen)

    @classmethod
    def _fixed(cls, model: str, threads: int | None, elastic: bool | None) -> Threading:
        given = []
        if threads is not None and not (model == "manual" and threads == 1):
            given.append(f"threads={threads}")
        if elastic:
            given.append("elastic=True")
        if given:
            raise FlowError(
                f"the {model} model {FIXED[model]}; leave out {' and '.join(given)} or choose "
                "dynamic, conveyor or automatic"
            )
        return cls(model, 1 if model == "manual" else 0)

    def __str__(self) -> str:
        next_one = f", {self.policy or DEFAULT} next" if self.model == "dynamic" else ""
        return self._who() + next_one

    def _who(self) -> str:
        if self.model == "manual":
            return "manual, the caller's thread"
        if self.model == "dedicated":
            return "dedicated, a thread for each operator"
        if self.elastic:
            return f"{self.model}, 1 thread up to {self.threads or 'one for each core'}"
        return f"{self.model}, {self.threads or 'a thread for each core'}" + (
            " threads" if self.threads else ""
        )


def policy_of(given: str | PolicyLibrary | None) -> str | PolicyLibrary:
    """Check a policy: a word, or `libmine.so:shortest`; empty if none is given.

    >>> policy_of("LP"), policy_of(None)
    ('lastInPipeline', '')
    """
    if isinstance(given, PolicyLibrary):
        return given
    if given is None or given == "":
        return ""
    if ":" in str(given):
        return PolicyLibrary.of(given)
    return word_of(given)


MANUAL = Threading()
