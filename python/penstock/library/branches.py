"""Branches: operators that part from one stream and come together again.

Two flows with the same beginning are branches of it. Every row goes to every branch, and what they
make is put together by the row it came from, and of one row by branch.

>>> import pyarrow.compute as pc
>>> from penstock import flow
>>> big, rest = flow("f", "n long").split(pc.field("n") > 10)
>>> both = big.with_column("n", pc.negate(pc.field("n"))).union(rest)
>>> both.run(pa.table({"n": [1, 20, 3]})).table["n"].to_pylist()
[1, -20, 3]
>>> both.operators[0].body
'union of 2 branches: filter split_1 -> compute with_column_2, filter rest_1'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa

from penstock.errors import FlowError
from penstock.library.native_operator import NativeOperator
from penstock.operators import Operator

if TYPE_CHECKING:
    from penstock.flow import Flow

# Names that nobody chose may be changed where they clash.
DEFAULT_NAME = re.compile(r"([a-z_]+)_\d+((?:\.[a-z]+)?)")


@dataclass(frozen=True)
class Branches(Operator):
    """Gives every row to several chains of operators, and puts together what they make.

    Attributes:
        word: What the branches come together for.
        branches: The operators of each, first to last; none in one that passes rows on.
    """

    word: str
    branches: tuple[tuple[Operator, ...], ...]

    @property
    def inner(self) -> tuple[Operator, ...]:
        """The operators of all branches."""
        return tuple(operator for branch in self.branches for operator in branch)

    @property
    def traces_rows(self) -> bool:
        """Whether operators inside tell from which row each row they make came."""
        return True

    @property
    def kind(self) -> str:
        """Stateful as soon as an operator inside remembers something."""
        return "stateless" if all(one.kind == "stateless" for one in self.inner) else "stateful"

    @property
    def native(self) -> bool:
        """Whether nothing inside holds the GIL."""
        return all(operator.native for operator in self.inner)

    @property
    def body(self) -> str:
        """What it does."""
        chains = (
            " -> ".join(f"{one.body.partition(' ')[0]} {one.name}" for one in branch)
            for branch in self.written
        )
        texts = ", ".join(chain or "all rows" for chain in chains)
        return f"{self.word} of {len(self.branches)} branches: {texts}"

    @property
    def written(self) -> tuple[tuple[Operator, ...], ...]:
        """The operators of each branch that a user wrote."""
        return tuple(
            tuple(one for one in branch if not isinstance(one, Tag)) for branch in self.branches
        )

    @property
    def tagged(self) -> bool:
        """Whether what it makes is for the operator behind it only."""
        return self.written != self.branches

    @property
    def closes(self) -> bool:
        """Whether it says when a branch has ended: a loop behind it closes the port then."""
        return self.word == "loop" and self.tagged

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Take the rows one by one: what is new with each is what the branches made of it."""
        made: list[pa.RecordBatch] = []
        before = [0] * len(self.branches)
        for rows in range(1, batch.num_rows + 1):
            for number, branch in enumerate(self.branches):
                so_far = _applied(branch, batch.slice(0, rows))
                if so_far is not None:
                    made.append(so_far.slice(before[number]))
                    before[number] = so_far.num_rows
        if not made:
            return None
        return pa.Table.from_batches(made, made[0].schema).combine_chunks().to_batches()[0]


@dataclass(frozen=True)
class Tag(NativeOperator):
    """Makes the rows of one branch fit into a stream of several, for an operator that needs both.

    Attributes:
        branch: Number of the branch, which it puts into the first column.
        columns: For every other column made the place of the one given, or `NOTHING`.
    """

    branch: int
    columns: tuple[int, ...]

    factory: ClassVar[str] = "tag"

    @property
    def body(self) -> str:
        """What it does."""
        return f"tag rows of branch {self.branch + 1}"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the engine has to know."""
        return {"branch": self.branch, "columns": list(self.columns)}

    @property
    def kept(self) -> Mapping[str, str]:
        """All columns of its own branch."""
        names = self.output.names[1:]
        return {
            name: self.input.names[place]
            for name, place in zip(names, self.columns, strict=True)
            if place != NOTHING
        }

    def process(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Put the columns at their places."""
        rows = batch.num_rows
        columns: list[Any] = [pa.array([self.branch] * rows, pa.int8())]
        for field, place in zip(list(self.output)[1:], self.columns, strict=True):
            columns.append(pa.nulls(rows, field.type) if place == NOTHING else batch.column(place))
        return pa.RecordBatch.from_arrays(columns, schema=self.output)


NOTHING = -1


def come_together(
    word: str,
    flows: Sequence[Flow],
    name: str | None,
) -> tuple[Flow, Branches]:
    """Find where flows part.

    Args:
        word: What they come together for, in default names and errors.
        flows: Branches of one flow, in the order in which rows of the same input row leave.
        name: Of what they come together in; None for a default.

    Returns:
        What they have in common, and what each does on its own.
    """
    first = flows[0]
    for other in flows[1:]:
        _check_related(word, first, other)
    shared = _shared([flow.operators for flow in flows])
    common = replace(first, operators=first.operators[:shared])
    taken = set(common._names)
    branches = []
    for flow in flows:
        own = tuple(_renamed(one, taken, word) for one in flow.operators[shared:])
        for operator in own:
            _check_member(operator, word)
        branches.append(own)
    chosen = _free(word, taken) if name is None else name
    if chosen in taken:
        raise FlowError(
            f"flow '{first.name}', operator '{chosen}': another operator has this name; give each "
            "its own with name="
        )
    return common, Branches(chosen, common.schema, first.schema, word, tuple(branches))


def as_branch(word: str, first: Flow, other: Any) -> Flow:
    """Refuse what is no flow."""
    if not isinstance(other, type(first)):
        raise FlowError(
            f"flow '{first.name}': {word} takes another flow with the same beginning, got "
            f"{type(other).__name__}"
        )
    return other


def same_columns(first: pa.Schema, other: pa.Schema) -> str:
    """Say in which column two schemas differ, or nothing."""
    for number, field in enumerate(first):
        if number >= len(other):
            return f"column '{field.name}' is missing in the other"
        there = other.field(number)
        if there.name != field.name:
            return f"column {number + 1} is '{field.name}' in one and '{there.name}' in the other"
        if there.type != field.type:
            return f"column '{field.name}' is {field.type} in one and {there.type} in the other"
    if len(other) > len(first):
        return f"column '{other.field(len(first)).name}' is missing in the first"
    return ""


def _check_related(word: str, first: Flow, other: Flow) -> None:
    if other.name != first.name or other.input_schema != first.input_schema:
        raise FlowError(
            f"flow '{first.name}': {word} brings branches of one flow together, but "
            f"'{other.name}' starts on its own; continue one penstock.flow(...) in two ways, and "
            "make one input of two DataFrames with penstock.together(...)"
        )
    if other.inside is not first.inside:
        raise FlowError(f"flow '{first.name}': {word} cannot reach across the edge of a region")
    if other.threading_model != first.threading_model:
        raise FlowError(
            f"flow '{first.name}': threading is chosen for the whole flow; call .threading() "
            f"behind {word}"
        )


def _check_member(operator: Operator, word: str) -> None:
    if operator.inner and not isinstance(operator, Branches):
        raise FlowError(
            f"operator '{operator.name}' is a region, which cannot be inside a branch; put it "
            f"before the branches part or behind {word}"
        )


def _shared(chains: Sequence[tuple[Operator, ...]]) -> int:
    count = 0
    for operators in zip(*chains, strict=False):
        if not all(one is operators[0] or one == operators[0] for one in operators[1:]):
            break
        count += 1
    return count


def _renamed(operator: Operator, taken: set[str], word: str) -> Operator:
    """Give an operator, and those inside it, names that nobody else in the flow has."""
    if isinstance(operator, Branches):
        inner = tuple(
            tuple(_renamed(one, taken, word) for one in branch) for branch in operator.branches
        )
        operator = replace(operator, branches=inner)
    name = operator.name
    if name in taken:
        default = DEFAULT_NAME.fullmatch(name)
        if default is None:
            raise FlowError(
                f"operator '{name}': two branches that come together in {word} have an operator "
                "of this name; give each its own with name="
            )
        name = _free(default[1], taken, default[2])
    taken.add(name)
    return operator if name == operator.name else replace(operator, name=name)


def _free(word: str, taken: set[str], part: str = "") -> str:
    number = len(taken) + 1
    while f"{word}_{number}{part}" in taken:
        number += 1
    return f"{word}_{number}{part}"


def _applied(operators: Iterable[Operator], batch: pa.RecordBatch) -> pa.RecordBatch | None:
    made: pa.RecordBatch | None = batch
    for operator in operators:
        if made is None or made.num_rows == 0:
            return None
        made = operator.process(made)
    return made
