"""Recomputes the published levels of indexes from the public answers of a service."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from threading import Lock
from typing import Any

from .._core import PageSize
from .._decimals import optional_decimal
from .._instants import Micros, format_instant, optional_instant, parse_instant
from .admission import is_admitted
from .answers import Answers, Query, SavedAnswers, find, items, read, trades_in_force
from .belonging import check_asked, check_level_place, check_quote_place, check_resolution_place
from .differences import Difference, need
from .fixing import fixing_mark
from .published import NamedRecords, check_level
from .records import Leg, LegRecords, Mark, Quote, Resolution, Trade, Version
from .sequence import LevelSequence
from .served import (
    Resource,
    ServedVersion,
    known_at,
    quote_of,
    record_id_of,
    resolution_of,
    served_versions,
    trade_of,
)

_KEPT_MAX = 50_000
_AT_ONCE, _BATCH = 8, 64


@dataclass(frozen=True)
class Checked:
    """Outcome of one level; `difference` is None where every digit was reproduced."""

    record: Resource
    difference: Difference | None

    def line(self) -> str:
        """Returns the outcome as one line."""
        record = self.record
        fields = ("tick_at", "observation_id", "level", "quality_state")
        facts = " ".join(str(record.get(field) or "-") for field in fields)
        return f"{facts} reproduced" if self.difference is None else f"{facts} differs: {self.difference}"


def index_ids(answers: Answers) -> list[str]:
    """Returns the ids of every index."""
    return [index["index_id"] for index in items(answers, "/v1/indexes")]


def verify_index(answers: Answers, index_id: str, sequence: LevelSequence | None = None) -> Iterator[Checked]:
    """Recomputes every revision of every level of an index, in the order of the history, which `sequence` then knows."""
    return _verify_levels(answers, index_id, {}, sequence)


def verify_tick(answers: Answers, index_id: str, tick_at: str) -> Iterator[Checked]:
    """Recomputes every revision of the level of one tick."""
    at = parse_instant(tick_at, "tick")
    between = {"time_domain": "source", "start_time": format_instant(at), "end_time": format_instant(at + 1)}
    return _verify_levels(answers, index_id, between)


def verify_saved(
    answers: SavedAnswers,
    index_id: str,
    tick_at: str | None,
    observation_id: str | None = None,
    sequence: LevelSequence | None = None,
) -> Iterator[Checked]:
    """Recomputes the levels of an index that are in a file, whichever options it was saved with."""
    is_whole = any(answers.has(*_first_page(index_id, query)) for query in (_EXPANDED, _PLAIN))
    if tick_at is None and observation_id is None and is_whole:
        yield from verify_index(answers, index_id, sequence)
        return
    at = None if tick_at is None else parse_instant(tick_at, "tick")
    verifier = LevelVerifier(answers, index_id)
    for record in _saved_records(answers, verifier, observation_id):
        is_named = observation_id is None or record["observation_id"] == observation_id
        if is_named and (at is None or parse_instant(record["tick_at"], "tick_at") == at):
            yield verifier.check(record)


def _saved_records(answers: SavedAnswers, verifier: "LevelVerifier", observation_id: str | None) -> Iterator[Resource]:
    """Yields the levels of a file: those of its pages, then those that were asked for alone, of which one may be named."""
    for listed in answers.pages(verifier.index_id):
        yield verifier.take(listed)
    for asked in answers.levels(verifier.index_id):
        if observation_id in (None, asked):
            yield _record(verifier, asked)


# The service embeds inputs and quotes in at most so many levels a page.
_EXPANDED_MAX = 200
_EXPANDED: Query = {"include_corrections": "true", "expand": "inputs,quotes"}
# Files of earlier releases have each level as an answer of its own, beside a list without inputs.
_PLAIN: Query = {"include_corrections": "true"}


def _first_page(index_id: str, query: Query) -> tuple[str, Query]:
    """Returns the question for the first page of a whole history."""
    return f"/v1/indexes/{index_id}/prices", {**query, "limit": _records_max(query)}


def _records_max(query: Query) -> int:
    return _EXPANDED_MAX if "expand" in query else PageSize().records


def verify_observation(answers: Answers, index_id: str, observation_id: str) -> Checked:
    """Recomputes one level."""
    return _verify_observation(LevelVerifier(answers, index_id), observation_id)


def _verify_levels(
    answers: Answers, index_id: str, query: Query, sequence: LevelSequence | None = None
) -> Iterator[Checked]:
    verifier = LevelVerifier(answers, index_id)
    is_earlier = isinstance(answers, SavedAnswers) and answers.has(*_first_page(index_id, _PLAIN))
    kept = _PLAIN if is_earlier else _EXPANDED
    history = items(answers, f"/v1/indexes/{index_id}/prices", {**query, **kept}, _records_max(kept))
    known = LevelSequence() if sequence is None else sequence
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        while batch := list(islice(history, _BATCH)):
            # A quote that several levels of a page share is with the first of them.
            listed = [verifier.take(item) for item in batch]
            for checked in pool.map(lambda item: _verify_listed(verifier, item), listed):
                yield _in_sequence(checked, known, verifier)


def _in_sequence(checked: Checked, sequence: LevelSequence, verifier: "LevelVerifier") -> Checked:
    if checked.difference is not None:
        return checked
    sequence.versions = verifier.versions()
    try:
        sequence.need_next(checked.record)
    except Difference as difference:
        return Checked(checked.record, difference)
    return checked


def _verify_listed(verifier: "LevelVerifier", listed: Resource) -> Checked:
    """Recomputes a level of a list. One without its inputs is read alone, and compared with what the list shows of it."""
    if "inputs" in listed:
        return verifier.check(listed)
    checked = _verify_observation(verifier, listed["observation_id"])
    for field, value in listed.items():
        try:
            need(f"{field} in the list", value, checked.record.get(field))
        except Difference as difference:
            return Checked(checked.record, difference)
    return checked


def _verify_observation(verifier: "LevelVerifier", observation_id: str) -> Checked:
    return verifier.check(_record(verifier, observation_id))


def _record(verifier: "LevelVerifier", observation_id: str) -> Any:
    path = f"/v1/indexes/{verifier.index_id}/prices/{observation_id}"
    return read(verifier.answers, path, {"expand": "inputs"})


class LevelVerifier:
    """Verifies levels of one index; records that neighbours share are asked for once."""

    def __init__(self, answers: Answers, index_id: str) -> None:
        self.answers = answers
        self.index_id = index_id
        self._versions: list[ServedVersion] | None = None
        self._lock = Lock()
        self._quotes: dict[str, tuple[Resource | None, Quote | None]] = {}
        self._outcomes: dict[str, set[str] | None] = {}
        # Quotes that came with levels, by record.
        self._taken: dict[str, Resource] = {}

    def take(self, listed: Resource) -> Resource:
        """Keeps the quotes that came with a level, and returns the level without them."""
        for resource in listed.get("quotes", ()):
            self._taken[record_id_of(resource["observation_id"])] = resource
        if len(self._taken) > _KEPT_MAX:
            self._taken = dict(list(self._taken.items())[-_KEPT_MAX // 2 :])
        return {field: value for field, value in listed.items() if field != "quotes"}

    def check(self, record: Resource) -> Checked:
        """Recomputes one level from its record with its inputs."""
        try:
            versions = self._served_versions()
            own = [item for item in versions if item.version.index_version_id == record["index_version_id"]]
            if not own:
                raise Difference("index_version_id", record["index_version_id"], "no such version")
            check_level_place(record, self.index_id, own[0].resource, own[0].version.frequency)
            check_level(record, own[0].version, self._named(record, own[0], versions))
        except Difference as difference:
            return Checked(record, difference)
        except (KeyError, TypeError, ValueError) as error:
            # An answer that leaves a field out, or has it in another type, fails this level and ends no other.
            return Checked(record, Difference("answers", "the fields of the contract", repr(error)))
        return Checked(record, None)

    def versions(self) -> list[Version]:
        """Returns the versions of the index by effective_from."""
        return [item.version for item in self._served_versions()]

    def _served_versions(self) -> list[ServedVersion]:
        with self._lock:
            if self._versions is None:
                self._versions = served_versions(self.answers, self.index_id)
            return self._versions

    def _named(self, record: Resource, own: ServedVersion, versions: list[ServedVersion]) -> NamedRecords:
        published_at = parse_instant(record["published_at"], "published_at")
        tick = parse_instant(record["tick_at"], "tick_at")
        grace = own.version.parameters.grace if record["revision"] == 1 else None
        known_to = published_at if grace is None else min(published_at, tick + grace)

        def version_at(cutoff: Micros) -> Version:
            before = [item for item in versions if item.version.effective_from <= cutoff]
            return (before[-1] if before else own).version

        return NamedRecords(
            quote=lambda leg, name, is_other: self._quote(leg, name, published_at, is_other),
            resolution=lambda leg, evidence_id: self._resolution(leg, evidence_id, published_at),
            fixing=lambda leg, cutoff: self._fixing(leg, cutoff, own, grace, published_at),
            expected_resolution=lambda leg, at: None if own.version.roll is None else self._end_of(leg, at, known_to),
            level_at=lambda cutoff: self._level_at(cutoff, published_at),
            version_at=version_at,
            link_factor=self._link_factor(own),
        )

    @staticmethod
    def _link_factor(own: ServedVersion) -> Decimal | None:
        return optional_decimal(own.resource["link_factor"], "link_factor")

    def _quote(self, leg: Leg, observation_id: str, published_at: Micros, is_other: bool = False) -> Quote | None:
        found = self._quotes.get(observation_id)
        if found is None:
            taken = self._taken.get(record_id_of(observation_id))
            resource = taken or find(self.answers, f"/v1/markets/{leg.market_id}/prices/{observation_id}")
            found = resource, None if resource is None else quote_of(resource)
            self._quotes[observation_id] = found
            if len(self._quotes) > _KEPT_MAX:
                self._quotes.clear()
        resource, quote = found
        if resource is None or known_at(resource) > published_at:
            return None
        check_quote_place(resource, observation_id, leg, is_other)
        if is_other and (outcomes := self._outcomes_of(leg.market_id)) is not None:
            need(f"outcomes of {leg.market_id}", sorted(outcomes), sorted((leg.outcome_id, resource["outcome_id"])))
        return quote

    def _outcomes_of(self, market_id: str) -> set[str] | None:
        """Returns the outcomes of a market; None: a file of an earlier release, which does not have them."""
        path = f"/v1/markets/{market_id}"
        if market_id not in self._outcomes:
            is_unsaved = isinstance(self.answers, SavedAnswers) and not self.answers.has(path, {})
            market = None if is_unsaved else find(self.answers, path) or {"market_id": market_id, "outcomes": ()}
            if market is not None:
                check_asked(f"the market {market_id}", market, market_id=market_id)
            self._outcomes[market_id] = None if market is None else {item["outcome_id"] for item in market["outcomes"]}
        return self._outcomes[market_id]

    def _resolution(self, leg: Leg, evidence_id: str, published_at: Micros) -> Resolution | None:
        query = {"evidence_id": evidence_id, "as_of": format_instant(published_at)}
        found = find(self.answers, f"/v1/markets/{leg.market_id}/resolution", query)
        if found is None or known_at(found) > published_at:
            return None
        check_resolution_place(found, evidence_id, leg)
        return resolution_of(found, leg.outcome_id, evidence_id)

    def _end_of(self, leg: Leg, tick: Micros, known_to: Micros) -> Micros | None:
        """Returns the end of a contract by the newest state about the tick that was known."""
        as_of = known_to
        while True:
            market = find(self.answers, f"/v1/markets/{leg.market_id}", {"as_of": format_instant(as_of)})
            if market is None:
                return None
            check_asked(f"the market {leg.market_id}", market, market_id=leg.market_id)
            if parse_instant(market["source_at"], "source_at") <= tick:
                schedule = market["schedule"] or {}
                return optional_instant(schedule.get("expected_resolution_at"), "expected_resolution_at")
            as_of = parse_instant(market["published_at"], "published_at") - 1

    def _level_at(self, cutoff: str, published_at: Micros) -> str | None:
        """Returns the level of a tick as known when another was published."""
        at = parse_instant(cutoff, "source_cutoff_at")
        query = {
            "time_domain": "source",
            "start_time": cutoff,
            "end_time": format_instant(at + 1),
            "as_of": format_instant(published_at),
        }
        for item in items(self.answers, f"/v1/indexes/{self.index_id}/prices", query):
            if parse_instant(item["tick_at"], "tick_at") == at:
                check_asked(f"the level of {cutoff}", item, index_id=self.index_id)
                level: str | None = item["level"]
                return level
        return None

    def _fixing(
        self, leg: Leg, cutoff: Micros, own: ServedVersion, grace: Micros | None, published_at: Micros
    ) -> Mark | None:
        """Recomputes the fixing of a leg from the public trades and quotes of its partitions."""
        fixing, p = own.version.fixing, own.version.parameters
        if fixing is None:
            return None
        start = cutoff - fixing.partitions * fixing.partition
        as_of = format_instant(published_at)
        trades = self._trades(leg, start, as_of)
        quotes = self._quotes_between(leg, start - p.book_max_age, cutoff, as_of)
        return fixing_mark(LegRecords(quotes=quotes, trades=trades), fixing, cutoff, grace, p)

    def _trades(self, leg: Leg, start: Micros, as_of: str) -> list[Trade]:
        """Returns the trades in force, without those that were voided."""
        query = {"outcome_id": leg.outcome_id, "start_time": format_instant(start), "as_of": as_of}
        trades = trades_in_force(self.answers, leg.market_id, query)
        for trade in trades:
            check_asked("a trade", trade, market_id=leg.market_id, outcome_id=leg.outcome_id)
        return [trade_of(trade) for trade in trades if _is_of_series(trade, leg)]

    def _quotes_between(self, leg: Leg, start: Micros, end: Micros, as_of: str) -> list[Quote]:
        query = {
            "outcome_id": leg.outcome_id,
            "time_domain": "source",
            "start_time": format_instant(start),
            "end_time": format_instant(end + 1),
            "include_corrections": "true",
            "include_quoted_trades": "true",
            "as_of": as_of,
        }
        ids = dict[str, str]()
        for item in items(self.answers, f"/v1/markets/{leg.market_id}/prices", query):
            name = item["observation_id"]
            if name.startswith("obs_") and _is_of_series(item, leg):
                ids.setdefault(name.rpartition(".")[0], name)
        quotes = (self._quote(leg, name, parse_instant(as_of)) for name in ids.values())
        return [quote for quote in quotes if quote is not None and is_admitted(quote, end, None)]


def _is_of_series(record: Resource, leg: Leg) -> bool:
    return (record.get("source_series_id") or "") == (leg.source_series_id or "")
