"""Row functions that are compiled: plain Python in, native code out, no GIL while it runs.

`function` is what a user writes, `plain` what it means, `kernel` makes code of it with numba,
`object_code` loads that wherever a flow runs, and `operator` is what a flow holds.
"""

from __future__ import annotations
