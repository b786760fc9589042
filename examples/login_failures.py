"""Login failures: who was refused by PAM, out of a system log with all kinds of lines.

A flow over lines of text, made of pyarrow.compute expressions only; on a DataFrame of such
lines it runs as `lines.transform(flow)`.

>>> import pyarrow as pa
>>> line = (
...     "Jun 14 15:16:01 combo sshd(pam_unix)[19939]: authentication failure; logname= uid=0 "
...     "euid=0 tty=NODEVssh ruser= rhost=218.188.2.4  user=root"
... )
>>> failure = flow.run([pa.RecordBatch.from_pydict({"seq": [0], "line": [line]})]).to_pylist()[0]
>>> failure["rhost"], failure["user"]
('218.188.2.4', 'root')
"""

from __future__ import annotations

import pyarrow.compute as pc

import penstock

FAILURE = (
    r"^ *(?P<time>\w+ +\d+ +[\d:]+) +\S+ +[^ ]*sshd[^ ]* .*authentication failure.* "
    r"uid=(?P<uid>\S*) euid=(?P<euid>\S*) tty=(?P<tty>\S*) ruser=\S* rhost=(?P<rhost>\S*)"
    r"(?: +user=(?P<user>\S*))?"
)


def login_failures(year: int) -> penstock.Flow:
    """Find failures and take them apart; lines of such a log do not say the year."""
    line, found = pc.field("line"), pc.field("found")

    def part(name: str) -> pc.Expression:
        return pc.struct_field(found, name)

    stamp = pc.binary_join_element_wise(pc.scalar(str(year)), part("time"), pc.scalar(" "))
    time = pc.strptime(stamp, format="%Y %b %d %H:%M:%S", unit="us")
    return (
        penstock.flow("login_failures", "seq long, line string")
        .filter(pc.match_substring_regex(line, pattern=FAILURE), name="failures")
        .select("seq", found=pc.extract_regex(line, pattern=FAILURE), name="parse")
        .select(
            "seq",
            time=pc.assume_timezone(time, timezone="UTC"),
            **{each: part(each) for each in ("uid", "euid", "tty", "rhost", "user")},
            name="fields",
        )
    )


flow = login_failures(2005)
