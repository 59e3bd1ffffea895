"""Levels recomputed from rows of the warehouse's tables alone, without a service and without the levels."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from .._decimals import optional_decimal
from .._instants import Micros
from .engine import Tick, replay
from .parameters import decode_parameters
from .records import Constituent, Index, Leg, LegRecords, MarketState, Quote, Resolution, Trade, Version
from .served import constituent_of, version_of

Row = Mapping[str, Any]
"""Row of a table: decimals are Decimal, instants are texts in a definition and microseconds elsewhere."""

_OWN_VENUE = "tidemark"
_OTHER = {"YES": "NO", "NO": "YES"}


def decode_row(text: str) -> Row:
    """Reads a row that was written as JSON, with every digit of its decimals."""
    row: Row = json.loads(text, parse_float=Decimal)
    return row


def market_ids(version: Row) -> set[str]:
    """Returns the markets that a version reads."""
    return {leg["market_id"] for item in _constituents(version) for leg in item["legs"]}


def recompute(rows: Iterable[tuple[str, Row]], start: Micros, end: Micros) -> Iterator[Tick]:
    """Computes the ticks of one index from `start` to before `end`, as they were first published.

    `rows`: each with its kind, which is version, quote, resolution, state or trade.
    """
    by_kind: dict[str, list[Row]] = defaultdict(list)
    for kind, row in rows:
        by_kind[kind].append(row)
    versions = sorted(by_kind.pop("version"), key=lambda row: int(row["effective_from"]))
    found = [_version(row) for row in versions]
    records = {
        leg.key: _records(leg, outcome, by_kind)
        for version, row in zip(found, versions, strict=True)
        for leg, outcome in _legs(version, row)
    }
    first = versions[0]
    index = Index(first["index_id"], Decimal(first["base_value"]), first["base_date"], found)
    return (tick for tick in replay(index, records, end) if tick.tick_at >= start)


def _version(row: Row) -> Version:
    definition = json.loads(row["definition"])
    constituents = [_keyed(constituent_of(item)) for item in _constituents(row)]
    constituents.sort(key=lambda constituent: constituent.constituent_id)
    stated = {**definition, **row, "definition": definition}
    stated |= {"effective_from": definition["effective_from"], "effective_to": None}
    version = version_of(stated, tuple(constituents), decode_parameters(json.loads(row["parameters"])))
    return replace(version, effective_to=row.get("effective_to"))


def _keyed(constituent: Constituent) -> Constituent:
    """Names each leg by its outcome and series, because two series of a venue may quote one outcome."""
    legs = (replace(leg, key=f"{leg.outcome_id} {leg.source_series_id or ''}") for leg in constituent.legs)
    return replace(constituent, legs=tuple(legs))


def _constituents(version: Row) -> list[Row]:
    """Returns the constituents of a version with their legs, which the definition names as their venues do."""
    written = {item["constituent_id"]: item for item in json.loads(version["definition"])["constituents"]}
    return [_constituent(row, written[row["constituent_id"]]) for row in version["constituents"]]


def _constituent(row: Row, written: Row) -> Row:
    legs = written.get("legs") or written.get("outcomes") or [written]
    named = [{**written, "outcome": leg} if isinstance(leg, str) else leg for leg in legs]
    decimals = {"target_weight": str(row["target_weight"])}
    return {**row, **decimals, "legs": [_leg(leg) for leg in named], "definition": written}


def _leg(written: Row) -> Row:
    venue_id, market, outcome = written["venue_id"], written["source_market_id"], written.get("outcome", "YES")
    is_own = venue_id == _OWN_VENUE
    market_id = market if is_own else _derived("mkt", venue_id, market)
    return {
        "venue_id": venue_id,
        "market_id": market_id,
        "outcome_id": outcome if is_own else _derived("out", market_id, outcome),
        "outcome": outcome,
        "source_series_id": written.get("source_series_id"),
        "pool_weight": written.get("pool_weight"),
    }


def _derived(prefix: str, *parts: str) -> str:
    """Derives an id from a venue's own names."""
    return f"{prefix}_{hashlib.sha256(chr(31).join(parts).encode()).hexdigest()[:32]}"


def _legs(version: Version, row: Row) -> Iterator[tuple[Leg, str]]:
    """Yields the legs of a version with the labels of their outcomes."""
    labels = {leg["outcome_id"]: leg["outcome"] for item in _constituents(row) for leg in item["legs"]}
    for constituent in version.constituents:
        for leg in constituent.legs:
            yield leg, labels[leg.outcome_id]


def _records(leg: Leg, outcome: str, by_kind: Mapping[str, Sequence[Row]]) -> LegRecords:
    def of(kind: str) -> list[Row]:
        return [row for row in by_kind.get(kind, ()) if row["market_id"] == leg.market_id]

    def of_series(kind: str) -> list[Row]:
        return [row for row in of(kind) if (row.get("source_series_id") or "") == (leg.source_series_id or "")]

    other = _derived("out", leg.market_id, _OTHER[outcome]) if outcome in _OTHER else None
    quotes = of_series("quote")
    others = [_quote(row) for row in quotes if row["outcome_id"] == other]
    return LegRecords(
        quotes=[_quote(row) for row in quotes if row["outcome_id"] == leg.outcome_id],
        other=others or None,
        resolutions=_resolutions(of_series("resolution"), leg.outcome_id),
        states=[_state(row) for row in of("state")],
        trades=[_trade(row) for row in of_series("trade") if row["outcome_id"] == leg.outcome_id],
    )


_CLOCKS = ("source_at", "received_at", "known_at", "revision")
_QUOTED = ("bid", "ask", "bid_depth", "ask_depth", "last_trade", "reported_probability")


def _clocks(row: Row) -> dict[str, Any]:
    return {name: row[name] for name in _CLOCKS}


def _quote(row: Row) -> Quote:
    values: dict[str, Any] = {name: _decimal(row.get(name), name) for name in _QUOTED}
    values |= {name: row.get(name) for name in ("confirmed_at", "last_trade_at")}
    return Quote(record_id=row["record_id"], **_clocks(row), **values)


def _decimal(value: object, field: str) -> Decimal | None:
    return optional_decimal(None if value is None else format(Decimal(str(value)), "f"), field)


def _resolutions(rows: Sequence[Row], outcome_id: str) -> list[Resolution]:
    """Returns the resolutions of an outcome. One is final from the first of its unbroken run of final revisions."""
    found, runs = [], dict[Micros, Micros | None]()
    for row in sorted(rows, key=lambda row: (row["received_at"], row["revision"])):
        is_final = row["finality"] == "final"
        final_at = (runs.get(row["source_at"]) or row["received_at"]) if is_final else None
        runs[row["source_at"]] = final_at
        payouts = [item.get("payout") for item in row.get("payouts") or () if item["outcome_id"] == outcome_id]
        evidence = row.get("evidence") or [{}]
        found.append(
            Resolution(
                evidence_id=evidence[0].get("evidence_id") or row["resolution_id"],
                finality=row["finality"],
                final_at=final_at,
                payout=_decimal(payouts[0] if payouts else None, "payout"),
                **_clocks(row),
            )
        )
    return found


def _state(row: Row) -> MarketState:
    values: dict[str, Any] = {name: row.get(name) for name in ("status", "closes_at", "expected_resolution_at")}
    return MarketState(**values, **_clocks(row))


def _trade(row: Row) -> Trade:
    price, quantity = (Decimal(row[name]) for name in ("price", "quantity"))
    return Trade(trade_id=row["trade_id"], price=price, quantity=quantity, **_clocks(row))
