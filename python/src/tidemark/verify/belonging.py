"""Checks that an answer is about what was asked, and that the facts which it states twice agree."""

from collections.abc import Mapping, Sequence
from typing import Any

from .._decimals import ONE, WEIGHT, parse_decimal, published
from .._instants import Micros, parse_instant
from .differences import Difference, need, need_instant
from .records import Leg

Resource = Mapping[str, Any]


def check_asked(what: str, resource: Resource, **asked: object) -> None:
    """Compares the ids of an answer with those that were asked for."""
    for field, value in asked.items():
        need(f"{field} of {what}", resource[field], value)


def check_version_facts(version: Resource, index_id: str) -> None:
    """Compares what a version repeats of its definition, and its sum of weights."""
    name, definition = f"version {version['version']}", version["definition"]
    check_asked(name, version, index_id=index_id)
    for field in ("version", "calculation_frequency"):
        need(f"{field} of {name}", version[field], definition[field])
    start = parse_instant(definition["effective_from"], "effective_from")
    need_instant(f"effective_from of {name}", version["effective_from"], start)
    need(f"rebalance_rule of {name}", version["rebalance_rule"], definition.get("rebalance_rule", "as_defined"))
    need(f"change_summary of {name}", version["change_summary"], definition.get("change_summary", []))
    need(f"weight_sum of {name}", version["weight_sum"], published(ONE, WEIGHT))
    coverage = definition.get("minimum_coverage_ratio")
    if coverage is not None:
        own = published(parse_decimal(coverage, "minimum_coverage_ratio"), WEIGHT)
        need(f"minimum_coverage_ratio of {name}", version["minimum_coverage_ratio"], own)
    # An approved proposal states who approved a governed version.
    if version.get("governance", "none") == "none":
        for field in ("approved_by", "approved_at"):
            need(f"{field} of {name}", version[field], definition.get(field))


def check_succession(versions: Sequence[Resource]) -> None:
    """Checks that each version, by effective_from, ends where the next one begins, and supersedes the one before."""
    for before, version, after in zip([None, *versions], versions, [*versions[1:], None], strict=False):
        name = f"version {version['version']}"
        end = None if after is None else parse_instant(after["effective_from"], "effective_from")
        need_instant(f"effective_to of {name}", version["effective_to"], end)
        earlier = None if before is None else before["index_version_id"]
        need(f"supersedes_version_id of {name}", version["supersedes_version_id"], earlier)


def check_mapping(item: Resource, version: Resource) -> None:
    """Compares the legs and the mapping of a constituent with its definition."""
    name, definition, mapping = item["constituent_id"], item["definition"], item["market_mapping"]
    written = definition.get("legs") or definition.get("outcomes") or [definition]
    is_pool = item["normalization"] == "logodds_pool"
    for leg, given in zip(item["legs"], written, strict=True):
        own = given if isinstance(given, Mapping) else definition
        need(f"source_series_id of a leg of {name}", leg["source_series_id"], own.get("source_series_id"))
        weight = parse_decimal(leg["pool_weight"], "pool_weight") if leg["pool_weight"] is not None else None
        stated = parse_decimal(own.get("pool_weight", "1"), "pool_weight") if is_pool else None
        need(f"pool_weight of a leg of {name}", weight, stated)
    places = [(leg["market_id"], leg["outcome_id"]) for leg in item["legs"]]
    place = places.index((item["market_id"], item["outcome_id"]))
    for field in ("venue_id", "source_series_id", "source_market_id"):
        need(f"market_mapping.{field} of {name}", mapping[field], item["legs"][place][field])
    chosen = written[place]
    outcome = chosen if isinstance(chosen, str) else chosen.get("outcome", "YES")
    need(f"market_mapping.source_outcome_id of {name}", mapping["source_outcome_id"], outcome)
    start = parse_instant(version["effective_from"], "effective_from")
    need_instant(f"market_mapping.valid_from of {name}", mapping["valid_from"], start)
    need(f"eligibility_status of {name}", item["eligibility_status"], "eligible")


def check_level_place(record: Resource, index_id: str, version: Resource, frequency: Micros) -> None:
    """Checks that a level is of the index, and of a tick at which its version is in force."""
    check_asked("the level", record, index_id=index_id)
    for field in ("methodology_id", "methodology_version"):
        need(f"{field} of the level", record[field], version[field])
    tick = parse_instant(record["tick_at"], "tick_at")
    start, end = version["effective_from"], version["effective_to"]
    is_within = parse_instant(start, "effective_from") <= tick
    is_within = is_within and (end is None or tick < parse_instant(end, "effective_to"))
    if not is_within:
        raise Difference("tick_at", record["tick_at"], f"an instant in [{start}, {end or 'open'})")
    if tick % frequency:
        raise Difference("tick_at", record["tick_at"], f"a multiple of {version['calculation_frequency']}")
    if parse_instant(record["published_at"], "published_at") < parse_instant(version["published_at"], "published_at"):
        raise Difference("published_at", record["published_at"], f"{version['published_at']} or later, as its version")


def check_quote_place(quote: Resource, observation_id: str, leg: Leg, is_other: bool) -> None:
    """Checks that a quote is the one named, of the leg's market, and of its outcome or (by M6) of the other one."""
    what = f"the quote {observation_id}"
    check_asked(what, quote, market_id=leg.market_id)
    record = observation_id.rpartition(".")[0]
    need(f"observation_id of {what}", quote["observation_id"].rpartition(".")[0], record)
    if is_other:
        need(f"outcome_id of {what} is another", quote["outcome_id"] != leg.outcome_id, True)
    else:
        check_asked(what, quote, outcome_id=leg.outcome_id)
    for field, value in (("venue_id", leg.venue_id), ("source_series_id", leg.source_series_id)):
        if field in quote:
            need(f"{field} of {what}", quote[field], value)
    if "field" in quote:
        need(f"field of {what}", quote["field"], quote["observation_id"].rpartition(".")[2])
        need(f"value of {what}", quote["value"], quote["quote"][quote["field"]])


def check_resolution_place(resolution: Resource, evidence_id: str, leg: Leg) -> None:
    """Checks that a resolution is of the leg's market, and rests on the evidence that was named."""
    what = f"the resolution by {evidence_id}"
    check_asked(what, resolution, market_id=leg.market_id)
    own = next((item["evidence_id"] for item in resolution["evidence"]), resolution["resolution_id"])
    need(f"evidence of {what}", own, evidence_id)
