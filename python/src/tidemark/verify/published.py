"""Recomputes one published level from its own record and the public records that it names."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from .._canonical import canonical_json, sha256_hex
from .._decimals import (
    CONFIDENCE,
    LINK,
    MARK,
    ONE,
    RATIO,
    WEIGHT,
    exact,
    optional_decimal,
    parse_decimal,
    published,
)
from .._instants import Micros, format_instant, parse_instant
from .admission import settles_from
from .differences import Difference, need, need_instant
from .engine import HAMPEL, input_of
from .level import (
    GAUGE,
    Gate,
    Input,
    Sums,
    contribution_text,
    decide_state,
    label,
    level_text,
    state_reasons,
    sums_of,
)
from .marks import carried, complement, freshness_of, mark_of_quote, settled_mark
from .normalize import LegValue, normalize
from .parameters import Parameters
from .records import Constituent, Leg, Mark, Quote, Resolution, Version
from .served import Resource, record_id_of

_UNIT = Decimal("0.000001")

HASHED = (
    "calculated_at",
    "calculation_run_id",
    "confidence",
    "coverage_ratio",
    "index_id",
    "index_version_id",
    "input_observation_ids",
    "level",
    "methodology_id",
    "methodology_version",
    "missing_constituent_ids",
    "observation_id",
    "quality_state",
    "revision",
    "source_cutoff_at",
    "supersedes_id",
    "unit",
)
"""Fields that a record hash covers (section 17)."""


class NamedRecords:
    """Records that a level names, as known when it was published. Each function returns None where there is no such record."""

    def __init__(
        self,
        *,
        quote: Callable[[Leg, str, bool], Quote | None],
        resolution: Callable[[Leg, str], Resolution | None],
        fixing: Callable[[Leg, Micros], Mark | None],
        expected_resolution: Callable[[Leg, Micros], Micros | None],
        level_at: Callable[[str], str | None],
        version_at: Callable[[Micros], Version],
        link_factor: Decimal | None,
    ) -> None:
        self.quote, self.resolution, self.fixing = quote, resolution, fixing
        self.expected_resolution, self.level_at, self.version_at = expected_resolution, level_at, version_at
        self.link_factor = link_factor


@exact
def check_level(record: Resource, version: Version, named: NamedRecords) -> None:
    """Recomputes a level; raises Difference at the first step that differs."""
    tick = parse_instant(record["tick_at"], "tick_at")
    names = [constituent.constituent_id for constituent in version.constituents]
    need("constituents of the inputs", [item["constituent_id"] for item in record["inputs"]], names)
    _check_revision(record)
    inputs: list[Input] = []
    sources: set[str] = set()
    for constituent, stated in zip(version.constituents, record["inputs"], strict=True):
        inputs.append(_check_input(constituent, stated, record, version, named, tick))
        sources |= {source for leg in stated["legs"] for source in leg["source_observation_ids"]}
    sums = sums_of(inputs)
    need("coverage_ratio", record["coverage_ratio"], published(sums.coverage_ratio, RATIO))
    need("confidence", record["confidence"], published(sums.confidence, CONFIDENCE))
    _check_state(record, version, inputs, sums)
    _check_value(record, version, inputs, sums, named)
    missing = [c.constituent_id for c, item in zip(version.constituents, inputs, strict=True) if item.x is None]
    need("missing_constituent_ids", record["missing_constituent_ids"], missing)
    need("input_observation_ids", record["input_observation_ids"], sorted(sources))
    unknown = [i["constituent_id"] for i in record["excluded_inputs"] if i["constituent_id"] not in names]
    need("constituents of the excluded inputs", unknown, [])
    need("record_hash", record["record_hash"], record_hash(record))


def _check_revision(record: Resource) -> None:
    """Checks that the fields of a revision agree: a first one corrects nothing, a later one says what and why."""
    for field, expected in (("supersedes_id", "the revision before"), ("correction_reason", "why it was corrected")):
        if record["revision"] == 1:
            need(f"{field} of a first revision", record[field], None)
        elif record[field] is None:
            raise Difference(f"{field} of a later revision", None, expected)
    millis = parse_instant(record["published_at"], "published_at") // 1000
    need("published_at_ts_ms", record["published_at_ts_ms"], millis)


def record_hash(record: Resource) -> str:
    """Returns the hash of section 17. Instants are hashed as the service writes them."""
    hashed = {name: record.get(name) for name in HASHED}
    for name in ("calculated_at", "source_cutoff_at"):
        if hashed[name] is not None:
            hashed[name] = format_instant(parse_instant(hashed[name], name))
    return sha256_hex(canonical_json(hashed))


def _check_input(
    constituent: Constituent,
    stated: Resource,
    record: Resource,
    version: Version,
    named: NamedRecords,
    tick: Micros,
) -> Input:
    """Recomputes one input from the marks of the legs that it names; other legs did not count."""
    name = constituent.constituent_id
    p = version.parameters
    by_outcome = {leg["outcome_id"]: leg for leg in stated["legs"]}
    legs = {
        leg.key: _rebuild_leg(name, leg, by_outcome.get(leg.outcome_id), bool(stated["pending"]), tick, p, named)
        for leg in constituent.legs
    }
    # The input names the legs that counted, so none of them is left out again.
    kept = replace(p, pool_exclude=ONE)
    ends = lambda leg: leg.expected_resolution_at or named.expected_resolution(leg, tick)  # noqa: E731
    value = normalize(constituent, legs, tick, kept, version.roll, frozenset(), ends)
    found = input_of(constituent, value, legs, tick, version)
    need(f"weight of {name}", stated["target_weight"], published(constituent.target_weight, WEIGHT))
    need(f"normalization of {name}", stated["normalization"], constituent.normalization)
    own = constituent.legs[constituent.own]
    need(f"market of {name}", [stated["market_id"], stated["outcome_id"]], [own.market_id, own.outcome_id])
    need(
        f"normalized_value of {name}", stated["normalized_value"], None if value.x is None else published(value.x, MARK)
    )
    need(f"freshness_class of {name}", stated["freshness_class"], found.freshness)
    used = [[leg.market_id, leg.outcome_id] for leg in value.used]
    need(f"legs of {name}", [[leg["market_id"], leg["outcome_id"]] for leg in stated["legs"]], used)
    first = next((legs[leg.key].mark for leg in value.used), None)
    need(f"raw_value of {name}", stated["raw_value"], None if first is None else published(first.value, MARK))
    sources = [source for leg in value.used for source in _sources(legs[leg.key])]
    need(f"source_observation_id of {name}", stated["source_observation_id"], next(iter(sources), None))
    need(f"mark_rule of {name}", stated["mark_rule"], found.rule)
    need(f"provisional of {name}", stated["provisional"], found.provisional)
    _check_exclusions(name, stated, record)
    unstated = set(value.reasons) - set(stated["reason_codes"])
    if unstated:
        raise Difference(f"reason_codes of {name}", stated["reason_codes"], sorted(unstated))
    need(f"exclusion_reason of {name}", stated["exclusion_reason"], _exclusion_reason(stated))
    return replace(found, pending=stated["pending"], reasons=tuple(stated["reason_codes"]))


def _sources(leg: LegValue) -> tuple[str, ...]:
    return () if leg.mark is None else leg.mark.source_ids


def _exclusion_reason(stated: Resource) -> str | None:
    """Returns why an input adds nothing, or why its newest mark was left out."""
    if stated["pending"]:
        return "OUTLIER_PENDING"
    reasons: list[str] = stated["reason_codes"]
    return None if stated["normalized_value"] is not None else next(iter(reasons), "MISSING")


def _check_exclusions(name: str, stated: Resource, record: Resource) -> None:
    """Checks that what the outlier filter held back lies beyond its limit, by the published digits of both."""
    held_back = [
        item for item in record["excluded_inputs"] if item["constituent_id"] == name and item["rule"] == HAMPEL
    ]
    need(f"pending of {name}", stated["pending"], bool(held_back))
    for item in held_back:
        distance = abs(
            parse_decimal(item["raw_value"], "raw_value") - parse_decimal(item["reference_value"], "reference_value")
        )
        if distance + _UNIT < parse_decimal(item["threshold"], "threshold"):
            raise Difference(f"outlier of {name}", f"beyond {item['threshold']}", distance)


def _rebuild_leg(
    name: str, leg: Leg, stated: Resource | None, pending: bool, tick: Micros, p: Parameters, named: NamedRecords
) -> LegValue:
    """Recomputes the mark of a leg at the cutoff at which it was formed, then its class at the tick."""
    if stated is None:
        return LegValue(None, "missing")
    step = f"mark of {name}, {leg.outcome_id}"
    cutoff = _mark_cutoff(step, stated, tick, named)
    origin = _origin_mark(leg, stated, cutoff, named)
    if origin is None:
        found = "no public record that could be used then gives this mark"
        raise Difference(step, stated["source_observation_ids"], found)
    rule = stated["mark_rule"]
    mark = carried(origin, rule) if rule in ("M7", "frozen") else origin
    freshness = freshness_of(mark, tick, p)
    if pending and rule == "M7" and stated["freshness_class"] == "stale":
        freshness = "stale"
    need(f"{step}: origin_rule", stated["origin_rule"], origin.rule)
    need(f"{step}: rule", rule, mark.rule)
    need(f"{step}: value", stated["value"], published(mark.value, MARK))
    need(f"{step}: sources", stated["source_observation_ids"], list(mark.source_ids))
    need_instant(f"{step}: source_at", stated["source_at"], mark.source_at)
    need_instant(f"{step}: confirmed_at", stated["confirmed_at"], mark.confirmed_at)
    need(f"{step}: freshness_class", stated["freshness_class"], freshness)
    return LegValue(mark, freshness)


def _mark_cutoff(step: str, stated: Resource, tick: Micros, named: NamedRecords) -> Micros:
    """Returns the cutoff at which a mark was formed: an earlier tick for a carried or frozen mark, else the tick itself."""
    cutoff = parse_instant(stated["mark_cutoff_at"], "mark_cutoff_at")
    if stated["mark_rule"] not in ("M7", "frozen"):
        need_instant(f"{step}: mark_cutoff_at", stated["mark_cutoff_at"], tick)
    elif cutoff >= tick or cutoff % named.version_at(cutoff).frequency:
        raise Difference(f"{step}: mark_cutoff_at", stated["mark_cutoff_at"], f"a tick before {format_instant(tick)}")
    return cutoff


def _origin_mark(leg: Leg, stated: Resource, cutoff: Micros, named: NamedRecords) -> Mark | None:
    p = named.version_at(cutoff).parameters
    rule, source = stated["origin_rule"], stated["source_observation_ids"][0]
    if rule == "fixing":
        return named.fixing(leg, cutoff)
    if rule == "M0":
        resolution = named.resolution(leg, source)
        if resolution is None or settles_from(resolution, p.settles_from_final) > cutoff:
            return None
        return settled_mark(resolution)
    if len({record_id_of(item) for item in stated["source_observation_ids"]}) != 1:
        raise Difference(f"sources of {leg.outcome_id}", stated["source_observation_ids"], "values of one record")
    quote = named.quote(leg, source, rule == "M6")
    if quote is None or quote.source_at > cutoff:
        return None
    mark = mark_of_quote(quote, cutoff, p)
    if rule == "M6":
        return None if mark is None else complement(mark)
    same = mark is not None and mark.rule == rule and published(mark.value, MARK) == stated["value"]
    # The last trade of a paused market is not clamped by books that do not count.
    return mark_of_quote(quote, cutoff, p, clamp=False) if rule == "M5" and not same else mark


def _check_state(record: Resource, version: Version, inputs: Sequence[Input], sums: Sums) -> None:
    stated = record["underlying_quality_state"]
    reasons = record["reason_codes"]
    failed = "FIXING_UNAVAILABLE" in reasons
    gate = Gate(halted="INDEX_HALTED" in reasons, scheduled="INDEX_SCHEDULED" in reasons)
    minimum, p = version.minimum_coverage_ratio, version.parameters
    need("underlying_quality_state", stated, decide_state(inputs, sums, minimum, p, gate, failed))
    need("quality_state", record["quality_state"], label(stated, record["revision"]))
    own = {reason for item in inputs for reason in item.reasons} | ({"FIXING_UNAVAILABLE"} if failed else set())
    expected = set(state_reasons(inputs, sums, stated, sorted(own), minimum, p)) | _correction_reason(record)
    need("reason_codes of the level, by those of its inputs", sorted(set(reasons)), sorted(expected))


def _correction_reason(record: Resource) -> set[str]:
    reason = record["correction_reason"]
    return {reason} if reason is not None and reason in record["reason_codes"] else set()


def _check_value(record: Resource, version: Version, inputs: Sequence[Input], sums: Sums, named: NamedRecords) -> None:
    """Recomputes the level, its K and its contributions."""
    k = GAUGE if not version.parameters.chain_linked else named.link_factor
    stated_k = optional_decimal(record["link_factor"], "link_factor")
    if stated_k is not None or record["level"] is not None:
        need("link_factor", record["link_factor"], None if k is None else published(k, LINK))
    state = record["underlying_quality_state"]
    priced = state not in ("suspended", "stale") and stated_k is not None and sums.s is not None
    level, cutoff = None, record["tick_at"] if state == "suspended" else None
    if priced and k is not None and sums.s is not None:
        level, cutoff = level_text(k, sums.s), record["tick_at"]
    elif state == "stale" and record["source_cutoff_at"] is not None:
        level, cutoff = named.level_at(record["source_cutoff_at"]), record["source_cutoff_at"]
    need("level", record["level"], level)
    need_instant("source_cutoff_at", record["source_cutoff_at"], _micros(cutoff))
    for item, stated in zip(inputs, record["inputs"], strict=True):
        name = stated["constituent_id"]
        counted = priced and item.x is not None and k is not None
        share = contribution_text(k, item.weight, item.x, sums.used_weight) if counted else None  # type: ignore[arg-type]
        need(f"contribution of {name}", stated["contribution"], share)
        applied = published(item.weight / sums.used_weight, WEIGHT) if counted else None
        need(f"weight_applied of {name}", stated["weight_applied"], applied)


def _micros(text: Any) -> Micros | None:
    return None if text is None else parse_instant(text)
