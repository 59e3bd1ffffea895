"""Versions and records of a calculation, from their public resources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .._decimals import ONE, optional_decimal, parse_decimal
from .._instants import HOUR, MINUTE, SECOND, Micros, optional_instant, parse_duration, parse_instant
from .answers import Answers, items, read
from .belonging import check_asked, check_mapping, check_succession, check_version_facts
from .composition import check_weights
from .differences import need
from .parameters import Parameters, content_hash, decode_parameters
from .records import Constituent, Fixing, Leg, Quote, Resolution, Roll, Trade, Version

Resource = Mapping[str, Any]


@dataclass(frozen=True)
class ServedVersion:
    """Version rebuilt from its resources."""

    version: Version
    resource: Resource


def served_versions(answers: Answers, index_id: str) -> list[ServedVersion]:
    """Reads the versions of an index by effective_from; checks what they state twice, and the hashes of their methodologies."""
    resources = items(answers, f"/v1/indexes/{index_id}/versions")
    found = [_served_version(answers, resource, index_id) for resource in resources]
    found.sort(key=lambda item: item.version.effective_from)
    check_succession([item.resource for item in found])
    return found


def _served_version(answers: Answers, resource: Resource, index_id: str) -> ServedVersion:
    check_version_facts(resource, index_id)
    path = f"/v1/indexes/{resource['index_id']}/versions/{resource['index_version_id']}/constituents"
    methodology = read(
        answers, f"/v1/methodologies/{resource['methodology_id']}/versions/{resource['methodology_version']}"
    )
    name = f"{resource['methodology_id']}@{resource['methodology_version']}"
    asked = {"methodology_id": resource["methodology_id"], "version": resource["methodology_version"]}
    check_asked(f"the methodology {name}", methodology, **asked)
    need(
        f"content_hash of {name}",
        methodology["content_hash"],
        content_hash(methodology["parameters"], methodology["text_sha256"]),
    )
    p = decode_parameters(methodology["parameters"])
    published = list(items(answers, path))
    check_weights(answers, resource, methodology["parameters"], published)
    for item in published:
        check_mapping(item, resource)
    constituents = sorted((constituent_of(item) for item in published), key=lambda c: c.constituent_id)
    return ServedVersion(version_of(resource, tuple(constituents), p), resource)


def version_of(resource: Resource, constituents: tuple[Constituent, ...], p: Parameters) -> Version:
    """Returns a version with its constituents."""
    definition = resource["definition"]
    need(f"mode of version {resource['version']}", resource["mode"], "chain_linked" if p.chain_linked else "gauge")
    return Version(
        index_version_id=resource["index_version_id"],
        version=resource["version"],
        effective_from=parse_instant(resource["effective_from"], "effective_from"),
        frequency=parse_duration(resource["calculation_frequency"], "calculation_frequency"),
        minimum_coverage_ratio=parse_decimal(resource["minimum_coverage_ratio"], "minimum_coverage_ratio"),
        constituents=constituents,
        parameters=p,
        effective_to=optional_instant(resource["effective_to"], "effective_to"),
        roll=_roll(definition.get("roll"), constituents, p),
        fixing=_fixing(definition.get("fixing"), p),
    )


def _roll(written: Resource | None, constituents: Sequence[Constituent], p: Parameters) -> Roll | None:
    if not any(constituent.normalization == "constant_maturity" for constituent in constituents):
        return None
    given = written or {}
    target = optional_decimal(given.get("target_days"), "target_days") or p.roll_target_days
    if target is None:
        raise ValueError("roll.target_days is missing; expected it in the version or in the methodology")
    stop = optional_decimal(given.get("stop_days"), "stop_days")
    return Roll(target, p.roll_stop_days if stop is None else stop, given.get("mode", "linear") == "hazard")


def _fixing(written: Resource | None, p: Parameters) -> Fixing | None:
    if written is None:
        return None
    hours, minutes, *seconds = (int(part) for part in str(written["at"]).removesuffix("Z").split(":"))
    partition = written.get("partition")
    return Fixing(
        at=hours * HOUR + minutes * MINUTE + (seconds[0] if seconds else 0) * SECOND,
        partitions=int(written.get("partitions", p.fixing_partitions)),
        partition=p.fixing_partition if partition is None else parse_duration(partition, "partition"),
        minimum=int(written.get("minimum", p.fixing_min)),
        trim=int(written.get("trim", p.fixing_trim)),
    )


def constituent_of(resource: Resource) -> Constituent:
    """Returns a constituent with its legs."""
    definition = resource["definition"]
    written = definition.get("legs") or definition.get("outcomes") or [definition]
    legs = tuple(_leg(leg, item) for leg, item in zip(resource["legs"], written, strict=True))
    own = next((place for place, leg in enumerate(legs) if leg.outcome_id == resource["outcome_id"]), 0)
    weight = parse_decimal(resource["target_weight"], "target_weight")
    return Constituent(resource["constituent_id"], resource["normalization"], legs, weight, own)


def _leg(resource: Resource, definition: object) -> Leg:
    """`definition`: the leg as written, or the label of an outcome."""
    written = definition if isinstance(definition, Mapping) else {}
    return Leg(
        key=resource["outcome_id"],
        venue_id=resource["venue_id"],
        market_id=resource["market_id"],
        outcome_id=resource["outcome_id"],
        source_series_id=resource["source_series_id"],
        pool_weight=optional_decimal(resource["pool_weight"], "pool_weight") or ONE,
        expected_resolution_at=optional_instant(written.get("expected_resolution_at"), "expected_resolution_at"),
    )


def record_id_of(observation_id: str) -> str:
    """Returns the id of the record that an observation is a field of."""
    return observation_id.rpartition(".")[0]


def known_at(resource: Resource) -> Micros:
    """Returns when a record could first be used: received and published."""
    published = parse_instant(resource["published_at"], "published_at")
    received = optional_instant(resource.get("received_at"), "received_at")
    return published if received is None else max(received, published)


def quote_of(observation: Resource) -> Quote | None:
    """Returns the quote that an observation is a value of; None: a derived observation."""
    quote = observation.get("quote")
    if quote is None:
        return None
    decimals = ("bid", "ask", "bid_depth", "ask_depth", "last_trade", "reported_probability")
    values = {name: optional_decimal(quote[name], name) for name in decimals}
    return Quote(
        record_id=record_id_of(observation["observation_id"]),
        revision=observation["revision"],
        source_at=parse_instant(observation["source_at"], "source_at"),
        received_at=parse_instant(observation["received_at"], "received_at"),
        known_at=known_at(observation),
        confirmed_at=optional_instant(quote["confirmed_at"], "confirmed_at"),
        last_trade_at=optional_instant(quote["last_trade_at"], "last_trade_at"),
        **values,
    )


def resolution_of(resolution: Resource, outcome_id: str, evidence_id: str) -> Resolution:
    """Returns a resolution from the view of one outcome."""
    payouts = [item["payout"] for item in resolution["payouts"] if item["outcome_id"] == outcome_id]
    return Resolution(
        evidence_id=evidence_id,
        revision=resolution["revision"],
        source_at=parse_instant(resolution["source_at"], "source_at"),
        received_at=parse_instant(resolution["received_at"], "received_at"),
        known_at=known_at(resolution),
        finality=resolution["finality"],
        final_at=optional_instant(resolution["final_at"], "final_at"),
        payout=optional_decimal(payouts[0] if payouts else None, "payout"),
    )


def trade_of(trade: Resource) -> Trade:
    """Returns a public trade."""
    return Trade(
        trade_id=trade["trade_id"],
        source_at=parse_instant(trade["source_at"], "source_at"),
        received_at=parse_instant(trade["received_at"], "received_at"),
        known_at=known_at(trade),
        price=parse_decimal(trade["price"], "price"),
        quantity=parse_decimal(trade["quantity"], "quantity"),
    )
