"""Marks of an outcome (section 4), and their freshness and confidence (section 5)."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from .._decimals import MARK, ONE, ZERO, median, rounded
from .._instants import Micros
from .admission import Admitted, confirmed_at
from .parameters import Parameters
from .records import Mark, MarketState, Quote, Resolution

C_RULE = {
    "M0": ONE,
    "M1": ONE,
    "M2": Decimal("0.90"),
    "M3": Decimal("0.80"),
    "M4": Decimal("0.60"),
    "M5": Decimal("0.50"),
    "M5r": Decimal("0.50"),
    "M7": Decimal("0.25"),
    "frozen": Decimal("0.25"),
    "fixing": ONE,
}
"""Confidence that a rule gives to a mark of age zero."""

_COMPLEMENT = Decimal("0.90")
_BOOK_RULES = ("M1", "M2", "M3")


def is_crossed(quote: Quote) -> bool:
    """Tests for a crossed or locked book, which is absent."""
    return quote.bid is not None and quote.ask is not None and quote.bid >= quote.ask


def mark_of_quote(quote: Quote, cutoff: Micros, p: Parameters, clamp: bool = True) -> Mark | None:
    """Returns the mark by M1 to M5r. Without `clamp` the books do not count, as in a paused market."""
    found = (_book_mark(quote, cutoff, p) if clamp else None) or _trade_mark(quote, cutoff, p, clamp)
    return found or (_reported_mark(quote, cutoff, p) if clamp else None)


def _book_mark(quote: Quote, cutoff: Micros, p: Parameters) -> Mark | None:
    bid, ask = quote.bid, quote.ask
    age = cutoff - confirmed_at(quote, cutoff)
    if bid is None or ask is None or not ZERO <= bid < ask <= ONE or age > min(p.book_max_age, p.max_carry):
        return None
    spread = ask - bid
    bid_size, ask_size = quote.bid_depth, quote.ask_depth
    if spread <= p.s_tight:
        return _quote_mark("M1", (bid + ask) / 2, quote, cutoff, "bid", "ask")
    if spread <= p.s_micro and bid_size is not None and ask_size is not None and min(bid_size, ask_size) >= p.q_min:
        value = (bid * ask_size + ask * bid_size) / (bid_size + ask_size)
        return _quote_mark("M2", value, quote, cutoff, "bid", "ask")
    trade, trade_age = quote.last_trade, _trade_age(quote, cutoff)
    recent = trade_age is not None and trade_age <= min(p.t_recent, p.max_carry)
    if spread <= p.s_wide and trade is not None and recent:
        return _quote_mark("M3", median([bid, ask, trade]), quote, cutoff, "bid", "ask", "last_trade")
    if spread <= p.s_micro:
        return _quote_mark("M4", (bid + ask) / 2, quote, cutoff, "bid", "ask")
    return None


def _trade_age(quote: Quote, cutoff: Micros) -> Micros | None:
    """Returns the age of the last trade; None: its time is not known, so no limit can hold."""
    return None if quote.last_trade_at is None else cutoff - quote.last_trade_at


def _trade_mark(quote: Quote, cutoff: Micros, p: Parameters, clamp: bool) -> Mark | None:
    value = quote.last_trade
    age = _trade_age(quote, cutoff)
    if value is None or age is None or age > min(p.t_last, p.max_carry):
        return None
    if clamp and cutoff - confirmed_at(quote, cutoff) <= p.book_max_age and not is_crossed(quote):
        value = value if quote.bid is None else max(value, quote.bid)
        value = value if quote.ask is None else min(value, quote.ask)
    mark = _quote_mark("M5", value, quote, cutoff, "last_trade")
    return replace(mark, source_at=cutoff - age, confirmed_at=cutoff - age)


def _reported_mark(quote: Quote, cutoff: Micros, p: Parameters) -> Mark | None:
    others = (quote.bid, quote.ask, quote.last_trade)
    age = cutoff - confirmed_at(quote, cutoff)
    if quote.reported_probability is None or any(value is not None for value in others) or age > p.max_carry:
        return None
    return _quote_mark("M5r", quote.reported_probability, quote, cutoff, "reported_probability")


def _quote_mark(rule: str, value: Decimal, quote: Quote, cutoff: Micros, *fields: str) -> Mark:
    return Mark(
        rule=rule,
        origin_rule=rule,
        value=rounded(value, MARK),
        c_rule=C_RULE[rule],
        source_at=quote.source_at,
        confirmed_at=confirmed_at(quote, cutoff),
        source_ids=tuple(f"{quote.record_id}.{field}" for field in fields),
    )


def complement(other: Mark) -> Mark:
    """Returns the mark by M6: one minus the mark of the other outcome."""
    value, c_rule = ONE - other.value, _COMPLEMENT * other.c_rule
    return replace(other, rule="M6", origin_rule="M6", value=value, c_rule=c_rule)


def settled_mark(resolution: Resolution | None) -> Mark | None:
    """Returns the mark by M0, where a final resolution names a payout."""
    if resolution is None or resolution.finality != "final" or resolution.payout is None:
        return None
    return Mark(
        rule="M0",
        origin_rule="M0",
        value=rounded(resolution.payout, MARK),
        c_rule=C_RULE["M0"],
        source_at=resolution.source_at,
        confirmed_at=resolution.source_at,
        source_ids=(resolution.evidence_id,),
    )


def carried(mark: Mark, rule: str) -> Mark:
    """Returns an earlier mark under M7 or frozen: value and times stay."""
    return replace(mark, rule=rule, c_rule=C_RULE[rule])


def freeze_instant(resolution: Resolution | None, market: MarketState | None) -> Micros | None:
    """Returns the instant at which an outcome was frozen; None: it is not."""
    contested = resolution is not None and resolution.finality in ("proposed", "disputed")
    status = None if market is None else market.status
    if not contested and status not in ("closed", "resolving", "voided"):
        return None
    if market is not None and status == "voided":
        return market.source_at
    known = [] if resolution is None or not contested else [resolution.source_at]
    if market is not None and market.closes_at is not None:
        known.append(market.closes_at)
    if known:
        return min(known)
    return None if market is None else market.source_at


def raw_mark(admitted: Admitted, earlier: Sequence[Mark], cutoff: Micros, p: Parameters) -> Mark | None:
    """Returns the mark of an outcome by the first rule that applies. `earlier`: marks of earlier ticks, oldest first."""
    settled = settled_mark(admitted.resolution)
    if settled is not None:
        return settled
    frozen_at = freeze_instant(admitted.resolution, admitted.market)
    if frozen_at is not None:
        before = [mark for mark in earlier if mark.source_at < frozen_at]
        return carried(before[-1], "frozen") if before else None
    paused = admitted.market is not None and admitted.market.status == "paused"
    own = None if admitted.quote is None else mark_of_quote(admitted.quote, cutoff, p, clamp=not paused)
    if own is not None:
        return own
    other = None if paused or admitted.other is None else mark_of_quote(admitted.other, cutoff, p)
    if other is not None:
        return complement(other)
    if earlier and cutoff - earlier[-1].confirmed_at <= p.max_carry:
        return carried(earlier[-1], "M7")
    return None


def remember(earlier: Sequence[Mark], mark: Mark | None) -> tuple[Mark, ...]:
    """Adds a mark of this tick to those of earlier ones: one a source observation, with its newest confirmation."""
    if mark is None or mark.rule not in ("M1", "M2", "M3", "M4", "M5", "M5r", "M6"):
        return tuple(earlier)
    kept = [known for known in earlier if not is_same_observation(known, mark)]
    return (*kept, mark)


def is_same_observation(one: Mark, other: Mark) -> bool:
    """Tests whether two marks are one source observation, seen twice."""
    return one.source_ids == other.source_ids and one.value == other.value


def freshness_of(mark: Mark | None, cutoff: Micros, p: Parameters) -> str:
    """Returns the class of a mark at a cutoff."""
    if mark is None:
        return "missing"
    if mark.rule == "M0":
        return "settled"
    if mark.rule == "frozen":
        return "stale"
    age = cutoff - mark.confirmed_at
    if age <= p.stale_after:
        return "fresh"
    return "stale" if age <= p.max_carry else "missing"


def confidence_of(mark: Mark | None, cutoff: Micros, p: Parameters) -> Decimal:
    """Returns the confidence of a mark, which is not rounded."""
    if mark is None:
        return ZERO
    if mark.rule == "M0":
        return ONE
    age = Decimal(cutoff - mark.confirmed_at)
    return mark.c_rule * max(ZERO, ONE - age / Decimal(p.max_carry))


def is_book_rule(mark: Mark | None) -> bool:
    """Tests for M1 to M3, the rules of a partition without trades."""
    return mark is not None and mark.rule in _BOOK_RULES
