"""Settlement-grade value of a leg at a fixing tick (section 11)."""

from collections.abc import Sequence
from decimal import Decimal

from .._decimals import MARK, rounded, total
from .._instants import DAY, Micros
from .admission import is_admitted, newest
from .marks import C_RULE, is_book_rule, mark_of_quote
from .normalize import weighted_median
from .parameters import Parameters
from .records import Fixing, LegRecords, Mark, Quote, Trade


def is_fixing_tick(fixing: Fixing | None, tick: Micros) -> bool:
    """Tests whether a tick is at the time of day of a fixing."""
    return fixing is not None and tick % DAY == fixing.at


def fixing_mark(
    records: LegRecords, fixing: Fixing, cutoff: Micros, grace: Micros | None, p: Parameters
) -> Mark | None:
    """Returns the fixing of a leg; None: too few partitions have a value."""
    trades = [trade for trade in records.trades if is_admitted(trade, cutoff, grace)]
    first = cutoff - fixing.partitions * fixing.partition
    found = []
    for number in range(fixing.partitions):
        start = first + number * fixing.partition
        end = start + fixing.partition
        inside = [trade for trade in trades if start <= trade.source_at < end]
        item = _of_trades(inside) if inside else _of_book(records.quotes, end, cutoff, grace, p)
        if item is not None:
            found.append(item)
    if len(found) < fixing.minimum:
        return None
    kept = sorted(found, key=lambda item: item[0])[fixing.trim : len(found) - fixing.trim]
    if not kept:
        return None
    value = total(value for value, _ in kept) / len(kept)
    sources = tuple(dict.fromkeys(source for _, sources in found for source in sources))
    return Mark("fixing", "fixing", rounded(value, MARK), C_RULE["fixing"], cutoff, cutoff, sources)


Partition = tuple[Decimal, tuple[str, ...]]
"""Value of a partition and the records that gave it."""


def _of_trades(trades: Sequence[Trade]) -> Partition:
    sources = tuple(trade.trade_id for trade in trades)
    return weighted_median([(trade.price, trade.quantity) for trade in trades]), sources


def _of_book(
    quotes: Sequence[Quote], end: Micros, cutoff: Micros, grace: Micros | None, p: Parameters
) -> Partition | None:
    """Returns the M1 to M3 mark at the end of a partition, from what is admitted at the cutoff."""
    admitted = [quote for quote in quotes if is_admitted(quote, cutoff, grace)]
    quote = newest(admitted, end, None)
    mark = None if quote is None else mark_of_quote(quote, end, p)
    return (mark.value, mark.source_ids) if mark is not None and is_book_rule(mark) else None
