"""What an operator remembers of each key, declared where the operator is written.

>>> import penstock
>>> import pyarrow as pa
>>> class Threshold:
...     last = Value("double")
...
...     def __init__(self, limit):
...         self.limit = limit
...
...     def process(self, row):
...         if not self.last.has() or abs(row.value - self.last.get()) > self.limit:
...             yield row
...         self.last.put(row.value)
>>> changes = (
...     penstock.flow("changes", "sensor string, value double")
...     .key_by("sensor")
...     .apply(Threshold(0.5))
... )
>>> changes.run(pa.table({"sensor": ["a", "b", "a"], "value": [1.0, 5.0, 1.2]})).to_pylist()
[{'sensor': 'a', 'value': 1.0}, {'sensor': 'b', 'value': 5.0}]

`Value`, `List` and `Map` belong to the key of the row at hand, so that different keys can live on
different threads and move between them. `Stores` is what they are made of: named stores from key
to value, which can be written to and read from Arrow.
"""

from __future__ import annotations

from penstock.state.declared import List, Map, Value, stores_of
from penstock.state.stores import Stores

__all__ = ["List", "Map", "Stores", "Value", "stores_of"]
