"""Checks the published weights of a version against the rule that made them (section 8)."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from .._decimals import ONE, WEIGHT, ZERO, exact, median, optional_decimal, parse_decimal, published, total
from .._instants import DAY, format_instant, parse_instant
from ..errors import TidemarkError
from .answers import Answers, find, trades_in_force
from .differences import Difference, need
from .weights import CapRefused, Caps, capped_weights

Resource = Mapping[str, Any]


def check_weights(answers: Answers, version: Resource, parameters: Resource, constituents: Sequence[Resource]) -> None:
    """Raises Difference at the first weight that the rule does not give.

    Fixed weights are those of the definition. Those of a rule are computed again with their caps: from public trades and from the
    ratings that the version names. Of weights by trades that nobody may publish only the sum is checked.
    """
    name = f"version {version['version']}"
    weights = {item["constituent_id"]: parse_decimal(item["target_weight"], "target_weight") for item in constituents}
    definition = version["definition"]
    singles = {item["constituent_id"]: _single_cap(item, definition, parameters) for item in constituents}
    for item in constituents:
        _check_constituent(item, version["index_version_id"], singles[item["constituent_id"]])
    rule = definition.get("weighting") or {}
    if rule.get("rule", "fixed") == "fixed":
        for item in constituents:
            written = optional_decimal(item["definition"].get("target_weight"), "target_weight")
            if written is not None:
                _need_weight(item, written)
    elif (raw := _raw_weights(answers, version, rule, constituents)) is not None:
        caps = _caps(answers, version, parameters, constituents, singles)
        try:
            expected = capped_weights(raw, caps)
        except CapRefused as refusal:
            raise Difference(f"weights of {name}", "weights within their caps", str(refusal)) from refusal
        for item in constituents:
            _need_weight(item, expected[item["constituent_id"]])
    need(f"sum of the weights of {name}", total(weights.values()), ONE)


@exact
def _raw_weights(
    answers: Answers, version: Resource, rule: Resource, constituents: Sequence[Resource]
) -> dict[str, Decimal] | None:
    """Returns what a rule gives each constituent before caps; None: it rests on trades that are not public."""
    raw = dict[str, Decimal]()
    for item in constituents:
        value = ONE if rule["rule"] == "equal" else _root_of_volume(answers, version, item)
        if value is None:
            return None
        raw[item["constituent_id"]] = value * (_multiplier(answers, item) if rule.get("rating_multiplier") else ONE)
    return raw


_MULTIPLIERS = {"MR1": ONE, "MR2": Decimal("0.9"), "MR3": Decimal("0.6")}
_VOLUME_DAYS, _LEAD_DAYS = 30, 7


def _multiplier(answers: Answers, item: Resource) -> Decimal:
    """Returns the multiplier of the rating under which a constituent was selected."""
    name, rating_id = item["constituent_id"], item["rating_assessment_id_at_selection"]
    rating = (None if rating_id is None else find(answers, f"/v1/ratings/{rating_id}")) or {}
    need(f"market of the rating of {name}", item["market_id"], rating.get("market_id"))
    band = rating["band"]
    need(f"eligible band of {name}", band in _MULTIPLIERS, True)
    return _MULTIPLIERS[band]


def _root_of_volume(answers: Answers, version: Resource, item: Resource) -> Decimal | None:
    """Returns the root of the median daily volume of a constituent's own market, in the days before the selection."""
    effective_from = parse_instant(version["effective_from"], "effective_from")
    end = (effective_from - _LEAD_DAYS * DAY) // DAY * DAY
    start = end - _VOLUME_DAYS * DAY
    # A record is published after what it is about, so the list has no end_time.
    query = {"start_time": format_instant(start), "as_of": version["published_at"]}
    try:
        trades = trades_in_force(answers, item["market_id"], query)
    except TidemarkError as error:
        if error.code == "SOURCE_NOT_PUBLIC":
            return None
        raise
    days = dict.fromkeys(range(start, end, DAY), ZERO)
    for trade in trades:
        day = parse_instant(trade["source_at"], "source_at") // DAY * DAY
        if day in days:
            days[day] += parse_decimal(trade["price"], "price") * parse_decimal(trade["quantity"], "quantity")
    return median(days.values()).sqrt()


def _check_constituent(item: Resource, version_id: str, cap: Decimal | None) -> None:
    """Checks that the facts of a constituent agree with each other and with its definition."""
    name, definition = item["constituent_id"], item["definition"]
    for field in ("constituent_id", "normalization"):
        need(f"{field} of {name}", item[field], definition.get(field, item[field]))
    need(f"index_version_id of {name}", item["index_version_id"], version_id)
    need(f"effective weight of {name}", item["effective_weight_at_publication"], item["target_weight"])
    need(f"weight_cap of {name}", item["weight_cap"], None if cap is None else published(cap, WEIGHT))
    need(f"own leg of {name}", _ids(item) in [_ids(leg) for leg in item["legs"]], True)
    written = definition.get("legs") or definition.get("outcomes") or [definition]
    for leg, given in zip(item["legs"], written, strict=True):
        own = {**definition, **given} if isinstance(given, Mapping) else definition
        for field in ("venue_id", "source_market_id"):
            if field in own:
                need(f"{field} of a leg of {name}", leg[field], own[field])


def _ids(item: Resource) -> tuple[str, str]:
    return item["market_id"], item["outcome_id"]


def _need_weight(item: Resource, expected: Decimal) -> None:
    need(f"weight of {item['constituent_id']}", item["target_weight"], published(expected, WEIGHT))


def _cap(name: str, definition: Resource, parameters: Resource) -> Decimal | None:
    written = (definition.get("caps") or {}).get(name)
    return optional_decimal(parameters.get(f"cap.{name}") if written is None else written, f"caps.{name}")


def _single_cap(item: Resource, definition: Resource, parameters: Resource) -> Decimal | None:
    """Returns the lower of a constituent's own cap and the version's; None: no cap."""
    own = optional_decimal(item["definition"].get("weight_cap"), "weight_cap")
    caps = [cap for cap in (own, _cap("single", definition, parameters)) if cap is not None]
    return min(caps, default=None)


def _caps(
    answers: Answers,
    version: Resource,
    parameters: Resource,
    constituents: Sequence[Resource],
    singles: Mapping[str, Decimal | None],
) -> Caps:
    event, venue = (_cap(name, version["definition"], parameters) for name in ("event", "venue"))
    event_of = {} if event is None else {item["constituent_id"]: _event(answers, item) for item in constituents}
    venues = {item["constituent_id"]: {leg["venue_id"] for leg in item["legs"]} for item in constituents}
    return Caps(
        single={name: cap for name, cap in singles.items() if cap is not None},
        event=event,
        venue=venue,
        event_of=event_of,
        venue_of={name: min(found) for name, found in venues.items() if len(found) == 1},
    )


def _event(answers: Answers, item: Resource) -> str:
    """Returns the group that an event cap limits: the written one, else the event of the constituent's own market."""
    written: str | None = item["definition"].get("group_event")
    if written is not None:
        return written
    market = find(answers, f"/v1/markets/{item['market_id']}")
    event: str = item["market_id"] if market is None or market["event_id"] is None else market["event_id"]
    return event
