"""The correlations as a table and in one line."""

from __future__ import annotations

from pipeline.judge.figures import best_measures, correlation_table
from pipeline.judge.numbers import evenly_spread, listed, short, with_interval

KNOWN = {"spearman_all": 0.6434, "low": 0.6, "high": 0.68, "pearson_all": -0.05}
UNDEFINED = dict.fromkeys(KNOWN)


def test_the_table_reads_well_in_a_terminal() -> None:
    men = {"pairs": 3000, "covered": 2500, "npmi": KNOWN, "graph": UNDEFINED}
    assert correlation_table({"gold": {"MEN": men}}).splitlines() == [
        "  gold set  measure  Spearman  95 %          Pearson  covered",
        "  MEN       npmi     .643      .600 to .680  -.050    2,500 of 3,000",
        "            graph    –         – to –        –",
    ]


def test_without_gold_sets_there_is_no_table() -> None:
    assert correlation_table({"gold": {}}) == "no gold set: there is nothing to correlate with"
    assert best_measures({"gold": {}}) == "no gold set"


def test_the_best_measure_of_each_set_is_named() -> None:
    better = {**KNOWN, "spearman_all": 0.7}
    men = {"pairs": 3, "covered": 3, "npmi": KNOWN, "svd": better, "graph": UNDEFINED}
    gold = {"MEN": men, "WS-353": {**men, "svd": UNDEFINED}}
    assert best_measures({"gold": gold}) == "MEN .700 (svd), WS-353 .643 (npmi)"


def test_a_correlation_is_written_as_people_write_it() -> None:
    values = (0.6434, -0.05, 1.0, 0.0, 12.5)
    assert [short(value) for value in values] == [".643", "-.050", "1.000", ".000", "12.500"]
    assert with_interval(0.6434, 0.601, 0.677) == ".643 (.60 to .68)"
    assert with_interval(float("nan"), 0, 0) == "–"


def test_a_long_list_is_cut() -> None:
    assert listed(["a", "b", "c"]) == listed(["a", "b", "c"], 3) == "a, b, c"
    assert listed(["a", "b", "c"], 1) == "a and 2 more"


def test_places_are_evenly_spread_with_both_ends() -> None:
    assert evenly_spread(3, 11) == [0, 5, 10]
    assert evenly_spread(5, 2) == [0, 1]
    assert evenly_spread(5, 0) == []
