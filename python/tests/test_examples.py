"""Worked examples E1 to E24 of the methodology, by the functions of tidemark.verify."""

import json
import os
import unittest
from decimal import Decimal
from pathlib import Path

from tidemark._canonical import canonical_json, sha256_hex
from tidemark._decimals import exact, median, plain, published, total
from tidemark.verify.fixing import fixing_mark
from tidemark.verify.level import (
    Input,
    basis_points,
    contribution_text,
    decide_state,
    first_factor,
    level_text,
    linked_factor,
    restatement,
    sums_of,
)
from tidemark.verify.log import leaf, node, tree_root
from tidemark.verify.marks import C_RULE, complement, mark_of_quote
from tidemark.verify.normalize import LegValue, near_weight, normalize, pooled, rolled
from tidemark.verify.outlier import FilterMemory, judge
from tidemark.verify.parameters import decode_parameters
from tidemark.verify.records import Constituent, Fixing, Leg, LegRecords, Mark, Quote, Roll, Trade
from tidemark.verify.weights import Caps, capped_weights

CHECKOUT = Path(__file__).parents[2]
EXAMPLES = Path(os.environ.get("TIDEMARK_EXAMPLES", CHECKOUT / "datasets" / "golden" / "methodology-examples.json"))
D = Decimal
SECOND = 1_000_000
AT = 1_800_000_000 * SECOND
DEFAULTS = decode_parameters({})


def decimals(values):
    return {name: None if value is None else D(value) for name, value in values.items()}


def mark(value, at=AT, source="obs.bid", rule="M1"):
    return Mark(rule, rule, D(value), C_RULE[rule], at, at, (source,))


def quote_of(given, age=0):
    names = ("bid", "ask", "bid_depth", "ask_depth", "last_trade")
    values = {name: D(given[name]) for name in names if name in given}
    trade_age = given.get("last_trade_age", 0)
    at = AT - age * SECOND
    return Quote(record_id="obs", source_at=at, received_at=at, last_trade_at=AT - trade_age * SECOND, **values)


def sums(weights, x, stale=()):
    return sums_of(
        [
            Input(
                weight,
                x[name],
                D(1),
                "missing" if x[name] is None else "stale" if name in stale else "fresh",
                None if x[name] is None else "M1",
            )
            for name, weight in sorted(weights.items())
        ]
    )


def pool(values, parameters, settled=()):
    legs = tuple(Leg(str(n), f"v{n}", "m", str(n), None, D(weight)) for n, (_, weight) in enumerate(values))
    found = {
        leg.key: LegValue(
            None if value is None else mark(value, rule="M0" if n in settled else "M1"),
            "missing" if value is None else "settled" if n in settled else "fresh",
        )
        for n, (leg, (value, _)) in enumerate(zip(legs, values, strict=True))
    }
    return normalize(
        Constituent("c", "logodds_pool", legs, D(1)), found, AT, parameters, None, frozenset(), lambda leg: None
    )


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with EXAMPLES.open(encoding="utf-8") as file:
            cls.all = json.load(file)["examples"]
        cls.weights = decimals(cls.all["E1"]["expected"]["weights"])

    def parts(self, name):
        return self.all[name]["input"], self.all[name]["expected"]

    def test_e1_caps(self):
        given, want = self.parts("E1")
        raw = decimals(given["raw"])
        found = capped_weights(raw, Caps(single=dict.fromkeys(raw, D(given["cap_single"]))))
        self.assertEqual({name: published(value, 10) for name, value in found.items()}, want["weights"])
        self.assertEqual(total(found.values()), 1)

    @exact
    def test_e2_e2b_e3_e4_levels(self):
        given, want = self.parts("E2")
        first = sums(self.weights, decimals(given["x"]))
        k = first_factor(D(given["base_value"]), first.s)
        shares = {
            name: contribution_text(D(100), weight, D(given["x"][name]), first.used_weight)
            for name, weight in self.weights.items()
        }
        self.assertEqual((published(first.s, 12), level_text(D(100), first.s)), (want["s"], want["gauge_level"]))
        self.assertEqual((shares, plain(k)), (want["contributions"], want["link_factor"]))
        self.assertEqual(level_text(k, first.s), want["chain_level"])
        given, want = self.parts("E2b")
        moved = sums(self.weights, decimals(given["x"]), given["stale"])
        self.assertEqual(level_text(D(100), moved.s), want["gauge_level"])
        self.assertEqual(level_text(k, moved.s), want["chain_level"])
        self.assertEqual(published(moved.coverage_ratio, 6), want["coverage_ratio"])
        given, want = self.parts("E3")
        fewer = sums(self.weights, decimals(given["x"]))
        self.assertEqual(level_text(D(100), fewer.s), want["gauge_level"])
        self.assertEqual(published(fewer.coverage_ratio, 6), want["coverage_ratio"])
        given, want = self.parts("E4")
        settled, new = decimals(given["settled_x"]), decimals(given["new_weights"])
        at_link = {**settled, "con_f": D(given["con_f_at_link"])}
        old_s, new_s = sums(self.weights, settled).s, sums(new, at_link).s
        k_new = linked_factor(k, old_s, new_s, k, DEFAULTS)
        after = sums(new, {**at_link, "con_f": D(given["con_f_next"])}).s
        found = [level_text(k, old_s), plain(k_new), level_text(k_new, new_s), level_text(k_new, after)]
        expected = ["level_after_resolution", "link_factor_new", "level_after_link", "next_level"]
        self.assertEqual(found, [want[name] for name in expected])

    @exact
    def test_e5_marks(self):
        for case in self.all["E5"]["cases"]:
            given, want = case["input"], case["expected"]
            found = mark_of_quote(quote_of(given.get("quote", {})), AT, DEFAULTS)
            if found is None and "other" in given:
                found = complement(mark_of_quote(quote_of(given["other"]), AT, DEFAULTS))
            if found is None:
                continue
            self.assertEqual((found.rule, published(found.value, 6)), (want["rule"], want["value"]), case["name"])

    @exact
    def test_e6_outliers(self):
        given, want = self.parts("E6")
        window = tuple(mark(value, source=f"obs{n}.bid") for n, value in enumerate(given["window"]))
        for value, expected in zip(given["candidates"], want["candidates"], strict=True):
            verdict = judge(mark(value, source="new.bid"), FilterMemory(window), AT, DEFAULTS, False)
            self.assertEqual(verdict.held_back is None, expected["accepted"])
            if verdict.held_back is not None:
                limits = (published(verdict.reference, 6), published(verdict.limit, 6))
                self.assertEqual(limits, (want["median"], want["limit"]))

    @exact
    def test_e7_pools(self):
        given, want = self.parts("E7")
        values = [(D(p), D(a)) for p, a in given["pool"]]
        self.assertEqual(published(pooled(values, DEFAULTS), 6), want["x"])
        extremised = decode_parameters({"pool.d": given["extremised_d"]})
        self.assertEqual(published(pooled(values, extremised), 6), want["extremised"])
        far = pool(given["far"]["pool"], decode_parameters({"pool.exclude": given["far"]["exclude"]}))
        self.assertEqual(published(far.x, 6), want["far"]["x"])
        self.assertEqual([leg.key for leg in far.used], ["0", "1"])

    @exact
    def test_e7b_finality(self):
        given, want = self.parts("E7b")
        parameters = decode_parameters({"pool.finality": "majority"})
        for course, expected in zip(given["courses"], want["courses"], strict=True):
            values = list(zip(course["marks"], given["weights"], strict=True))
            found = pool(values, parameters, course["final"])
            self.assertEqual(None if found.x is None else published(found.x, 6), expected["x"])
            self.assertEqual(found.settled, expected["settled"])
            references = [published(item.reference, 6) for item in found.excluded]
            self.assertEqual(references, [item["reference"] for item in expected["conflicts"]])

    @exact
    def test_e8_set(self):
        given, want = self.parts("E8")
        legs = tuple(Leg(str(n), "v", "m", str(n)) for n in range(len(given["marks"])))
        values = {leg.key: LegValue(mark(value), "fresh") for leg, value in zip(legs, given["marks"], strict=True)}
        for own, expected in enumerate(want["x"]):
            constituent = Constituent("c", "multi_outcome_sum_to_one", legs, D(1), own)
            found = normalize(constituent, values, AT, DEFAULTS, None, frozenset(), lambda leg: None)
            self.assertEqual(published(found.x, 6), expected)
            self.assertEqual(found.reasons, [f"OVERROUND:{want['overround']}"])

    @exact
    def test_e9_roll(self):
        given, want = self.parts("E9")
        (t1, t2), (p1, p2) = (map(D, given["days"]), map(D, given["p"]))
        w1 = near_weight(t1, t2, Roll(D(given["target_days"]), D(given["stop_days"])))
        self.assertEqual(published(w1, 10), want["w1"])
        self.assertEqual(published(rolled(w1, p1, p2, False), 6), want["linear"])
        self.assertEqual(published(rolled(w1, p1, p2, True), 6), want["hazard"])

    @exact
    def test_e10_fixing(self):
        given, want = self.parts("E10")
        length, trades, quotes = 300 * SECOND, [], []
        for number, partition in enumerate(given["partitions"]):
            start = AT + number * length
            for price, size in partition["trades"]:
                name = f"t{len(trades)}"
                clocks = {"source_at": start, "received_at": start}
                trades.append(Trade(trade_id=name, price=D(price), quantity=D(size), **clocks))
            if partition["mark"] is not None:
                at, value = start + length - 1, D(partition["mark"])
                half = D("0.005")
                quotes.append(Quote(record_id="q", source_at=at, received_at=at, bid=value - half, ask=value + half))
        rule = Fixing(0, len(given["partitions"]), length, given["minimum"], given["trim"])
        end = AT + len(given["partitions"]) * length
        found = fixing_mark(LegRecords(quotes=quotes, trades=trades), rule, end, 0, DEFAULTS)
        self.assertEqual(published(found.value, 6), want["fixing"])

    @exact
    def test_e15_restatement(self):
        given, want = self.parts("E15")
        old, new = D(given["old_level"]), D(given["new_level"])
        self.assertEqual(published(basis_points(old, new), 2), want["basis_points"])
        limits = (D(given["threshold"]), given["window_days"])
        self.assertEqual(restatement(old, new, given["found_after_days"], *limits), want["restatement"])
        self.assertEqual(restatement(old, new, 3, *limits), want["found_after_3_days"])
        self.assertEqual(restatement(old, None, 1, *limits), "official")

    def test_e17_hashes(self):
        given, want = self.parts("E17")
        line = canonical_json(given["record"])
        self.assertEqual((line, sha256_hex(line)), (want["canonical_json"], want["sha256"]))
        leaves = [leaf(text.encode()) for text in (*given["leaves_before"], line)]
        self.assertEqual(leaves[2].hex(), want["third_leaf"])
        self.assertEqual(node(leaves[0], leaves[1]).hex(), want["proof_for_index_2"][0])
        self.assertEqual(tree_root(leaves).hex(), want["root"])

    def test_e21_ties(self):
        for case in self.all["E21"]["cases"]:
            self.assertEqual(published(D(case["value"]), 4), case["half_even"])

    @exact
    def test_states(self):
        vectors = self.all["quality_states"]
        minimum = D(vectors["minimum_coverage_ratio"])
        known = {"coverage_ratio", "confidence"}
        for case in vectors["cases"]:
            if set(case["input"]) <= known:
                base = sums({"a": D(1)}, {"a": D("0.5")})
                facts = decimals(case["input"])
                found = type(base)(
                    base.s,
                    base.used_weight,
                    base.usable_ratio,
                    facts.get("coverage_ratio", D(1)),
                    facts.get("confidence", D(1)),
                )
                inputs = [Input(D(1), D("0.5"), D(1), "fresh", "M1")]
                self.assertEqual(decide_state(inputs, found, minimum, DEFAULTS), case["expected"], case)

    def test_median_of_an_even_number(self):
        self.assertEqual(median([D(1), D(4), D(2), D(3)]), D("2.5"))


if __name__ == "__main__":
    unittest.main()
