"""Replays random indexes, given as JSON with what another engine computed, and prints what differs.

usage: python engine_cases.py FILE
"""

import json
import sys
from decimal import Decimal

from tidemark.verify import LinkRefused, decode_parameters, replay
from tidemark.verify.level import Gate
from tidemark.verify.records import (
    Constituent,
    Fixing,
    Index,
    Leg,
    LegRecords,
    MarketState,
    Quote,
    Resolution,
    Roll,
    Trade,
    Version,
)

MINUTE = 60_000_000
DECIMALS = ("bid", "ask", "bid_depth", "ask_depth", "last_trade", "reported_probability", "payout", "price", "quantity")


def record(kind, item):
    names = kind.__dataclass_fields__
    values = {name: item.get(name) for name in names if item.get(name) is not None}
    return kind(**{name: Decimal(value) if name in DECIMALS else value for name, value in values.items()})


def records_of(leg):
    return LegRecords(
        quotes=[record(Quote, item) for item in leg["quotes"]],
        other=None if leg["other"] is None else [record(Quote, item) for item in leg["other"]],
        resolutions=[record(Resolution, item) for item in leg["resolutions"]],
        states=[record(MarketState, item) for item in leg["states"]],
        trades=[record(Trade, item) for item in leg["trades"]],
    )


def leg_of(item):
    names = ("key", "venue_id", "market_id", "outcome_id", "source_series_id", "expected_resolution_at")
    return Leg(**{name: item[name] for name in names}, pool_weight=Decimal(item["pool_weight"]))


def version_of(item):
    roll, fixing = item["roll"], item["fixing"]
    return Version(
        index_version_id=item["index_version_id"],
        version=item["version"],
        effective_from=item["effective_from"],
        effective_to=item["effective_to"],
        frequency=item["frequency"],
        minimum_coverage_ratio=Decimal(item["minimum_coverage_ratio"]),
        parameters=decode_parameters(item["parameters"]),
        roll=roll and Roll(Decimal(roll["target_days"]), Decimal(roll["stop_days"]), roll["mode"] == "hazard"),
        fixing=fixing and Fixing(**fixing),
        constituents=tuple(
            Constituent(
                c["constituent_id"],
                c["normalization"],
                tuple(leg_of(leg) for leg in c["legs"]),
                Decimal(c["target_weight"]),
                c["own"],
            )
            for c in item["constituents"]
        ),
    )


def found_in(case):
    index = Index(
        "idx_random", Decimal(case["base_value"]), case["base_date"], tuple(version_of(v) for v in case["versions"])
    )
    start, gate = case["start"], case["gate"]

    def gate_at(tick):
        if gate is None:
            return Gate()
        return Gate(halted=tick == start + gate["halt"] * MINUTE, scheduled=tick < start + gate["scheduled"] * MINUTE)

    ticks, error = [], None
    series = replay(
        index,
        {name: records_of(leg) for name, leg in case["legs"].items()},
        case["to"],
        gate_at,
        {name: Decimal(k) for name, k in case["links"].items()},
        (lambda version: None) if case["late"] else (lambda version: version.parameters.grace),
    )
    try:
        for tick in series:
            ticks.append(
                {
                    "tick_at": tick.tick_at,
                    "version": tick.version,
                    "level": tick.level,
                    "source_cutoff_at": tick.source_cutoff_at,
                    "quality_state": tick.quality_state,
                    "coverage_ratio": tick.coverage_ratio,
                    "confidence": tick.confidence,
                    "link_factor": tick.link_factor and text(tick.link_factor),
                    "missing": list(tick.missing_constituent_ids),
                    "excluded": [dict(item) for item in tick.excluded_inputs],
                    "sources": list(tick.source_ids),
                    "reasons": list(tick.reason_codes),
                }
            )
    except LinkRefused as refused:
        error = refused.code
    return ticks, error


def text(value):
    plain = format(value, "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def main(path):
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)
    wrong = ticks = 0
    for number, case in enumerate(cases):
        found, error = found_in(case)
        ticks += len(found)
        for at, expected in enumerate(case["expected"]):
            if at >= len(found) or found[at] != expected:
                actual = found[at] if at < len(found) else {}
                fields = {k: (v, actual.get(k)) for k, v in expected.items() if actual.get(k) != v}
                print(f"case {number} tick {at}: " + json.dumps(fields))
                wrong += 1
                break
        else:
            if error != case["error"] or len(found) != len(case["expected"]):
                print(f"case {number}: error {case['error']} expected, {error} found, {len(found)} ticks")
                wrong += 1
    print(f"{len(cases) - wrong} of {len(cases)} cases agree, {ticks} ticks")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
