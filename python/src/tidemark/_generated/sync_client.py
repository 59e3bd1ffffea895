"""Client with blocking calls, made from the OpenAPI document by `npm run docs`."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._transports import History, Pages, SyncTransport
from . import operations as op
from . import types as t


class Client(SyncTransport):
    """Client of one service. Each operation of the contract is a method of the same name."""

    def list_indexes(
        self,
        *,
        family: str | None = None,
        status: Literal["draft", "scheduled", "active", "suspended", "archived"] | None = None,
        tag: str | None = None,
        constituent_market_id: str | None = None,
        expand: list[Literal["latest", "day"]] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.Index]:
        """List indexes."""
        arguments: dict[str, Any] = {"family": family, "status": status, "tag": tag, "constituent_market_id": constituent_market_id, "expand": expand, "as_of": as_of, "receipt": receipt, "limit": limit}
        return Pages(self, op.LIST_INDEXES, arguments)

    def get_index(
        self,
        index_id: str,
        *,
        expand: list[Literal["latest", "day"]] | None = None,
        as_of: str | datetime | None = None,
    ) -> t.Index:
        """Get an index."""
        arguments: dict[str, Any] = {"index_id": index_id, "expand": expand, "as_of": as_of}
        found: t.Index = self._one(op.GET_INDEX, arguments)
        return found

    def list_index_versions(
        self,
        index_id: str,
        *,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.IndexVersion]:
        """List versions of an index."""
        arguments: dict[str, Any] = {"index_id": index_id, "as_of": as_of, "receipt": receipt, "limit": limit}
        return Pages(self, op.LIST_INDEX_VERSIONS, arguments)

    def get_index_version(
        self,
        index_id: str,
        version_id: str,
        *,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
    ) -> t.IndexVersion:
        """Get a version of an index."""
        arguments: dict[str, Any] = {"index_id": index_id, "version_id": version_id, "as_of": as_of, "receipt": receipt}
        found: t.IndexVersion = self._one(op.GET_INDEX_VERSION, arguments)
        return found

    def list_constituents(
        self,
        index_id: str,
        version_id: str,
        *,
        expand: list[Literal["market", "outcomes", "venue"]] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.Constituent]:
        """List constituents of a version."""
        arguments: dict[str, Any] = {"index_id": index_id, "version_id": version_id, "expand": expand, "as_of": as_of, "receipt": receipt, "limit": limit}
        return Pages(self, op.LIST_CONSTITUENTS, arguments)

    def get_methodology(
        self,
        methodology_id: str,
        version: str,
        *,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
    ) -> t.Methodology:
        """Get a version of a methodology."""
        arguments: dict[str, Any] = {"methodology_id": methodology_id, "version": version, "as_of": as_of, "receipt": receipt}
        found: t.Methodology = self._one(op.GET_METHODOLOGY, arguments)
        return found

    def get_index_price(
        self,
        index_id: str,
        *,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
    ) -> t.IndexObservation:
        """Latest level of an index."""
        arguments: dict[str, Any] = {"index_id": index_id, "as_of": as_of, "receipt": receipt}
        found: t.IndexObservation = self._one(op.GET_INDEX_PRICE, arguments)
        return found

    def list_index_prices(
        self,
        index_id: str,
        *,
        start_time: str | datetime | None = None,
        end_time: str | datetime | None = None,
        time_domain: Literal["published", "source", "calculated"] | None = None,
        sampling: Literal["raw", "latest_per_interval"] | None = None,
        interval: Literal["PT1M", "PT5M", "PT15M", "PT1H", "P1D"] | None = None,
        quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"] | None = None,
        include_corrections: bool | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
        expand: list[Literal["inputs", "quotes"]] | None = None,
        receipt: bool | None = None,
    ) -> History[t.IndexObservation]:
        """Levels of an index."""
        arguments: dict[str, Any] = {"index_id": index_id, "start_time": start_time, "end_time": end_time, "time_domain": time_domain, "sampling": sampling, "interval": interval, "quality_state": quality_state, "include_corrections": include_corrections, "as_of": as_of, "limit": limit, "expand": expand, "receipt": receipt}
        return History(self, op.LIST_INDEX_PRICES, arguments)

    def get_index_observation(
        self,
        index_id: str,
        observation_id: str,
        *,
        expand: list[Literal["inputs"]] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
    ) -> t.IndexObservation:
        """One level and how it was made."""
        arguments: dict[str, Any] = {"index_id": index_id, "observation_id": observation_id, "expand": expand, "as_of": as_of, "receipt": receipt}
        found: t.IndexObservation = self._one(op.GET_INDEX_OBSERVATION, arguments)
        return found

    def list_index_candles(
        self,
        index_id: str,
        *,
        start_time: str | datetime,
        end_time: str | datetime,
        interval: Literal["PT1M", "PT5M", "PT15M", "PT1H", "P1D"],
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> History[t.Candle]:
        """Candles of an index."""
        arguments: dict[str, Any] = {"index_id": index_id, "start_time": start_time, "end_time": end_time, "interval": interval, "as_of": as_of, "limit": limit}
        return History(self, op.LIST_INDEX_CANDLES, arguments)

    def get_index_robustness(
        self,
        index_id: str,
        *,
        observation_id: str | None = None,
        as_of: str | datetime | None = None,
        basis_points: int | None = None,
    ) -> t.LevelRobustness:
        """Missing-input bound and manipulation cost of a level."""
        arguments: dict[str, Any] = {"index_id": index_id, "observation_id": observation_id, "as_of": as_of, "basis_points": basis_points}
        found: t.LevelRobustness = self._one(op.GET_INDEX_ROBUSTNESS, arguments)
        return found

    def get_executable_band(
        self,
        index_id: str,
        *,
        notional: str,
        observation_id: str | None = None,
        as_of: str | datetime | None = None,
    ) -> t.ExecutableBand:
        """Levels at which a notional could be traded."""
        arguments: dict[str, Any] = {"index_id": index_id, "observation_id": observation_id, "as_of": as_of, "notional": notional}
        found: t.ExecutableBand = self._one(op.GET_EXECUTABLE_BAND, arguments)
        return found

    def list_knowledge_changes(
        self,
        index_id: str,
        *,
        from_as_of: str | datetime,
        to_as_of: str | datetime,
        start_time: str | datetime | None = None,
        end_time: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.KnowledgeChange]:
        """Difference between two states of knowledge."""
        arguments: dict[str, Any] = {"index_id": index_id, "from_as_of": from_as_of, "to_as_of": to_as_of, "start_time": start_time, "end_time": end_time, "limit": limit}
        return Pages(self, op.LIST_KNOWLEDGE_CHANGES, arguments)

    def list_index_previews(
        self,
        market_id: str,
        *,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.IndexPreview]:
        """Indexes under each outcome of a market, or its void."""
        arguments: dict[str, Any] = {"market_id": market_id, "as_of": as_of, "limit": limit}
        return Pages(self, op.LIST_INDEX_PREVIEWS, arguments)

    def list_events(
        self,
        *,
        status: Literal["ongoing", "ended"] | None = None,
        category: str | None = None,
        region: str | None = None,
        venue_id: str | None = None,
        source_event_id: str | None = None,
        q: str | None = None,
        starts_after: str | datetime | None = None,
        ends_before: str | datetime | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.Event]:
        """List events."""
        arguments: dict[str, Any] = {"status": status, "category": category, "region": region, "venue_id": venue_id, "source_event_id": source_event_id, "q": q, "starts_after": starts_after, "ends_before": ends_before, "as_of": as_of, "limit": limit}
        return Pages(self, op.LIST_EVENTS, arguments)

    def get_event(
        self,
        event_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.Event:
        """Get an event."""
        arguments: dict[str, Any] = {"event_id": event_id, "as_of": as_of}
        found: t.Event = self._one(op.GET_EVENT, arguments)
        return found

    def list_markets(
        self,
        *,
        event_id: str | None = None,
        venue_id: str | None = None,
        source_market_id: str | None = None,
        q: str | None = None,
        status: Literal["scheduled", "open", "paused", "closed", "resolving", "resolved", "voided", "archived"] | None = None,
        category: str | None = None,
        outcome_type: Literal["binary", "categorical"] | None = None,
        index_id: str | None = None,
        eligibility_status: Literal["eligible", "ineligible"] | None = None,
        resolution_after: str | datetime | None = None,
        rating_band: Literal["MR1", "MR2", "MR3", "MR4", "MR5", "NR"] | None = None,
        sort: Literal["updated", "title", "closes", "volume"] | None = None,
        expand: list[Literal["price", "day", "rating"]] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.Market]:
        """List markets."""
        arguments: dict[str, Any] = {"event_id": event_id, "venue_id": venue_id, "source_market_id": source_market_id, "q": q, "status": status, "category": category, "outcome_type": outcome_type, "index_id": index_id, "eligibility_status": eligibility_status, "resolution_after": resolution_after, "rating_band": rating_band, "sort": sort, "expand": expand, "as_of": as_of, "receipt": receipt, "limit": limit}
        return Pages(self, op.LIST_MARKETS, arguments)

    def get_market(
        self,
        market_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.Market:
        """Get a market."""
        arguments: dict[str, Any] = {"market_id": market_id, "as_of": as_of}
        found: t.Market = self._one(op.GET_MARKET, arguments)
        return found

    def get_market_resolution(
        self,
        market_id: str,
        *,
        evidence_id: str | None = None,
        as_of: str | datetime | None = None,
    ) -> t.Resolution:
        """Get the resolution of a market."""
        arguments: dict[str, Any] = {"market_id": market_id, "evidence_id": evidence_id, "as_of": as_of}
        found: t.Resolution = self._one(op.GET_MARKET_RESOLUTION, arguments)
        return found

    def list_market_resolutions(
        self,
        market_id: str,
        *,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.Resolution]:
        """List the revisions of a resolution."""
        arguments: dict[str, Any] = {"market_id": market_id, "as_of": as_of, "limit": limit}
        return Pages(self, op.LIST_MARKET_RESOLUTIONS, arguments)

    def get_market_price(
        self,
        market_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.MarketPrice:
        """Newest quotes and marks of a market."""
        arguments: dict[str, Any] = {"market_id": market_id, "as_of": as_of}
        found: t.MarketPrice = self._one(op.GET_MARKET_PRICE, arguments)
        return found

    def list_market_prices(
        self,
        market_id: str,
        *,
        start_time: str | datetime | None = None,
        end_time: str | datetime | None = None,
        time_domain: Literal["published", "source", "calculated"] | None = None,
        sampling: Literal["raw", "latest_per_interval"] | None = None,
        interval: Literal["PT1M", "PT5M", "PT15M", "PT1H", "P1D"] | None = None,
        quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"] | None = None,
        include_corrections: bool | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
        field: Literal["bid", "ask", "midpoint", "last_trade", "mark", "reported_probability"] | None = None,
        outcome_id: str | None = None,
        include_quoted_trades: bool | None = None,
    ) -> History[t.MarketObservation]:
        """Observations of a market."""
        arguments: dict[str, Any] = {"market_id": market_id, "start_time": start_time, "end_time": end_time, "time_domain": time_domain, "sampling": sampling, "interval": interval, "quality_state": quality_state, "include_corrections": include_corrections, "as_of": as_of, "limit": limit, "field": field, "outcome_id": outcome_id, "include_quoted_trades": include_quoted_trades}
        return History(self, op.LIST_MARKET_PRICES, arguments)

    def get_market_observation(
        self,
        market_id: str,
        observation_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.MarketObservation:
        """One observation of a market."""
        arguments: dict[str, Any] = {"market_id": market_id, "observation_id": observation_id, "as_of": as_of}
        found: t.MarketObservation = self._one(op.GET_MARKET_OBSERVATION, arguments)
        return found

    def list_market_candles(
        self,
        market_id: str,
        *,
        start_time: str | datetime,
        end_time: str | datetime,
        interval: Literal["PT1M", "PT5M", "PT15M", "PT1H", "P1D"],
        outcome_id: str,
        field: Literal["bid", "ask", "midpoint", "last_trade", "mark"],
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> History[t.Candle]:
        """Candles of one outcome."""
        arguments: dict[str, Any] = {"market_id": market_id, "start_time": start_time, "end_time": end_time, "interval": interval, "as_of": as_of, "limit": limit, "outcome_id": outcome_id, "field": field}
        return History(self, op.LIST_MARKET_CANDLES, arguments)

    def get_order_book(
        self,
        market_id: str,
        *,
        outcome_id: str,
        depth: int | None = None,
        as_of: str | datetime | None = None,
    ) -> t.OrderBook:
        """Order book of one outcome."""
        arguments: dict[str, Any] = {"market_id": market_id, "outcome_id": outcome_id, "depth": depth, "as_of": as_of}
        found: t.OrderBook = self._one(op.GET_ORDER_BOOK, arguments)
        return found

    def list_trades(
        self,
        market_id: str,
        *,
        outcome_id: str | None = None,
        start_time: str | datetime | None = None,
        end_time: str | datetime | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> History[t.Trade]:
        """Public trades of a market."""
        arguments: dict[str, Any] = {"market_id": market_id, "outcome_id": outcome_id, "start_time": start_time, "end_time": end_time, "as_of": as_of, "limit": limit}
        return History(self, op.LIST_TRADES, arguments)

    def get_market_rating(
        self,
        market_id: str,
        *,
        methodology_id: str | None = None,
        assessment_kind: Literal["committee", "analyst", "model"] | None = None,
        expand: list[Literal["measured"]] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
    ) -> t.MarketRating:
        """Rating of a market."""
        arguments: dict[str, Any] = {"market_id": market_id, "methodology_id": methodology_id, "assessment_kind": assessment_kind, "expand": expand, "as_of": as_of, "receipt": receipt}
        found: t.MarketRating = self._one(op.GET_MARKET_RATING, arguments)
        return found

    def list_market_ratings(
        self,
        market_id: str,
        *,
        start_time: str | datetime | None = None,
        end_time: str | datetime | None = None,
        published_after: str | datetime | None = None,
        review_state: list[Literal["draft", "under_review", "approved", "superseded", "disputed", "withdrawn"]] | None = None,
        methodology_id: str | None = None,
        include_withdrawn: bool | None = None,
        include_corrections: bool | None = None,
        expand: list[Literal["measured"]] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
        band: Literal["MR1", "MR2", "MR3", "MR4", "MR5", "NR"] | None = None,
    ) -> History[t.MarketRating]:
        """List ratings of a market."""
        arguments: dict[str, Any] = {"market_id": market_id, "start_time": start_time, "end_time": end_time, "published_after": published_after, "review_state": review_state, "methodology_id": methodology_id, "include_withdrawn": include_withdrawn, "include_corrections": include_corrections, "expand": expand, "as_of": as_of, "receipt": receipt, "limit": limit, "band": band}
        return History(self, op.LIST_MARKET_RATINGS, arguments)

    def list_ratings(
        self,
        *,
        start_time: str | datetime | None = None,
        end_time: str | datetime | None = None,
        published_after: str | datetime | None = None,
        review_state: list[Literal["draft", "under_review", "approved", "superseded", "disputed", "withdrawn"]] | None = None,
        methodology_id: str | None = None,
        include_withdrawn: bool | None = None,
        include_corrections: bool | None = None,
        expand: list[Literal["measured"]] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
        band: Literal["MR1", "MR2", "MR3", "MR4", "MR5", "NR"] | None = None,
    ) -> History[t.MarketRating]:
        """List ratings of all markets."""
        arguments: dict[str, Any] = {"start_time": start_time, "end_time": end_time, "published_after": published_after, "review_state": review_state, "methodology_id": methodology_id, "include_withdrawn": include_withdrawn, "include_corrections": include_corrections, "expand": expand, "as_of": as_of, "receipt": receipt, "limit": limit, "band": band}
        return History(self, op.LIST_RATINGS, arguments)

    def get_rating_methodology(
        self,
        methodology_id: str,
        version: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.RatingMethodology:
        """Get a version of a rating methodology."""
        arguments: dict[str, Any] = {"methodology_id": methodology_id, "version": version, "as_of": as_of}
        found: t.RatingMethodology = self._one(op.GET_RATING_METHODOLOGY, arguments)
        return found

    def get_event_severity(
        self,
        event_id: str,
        *,
        assessment_type: Literal["observed", "forecast"],
        expand: list[Literal["measured"]] | None = None,
        as_of: str | datetime | None = None,
    ) -> t.SeverityAssessment:
        """Severity of an event."""
        arguments: dict[str, Any] = {"event_id": event_id, "assessment_type": assessment_type, "expand": expand, "as_of": as_of}
        found: t.SeverityAssessment = self._one(op.GET_EVENT_SEVERITY, arguments)
        return found

    def list_event_severity(
        self,
        event_id: str,
        *,
        assessment_type: Literal["observed", "forecast"] | None = None,
        start_time: str | datetime | None = None,
        end_time: str | datetime | None = None,
        published_after: str | datetime | None = None,
        review_state: list[Literal["draft", "under_review", "approved", "superseded", "disputed", "withdrawn"]] | None = None,
        methodology_id: str | None = None,
        include_withdrawn: bool | None = None,
        include_corrections: bool | None = None,
        expand: list[Literal["measured"]] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
        level: Literal["SEV-0", "SEV-1", "SEV-2", "SEV-3", "SEV-4", "SEV-5", "UNKNOWN"] | None = None,
    ) -> History[t.SeverityAssessment]:
        """List severity assessments of an event."""
        arguments: dict[str, Any] = {"event_id": event_id, "assessment_type": assessment_type, "start_time": start_time, "end_time": end_time, "published_after": published_after, "review_state": review_state, "methodology_id": methodology_id, "include_withdrawn": include_withdrawn, "include_corrections": include_corrections, "expand": expand, "as_of": as_of, "receipt": receipt, "limit": limit, "level": level}
        return History(self, op.LIST_EVENT_SEVERITY, arguments)

    def list_severity_assessments(
        self,
        *,
        assessment_type: Literal["observed", "forecast"] | None = None,
        start_time: str | datetime | None = None,
        end_time: str | datetime | None = None,
        published_after: str | datetime | None = None,
        review_state: list[Literal["draft", "under_review", "approved", "superseded", "disputed", "withdrawn"]] | None = None,
        methodology_id: str | None = None,
        include_withdrawn: bool | None = None,
        include_corrections: bool | None = None,
        expand: list[Literal["measured"]] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
        level: Literal["SEV-0", "SEV-1", "SEV-2", "SEV-3", "SEV-4", "SEV-5", "UNKNOWN"] | None = None,
    ) -> History[t.SeverityAssessment]:
        """List severity assessments of all events."""
        arguments: dict[str, Any] = {"assessment_type": assessment_type, "start_time": start_time, "end_time": end_time, "published_after": published_after, "review_state": review_state, "methodology_id": methodology_id, "include_withdrawn": include_withdrawn, "include_corrections": include_corrections, "expand": expand, "as_of": as_of, "receipt": receipt, "limit": limit, "level": level}
        return History(self, op.LIST_SEVERITY_ASSESSMENTS, arguments)

    def list_severity_indexes(
        self,
        *,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.SeverityIndex]:
        """List severity indexes."""
        arguments: dict[str, Any] = {"as_of": as_of, "limit": limit}
        return Pages(self, op.LIST_SEVERITY_INDEXES, arguments)

    def get_severity_index_version(
        self,
        severity_index_id: str,
        version: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.SeverityIndexVersion:
        """Get a version of a severity index."""
        arguments: dict[str, Any] = {"severity_index_id": severity_index_id, "version": version, "as_of": as_of}
        found: t.SeverityIndexVersion = self._one(op.GET_SEVERITY_INDEX_VERSION, arguments)
        return found

    def get_severity_index_value(
        self,
        severity_index_id: str,
        *,
        expand: list[Literal["inputs"]] | None = None,
        as_of: str | datetime | None = None,
    ) -> t.SeverityIndexValue:
        """Latest value of a severity index."""
        arguments: dict[str, Any] = {"severity_index_id": severity_index_id, "expand": expand, "as_of": as_of}
        found: t.SeverityIndexValue = self._one(op.GET_SEVERITY_INDEX_VALUE, arguments)
        return found

    def list_severity_index_values(
        self,
        severity_index_id: str,
        *,
        start_time: str | datetime | None = None,
        end_time: str | datetime | None = None,
        time_domain: Literal["published", "source", "calculated"] | None = None,
        quality_state: Literal["valid", "degraded", "suspended"] | None = None,
        include_corrections: bool | None = None,
        expand: list[Literal["inputs"]] | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> History[t.SeverityIndexValue]:
        """Values of a severity index."""
        arguments: dict[str, Any] = {"severity_index_id": severity_index_id, "start_time": start_time, "end_time": end_time, "time_domain": time_domain, "quality_state": quality_state, "include_corrections": include_corrections, "expand": expand, "as_of": as_of, "limit": limit}
        return History(self, op.LIST_SEVERITY_INDEX_VALUES, arguments)

    def get_severity_methodology(
        self,
        methodology_id: str,
        version: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.SeverityMethodology:
        """Get a version of a severity methodology."""
        arguments: dict[str, Any] = {"methodology_id": methodology_id, "version": version, "as_of": as_of}
        found: t.SeverityMethodology = self._one(op.GET_SEVERITY_METHODOLOGY, arguments)
        return found

    def get_governance_roster(
        self,
        *,
        version: int | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
    ) -> t.Roster:
        """Roster in force."""
        arguments: dict[str, Any] = {"version": version, "as_of": as_of, "receipt": receipt}
        found: t.Roster = self._one(op.GET_GOVERNANCE_ROSTER, arguments)
        return found

    def get_governance_policy(
        self,
        *,
        version: int | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
    ) -> t.Policy:
        """Policy in force."""
        arguments: dict[str, Any] = {"version": version, "as_of": as_of, "receipt": receipt}
        found: t.Policy = self._one(op.GET_GOVERNANCE_POLICY, arguments)
        return found

    def list_governance_proposals(
        self,
        *,
        kind: Literal["roster", "policy", "eligibility_policy", "index_version", "index_adoption", "index_status", "cessation", "methodology", "restatement"] | None = None,
        state: Literal["draft", "proposed", "consulting", "approved", "queued", "effective", "rejected", "cancelled", "vetoed", "expired", "lapsed"] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.Proposal]:
        """List proposals."""
        arguments: dict[str, Any] = {"kind": kind, "state": state, "as_of": as_of, "receipt": receipt, "limit": limit}
        return Pages(self, op.LIST_GOVERNANCE_PROPOSALS, arguments)

    def get_governance_proposal(
        self,
        proposal_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.ProposalWithHistory:
        """Get a proposal with its history."""
        arguments: dict[str, Any] = {"proposal_id": proposal_id, "as_of": as_of}
        found: t.ProposalWithHistory = self._one(op.GET_GOVERNANCE_PROPOSAL, arguments)
        return found

    def get_governance_impact(
        self,
        change_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.Impact:
        """Get the impact of a change."""
        arguments: dict[str, Any] = {"change_id": change_id, "as_of": as_of}
        found: t.Impact = self._one(op.GET_GOVERNANCE_IMPACT, arguments)
        return found

    def list_governance_acts(
        self,
        *,
        outcome: Literal["recorded", "refused"] | None = None,
        subject_id: str | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.GovernanceAct]:
        """List signed acts."""
        arguments: dict[str, Any] = {"outcome": outcome, "subject_id": subject_id, "as_of": as_of, "receipt": receipt, "limit": limit}
        return Pages(self, op.LIST_GOVERNANCE_ACTS, arguments)

    def get_governance_act(
        self,
        act_id: str,
        *,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
    ) -> t.GovernanceAct:
        """Get a signed act."""
        arguments: dict[str, Any] = {"act_id": act_id, "as_of": as_of, "receipt": receipt}
        found: t.GovernanceAct = self._one(op.GET_GOVERNANCE_ACT, arguments)
        return found

    def list_governance_notices(
        self,
        *,
        kind: Literal["announcement", "correction", "degraded_service", "cessation", "complaint_outcome", "drift"] | None = None,
        index_id: str | None = None,
        since: str | datetime | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.Notice]:
        """List notices."""
        arguments: dict[str, Any] = {"kind": kind, "index_id": index_id, "since": since, "as_of": as_of, "limit": limit}
        return Pages(self, op.LIST_GOVERNANCE_NOTICES, arguments)

    def get_governance_notice(
        self,
        notice_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.Notice:
        """Get a notice."""
        arguments: dict[str, Any] = {"notice_id": notice_id, "as_of": as_of}
        found: t.Notice = self._one(op.GET_GOVERNANCE_NOTICE, arguments)
        return found

    def list_restatements(
        self,
        *,
        index_id: str | None = None,
        since: str | datetime | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.Restatement]:
        """List late restatements."""
        arguments: dict[str, Any] = {"index_id": index_id, "since": since, "as_of": as_of, "limit": limit}
        return Pages(self, op.LIST_RESTATEMENTS, arguments)

    def get_restatement(
        self,
        proposal_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.Restatement:
        """Get a late restatement."""
        arguments: dict[str, Any] = {"proposal_id": proposal_id, "as_of": as_of}
        found: t.Restatement = self._one(op.GET_RESTATEMENT, arguments)
        return found

    def list_governance_calendar(
        self,
        *,
        kind: Literal["rebalance", "fixing", "final_value", "comment_end", "vote_end", "notice_end", "emergency_lapse", "roster_expiry", "policy_expiry", "rating_expiry"] | None = None,
        index_id: str | None = None,
        start_time: str | datetime | None = None,
        end_time: str | datetime | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.CalendarEntry]:
        """List what is due."""
        arguments: dict[str, Any] = {"kind": kind, "index_id": index_id, "start_time": start_time, "end_time": end_time, "as_of": as_of, "limit": limit}
        return Pages(self, op.LIST_GOVERNANCE_CALENDAR, arguments)

    def list_rule_changes(
        self,
        *,
        kind: Literal["archived", "changed"] | None = None,
        venue_id: str | None = None,
        market_id: str | None = None,
        index_id: str | None = None,
        since: str | datetime | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.RuleChange]:
        """List the rules of markets as they changed."""
        arguments: dict[str, Any] = {"kind": kind, "venue_id": venue_id, "market_id": market_id, "index_id": index_id, "since": since, "as_of": as_of, "limit": limit}
        return Pages(self, op.LIST_RULE_CHANGES, arguments)

    def list_complaints(
        self,
        *,
        state: Literal["received", "published", "assigned", "declined", "resolved"] | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.Complaint]:
        """List complaints."""
        arguments: dict[str, Any] = {"state": state, "as_of": as_of, "limit": limit}
        return Pages(self, op.LIST_COMPLAINTS, arguments)

    def file_complaint(
        self,
        body: t.ComplaintRequest,
    ) -> t.ComplaintReceipt:
        """File a complaint."""
        arguments: dict[str, Any] = {}
        found: t.ComplaintReceipt = self._one(op.FILE_COMPLAINT, arguments, body)
        return found

    def get_complaint(
        self,
        complaint_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.ComplaintWithHistory:
        """Get a complaint with its history."""
        arguments: dict[str, Any] = {"complaint_id": complaint_id, "as_of": as_of}
        found: t.ComplaintWithHistory = self._one(op.GET_COMPLAINT, arguments)
        return found

    def list_eligibility_policies(
        self,
        *,
        policy_id: str | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.EligibilityPolicy]:
        """List eligibility policies."""
        arguments: dict[str, Any] = {"policy_id": policy_id, "as_of": as_of, "limit": limit}
        return Pages(self, op.LIST_ELIGIBILITY_POLICIES, arguments)

    def get_eligibility_policy(
        self,
        policy_id: str,
        *,
        version: int | None = None,
        as_of: str | datetime | None = None,
    ) -> t.EligibilityPolicy:
        """Get an eligibility policy."""
        arguments: dict[str, Any] = {"policy_id": policy_id, "version": version, "as_of": as_of}
        found: t.EligibilityPolicy = self._one(op.GET_ELIGIBILITY_POLICY, arguments)
        return found

    def get_market_eligibility(
        self,
        market_id: str,
        *,
        policy_id: str | None = None,
        version: int | None = None,
        as_of: str | datetime | None = None,
    ) -> t.MarketEligibility:
        """Eligibility of a market."""
        arguments: dict[str, Any] = {"market_id": market_id, "policy_id": policy_id, "version": version, "as_of": as_of}
        found: t.MarketEligibility = self._one(op.GET_MARKET_ELIGIBILITY, arguments)
        return found

    def get_index_eligibility(
        self,
        index_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.IndexEligibility:
        """Eligibility of the constituents of an index."""
        arguments: dict[str, Any] = {"index_id": index_id, "as_of": as_of}
        found: t.IndexEligibility = self._one(op.GET_INDEX_ELIGIBILITY, arguments)
        return found

    def get_index_pro_forma(
        self,
        index_id: str,
        *,
        effective_from: str | datetime | None = None,
        as_of: str | datetime | None = None,
    ) -> t.ProForma:
        """Newest announced composition of an index."""
        arguments: dict[str, Any] = {"index_id": index_id, "effective_from": effective_from, "as_of": as_of}
        found: t.ProForma = self._one(op.GET_INDEX_PRO_FORMA, arguments)
        return found

    def list_methodologies(
        self,
        *,
        methodology_id: str | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.Methodology]:
        """List index methodologies."""
        arguments: dict[str, Any] = {"methodology_id": methodology_id, "as_of": as_of, "receipt": receipt, "limit": limit}
        return Pages(self, op.LIST_METHODOLOGIES, arguments)

    def list_rating_methodologies(
        self,
        *,
        methodology_id: str | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.RatingMethodology]:
        """List rating methodologies."""
        arguments: dict[str, Any] = {"methodology_id": methodology_id, "as_of": as_of, "receipt": receipt, "limit": limit}
        return Pages(self, op.LIST_RATING_METHODOLOGIES, arguments)

    def list_severity_methodologies(
        self,
        *,
        methodology_id: str | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
        limit: int | None = None,
    ) -> Pages[t.SeverityMethodology]:
        """List severity methodologies."""
        arguments: dict[str, Any] = {"methodology_id": methodology_id, "as_of": as_of, "receipt": receipt, "limit": limit}
        return Pages(self, op.LIST_SEVERITY_METHODOLOGIES, arguments)

    def get_rating(
        self,
        rating_id: str,
        *,
        expand: list[Literal["measured"]] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
    ) -> t.MarketRating:
        """Get a rating by its id."""
        arguments: dict[str, Any] = {"rating_id": rating_id, "expand": expand, "as_of": as_of, "receipt": receipt}
        found: t.MarketRating = self._one(op.GET_RATING, arguments)
        return found

    def get_severity_assessment(
        self,
        assessment_id: str,
        *,
        expand: list[Literal["measured"]] | None = None,
        as_of: str | datetime | None = None,
        receipt: bool | None = None,
    ) -> t.SeverityAssessment:
        """Get a severity assessment by its id."""
        arguments: dict[str, Any] = {"assessment_id": assessment_id, "expand": expand, "as_of": as_of, "receipt": receipt}
        found: t.SeverityAssessment = self._one(op.GET_SEVERITY_ASSESSMENT, arguments)
        return found

    def get_severity_index(
        self,
        severity_index_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.SeverityIndex:
        """Get a severity index."""
        arguments: dict[str, Any] = {"severity_index_id": severity_index_id, "as_of": as_of}
        found: t.SeverityIndex = self._one(op.GET_SEVERITY_INDEX, arguments)
        return found

    def get_observation(
        self,
        observation_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> t.FoundObservation:
        """Get a record that another one derives from."""
        arguments: dict[str, Any] = {"observation_id": observation_id, "as_of": as_of}
        found: t.FoundObservation = self._one(op.GET_OBSERVATION, arguments)
        return found

    def get_observation_payloads(
        self,
        observation_id: str,
        *,
        content_hash: str | None = None,
    ) -> t.ObservationPayloads:
        """Payloads that a quote or trade was read from."""
        arguments: dict[str, Any] = {"observation_id": observation_id, "content_hash": content_hash}
        found: t.ObservationPayloads = self._one(op.GET_OBSERVATION_PAYLOADS, arguments)
        return found

    def list_latest_prices(
        self,
        *,
        market_ids: list[str],
        as_of: str | datetime | None = None,
    ) -> Pages[t.MarketPriceResult]:
        """Newest quotes and marks of several markets."""
        arguments: dict[str, Any] = {"market_ids": market_ids, "as_of": as_of}
        return Pages(self, op.LIST_LATEST_PRICES, arguments)

    def get_index_observation_proof(
        self,
        index_id: str,
        observation_id: str,
    ) -> t.Proof:
        """Proof of a level with its inputs."""
        arguments: dict[str, Any] = {"index_id": index_id, "observation_id": observation_id}
        found: t.Proof = self._one(op.GET_INDEX_OBSERVATION_PROOF, arguments)
        return found

    def get_index_version_proof(
        self,
        index_id: str,
        version_id: str,
    ) -> t.Proof:
        """Proof of a version of an index."""
        arguments: dict[str, Any] = {"index_id": index_id, "version_id": version_id}
        found: t.Proof = self._one(op.GET_INDEX_VERSION_PROOF, arguments)
        return found

    def get_constituents_proof(
        self,
        index_id: str,
        version_id: str,
    ) -> t.Proof:
        """Proof of the constituents of a version."""
        arguments: dict[str, Any] = {"index_id": index_id, "version_id": version_id}
        found: t.Proof = self._one(op.GET_CONSTITUENTS_PROOF, arguments)
        return found

    def get_methodology_proof(
        self,
        methodology_id: str,
        version: str,
    ) -> t.Proof:
        """Proof of a version of a methodology."""
        arguments: dict[str, Any] = {"methodology_id": methodology_id, "version": version}
        found: t.Proof = self._one(op.GET_METHODOLOGY_PROOF, arguments)
        return found

    def get_rating_methodology_proof(
        self,
        methodology_id: str,
        version: str,
    ) -> t.Proof:
        """Proof of a version of a rating methodology."""
        arguments: dict[str, Any] = {"methodology_id": methodology_id, "version": version}
        found: t.Proof = self._one(op.GET_RATING_METHODOLOGY_PROOF, arguments)
        return found

    def get_severity_methodology_proof(
        self,
        methodology_id: str,
        version: str,
    ) -> t.Proof:
        """Proof of a version of a severity methodology."""
        arguments: dict[str, Any] = {"methodology_id": methodology_id, "version": version}
        found: t.Proof = self._one(op.GET_SEVERITY_METHODOLOGY_PROOF, arguments)
        return found

    def get_rating_proof(
        self,
        rating_id: str,
    ) -> t.Proof:
        """Proof of a rating."""
        arguments: dict[str, Any] = {"rating_id": rating_id}
        found: t.Proof = self._one(op.GET_RATING_PROOF, arguments)
        return found

    def get_severity_assessment_proof(
        self,
        assessment_id: str,
    ) -> t.Proof:
        """Proof of a severity assessment."""
        arguments: dict[str, Any] = {"assessment_id": assessment_id}
        found: t.Proof = self._one(op.GET_SEVERITY_ASSESSMENT_PROOF, arguments)
        return found

    def get_governance_roster_proof(
        self,
        *,
        version: int | None = None,
    ) -> t.Proof:
        """Proof of a roster."""
        arguments: dict[str, Any] = {"version": version}
        found: t.Proof = self._one(op.GET_GOVERNANCE_ROSTER_PROOF, arguments)
        return found

    def get_governance_policy_proof(
        self,
        *,
        version: int | None = None,
    ) -> t.Proof:
        """Proof of a policy."""
        arguments: dict[str, Any] = {"version": version}
        found: t.Proof = self._one(op.GET_GOVERNANCE_POLICY_PROOF, arguments)
        return found

    def get_governance_proposal_proof(
        self,
        proposal_id: str,
        *,
        revision: int | None = None,
    ) -> t.Proof:
        """Proof of a state of a proposal."""
        arguments: dict[str, Any] = {"proposal_id": proposal_id, "revision": revision}
        found: t.Proof = self._one(op.GET_GOVERNANCE_PROPOSAL_PROOF, arguments)
        return found

    def get_governance_act_proof(
        self,
        act_id: str,
    ) -> t.Proof:
        """Proof of an act of governance, or a refused one."""
        arguments: dict[str, Any] = {"act_id": act_id}
        found: t.Proof = self._one(op.GET_GOVERNANCE_ACT_PROOF, arguments)
        return found

    def get_governance_notice_proof(
        self,
        notice_id: str,
    ) -> t.Proof:
        """Proof of a notice."""
        arguments: dict[str, Any] = {"notice_id": notice_id}
        found: t.Proof = self._one(op.GET_GOVERNANCE_NOTICE_PROOF, arguments)
        return found

    def get_restatement_proof(
        self,
        proposal_id: str,
    ) -> t.Proof:
        """Proof of a late restatement."""
        arguments: dict[str, Any] = {"proposal_id": proposal_id}
        found: t.Proof = self._one(op.GET_RESTATEMENT_PROOF, arguments)
        return found

    def get_complaint_proof(
        self,
        complaint_id: str,
        *,
        revision: int | None = None,
    ) -> t.Proof:
        """Proof of an act on a complaint."""
        arguments: dict[str, Any] = {"complaint_id": complaint_id, "revision": revision}
        found: t.Proof = self._one(op.GET_COMPLAINT_PROOF, arguments)
        return found

    def get_governance_impact_proof(
        self,
        change_id: str,
        *,
        runner: str | None = None,
    ) -> t.Proof:
        """Proof of an impact report, in the act that signed it."""
        arguments: dict[str, Any] = {"change_id": change_id, "runner": runner}
        found: t.Proof = self._one(op.GET_GOVERNANCE_IMPACT_PROOF, arguments)
        return found

    def get_eligibility_policy_proof(
        self,
        policy_id: str,
        *,
        version: int | None = None,
    ) -> t.Proof:
        """Proof of an eligibility policy."""
        arguments: dict[str, Any] = {"policy_id": policy_id, "version": version}
        found: t.Proof = self._one(op.GET_ELIGIBILITY_POLICY_PROOF, arguments)
        return found

    def get_index_pro_forma_proof(
        self,
        index_id: str,
        *,
        effective_from: str | datetime | None = None,
    ) -> t.Proof:
        """Proof of an announced composition, with every candidate of its selection."""
        arguments: dict[str, Any] = {"index_id": index_id, "effective_from": effective_from}
        found: t.Proof = self._one(op.GET_INDEX_PRO_FORMA_PROOF, arguments)
        return found

    def get_time(
        self,
    ) -> t.ServiceTime:
        """The service's clock."""
        arguments: dict[str, Any] = {}
        found: t.ServiceTime = self._one(op.GET_TIME, arguments)
        return found

    def get_capabilities(
        self,
    ) -> t.Capabilities:
        """Limits, intervals, depths, topics and versions."""
        arguments: dict[str, Any] = {}
        found: t.Capabilities = self._one(op.GET_CAPABILITIES, arguments)
        return found

    def create_api_key(
        self,
        body: t.CreateKeyRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.IssuedApiKey:
        """Create a key."""
        arguments: dict[str, Any] = {}
        found: t.IssuedApiKey = self._one(op.CREATE_API_KEY, arguments, body, idempotency_key=idempotency_key)
        return found

    def list_api_keys(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[t.ApiKey]:
        """List keys."""
        arguments: dict[str, Any] = {"limit": limit}
        return Pages(self, op.LIST_API_KEYS, arguments)

    def rotate_api_key(
        self,
        key_id: str,
        body: t.RotateKeyRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.IssuedApiKey:
        """Rotate the secret of a key."""
        arguments: dict[str, Any] = {"key_id": key_id}
        found: t.IssuedApiKey = self._one(op.ROTATE_API_KEY, arguments, body, idempotency_key=idempotency_key)
        return found

    def revoke_api_key(
        self,
        key_id: str,
        body: t.RevokeKeyRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.ApiKey:
        """Revoke a key."""
        arguments: dict[str, Any] = {"key_id": key_id}
        found: t.ApiKey = self._one(op.REVOKE_API_KEY, arguments, body, idempotency_key=idempotency_key)
        return found

    def list_signers(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[t.Signer]:
        """List who may sign orders."""
        arguments: dict[str, Any] = {"limit": limit}
        return Pages(self, op.LIST_SIGNERS, arguments)

    def list_api_key_audit(
        self,
        key_id: str,
        *,
        limit: int | None = None,
    ) -> Pages[t.KeyAuditItem]:
        """List the audit trail of a key."""
        arguments: dict[str, Any] = {"key_id": key_id, "limit": limit}
        return Pages(self, op.LIST_API_KEY_AUDIT, arguments)

    def place_order(
        self,
        body: t.OrderRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.Order:
        """Place an order."""
        arguments: dict[str, Any] = {}
        found: t.Order = self._one(op.PLACE_ORDER, arguments, body, idempotency_key=idempotency_key)
        return found

    def list_orders(
        self,
        *,
        market_id: str | None = None,
        outcome_id: str | None = None,
        status: list[Literal["received", "validated", "rejected", "open", "partially_filled", "filled", "cancel_pending", "canceled", "expired", "suspended", "failed"]] | None = None,
        working: bool | None = None,
        side: Literal["BUY", "SELL"] | None = None,
        client_order_id: str | None = None,
        quote_set_id: str | None = None,
        command_id: str | None = None,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        updated_after: str | datetime | None = None,
        limit: int | None = None,
    ) -> History[t.Order]:
        """List orders."""
        arguments: dict[str, Any] = {"market_id": market_id, "outcome_id": outcome_id, "status": status, "working": working, "side": side, "client_order_id": client_order_id, "quote_set_id": quote_set_id, "command_id": command_id, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "limit": limit}
        return History(self, op.LIST_ORDERS, arguments)

    def place_orders(
        self,
        body: t.OrderBatchRequest,
        *,
        idempotency_key: str | None = None,
    ) -> list[t.BatchItem]:
        """Place several orders."""
        arguments: dict[str, Any] = {}
        found: list[t.BatchItem] = self._one(op.PLACE_ORDERS, arguments, body, idempotency_key=idempotency_key)
        return found

    def preview_order(
        self,
        body: t.PreviewRequest,
    ) -> t.OrderPreview:
        """Preview an order."""
        arguments: dict[str, Any] = {}
        found: t.OrderPreview = self._one(op.PREVIEW_ORDER, arguments, body)
        return found

    def get_order(
        self,
        order_id: str,
    ) -> t.OrderDetail:
        """Get an order."""
        arguments: dict[str, Any] = {"order_id": order_id}
        found: t.OrderDetail = self._one(op.GET_ORDER, arguments)
        return found

    def get_order_by_client_id(
        self,
        client_order_id: str,
    ) -> t.OrderDetail:
        """Get an order by its client id."""
        arguments: dict[str, Any] = {"client_order_id": client_order_id}
        found: t.OrderDetail = self._one(op.GET_ORDER_BY_CLIENT_ID, arguments)
        return found

    def get_queue_position(
        self,
        order_id: str,
    ) -> t.QueuePosition:
        """Get the queue position of an order."""
        arguments: dict[str, Any] = {"order_id": order_id}
        found: t.QueuePosition = self._one(op.GET_QUEUE_POSITION, arguments)
        return found

    def cancel_order_by_client_id(
        self,
        client_order_id: str,
        body: t.CancelRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.Order:
        """Cancel an order by its client id."""
        arguments: dict[str, Any] = {"client_order_id": client_order_id}
        found: t.Order = self._one(op.CANCEL_ORDER_BY_CLIENT_ID, arguments, body, idempotency_key=idempotency_key)
        return found

    def cancel_order(
        self,
        order_id: str,
        body: t.CancelRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.Order:
        """Cancel an order."""
        arguments: dict[str, Any] = {"order_id": order_id}
        found: t.Order = self._one(op.CANCEL_ORDER, arguments, body, idempotency_key=idempotency_key)
        return found

    def amend_order(
        self,
        order_id: str,
        body: t.AmendRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.AmendedOrder:
        """Replace an order."""
        arguments: dict[str, Any] = {"order_id": order_id}
        found: t.AmendedOrder = self._one(op.AMEND_ORDER, arguments, body, idempotency_key=idempotency_key)
        return found

    def cancel_all_orders(
        self,
        body: t.CancelAllRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.CancelAllResult:
        """Cancel many orders at once."""
        arguments: dict[str, Any] = {}
        found: t.CancelAllResult = self._one(op.CANCEL_ALL_ORDERS, arguments, body, idempotency_key=idempotency_key)
        return found

    def mass_quote(
        self,
        body: t.MassQuoteRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.MassQuoteResult:
        """Replace a ladder."""
        arguments: dict[str, Any] = {}
        found: t.MassQuoteResult = self._one(op.MASS_QUOTE, arguments, body, idempotency_key=idempotency_key)
        return found

    def cancel_orders(
        self,
        body: t.CancelBatchRequest,
        *,
        idempotency_key: str | None = None,
    ) -> list[t.BatchItem]:
        """Cancel several orders."""
        arguments: dict[str, Any] = {}
        found: list[t.BatchItem] = self._one(op.CANCEL_ORDERS, arguments, body, idempotency_key=idempotency_key)
        return found

    def amend_orders(
        self,
        body: t.AmendBatchRequest,
        *,
        idempotency_key: str | None = None,
    ) -> list[t.AmendItem]:
        """Replace several orders."""
        arguments: dict[str, Any] = {}
        found: list[t.AmendItem] = self._one(op.AMEND_ORDERS, arguments, body, idempotency_key=idempotency_key)
        return found

    def list_fills(
        self,
        *,
        order_id: str | None = None,
        market_id: str | None = None,
        outcome_id: str | None = None,
        side: Literal["BUY", "SELL"] | None = None,
        liquidity_role: Literal["maker", "taker"] | None = None,
        settlement_state: Literal["pending", "submitted", "confirmed", "failed", "reversed", "redeemable", "redeemed"] | None = None,
        matched_after: str | datetime | None = None,
        matched_before: str | datetime | None = None,
        engine_sequence_after: int | None = None,
        limit: int | None = None,
    ) -> History[t.Fill]:
        """List fills."""
        arguments: dict[str, Any] = {"order_id": order_id, "market_id": market_id, "outcome_id": outcome_id, "side": side, "liquidity_role": liquidity_role, "settlement_state": settlement_state, "matched_after": matched_after, "matched_before": matched_before, "engine_sequence_after": engine_sequence_after, "limit": limit}
        return History(self, op.LIST_FILLS, arguments)

    def get_fill(
        self,
        fill_id: str,
    ) -> t.Fill:
        """Get a fill."""
        arguments: dict[str, Any] = {"fill_id": fill_id}
        found: t.Fill = self._one(op.GET_FILL, arguments)
        return found

    def list_adjustments(
        self,
        *,
        engine_sequence_after: int | None = None,
        published_after: str | datetime | None = None,
        published_before: str | datetime | None = None,
        limit: int | None = None,
    ) -> History[t.Adjustment]:
        """List adjustments of fills."""
        arguments: dict[str, Any] = {"engine_sequence_after": engine_sequence_after, "published_after": published_after, "published_before": published_before, "limit": limit}
        return History(self, op.LIST_ADJUSTMENTS, arguments)

    def list_positions(
        self,
        *,
        market_id: str | None = None,
        outcome_id: str | None = None,
        nonzero_only: bool | None = None,
        settlement_state: Literal["pending", "submitted", "confirmed", "failed", "reversed", "redeemable", "redeemed"] | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> Pages[t.Position]:
        """List positions."""
        arguments: dict[str, Any] = {"market_id": market_id, "outcome_id": outcome_id, "nonzero_only": nonzero_only, "settlement_state": settlement_state, "as_of": as_of, "limit": limit}
        return Pages(self, op.LIST_POSITIONS, arguments)

    def get_market_positions(
        self,
        market_id: str,
        *,
        as_of: str | datetime | None = None,
    ) -> Pages[t.Position]:
        """Positions of one market."""
        arguments: dict[str, Any] = {"market_id": market_id, "as_of": as_of}
        return Pages(self, op.GET_MARKET_POSITIONS, arguments)

    def list_balances(
        self,
        *,
        asset_id: str | None = None,
        as_of: str | datetime | None = None,
    ) -> Pages[t.Balance]:
        """Balances and reservations."""
        arguments: dict[str, Any] = {"asset_id": asset_id, "as_of": as_of}
        return Pages(self, op.LIST_BALANCES, arguments)

    def get_account_policy(
        self,
    ) -> t.AccountPolicy:
        """Policy of the account."""
        arguments: dict[str, Any] = {}
        found: t.AccountPolicy = self._one(op.GET_ACCOUNT_POLICY, arguments)
        return found

    def get_redemption_preview(
        self,
        *,
        market_id: str,
    ) -> t.RedemptionPreview:
        """Preview of a resolution."""
        arguments: dict[str, Any] = {"market_id": market_id}
        found: t.RedemptionPreview = self._one(op.GET_REDEMPTION_PREVIEW, arguments)
        return found

    def set_cancel_after(
        self,
        body: t.CancelAfterRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.CancelAfter:
        """Dead man's switch."""
        arguments: dict[str, Any] = {}
        found: t.CancelAfter = self._one(op.SET_CANCEL_AFTER, arguments, body, idempotency_key=idempotency_key)
        return found

    def set_market_maker_protection(
        self,
        market_id: str,
        body: t.ProtectionRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.MarketMakerProtection:
        """Protect the quotes in a market."""
        arguments: dict[str, Any] = {"market_id": market_id}
        found: t.MarketMakerProtection = self._one(op.SET_MARKET_MAKER_PROTECTION, arguments, body, idempotency_key=idempotency_key)
        return found

    def get_market_maker_protection(
        self,
        market_id: str,
    ) -> t.MarketMakerProtection:
        """Get the protection in a market."""
        arguments: dict[str, Any] = {"market_id": market_id}
        found: t.MarketMakerProtection = self._one(op.GET_MARKET_MAKER_PROTECTION, arguments)
        return found

    def remove_market_maker_protection(
        self,
        market_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.MarketMakerProtection:
        """Remove the protection in a market."""
        arguments: dict[str, Any] = {"market_id": market_id}
        found: t.MarketMakerProtection = self._one(op.REMOVE_MARKET_MAKER_PROTECTION, arguments, idempotency_key=idempotency_key)
        return found

    def list_market_maker_protections(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[t.MarketMakerProtection]:
        """List protections."""
        arguments: dict[str, Any] = {"limit": limit}
        return Pages(self, op.LIST_MARKET_MAKER_PROTECTIONS, arguments)

    def reset_market_maker_protection(
        self,
        market_id: str,
        body: t.ResetProtectionRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.MarketMakerProtection:
        """End a freeze."""
        arguments: dict[str, Any] = {"market_id": market_id}
        found: t.MarketMakerProtection = self._one(op.RESET_MARKET_MAKER_PROTECTION, arguments, body, idempotency_key=idempotency_key)
        return found

    def list_settlements(
        self,
        *,
        state: Literal["pending", "submitted", "confirmed", "failed", "reversed", "redeemable", "redeemed"] | None = None,
        kind: Literal["trade_settlement", "resolution_payout", "resolution_correction"] | None = None,
        market_id: str | None = None,
        fill_id: str | None = None,
        asset_id: str | None = None,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        updated_after: str | datetime | None = None,
        updated_before: str | datetime | None = None,
        limit: int | None = None,
    ) -> History[t.Settlement]:
        """List settlements."""
        arguments: dict[str, Any] = {"state": state, "kind": kind, "market_id": market_id, "fill_id": fill_id, "asset_id": asset_id, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "limit": limit}
        return History(self, op.LIST_SETTLEMENTS, arguments)

    def get_settlement(
        self,
        settlement_id: str,
    ) -> t.Settlement:
        """Get a settlement."""
        arguments: dict[str, Any] = {"settlement_id": settlement_id}
        found: t.Settlement = self._one(op.GET_SETTLEMENT, arguments)
        return found

    def list_statement(
        self,
        *,
        asset_id: str | None = None,
        market_id: str | None = None,
        kind: Literal["order", "fill", "settlement", "reversal", "payout", "adjustment", "deposit", "withdrawal", "fee"] | None = None,
        booked_after: str | datetime | None = None,
        booked_before: str | datetime | None = None,
        engine_sequence_after: int | None = None,
        engine_sequence_before: int | None = None,
        as_of: str | datetime | None = None,
        limit: int | None = None,
    ) -> History[t.StatementEntry]:
        """Statement of the account."""
        arguments: dict[str, Any] = {"asset_id": asset_id, "market_id": market_id, "kind": kind, "booked_after": booked_after, "booked_before": booked_before, "engine_sequence_after": engine_sequence_after, "engine_sequence_before": engine_sequence_before, "as_of": as_of, "limit": limit}
        return History(self, op.LIST_STATEMENT, arguments)

    def get_account_summary(
        self,
        *,
        as_of: str | datetime | None = None,
    ) -> t.AccountSummary:
        """Summary of the account."""
        arguments: dict[str, Any] = {"as_of": as_of}
        found: t.AccountSummary = self._one(op.GET_ACCOUNT_SUMMARY, arguments)
        return found

    def list_equity_history(
        self,
        *,
        start_time: str | datetime,
        end_time: str | datetime,
        interval: Literal["PT1M", "PT5M", "PT15M", "PT1H", "P1D"],
        asset_id: str | None = None,
    ) -> Pages[t.EquityPoint]:
        """Equity over time."""
        arguments: dict[str, Any] = {"start_time": start_time, "end_time": end_time, "interval": interval, "asset_id": asset_id}
        return Pages(self, op.LIST_EQUITY_HISTORY, arguments)

    def list_fee_schedules(
        self,
        *,
        schedule_id: str | None = None,
        market_id: str | None = None,
        limit: int | None = None,
    ) -> Pages[t.FeeSchedule]:
        """Fee schedules."""
        arguments: dict[str, Any] = {"schedule_id": schedule_id, "market_id": market_id, "limit": limit}
        return Pages(self, op.LIST_FEE_SCHEDULES, arguments)

    def request_transfer(
        self,
        body: t.TransferRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.Transfer:
        """Request a deposit or withdrawal."""
        arguments: dict[str, Any] = {}
        found: t.Transfer = self._one(op.REQUEST_TRANSFER, arguments, body, idempotency_key=idempotency_key)
        return found

    def list_transfers(
        self,
        *,
        direction: Literal["deposit", "withdrawal"] | None = None,
        state: Literal["requested", "held", "confirmed", "failed", "canceled"] | None = None,
        requested_after: str | datetime | None = None,
        requested_before: str | datetime | None = None,
        limit: int | None = None,
    ) -> History[t.Transfer]:
        """List deposits and withdrawals."""
        arguments: dict[str, Any] = {"direction": direction, "state": state, "requested_after": requested_after, "requested_before": requested_before, "limit": limit}
        return History(self, op.LIST_TRANSFERS, arguments)

    def cancel_transfer(
        self,
        transfer_id: str,
        body: t.CancelTransferRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.Transfer:
        """Cancel a deposit or withdrawal."""
        arguments: dict[str, Any] = {"transfer_id": transfer_id}
        found: t.Transfer = self._one(op.CANCEL_TRANSFER, arguments, body, idempotency_key=idempotency_key)
        return found

    def get_transfer(
        self,
        transfer_id: str,
    ) -> t.Transfer:
        """Get a deposit or withdrawal."""
        arguments: dict[str, Any] = {"transfer_id": transfer_id}
        found: t.Transfer = self._one(op.GET_TRANSFER, arguments)
        return found

    def create_webhook(
        self,
        body: t.CreateWebhookRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.IssuedWebhook:
        """Create a webhook."""
        arguments: dict[str, Any] = {}
        found: t.IssuedWebhook = self._one(op.CREATE_WEBHOOK, arguments, body, idempotency_key=idempotency_key)
        return found

    def list_webhooks(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[t.Webhook]:
        """List webhooks."""
        arguments: dict[str, Any] = {"limit": limit}
        return Pages(self, op.LIST_WEBHOOKS, arguments)

    def get_webhook(
        self,
        webhook_id: str,
    ) -> t.Webhook:
        """Get a webhook."""
        arguments: dict[str, Any] = {"webhook_id": webhook_id}
        found: t.Webhook = self._one(op.GET_WEBHOOK, arguments)
        return found

    def update_webhook(
        self,
        webhook_id: str,
        body: t.UpdateWebhookRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.Webhook:
        """Change a webhook."""
        arguments: dict[str, Any] = {"webhook_id": webhook_id}
        found: t.Webhook = self._one(op.UPDATE_WEBHOOK, arguments, body, idempotency_key=idempotency_key)
        return found

    def delete_webhook(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.DeletedWebhook:
        """Delete a webhook."""
        arguments: dict[str, Any] = {"webhook_id": webhook_id}
        found: t.DeletedWebhook = self._one(op.DELETE_WEBHOOK, arguments, idempotency_key=idempotency_key)
        return found

    def rotate_webhook_secret(
        self,
        webhook_id: str,
        body: t.RotateWebhookSecretRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.IssuedWebhook:
        """Rotate the secret of a webhook."""
        arguments: dict[str, Any] = {"webhook_id": webhook_id}
        found: t.IssuedWebhook = self._one(op.ROTATE_WEBHOOK_SECRET, arguments, body, idempotency_key=idempotency_key)
        return found

    def test_webhook(
        self,
        webhook_id: str,
        body: t.TestWebhookRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.WebhookOrder:
        """Send a test event."""
        arguments: dict[str, Any] = {"webhook_id": webhook_id}
        found: t.WebhookOrder = self._one(op.TEST_WEBHOOK, arguments, body, idempotency_key=idempotency_key)
        return found

    def replay_webhook(
        self,
        webhook_id: str,
        body: t.ReplayWebhookRequest,
        *,
        idempotency_key: str | None = None,
    ) -> t.WebhookOrder:
        """Deliver events again."""
        arguments: dict[str, Any] = {"webhook_id": webhook_id}
        found: t.WebhookOrder = self._one(op.REPLAY_WEBHOOK, arguments, body, idempotency_key=idempotency_key)
        return found

    def list_webhook_deliveries(
        self,
        webhook_id: str,
        *,
        status: Literal["pending", "delivered", "failed", "canceled"] | None = None,
        limit: int | None = None,
    ) -> Pages[t.WebhookDelivery]:
        """List the deliveries of a webhook."""
        arguments: dict[str, Any] = {"webhook_id": webhook_id, "status": status, "limit": limit}
        return Pages(self, op.LIST_WEBHOOK_DELIVERIES, arguments)

    def list_webhook_events(
        self,
        *,
        after: int | None = None,
        event_type: list[Literal["settlement.created", "settlement.confirmed", "settlement.failed", "settlement.reversed", "settlement.adjusted", "payout.created", "payout.confirmed", "payout.failed", "payout.reversed", "payout_correction.created", "payout_correction.confirmed", "payout_correction.failed", "payout_correction.reversed", "adjustment.created", "transfer.requested", "transfer.held", "transfer.confirmed", "transfer.failed", "transfer.canceled", "order.canceled", "order.failed", "account.suspended", "account.resumed", "account.cancel_after_fired", "api_key.created", "api_key.rotated", "api_key.revoked", "market.paused", "market.resumed", "market.closed", "market.resolved", "market.voided", "webhook.created", "webhook.updated", "webhook.secret_rotated", "webhook.disabled", "webhook.deleted"]] | None = None,
        limit: int | None = None,
    ) -> Pages[t.WebhookEvent]:
        """List events of the account."""
        arguments: dict[str, Any] = {"after": after, "event_type": event_type, "limit": limit}
        return Pages(self, op.LIST_WEBHOOK_EVENTS, arguments)

    def get_log_checkpoint(
        self,
    ) -> bytes:
        """Newest checkpoint of the log."""
        arguments: dict[str, Any] = {}
        found: bytes = self._one(op.GET_LOG_CHECKPOINT, arguments)
        return found

    def get_log_vkey(
        self,
    ) -> bytes:
        """Verifier key of the log."""
        arguments: dict[str, Any] = {}
        found: bytes = self._one(op.GET_LOG_VKEY, arguments)
        return found

    def get_log_tile(
        self,
        level: str,
        index: str,
    ) -> bytes:
        """Tile of the log."""
        arguments: dict[str, Any] = {"level": level, "index": index}
        found: bytes = self._one(op.GET_LOG_TILE, arguments)
        return found

    def get_log_entries(
        self,
        index: str,
    ) -> bytes:
        """Entries of the log."""
        arguments: dict[str, Any] = {"index": index}
        found: bytes = self._one(op.GET_LOG_ENTRIES, arguments)
        return found
