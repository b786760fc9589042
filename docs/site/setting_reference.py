"""The settings of Penstock as a page, of what `conf/penstock-defaults.conf` declares.

`python docs/site/setting_reference.py` prints it.
"""

from __future__ import annotations

import sys
from itertools import groupby

from places import ROOT

from penstock.declarations import UNITS, Declaration, parse_declarations
from penstock.settings import PREFIX

HEAD = """# Settings

Every setting, its default and what it may be, as the one file declares them where defaults are written:
`conf/penstock-defaults.conf`. `penstock conf` prints the same for `spark-defaults.conf`.

They are set like any setting of Spark (`--conf`, `spark.conf.set`, `spark-defaults.conf`), and for a
run without Spark by `flow.run(table, settings={...})`. An unknown key or an impossible value is an error
before the first row. A `*` in a key stands for the name of a flow; the key with the `*` holds for all
flows that are not named.

| setting | default | allowed |
|---|---|---|
"""


def settings_page() -> str:
    """The page."""
    text = (ROOT / "conf/penstock-defaults.conf").read_text(encoding="utf-8")
    found = list(parse_declarations(text).values())
    rows = [
        f"| [`{one.key}`](#{anchor(one)}) | `{one.default}` | {allowed(one)} |\n" for one in found
    ]
    parts = [HEAD, *rows]
    for area, members in groupby(found, key=lambda one: one.key.split(".")[2]):
        parts.append(f"\n## {area}\n")
        parts += [entry(one) for one in members]
    return "".join(parts)


def anchor(one: Declaration) -> str:
    """What a link to a setting leads to."""
    return one.key.removeprefix(PREFIX).replace(".", "-").replace("*", "each").lower()


def entry(one: Declaration) -> str:
    """What there is to say of a setting."""
    said = "\n".join(one.documentation)
    facts = f"Default `{one.default}`. Allowed: {allowed(one)}."
    return f"\n({anchor(one)})=\n\n### `{one.key}`\n\n{said}\n\n{facts}\n"


def allowed(one: Declaration) -> str:
    """Type and bounds, in words."""
    if one.type in UNITS:
        kind = {"int": "a whole number", "duration": "a duration", "bytes": "a size"}[one.type]
        return f"{kind} from {one.allowed[0]} to {one.allowed[1]}"
    return ", ".join(f"`{word}`" for word in one.allowed)


if __name__ == "__main__":
    sys.stdout.write(settings_page())
