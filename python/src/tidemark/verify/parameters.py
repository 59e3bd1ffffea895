"""Parameters of a methodology (section 18), and its content hash."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from .._canonical import canonical_json, sha256_hex
from .._decimals import parse_decimal
from .._instants import Micros, parse_duration

DEFAULTS: Mapping[str, str | None] = {
    "mode": "gauge",
    "calc.precision": "34",
    "calc.rounding": "HALF_EVEN",
    "admission.grace": "PT5S",
    "fresh.stale_after": "PT15M",
    "fresh.max_carry": "PT24H",
    "mark.s_tight": "0.02",
    "mark.s_micro": "0.10",
    "mark.s_wide": "0.20",
    "mark.q_min": "50",
    "mark.book_max_age": "PT60S",
    "mark.t_recent": "PT15M",
    "mark.t_last": "PT1H",
    "outlier.enabled": "true",
    "outlier.window": "11",
    "outlier.min_n": "5",
    "outlier.k": "5",
    "outlier.floor": "0.01",
    "outlier.confirm_n": "3",
    "outlier.band": "0.02",
    "outlier.venue_band": "0.03",
    "outlier.window_max_age": "PT1H",
    "pool.eps": "0.005",
    "pool.exclude": "0.10",
    "pool.readmit": "0.05",
    "pool.d": "1",
    "multi.max_overround": "0.15",
    "quality.min_coverage": "0.80",
    "quality.usable_min": "0.50",
    "quality.min_confidence": "0.60",
    "quality.max_fallback_weight": "0.40",
    "cap.single": None,
    "cap.event": None,
    "cap.venue": None,
    "link.min_s": "0.05",
    "link.gearing_range": "0.2 5",
    "restate.bp": "10",
    "restate.window": "P2D",
    "fixing.partitions": "12",
    "fixing.partition": "PT5M",
    "fixing.min": "7",
    "fixing.trim": "0",
    "roll.target_days": None,
    "roll.stop_days": "3",
    "settle_from": "source_at",
    "pool.finality": "any",
}
"""Default of every parameter; None: the rule does not act."""


@dataclass(frozen=True)
class Parameters:
    """Decoded parameters, named as in section 18 with underscores."""

    chain_linked: bool
    grace: Micros
    stale_after: Micros
    max_carry: Micros
    s_tight: Decimal
    s_micro: Decimal
    s_wide: Decimal
    q_min: Decimal
    book_max_age: Micros
    t_recent: Micros
    t_last: Micros
    outlier_enabled: bool
    outlier_window: int
    outlier_min_n: int
    outlier_k: Decimal
    outlier_floor: Decimal
    outlier_confirm_n: int
    outlier_band: Decimal
    outlier_venue_band: Decimal
    outlier_window_max_age: Micros
    pool_eps: Decimal
    pool_exclude: Decimal
    pool_readmit: Decimal
    pool_d: Decimal
    max_overround: Decimal
    min_coverage: Decimal
    usable_min: Decimal
    min_confidence: Decimal
    max_fallback_weight: Decimal
    link_min_s: Decimal
    gearing_min: Decimal
    gearing_max: Decimal
    fixing_partitions: int
    fixing_partition: Micros
    fixing_min: int
    fixing_trim: int
    roll_target_days: Decimal | None
    roll_stop_days: Decimal
    settles_from_final: bool
    pool_majority: bool


def decode_parameters(written: Mapping[str, object]) -> Parameters:
    """Decodes parameters; those that are left out have their defaults. An unknown name is an error."""
    unknown = sorted(set(written) - set(DEFAULTS))
    if unknown:
        raise ValueError(f"parameter {unknown[0]!r} is unknown; expected one of section 18")
    texts: dict[str, object] = {**DEFAULTS, **written}
    if (texts["calc.precision"], texts["calc.rounding"]) != ("34", "HALF_EVEN"):
        raise ValueError("calc.precision and calc.rounding differ from 34 and HALF_EVEN")

    def decimal(name: str) -> Decimal:
        return parse_decimal(texts[name], name)

    def duration(name: str) -> Micros:
        return parse_duration(texts[name], name)

    def integer(name: str) -> int:
        return int(decimal(name))

    low, high = str(texts["link.gearing_range"]).split(" ")
    target = texts["roll.target_days"]
    return Parameters(
        chain_linked=_one_of(texts, "mode", "chain_linked", "gauge"),
        grace=duration("admission.grace"),
        stale_after=duration("fresh.stale_after"),
        max_carry=duration("fresh.max_carry"),
        s_tight=decimal("mark.s_tight"),
        s_micro=decimal("mark.s_micro"),
        s_wide=decimal("mark.s_wide"),
        q_min=decimal("mark.q_min"),
        book_max_age=duration("mark.book_max_age"),
        t_recent=duration("mark.t_recent"),
        t_last=duration("mark.t_last"),
        outlier_enabled=_one_of(texts, "outlier.enabled", "true", "false"),
        outlier_window=integer("outlier.window"),
        outlier_min_n=integer("outlier.min_n"),
        outlier_k=decimal("outlier.k"),
        outlier_floor=decimal("outlier.floor"),
        outlier_confirm_n=integer("outlier.confirm_n"),
        outlier_band=decimal("outlier.band"),
        outlier_venue_band=decimal("outlier.venue_band"),
        outlier_window_max_age=duration("outlier.window_max_age"),
        pool_eps=decimal("pool.eps"),
        pool_exclude=decimal("pool.exclude"),
        pool_readmit=decimal("pool.readmit"),
        pool_d=decimal("pool.d"),
        max_overround=decimal("multi.max_overround"),
        min_coverage=decimal("quality.min_coverage"),
        usable_min=decimal("quality.usable_min"),
        min_confidence=decimal("quality.min_confidence"),
        max_fallback_weight=decimal("quality.max_fallback_weight"),
        link_min_s=decimal("link.min_s"),
        gearing_min=parse_decimal(low, "link.gearing_range"),
        gearing_max=parse_decimal(high, "link.gearing_range"),
        fixing_partitions=integer("fixing.partitions"),
        fixing_partition=duration("fixing.partition"),
        fixing_min=integer("fixing.min"),
        fixing_trim=integer("fixing.trim"),
        roll_target_days=None if target is None else decimal("roll.target_days"),
        roll_stop_days=decimal("roll.stop_days"),
        settles_from_final=_one_of(texts, "settle_from", "final_at", "source_at"),
        pool_majority=_one_of(texts, "pool.finality", "majority", "any"),
    )


def _one_of(texts: Mapping[str, object], name: str, yes: str, no: str) -> bool:
    """Returns whether a parameter with two values has the first one."""
    if texts[name] not in (yes, no):
        raise ValueError(f"{name} is {texts[name]!r}; expected {yes} or {no}")
    return texts[name] == yes


def content_hash(parameters: Mapping[str, object], text_sha256: str) -> str:
    """Returns the hash that identifies a methodology version."""
    return "sha256:" + sha256_hex(canonical_json({"parameters": parameters, "text_sha256": text_sha256}))
