"""Records that a calculation reads, and definitions that say what it calculates."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from .._instants import Micros
from .parameters import Parameters


@dataclass(frozen=True, kw_only=True)
class Record:
    """Clocks of a record. `known_at` is when it could first be used; received_at unless stated."""

    source_at: Micros
    received_at: Micros
    revision: int = 1
    known_at: Micros | None = None

    @property
    def usable_at(self) -> Micros:
        return self.received_at if self.known_at is None else self.known_at

    @property
    def order(self) -> tuple[Micros, Micros, int]:
        """Of two records of one subject the greater counts (section 3)."""
        return (self.source_at, self.received_at, self.revision)


@dataclass(frozen=True, kw_only=True)
class Quote(Record):
    """Quote of one outcome; a missing value is None, never zero."""

    record_id: str
    confirmed_at: Micros | None = None
    bid: Decimal | None = None
    ask: Decimal | None = None
    bid_depth: Decimal | None = None
    ask_depth: Decimal | None = None
    last_trade: Decimal | None = None
    last_trade_at: Micros | None = None
    reported_probability: Decimal | None = None


@dataclass(frozen=True, kw_only=True)
class Resolution(Record):
    """Revision of a resolution, for one outcome. `final_at` belongs to a final revision."""

    evidence_id: str
    finality: str
    final_at: Micros | None = None
    payout: Decimal | None = None


@dataclass(frozen=True, kw_only=True)
class MarketState(Record):
    """Status and schedule of a market."""

    status: str | None = None
    closes_at: Micros | None = None
    expected_resolution_at: Micros | None = None


@dataclass(frozen=True, kw_only=True)
class Trade(Record):
    """Public trade of one outcome."""

    trade_id: str
    price: Decimal
    quantity: Decimal


@dataclass(frozen=True)
class LegRecords:
    """Every record of one leg. `other`: quotes of the other outcome of a binary market; None: there is none."""

    quotes: Sequence[Quote] = ()
    other: Sequence[Quote] | None = None
    resolutions: Sequence[Resolution] = ()
    states: Sequence[MarketState] = ()
    trades: Sequence[Trade] = ()


@dataclass(frozen=True)
class Mark:
    """Reference value of one outcome, at six decimals, with the rule that gave it first."""

    rule: str
    origin_rule: str
    value: Decimal
    c_rule: Decimal
    source_at: Micros
    confirmed_at: Micros
    source_ids: tuple[str, ...]


@dataclass(frozen=True)
class Leg:
    """One outcome of one market, as a version maps it. `key` names the same source everywhere."""

    key: str
    venue_id: str
    market_id: str
    outcome_id: str
    source_series_id: str | None = None
    pool_weight: Decimal = Decimal(1)
    expected_resolution_at: Micros | None = None


@dataclass(frozen=True)
class Constituent:
    """Constituent with its legs; `own` is the ordinal of the leg whose outcome it is."""

    constituent_id: str
    normalization: str
    legs: tuple[Leg, ...]
    target_weight: Decimal
    own: int = 0


@dataclass(frozen=True)
class Roll:
    """Constant maturity of section 11."""

    target_days: Decimal
    stop_days: Decimal
    hazard: bool = False


@dataclass(frozen=True)
class Fixing:
    """Schedule of a fixing; `at` is a time of day in microseconds."""

    at: Micros
    partitions: int
    partition: Micros
    minimum: int
    trim: int


@dataclass(frozen=True)
class Version:
    """Version of an index. Its constituents are in ascending order of constituent_id."""

    index_version_id: str
    version: str
    effective_from: Micros
    frequency: Micros
    minimum_coverage_ratio: Decimal
    constituents: tuple[Constituent, ...]
    parameters: Parameters
    effective_to: Micros | None = None
    roll: Roll | None = None
    fixing: Fixing | None = None


@dataclass(frozen=True)
class Index:
    """Index with its versions by effective_from."""

    index_id: str
    base_value: Decimal
    base_date: Micros
    versions: Sequence[Version] = field(default_factory=tuple)
