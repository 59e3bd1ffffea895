"""Admission: which records count at a cutoff (section 3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from .._instants import Micros
from .records import LegRecords, MarketState, Quote, Record, Resolution

AnyRecord = TypeVar("AnyRecord", bound=Record)


@dataclass(frozen=True)
class Admitted:
    """Newest admitted records of one outcome at one cutoff."""

    quote: Quote | None
    other: Quote | None
    resolution: Resolution | None
    market: MarketState | None


def is_admitted(record: Record, cutoff: Micros, grace: Micros | None) -> bool:
    """Tests a record; both limits are inclusive. Without a grace, as in a correction, every known record passes the second."""
    return record.source_at <= cutoff and (grace is None or record.usable_at <= cutoff + grace)


def newest(records: Iterable[AnyRecord], cutoff: Micros, grace: Micros | None) -> AnyRecord | None:
    """Returns the newest admitted record."""
    usable = (record for record in records if is_admitted(record, cutoff, grace))
    return max(usable, key=lambda record: record.order, default=None)


def counting_resolution(
    resolutions: Sequence[Resolution],
    cutoff: Micros,
    grace: Micros | None,
    from_final: bool,
) -> Resolution | None:
    """Returns the resolution that counts: the newest chain that is not withdrawn."""
    heads: dict[Micros, Resolution] = {}
    for resolution in resolutions:
        if not is_admitted(resolution, cutoff, grace) or settles_from(resolution, from_final) > cutoff:
            continue
        head = heads.get(resolution.source_at)
        if head is None or resolution.order > head.order:
            heads[resolution.source_at] = resolution
    live = (head for head in heads.values() if head.finality != "withdrawn")
    return max(live, key=lambda head: head.source_at, default=None)


def settles_from(resolution: Resolution, from_final: bool) -> Micros:
    """Returns the first cutoff at which a resolution counts."""
    if from_final and resolution.finality == "final" and resolution.final_at is not None:
        return max(resolution.source_at, resolution.final_at)
    return resolution.source_at


def admit(records: LegRecords, cutoff: Micros, grace: Micros | None, from_final: bool) -> Admitted:
    """Admits the records of one leg."""
    return Admitted(
        quote=newest(records.quotes, cutoff, grace),
        other=None if records.other is None else newest(records.other, cutoff, grace),
        resolution=counting_resolution(records.resolutions, cutoff, grace, from_final),
        market=newest(records.states, cutoff, grace),
    )


def confirmed_at(quote: Quote, cutoff: Micros) -> Micros:
    """Returns the latest moment, not after the cutoff, at which the source was known to still show a quote."""
    confirmed = quote.confirmed_at
    return quote.source_at if confirmed is None or not quote.source_at <= confirmed <= cutoff else confirmed
