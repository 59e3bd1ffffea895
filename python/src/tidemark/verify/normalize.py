"""From the marks of its legs to the value x of a constituent (sections 7 and 11)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from .._decimals import MARK, ONE, WEIGHT, ZERO, median, published, rounded, total
from .._instants import DAY, Micros
from .marks import confidence_of
from .parameters import Parameters
from .records import Constituent, Leg, Mark, Roll

FRESHNESS = ("settled", "fresh", "stale")
"""Classes of usable inputs, the best first."""

_NESTED_TOLERANCE = Decimal("0.01")


@dataclass(frozen=True)
class LegValue:
    """Mark of one leg that may enter a constituent, after the outlier filter."""

    mark: Mark | None
    freshness: str
    held_back: Mark | None = None
    reference: Decimal | None = None
    limit: Decimal | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Excluded:
    """Leg that was left out, with what it was compared with."""

    mark: Mark
    rule: str
    reference: Decimal
    threshold: Decimal


@dataclass
class Value:
    """Value of a constituent: x at six decimals, the legs that entered it, and why others did not."""

    x: Decimal | None
    used: list[Leg] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    excluded: list[Excluded] = field(default_factory=list)
    still_out: frozenset[str] = frozenset()
    settled: bool = False


Legs = Mapping[str, LegValue]


def normalize(
    constituent: Constituent,
    legs: Legs,
    cutoff: Micros,
    p: Parameters,
    roll: Roll | None,
    out_before: frozenset[str],
    expected_resolution: Callable[[Leg], Micros | None],
) -> Value:
    """Returns the value of a constituent by its normalization. `out_before`: pool legs excluded at the last tick."""
    kind = constituent.normalization
    if kind == "logodds_pool":
        return _pool(constituent.legs, legs, p, out_before)
    if kind == "multi_outcome_sum_to_one":
        return _sum_to_one(constituent, legs, p)
    if kind == "constant_maturity":
        return _constant_maturity(constituent.legs, legs, cutoff, roll, expected_resolution)
    own = constituent.legs[constituent.own]
    mark = legs[own.key].mark
    if mark is None:
        return Value(None)
    return Value(rounded(ONE - mark.value if kind == "inverse" else mark.value, MARK), [own])


def value_of(legs: Legs, leg: Leg) -> Decimal | None:
    """Returns the mark of a leg."""
    mark = legs[leg.key].mark
    return None if mark is None else mark.value


def pooled(values: Sequence[tuple[Decimal, Decimal]], p: Parameters) -> Decimal:
    """Pools (probability, weight) in log-odds."""

    def odds(probability: Decimal) -> Decimal:
        clipped = min(max(probability, p.pool_eps), ONE - p.pool_eps)
        return (clipped / (ONE - clipped)).ln()

    z = p.pool_d * (total(weight * odds(value) for value, weight in values) / total(weight for _, weight in values))
    return rounded(ONE / (ONE + (-z).exp()), MARK)


def _pool(legs: Sequence[Leg], values: Legs, p: Parameters, out_before: frozenset[str]) -> Value:
    priced = [(leg, mark) for leg in legs if (mark := values[leg.key].mark) is not None]
    settled = [(leg, mark) for leg, mark in priced if mark.rule == "M0"]
    if p.pool_majority:
        return _pool_by_majority(legs, priced, settled, p, out_before)
    if settled:
        weights = total(leg.pool_weight for leg, _ in settled)
        x = total(leg.pool_weight * mark.value for leg, mark in settled) / weights
        return Value(rounded(x, MARK), [leg for leg, _ in settled], settled=True)
    return _pool_of(priced, p, out_before)


def _pool_of(priced: Sequence[tuple[Leg, Mark]], p: Parameters, out_before: frozenset[str]) -> Value:
    """Pools legs by log-odds, without those that are far from the median."""
    if not priced:
        return Value(None)
    value = Value(None)
    kept = list(priced)
    if len(priced) >= 3:
        middle = median(mark.value for _, mark in priced)

        def is_out(leg: Leg, mark: Mark) -> bool:
            distance = abs(mark.value - middle)
            return distance >= p.pool_readmit if leg.key in out_before else distance > p.pool_exclude

        far = [(leg, mark) for leg, mark in priced if is_out(leg, mark)]
        if len(far) == len(priced):
            value.reasons.append("VENUE_DISPERSION")
        else:
            kept = [item for item in priced if item not in far]
            value.excluded = [
                Excluded(mark, "POOL_DISPERSION", middle, p.pool_readmit if leg.key in out_before else p.pool_exclude)
                for leg, mark in far
            ]
            value.still_out = frozenset(leg.key for leg, _ in far)
    elif len(priced) == 2 and abs(priced[0][1].value - priced[1][1].value) > p.pool_exclude:
        value.reasons.append("VENUE_DISPERSION")
    value.x = pooled([(mark.value, leg.pool_weight) for leg, mark in kept], p)
    value.used = [leg for leg, _ in kept]
    return value


def weighted_median(values: Sequence[tuple[Decimal, Decimal]]) -> Decimal:
    """Returns the first value with cumulative weight above half; at exactly half the mean with the next."""
    merged: dict[Decimal, Decimal] = {}
    for value, weight in values:
        merged[value] = merged.get(value, ZERO) + weight
    ordered = sorted(merged.items())
    whole, so_far = total(weight for _, weight in ordered), ZERO
    for place, (value, weight) in enumerate(ordered):
        so_far += weight
        if so_far * 2 > whole:
            return value
        if so_far * 2 == whole:
            return (value + ordered[place + 1][0]) / 2
    raise ValueError("the values have no weight; expected a positive weight")


def _pool_by_majority(
    legs: Sequence[Leg],
    priced: Sequence[tuple[Leg, Mark]],
    settled: Sequence[tuple[Leg, Mark]],
    p: Parameters,
    out_before: frozenset[str],
) -> Value:
    """Pool that settled legs of one payout settle only with more than half of its whole weight."""
    whole = total(leg.pool_weight for leg in legs)

    def conflict(mark: Mark, reference: Decimal) -> Excluded:
        return Excluded(mark, "FINALITY_CONFLICT", reference, p.pool_exclude)

    for payout in {mark.value for _, mark in settled}:
        agreed = [leg for leg, mark in settled if mark.value == payout]
        if total(leg.pool_weight for leg in agreed) * 2 > whole:
            left = [conflict(mark, payout) for _, mark in settled if mark.value != payout]
            return Value(payout, agreed, ["FINALITY_CONFLICT"] if left else [], left, settled=True)
    live = [(leg, mark) for leg, mark in priced if mark.rule != "M0"]
    if not settled:
        return _pool_of(live, p, out_before)
    middle = weighted_median([(mark.value, leg.pool_weight) for leg, mark in live or settled])
    out = [(leg, mark) for leg, mark in settled if not live or abs(mark.value - middle) > p.pool_exclude]
    kept = [item for item in priced if item not in out]
    value = _pool_of(kept, p, out_before)
    if out:
        value.reasons.append("FINALITY_CONFLICT")
        value.excluded += [conflict(mark, middle) for _, mark in out]
    return value


def _sum_to_one(constituent: Constituent, values: Legs, p: Parameters) -> Value:
    own = constituent.legs[constituent.own]
    mark = values[own.key].mark
    if mark is None:
        return Value(None)
    marks = [value_of(values, leg) for leg in constituent.legs]
    known = [value for value in marks if value is not None]
    if len(known) < len(marks):
        return Value(mark.value, [own], ["PARTIAL_OUTCOME_SET"])
    whole = total(known)
    overround = whole - ONE
    if whole.is_zero() or abs(overround) > p.max_overround:
        out = Excluded(mark, "MAX_OVERROUND", overround, p.max_overround)
        return Value(None, [], ["OVERROUND_EXCEEDED"], [out])
    used = [own, *(leg for leg in constituent.legs if leg is not own)]
    return Value(rounded(mark.value / whole, MARK), used, [f"OVERROUND:{published(overround, MARK)}"])


def _constant_maturity(
    legs: Sequence[Leg],
    values: Legs,
    cutoff: Micros,
    roll: Roll | None,
    expected_resolution: Callable[[Leg], Micros | None],
) -> Value:
    if roll is None:
        raise ValueError("the version has no roll; constant_maturity needs one")
    midnight = cutoff - cutoff % DAY
    contracts: list[tuple[Decimal, Leg, Decimal]] = []
    for leg in legs:
        price, end = value_of(values, leg), expected_resolution(leg)
        if price is not None and end is not None and end > midnight:
            contracts.append((Decimal(end - midnight) / Decimal(DAY), leg, price))
    running = [contract for contract in contracts if contract[0] > roll.stop_days]
    contracts = sorted(running or contracts, key=lambda contract: contract[0])
    if not contracts:
        return Value(None, [], ["NO_ROLL_CONTRACT"])
    near = [contract for contract in contracts if contract[0] <= roll.target_days]
    far = [contract for contract in contracts if contract[0] > roll.target_days]
    if not near or not far:
        _, leg, price = near[-1] if near else far[0]
        return Value(rounded(price, MARK), [leg], ["ROLL_SINGLE_CONTRACT"])
    (t1, leg1, p1), (t2, leg2, p2) = near[-1], far[0]
    w1 = near_weight(t1, t2, roll)
    reasons = ["TERM_STRUCTURE_VIOLATION"] if roll.hazard and p1 > p2 + _NESTED_TOLERANCE else []
    return Value(rolled(w1, p1, p2, roll.hazard), [leg1, leg2], reasons)


def near_weight(t1: Decimal, t2: Decimal, roll: Roll) -> Decimal:
    """Returns the weight of the near contract, by days to the ends of both."""
    if t1 <= roll.stop_days:
        return ZERO
    return min(ONE, max(ZERO, rounded((t2 - roll.target_days) / (t2 - t1), WEIGHT)))


def rolled(w1: Decimal, p1: Decimal, p2: Decimal, hazard: bool) -> Decimal:
    """Returns the value of two contracts, weighted linearly or by hazard."""
    weighted = [(w1, p1), (ONE - w1, p2)]
    if not hazard:
        return rounded(total(weight * price for weight, price in weighted), MARK)
    weighted = [(weight, price) for weight, price in weighted if not weight.is_zero()]
    if any(price >= ONE for _, price in weighted):
        return ONE
    return rounded(ONE - total(weight * (ONE - price).ln() for weight, price in weighted).exp(), MARK)


def confidence_of_legs(used: Sequence[Leg], values: Legs, cutoff: Micros, p: Parameters) -> Decimal:
    """Returns the mean of the confidences of the legs that entered a value, by pool weight."""
    if not used:
        return ZERO
    if len(used) == 1:
        return confidence_of(values[used[0].key].mark, cutoff, p)
    weighed = total(leg.pool_weight * confidence_of(values[leg.key].mark, cutoff, p) for leg in used)
    return weighed / total(leg.pool_weight for leg in used)
