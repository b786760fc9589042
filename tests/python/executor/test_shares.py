from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from penstock import _native

Claims = list[tuple[int, int]]
threads = st.integers(min_value=1, max_value=9)
claims = st.lists(st.tuples(threads, threads), min_size=1, max_size=12)
cores = st.integers(min_value=1, max_value=40)


@given(cores, claims)
def test_the_sum_is_within_the_cores_unless_more_is_guaranteed(cores: int, claims: Claims) -> None:
    assert sum(_native.shares(cores, claims)) <= max(cores, sum(least for least, _ in claims))


@given(cores, claims)
def test_nobody_has_less_than_guaranteed_or_more_than_wanted(cores: int, claims: Claims) -> None:
    for share, (least, wanted) in zip(_native.shares(cores, claims), claims, strict=True):
        assert least <= share <= max(least, wanted)


@given(cores, claims)
def test_no_core_is_left_that_somebody_wants(cores: int, claims: Claims) -> None:
    given_out = _native.shares(cores, claims)
    if sum(given_out) < cores:
        assert all(share >= want for share, (_, want) in zip(given_out, claims, strict=True))


@given(cores, claims)
def test_nobody_who_wants_more_has_two_fewer_than_one_beyond_its_guarantee(
    cores: int, claims: Claims
) -> None:
    found = list(zip(_native.shares(cores, claims), claims, strict=True))
    for mine, (_, wanted) in found:
        for theirs, (least, _) in found:
            assert mine >= wanted or theirs <= max(least, mine + 1)


@given(cores, claims, st.data())
def test_wanting_more_never_gives_less(cores: int, claims: Claims, data: st.DataObject) -> None:
    me = data.draw(st.integers(0, len(claims) - 1))
    more = [*claims]
    more[me] = (claims[me][0], claims[me][1] + data.draw(threads))
    assert _native.shares(cores, more)[me] >= _native.shares(cores, claims)[me]


@given(cores, claims)
def test_one_core_more_takes_nothing_from_anybody(cores: int, claims: Claims) -> None:
    few, more = _native.shares(cores, claims), _native.shares(cores + 1, claims)
    assert all(a <= b for a, b in zip(few, more, strict=True))


@given(cores, claims)
def test_everybody_comes_to_the_same_result(cores: int, claims: Claims) -> None:
    assert _native.shares(cores, claims) == _native.shares(cores, [*claims])
