"""Level, ratios and contributions (section 9), links (10) and quality states (12)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from .._decimals import CONTRIBUTION, LEVEL, LINK, published, rounded, total
from .parameters import Parameters

GAUGE = Decimal(100)
"""K of mode gauge."""

FALLBACK_RULES = ("M5", "M6", "M7", "frozen")


@dataclass(frozen=True)
class Input:
    """Weight, value, confidence, class and rule of one constituent."""

    weight: Decimal
    x: Decimal | None
    confidence: Decimal
    freshness: str
    rule: str | None
    reasons: tuple[str, ...] = ()
    provisional: bool = False
    pending: bool = False


@dataclass(frozen=True)
class Sums:
    """Sums over the constituents, unrounded. `s` is None where no constituent is usable."""

    s: Decimal | None
    used_weight: Decimal
    usable_ratio: Decimal
    coverage_ratio: Decimal
    confidence: Decimal


def sums_of(inputs: Sequence[Input]) -> Sums:
    """Adds the inputs of a level in their order."""
    whole = total(item.weight for item in inputs)
    used = [(item.weight, item.x) for item in inputs if item.x is not None]
    used_weight = total(weight for weight, _ in used)
    covered = total(item.weight for item in inputs if item.freshness in ("settled", "fresh"))
    return Sums(
        s=None if used_weight.is_zero() else total(weight * x for weight, x in used) / used_weight,
        used_weight=used_weight,
        usable_ratio=used_weight / whole,
        coverage_ratio=covered / whole,
        confidence=total(item.weight * item.confidence for item in inputs) / whole,
    )


def level_text(k: Decimal, s: Decimal) -> str:
    """Returns a published level."""
    return published(k * s, LEVEL)


def contribution_text(k: Decimal, weight: Decimal, x: Decimal, used_weight: Decimal) -> str:
    """Returns the published contribution of one constituent."""
    return published(k * weight * x / used_weight, CONTRIBUTION)


class LinkRefused(ValueError):
    """Link that the methodology refuses; `code` is the reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


def first_factor(base_value: Decimal, s: Decimal) -> Decimal:
    """Returns K of the first version."""
    if s.is_zero():
        raise LinkRefused("INDEX_LINK_UNSTABLE", "S is 0 at the base; expected more than 0")
    return rounded(base_value / s, LINK)


def linked_factor(
    k_old: Decimal, s_old: Decimal | None, s_new: Decimal | None, k_first: Decimal, p: Parameters
) -> Decimal:
    """Returns K of a successor, which keeps the level where it was."""
    if s_old is None or s_new is None or min(s_old, s_new) < p.link_min_s:
        raise LinkRefused(
            "INDEX_LINK_UNSTABLE", f"S is {s_old} before and {s_new} after; expected at least {p.link_min_s}"
        )
    k = rounded(k_old * s_old / s_new, LINK)
    if not p.gearing_min <= k / k_first <= p.gearing_max:
        raise LinkRefused(
            "INDEX_GEARING_LIMIT", f"K is {k} after {k_first}; expected a ratio within link.gearing_range"
        )
    return k


@dataclass(frozen=True)
class Gate:
    """Status of the index at a tick."""

    halted: bool = False
    scheduled: bool = False


def decide_state(
    inputs: Sequence[Input],
    sums: Sums,
    minimum_coverage: Decimal,
    p: Parameters,
    gate: Gate = Gate(),
    fixing_failed: bool = False,
) -> str:
    """Returns the state by the first row of section 12 that is true. Ratios are compared unrounded."""
    reasons = {reason for item in inputs for reason in item.reasons}
    if gate.halted or sums.usable_ratio < p.usable_min:
        return "suspended"
    if not any(item.freshness in ("settled", "fresh") for item in inputs):
        return "stale"
    missing = any(item.x is None for item in inputs)
    dispersed = "VENUE_DISPERSION" in reasons
    if (
        sums.coverage_ratio < minimum_coverage
        or missing
        or dispersed
        or fallback_weight(inputs) > p.max_fallback_weight
    ):
        return "degraded"
    doubtful = gate.scheduled or fixing_failed or any(_is_doubtful(item) for item in inputs)
    return "indicative" if doubtful or sums.confidence < p.min_confidence else "valid"


def fallback_weight(inputs: Sequence[Input]) -> Decimal:
    """Returns the share of weight on M5, M6, M7 and frozen."""
    whole = total(item.weight for item in inputs)
    return total(item.weight for item in inputs if item.rule in FALLBACK_RULES) / whole


def _is_doubtful(item: Input) -> bool:
    if item.provisional or item.pending or item.rule == "frozen":
        return True
    if "FINALITY_CONFLICT" in item.reasons and item.freshness != "settled":
        return True
    return any(reason in item.reasons for reason in ("PARTIAL_OUTCOME_SET", "TERM_STRUCTURE_VIOLATION"))


def state_reasons(
    inputs: Sequence[Input],
    sums: Sums,
    state: str,
    own_reasons: Sequence[str],
    minimum_coverage: Decimal,
    p: Parameters,
) -> list[str]:
    """Returns the reasons of a record: those of its inputs and those of conditions without one (section 12)."""
    found = set(own_reasons)
    conditions = {
        "USABLE_WEIGHT_LOW": sums.usable_ratio < p.usable_min,
        "NO_FRESH_INPUT": not any(item.freshness in ("settled", "fresh") for item in inputs),
        "COVERAGE_LOW": sums.coverage_ratio < minimum_coverage,
        "CONSTITUENT_MISSING": any(item.x is None for item in inputs),
        "FALLBACK_WEIGHT_HIGH": fallback_weight(inputs) > p.max_fallback_weight,
        "CONFIDENCE_LOW": sums.confidence < p.min_confidence,
    }
    found |= {reason for reason, is_true in conditions.items() if is_true}
    if state == "suspended" and not found:
        found.add("INDEX_HALTED")
    if state == "indicative" and not found:
        found.add("INDEX_SCHEDULED")
    return sorted(found)


def label(state: str, revision: int) -> str:
    """Returns the published state: a later revision that would be valid is corrected (Q6)."""
    return "corrected" if state == "valid" and revision > 1 else state


def restatement(old: Decimal | None, new: Decimal | None, age: int, threshold_bp: Decimal, window: int) -> str:
    """Returns what a correction restates (section 13): official, erratum or committee. `age`: of the error when found."""
    if old is not None and new is not None and not old.is_zero() and basis_points(old, new) < threshold_bp:
        return "erratum"
    return "official" if age <= window else "committee"


def basis_points(old: Decimal, new: Decimal) -> Decimal:
    """Returns the distance of two levels in basis points of the old one, unrounded."""
    return abs(new - old) / old * 10_000
