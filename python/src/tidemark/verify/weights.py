"""Weights made by a rule, and the caps that shape them (section 8)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from .._decimals import ONE, ZERO, exact, total

UNIT = Decimal("1e-10")
"""Unit of a published weight."""

_TOLERANCE = Decimal("1e-13")
_ROUNDS_MAX = 100


class CapRefused(ValueError):
    """Caps that no weights satisfy; `code` is the reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


@dataclass(frozen=True)
class Caps:
    """Caps of a version. `single` is by constituent; groups map constituents to a name, or leave them out."""

    single: Mapping[str, Decimal] = field(default_factory=dict)
    event: Decimal | None = None
    venue: Decimal | None = None
    event_of: Mapping[str, str] = field(default_factory=dict)
    venue_of: Mapping[str, str] = field(default_factory=dict)


@exact
def capped_weights(raw: Mapping[str, Decimal], caps: Caps) -> dict[str, Decimal]:
    """Returns weights of ten decimals that sum to exactly 1, shaped by caps."""
    names = sorted(raw)
    whole = total(raw[name] for name in names)
    weights = {name: raw[name] / whole for name in names}
    _refuse_infeasible(names, caps)
    for _ in range(_ROUNDS_MAX):
        for limit, group_of in ((caps.event, caps.event_of), (caps.venue, caps.venue_of)):
            if limit is not None:
                weights = _cap_groups(weights, limit, group_of)
        weights = _cap_singles(weights, caps.single)
        if not _exceeds(weights, caps):
            return _round_weights(weights)
    raise CapRefused("INDEX_CAP_NO_CONVERGENCE", f"caps are still exceeded after {_ROUNDS_MAX} rounds")


def _refuse_infeasible(names: list[str], caps: Caps) -> None:
    room = total(caps.single.get(name, ONE) for name in names)
    for limit, group_of in ((caps.event, caps.event_of), (caps.venue, caps.venue_of)):
        if limit is not None:
            groups = {group_of[name] for name in names if name in group_of}
            free = total(caps.single.get(name, ONE) for name in names if name not in group_of)
            members = {
                group: total(caps.single.get(name, ONE) for name in names if group_of.get(name) == group)
                for group in groups
            }
            room = min(room, free + total(min(limit, members[group]) for group in sorted(groups)))
    if room < ONE:
        raise CapRefused("INDEX_CAP_INFEASIBLE", f"caps allow a weight of {room}; expected at least 1")


def _cap_groups(weights: dict[str, Decimal], limit: Decimal, group_of: Mapping[str, str]) -> dict[str, Decimal]:
    """Scales groups above their cap to it; the others share the rest in proportion, until no group is above."""
    capped: set[str] = set()
    while True:
        sums = _group_sums(weights, group_of)
        over = {group for group, weight in sums.items() if weight > limit + _TOLERANCE and group not in capped}
        if not over:
            return weights
        capped |= over
        inside = {name for name in weights if group_of.get(name) in capped}
        free = total(weight for name, weight in weights.items() if name not in inside)
        if free.is_zero():
            return weights
        rest = ONE - limit * len(capped)
        weights = {
            name: weight * limit / sums[group_of[name]] if name in inside else weight * rest / free
            for name, weight in weights.items()
        }


def _cap_singles(weights: dict[str, Decimal], caps: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """Sets weights above their cap to it; the others share the rest in proportion, until nobody is above."""
    capped: set[str] = set()
    while True:
        over = {name for name, weight in weights.items() if name not in capped and weight > caps.get(name, ONE)}
        if not over:
            return weights
        capped |= over
        rest = ONE - total(caps[name] for name in sorted(capped))
        free = total(weight for name, weight in weights.items() if name not in capped)
        if free.is_zero():
            return weights
        weights = {name: caps[name] if name in capped else weight * rest / free for name, weight in weights.items()}


def _group_sums(weights: Mapping[str, Decimal], group_of: Mapping[str, str]) -> dict[str, Decimal]:
    sums: dict[str, Decimal] = {}
    for name, weight in weights.items():
        if name in group_of:
            sums[group_of[name]] = sums.get(group_of[name], ZERO) + weight
    return sums


def _exceeds(weights: Mapping[str, Decimal], caps: Caps) -> bool:
    if any(weight > caps.single.get(name, ONE) + _TOLERANCE for name, weight in weights.items()):
        return True
    groups = ((caps.event, caps.event_of), (caps.venue, caps.venue_of))
    return any(
        limit is not None and any(weight > limit + _TOLERANCE for weight in _group_sums(weights, group_of).values())
        for limit, group_of in groups
    )


def _round_weights(weights: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """Rounds down and hands the missing units to the largest remainders, ties in order of constituent_id."""
    floors = {name: weight // UNIT * UNIT for name, weight in weights.items()}
    missing = int((ONE - total(floors.values())) / UNIT)
    order = sorted(floors, key=lambda name: (-(weights[name] - floors[name]), name))
    return {name: floors[name] + (UNIT if name in order[:missing] else ZERO) for name in floors}
