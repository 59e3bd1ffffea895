"""Recomputes datasets/golden/methodology-examples.json with Python's own decimal arithmetic: 34 digits, half even.

A second implementation, written from the methodology and not from the TypeScript code; standard library only.

    python3 test/python/golden.py datasets/golden/methodology-examples.json

Prints one line and exits 0, or names every differing value and exits 1.
"""

import hashlib
import json
import sys
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal, localcontext, setcontext
from statistics import median

CONTEXT = Context(prec=34, rounding=ROUND_HALF_EVEN, Emin=-999999, Emax=999999)
setcontext(CONTEXT)
D = Decimal
STATES = ["valid", "indicative", "stale", "degraded", "suspended", "corrected"]

checks = 0
differences = []


def check(name, got, expected):
    global checks
    checks += 1
    if got != expected:
        differences.append(f"{name}: got {got!r}, the file says {expected!r}")


def text(value, scale, rounding=ROUND_HALF_EVEN):
    """Published text: `scale` fraction digits, negative zero as zero."""
    with localcontext(CONTEXT) as context:
        context.prec = 60
        rounded = D(value).quantize(D(1).scaleb(-scale), rounding=rounding)
        return format(rounded + 0 if rounded else abs(rounded), "f")


def weighted(weights, x, ids=None):
    ids = list(weights) if ids is None else ids
    total = sum(weights[i] for i in ids)
    return sum(weights[i] * x[i] for i in ids) / total


def decimals(mapping):
    return {key: None if value is None else D(value) for key, value in mapping.items()}


def cap(raw, limit):
    """Single caps of section 4.6; returns weights at 10 decimals, the number of rounds that capped somebody, who got a unit."""
    capped = set()
    rounds = 0
    while True:
        room = 1 - limit * len(capped)
        free = sum(value for key, value in raw.items() if key not in capped)
        weights = {key: limit if key in capped else value * room / free for key, value in raw.items()}
        over = {key for key, value in weights.items() if key not in capped and value > limit}
        if not over:
            break
        capped |= over
        rounds += 1
    unit = D("1e-10")
    floors = {key: value // unit * unit for key, value in weights.items()}
    missing = int((1 - sum(floors.values())) / unit)
    order = sorted(floors, key=lambda key: (-(weights[key] - floors[key]), key))
    for key in order[:missing]:
        floors[key] += unit
    return floors, rounds, order[:missing]


def example_1(e):
    weights, rounds, units = cap(decimals(e["input"]["raw"]), D(e["input"]["cap_single"]))
    check("E1 weights", {key: text(value, 10) for key, value in weights.items()}, e["expected"]["weights"])
    check("E1 rounds", rounds, e["expected"]["rounds"])
    check("E1 last unit", units[-1], e["expected"]["last_unit_to"])
    check("E1 sum", text(sum(weights.values()), 10), e["expected"]["sum"])


def example_2(e, weights):
    x = decimals(e["input"]["x"])
    s = weighted(weights, x)
    k = D(text(D(e["input"]["base_value"]) / s, 12))
    check("E2 s", text(s, 12), e["expected"]["s"])
    check("E2 gauge", text(100 * s, 4), e["expected"]["gauge_level"])
    total = sum(weights.values())
    shares = {key: text(100 * weights[key] * x[key] / total, 12) for key in weights}
    check("E2 contributions", shares, e["expected"]["contributions"])
    check("E2 K", text(k, 12), e["expected"]["link_factor"])
    check("E2 chain", text(k * s, 4), e["expected"]["chain_level"])
    return x, k


def example_2b(e, weights, x_before, k):
    x = decimals(e["input"]["x"])
    s = weighted(weights, x)
    coverage = sum(w for key, w in weights.items() if key not in e["input"]["stale"])
    check("E2b gauge", text(100 * s, 4), e["expected"]["gauge_level"])
    check("E2b chain", text(k * s, 4), e["expected"]["chain_level"])
    check("E2b coverage", text(coverage, 6), e["expected"]["coverage_ratio"])
    minimum = D(e["input"]["minimum_coverage_ratio"])
    check("E2b state", "degraded" if coverage < minimum else "valid", e["expected"]["quality_state"])
    moved = {key: 100 * weights[key] * (x[key] - x_before[key]) for key in weights}
    check("E2b attribution", {key: text(v, 6) for key, v in moved.items()}, e["expected"]["attribution"])
    check("E2b total", text(sum(moved.values()), 6), e["expected"]["attribution_total"])


def example_3(e, weights):
    x = decimals(e["input"]["x"])
    used = [key for key in weights if x[key] is not None]
    known = sum(weights[key] * x[key] for key in used)
    covered = sum(weights[key] for key in used)
    check("E3 level", text(100 * weighted(weights, x, used), 4), e["expected"]["gauge_level"])
    check("E3 coverage", text(covered, 6), e["expected"]["coverage_ratio"])
    check("E3 missing", [key for key in weights if x[key] is None], e["expected"]["missing_constituent_ids"])
    check("E3 state", "degraded", e["expected"]["quality_state"])
    check("E3 zero coercion", text(100 * known, 4), e["expected"]["forbidden_zero_level"])
    check("E3 bound", [text(100 * known, 4), text(100 * (known + 1 - covered), 4)], e["expected"]["bound"])


def example_4(e, weights, k):
    x = decimals(e["input"]["settled_x"])
    new = decimals(e["input"]["new_weights"])
    at_link = {**x, "con_f": D(e["input"]["con_f_at_link"])}
    s_old, s_new = weighted(weights, x), weighted(new, at_link)
    k_new = D(text(k * s_old / s_new, 12))
    want = e["expected"]
    check("E4 resolution", text(k * s_old, 4), want["level_after_resolution"])
    check("E4 s", [text(s_old, 12), text(s_new, 12)], [want["s_old"], want["s_new"]])
    check("E4 K", text(k_new, 12), want["link_factor_new"])
    check("E4 link", text(k_new * s_new, 4), want["level_after_link"])
    check("E4 step", text(100 * (s_new - s_old), 4), want["gauge_composition_step"])
    check("E4 gearing", [text(k / 100, 6), text(k_new / 100, 6)], [want["gearing_old"], want["gearing_new"]])
    after = weighted(new, {**at_link, "con_f": D(e["input"]["con_f_next"])})
    check("E4 next", text(k_new * after, 4), want["next_level"])


def mark_of(quote, age=0):
    """M1 to M5 of section 4.2 with the default parameters."""
    q = {key: D(str(value)) for key, value in quote.items()}
    bid, ask, last, last_age = q.get("bid"), q.get("ask"), q.get("last_trade"), q.get("last_trade_age")
    if bid is not None and ask is not None and 0 <= bid < ask <= 1 and age <= 60:
        spread = ask - bid
        sizes = [q.get("bid_depth"), q.get("ask_depth")]
        if spread <= D("0.02"):
            return "M1", (bid + ask) / 2
        if spread <= D("0.10") and None not in sizes and min(sizes) >= 50:
            return "M2", (bid * sizes[1] + ask * sizes[0]) / sum(sizes)
        if spread <= D("0.20") and last is not None and last_age <= 900:
            return "M3", median([bid, ask, last])
        if spread <= D("0.10"):
            return "M4", (bid + ask) / 2
    if last is not None and last_age <= 3600:
        fresh = age <= 60 and not (bid is not None and ask is not None and bid >= ask)
        low, high = (bid, ask) if fresh else (None, None)
        last = last if low is None else max(last, low)
        return "M5", last if high is None else min(last, high)
    return None, None


def example_5(e):
    for case in e["cases"]:
        given, want, name = case["input"], case["expected"], f"E5 {case['name']}"
        quote = given.get("quote", {})
        rule, value = mark_of(quote)
        derived = False
        if rule is None and "other" in given:
            _, other = mark_of(given["other"])
            check(f"{name}: other", text(other, 6), want["other_value"])
            rule, value, derived = "M6", 1 - D(text(other, 6)), True
        if rule is None and "previous" in given and given["previous"]["age"] <= 86400:
            rule, value = "M7", D(given["previous"]["value"])
            check(f"{name}: source time", given["previous"]["age"], want["age"])
        crossed = "bid" in quote and "ask" in quote and D(quote["bid"]) >= D(quote["ask"])
        got = [rule, None if value is None else text(value, 6), "CROSSED_BOOK" if crossed else None, derived]
        check(name, got, [want["rule"], want["value"], want["reason"], want.get("derived", False)])


def example_6(e):
    values = [D(value) for value in e["input"]["window"]]
    m = median(values)
    mad = median([abs(value - m) for value in values])
    sigma = max(D("1.4826") * mad, D(e["input"]["floor"]))
    limit = D(e["input"]["k"]) * sigma
    want = e["expected"]
    check("E6 window", [text(v, 6) for v in (m, mad, sigma, limit)], [want[k] for k in ("median", "mad", "sigma", "limit")])
    got = [{"distance": text(abs(D(c) - m), 6), "accepted": abs(D(c) - m) <= limit} for c in e["input"]["candidates"]]
    check("E6 candidates", got, want["candidates"])


def pool(legs, eps, d=D(1)):
    odds = [(min(max(D(p), eps), 1 - eps), D(a)) for p, a in legs]
    z = d * sum(a * (p / (1 - p)).ln() for p, a in odds) / sum(a for _, a in odds)
    return 1 / (1 + (-z).exp())


def example_7(e):
    legs, eps, want = e["input"]["pool"], D(e["input"]["eps"]), e["expected"]
    check("E7 pool", text(pool(legs, eps), 6), want["x"])
    arithmetic = sum(D(p) * D(a) for p, a in legs) / sum(D(a) for _, a in legs)
    check("E7 arithmetic", text(arithmetic, 6), want["arithmetic"])
    check("E7 extremised", text(pool(legs, eps, D(e["input"]["extremised_d"])), 6), want["extremised"])
    far = e["input"]["far"]
    m = median([D(p) for p, _ in far["pool"]])
    out = [i for i, (p, _) in enumerate(far["pool"]) if abs(D(p) - m) > D(far["exclude"])]
    kept = [leg for i, leg in enumerate(far["pool"]) if i not in out]
    check("E7 median", text(m, 6), want["far"]["median"])
    check("E7 excluded", out, want["far"]["excluded"])
    check("E7 distance", text(abs(D(far["pool"][out[0]][0]) - m), 6), want["far"]["distance"])
    check("E7 without it", text(pool(kept, eps), 6), want["far"]["x"])


def weighted_median(values):
    ordered, total, sum_so_far = sorted(values), sum(w for _, w in values), D(0)
    for i, (value, weight) in enumerate(ordered):
        sum_so_far += weight
        if sum_so_far * 2 > total:
            return value
        if sum_so_far * 2 == total:
            return (value + ordered[i + 1][0]) / 2
    return None


def pool_by_majority(marks, final, weights, near, eps):
    """Value, whether it is settled, weight of the legs that count, and the final legs left out with what they were compared with."""
    legs = [(i, D(m), D(w)) for i, (m, w) in enumerate(zip(marks, weights)) if m is not None]
    whole, ended = sum(D(w) for w in weights), [leg for leg in legs if leg[0] in final]
    for _, payout, _ in ended:
        agreed = sum(w for _, p, w in ended if p == payout)
        if agreed * 2 > whole:
            return payout, True, agreed, [(i, payout) for i, p, _ in ended if p != payout]
    live = [leg for leg in legs if leg[0] not in final]
    if not ended:
        return pool([(p, w) for _, p, w in live], eps), False, sum(w for _, _, w in live), []
    m = weighted_median([(p, w) for _, p, w in (live or ended)])
    out = [i for i, p, _ in ended if not live or abs(p - m) > near]
    kept = [(p, w) for i, p, w in legs if i not in out]
    x = pool(kept, eps) if kept else None
    return x, False, sum(w for _, w in kept), [(i, m) for i in out]


def example_7b(e):
    given, wanted = e["input"], e["expected"]["courses"]
    for course, want in zip(given["courses"], wanted):
        near, eps = D(given["near"]), D(given["eps"])
        x, settled, weight, out = pool_by_majority(course["marks"], course["final"], given["weights"], near, eps)
        name = f"E7b {course['marks']}"
        check(f"{name} x", None if x is None else text(x, 6), want["x"])
        check(f"{name} settled", settled, want["settled"])
        if "weight" in want:
            check(f"{name} weight", str(weight), want["weight"])
        check(f"{name} conflicts", [{"leg": i, "reference": text(m, 6)} for i, m in out], want["conflicts"])
        state = "suspended" if x is None else "indicative" if out and not settled else "valid"
        check(f"{name} state", state, want["state"])


def example_8(e):
    marks = [D(value) for value in e["input"]["marks"]]
    overround = sum(marks) - 1
    check("E8 limit", abs(overround) <= D(e["input"]["max_overround"]), True)
    check("E8 x", [text(value / sum(marks), 6) for value in marks], e["expected"]["x"])
    check("E8 overround", text(overround, 6), e["expected"]["overround"])


def example_9(e):
    t1, t2 = (D(days) for days in e["input"]["days"])
    p1, p2 = (D(p) for p in e["input"]["p"])
    w1 = D(text((t2 - D(e["input"]["target_days"])) / (t2 - t1), 10))
    w2 = 1 - w1
    check("E9 w1", text(w1, 10), e["expected"]["w1"])
    check("E9 linear", text(w1 * p1 + w2 * p2, 6), e["expected"]["linear"])
    check("E9 hazard", text(1 - (w1 * (1 - p1).ln() + w2 * (1 - p2).ln()).exp(), 6), e["expected"]["hazard"])


def weighted_median(trades):
    ordered = sorted((D(price), D(size)) for price, size in trades)
    half = sum(size for _, size in ordered) / 2
    cumulative = D(0)
    for i, (price, size) in enumerate(ordered):
        cumulative += size
        if cumulative > half:
            return price
        if cumulative == half:
            return (price + ordered[i + 1][0]) / 2
    return None


def example_10(e):
    partitions = e["input"]["partitions"]
    values = [weighted_median(p["trades"]) if p["trades"] else D(p["mark"]) for p in partitions]
    check("E10 partitions", [format(value.normalize(), "f") for value in values], e["expected"]["partitions"])
    check("E10 enough", len(values) >= e["input"]["minimum"], True)
    trim = e["input"]["trim"]
    kept = sorted(values)[trim : len(values) - trim]
    check("E10 fixing", text(sum(kept) / len(kept), 6), e["expected"]["fixing"])
    trades = [(D(price), D(size)) for p in partitions for price, size in p["trades"]]
    average = sum(price * size for price, size in trades) / sum(size for _, size in trades)
    check("E10 plain average", text(average, 6), e["expected"]["volume_weighted_average"])


def example_15(e):
    given, want = e["input"], e["expected"]
    old = D(given["old_level"])
    points = abs(D(given["new_level"]) - old) / old * 10000

    def decide(days):
        if points < D(given["threshold"]):
            return "erratum"
        return "official" if days <= given["window_days"] else "committee"

    check("E15 basis points", text(points, 2), want["basis_points"])
    check("E15 decision", decide(given["found_after_days"]), want["restatement"])
    check("E15 later", decide(3), want["found_after_3_days"])


def example_16(e, weights):
    given = e["input"]
    c_rule = decimals(given["c_rule"])
    x, confidence, freshness = {}, {}, {}
    for key, item in given["inputs"].items():
        # A carried mark was formed while its book was new.
        rule, value = mark_of(item["quote"], 0 if item["rule"] == "M7" else item["age"])
        check(f"E16 rule {key}", "M7" if item["rule"] == "M7" else rule, item["rule"])
        x[key] = D(text(value, 6))
        confidence[key] = c_rule[item["rule"]] * max(D(0), 1 - D(item["age"]) / given["max_carry"])
        freshness[key] = "fresh" if item["age"] <= given["stale_after"] else "stale"
    covered = sum(w for key, w in weights.items() if freshness[key] == "fresh")
    want = e["expected"]
    check("E16 freshness", freshness, want["freshness"])
    check("E16 confidence", text(sum(weights[key] * confidence[key] for key in weights), 4), want["confidence"])
    check("E16 coverage", text(covered, 6), want["coverage_ratio"])
    check("E16 level", text(100 * weighted(weights, x), 4), want["gauge_level"])


def sha256(data):
    return hashlib.sha256(data).digest()


def tree(leaves):
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0])
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\x01" + tree(leaves[:split]) + tree(leaves[split:]))


def example_17(e):
    want = e["expected"]
    # RFC 8785 for this record: ASCII strings and an integer, so sorted keys without spaces are the whole of it.
    line = json.dumps(e["input"]["record"], sort_keys=True, separators=(",", ":"))
    check("E17 canonical JSON", line, want["canonical_json"])
    check("E17 hash", sha256(line.encode()).hex(), want["sha256"])
    leaves = [leaf.encode() for leaf in e["input"]["leaves_before"]] + [line.encode()]
    check("E17 leaf", tree(leaves[2:]).hex(), want["third_leaf"])
    check("E17 proof", [tree(leaves[:2]).hex()], want["proof_for_index_2"])
    check("E17 root", tree(leaves).hex(), want["root"])


def example_18(e):
    rows, want = e["input"]["rows"], e["expected"]

    def current(as_of):
        heads = {}
        for row in rows:
            head = heads.get(row["chain"])
            if row["published_at"] <= as_of and (head is None or row["revision"] > head["revision"]):
                heads[row["chain"]] = row
        return sorted(heads.values(), key=lambda row: row["tick_at"])

    def latest(as_of):
        return current(as_of)[-1]["observation_id"] if current(as_of) else None

    check("E18 latest", {as_of: latest(as_of) for as_of in want["latest"]}, want["latest"])
    check("E18 before", latest(want["before_the_first"]["as_of"]), want["before_the_first"]["latest"])
    at = "2026-11-21T02:30:00Z"
    naive = max((row for row in rows if row["published_at"] <= at), key=lambda row: row["published_at"])
    check("E18 naive", naive["observation_id"], want["naive_last_published_at_0230"])
    check("E18 history", [row["observation_id"] for row in current(at)], want["current_at_0230_by_tick"])


def example_20(e, weights):
    sides = {"low": decimals(e["input"]["bids"]), "high": decimals(e["input"]["asks"])}
    got = {side: text(100 * weighted(weights, prices), 4) for side, prices in sides.items()}
    check("E20 band", got, e["expected"])


def example_21(e):
    for case in e["cases"]:
        check(f"E21 {case['value']}", text(case["value"], 4), case["half_even"])
        if "half_up" in case:
            check(f"E21 {case['value']} half up", text(case["value"], 4, ROUND_HALF_UP), case["half_up"])
        if "mean_of" in case:
            mean = sum(D(value) for value in case["mean_of"]) / len(case["mean_of"])
            check(f"E21 {case['value']} mean", text(mean, 4), case["half_even"])
            double = sum(float(value) for value in case["mean_of"]) / len(case["mean_of"])
            check(f"E21 {case['value']} double", f"{double:.4f}", case["double_mean"])


def example_22(e):
    given = e["input"]
    buy = sum(D(p) * D(q) for p, q in given["asks"] if D(p) < D(given["up_to"]))
    sell = sum((1 - D(p)) * D(q) for p, q in given["bids"] if D(p) > D(given["down_to"]))
    check("E22", {"buy": text(buy, 2), "sell": text(sell, 2), "cost": text(min(buy, sell), 2)}, e["expected"])


def example_23(e):
    given = e["input"]
    step = {"PT5M": timedelta(minutes=5)}[given["interval"]]
    epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
    buckets = {}
    for row in given["rows"]:
        if given["from"] <= row["tick_at"] < given["to"]:
            at = datetime.fromisoformat(row["tick_at"].replace("Z", "+00:00"))
            buckets.setdefault(epoch + (at - epoch) // step * step, []).append(row)
    candles = []
    for start, rows in sorted(buckets.items()):
        priced = [row for row in rows if row["level"] is not None and row["quality_state"] != "stale"]
        if not priced:
            continue
        priced.sort(key=lambda row: row["tick_at"])
        levels = [row["level"] for row in priced]
        states = {row["quality_state"] for row in rows}
        candles.append(
            {
                "bucket_start": start.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "bucket_end": (start + step).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "open": levels[0],
                "high": max(levels, key=D),
                "low": min(levels, key=D),
                "close": levels[-1],
                "observation_count": len(priced),
                "coverage_ratio_min": min((row["coverage_ratio"] for row in priced), key=D),
                "quality_states": [state for state in STATES if state in states],
            }
        )
    check("E23 candles", candles, e["expected"]["candles"])


def quality_states(e):
    for case in e["cases"]:
        given = case["input"]
        number = lambda name, default="1": D(given.get(name, default))
        if number("usable_ratio") < D("0.50"):
            state = "suspended"
        elif not given.get("any_fresh_or_settled", True):
            state = "stale"
        elif (
            number("coverage_ratio") < D(e["minimum_coverage_ratio"])
            or "missing_weight" in given
            or number("disputed_weight", "0") > D("0.40")
        ):
            state = "degraded"
        elif "disputed_weight" in given or number("confidence") < D("0.60"):
            state = "indicative"
        else:
            state = "valid"
        if given.get("revision", 1) > 1 and state == "valid":
            state = "corrected"
        check(f"quality state {given}", state, case["expected"])


def main(path):
    with open(path, encoding="utf-8") as file:
        examples = json.load(file)["examples"]
    weights, _, _ = cap(decimals(examples["E1"]["input"]["raw"]), D(examples["E1"]["input"]["cap_single"]))
    example_1(examples["E1"])
    x, k = example_2(examples["E2"], weights)
    example_2b(examples["E2b"], weights, x, k)
    example_3(examples["E3"], weights)
    example_4(examples["E4"], weights, k)
    example_5(examples["E5"])
    example_6(examples["E6"])
    example_7(examples["E7"])
    example_7b(examples["E7b"])
    example_8(examples["E8"])
    example_9(examples["E9"])
    example_10(examples["E10"])
    example_15(examples["E15"])
    example_16(examples["E16"], weights)
    example_17(examples["E17"])
    example_18(examples["E18"])
    example_20(examples["E20"], weights)
    example_21(examples["E21"])
    example_22(examples["E22"])
    example_23(examples["E23"])
    quality_states(examples["quality_states"])
    known = {f"E{n}" for n in [*range(1, 11), *range(15, 19), *range(20, 24)]} | {"E2b", "E7b", "quality_states"}
    check("examples of the file", set(examples), known)
    for difference in differences:
        print(difference)
    print(f"{checks - len(differences)} of {checks} checks agree")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
