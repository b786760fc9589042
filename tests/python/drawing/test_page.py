from __future__ import annotations

from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.compute as pc

import penstock
from penstock import flow
from penstock.result import Result

EVIL = "<script>alert('x')</script>"


def ran() -> Result:
    made = flow("f", "n long, s string").filter(pc.field("n") > 1, name="big")
    return made.run(pa.table({"n": [1, 2, 3], "s": ["a", EVIL, "\x1b[31mred"]}))


def test_a_notebook_draws_a_flow() -> None:
    html = flow("f", "n long").select("n")._repr_html_()
    root = ElementTree.fromstring(html)
    assert root.tag == "div"
    assert [one.tag.rpartition("}")[2] for one in root] == ["svg"]


def test_a_result_shows_rows_and_the_measured_drawing() -> None:
    html = ran()._repr_html_()
    root = ElementTree.fromstring(html)
    kinds = [one.tag.rpartition("}")[2] for one in root]
    assert kinds[:3] == ["table", "div", "svg"]
    assert "3 → 2 rows" in "".join(root.itertext())


def test_values_cannot_break_out() -> None:
    html = ran()._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "\x1b" not in html


def test_a_result_without_metrics_still_shows_its_rows() -> None:
    settings = {"spark.penstock.metrics.enabled": False}
    html = (
        flow("f", "n long").select("n").run(pa.table({"n": [1]}), settings=settings)._repr_html_()
    )
    assert "<td>1</td>" in html
    assert "<svg" not in html


def test_only_the_first_rows_and_columns_of_a_large_result_are_written() -> None:
    names = [f"c{k}" for k in range(40)]
    schema = pa.schema([(name, pa.int64()) for name in names])
    batches = tuple(
        pa.RecordBatch.from_arrays([pa.array([row])] * 40, schema=schema) for row in range(100)
    )
    html = Result(schema, batches)._repr_html_()
    assert html.count("<tr>") == 6
    assert "95 more" in html
    assert "28 columns not shown" in html


def test_several_outputs_are_drawn_as_one_flow() -> None:
    big, rest = flow("f", "n long").split(pc.field("n") > 10)
    html = penstock.outputs(big=big, rest=rest)._repr_html_()
    assert ">big<" in html
    assert ">rest<" in html
