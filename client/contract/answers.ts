import { type AnswerSchema, listOf, oneOf, orNull, record, textLike } from './answer-schema.ts'

/** Schemas of public answers, made from the OpenAPI document by `npm run docs`. */
const ANY: AnswerSchema = {}
const BOOLEAN: AnswerSchema = { type: 'boolean' }
const INTEGER: AnswerSchema = { type: 'integer' }
const OBJECT: AnswerSchema = { type: 'object' }
const TEXT: AnswerSchema = { type: 'string' }

const Text0 = textLike("^[a-z]+_[A-Za-z0-9_.-]{1,128}$")
const Values1 = oneOf("draft", "scheduled", "active", "suspended", "archived")
const Text2 = textLike("^-?(0|[1-9]\\d*)(\\.\\d+)?$")
const Text3 = textLike("^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?Z$")
const IndexSchema = record({ "index_id": Text0, "slug": TEXT, "symbol": TEXT, "name": TEXT, "description": orNull(TEXT), "family": orNull(TEXT), "status": Values1, "unit": TEXT, "base_value": Text2, "base_date": Text3, "active_version_id": orNull(Text0), "tags": listOf(TEXT), "simulated": BOOLEAN, "created_at": Text3, "updated_at": Text3 })
const Values5 = oneOf("published")
const Values6 = oneOf("chain_linked", "gauge")
const Text7 = textLike("^P")
const Values8 = oneOf("none", "governed")
const IndexVersionSchema = record({ "index_version_id": Text0, "index_id": Text0, "version": TEXT, "status": Values5, "effective_from": Text3, "effective_to": orNull(Text3), "methodology_id": Text0, "methodology_version": TEXT, "mode": Values6, "calculation_frequency": Text7, "rebalance_rule": orNull(TEXT), "weight_sum": Text2, "minimum_coverage_ratio": Text2, "approved_by": orNull(TEXT), "approved_at": orNull(Text3), "published_at": Text3, "supersedes_version_id": orNull(Text0), "change_summary": listOf(TEXT), "link_factor": orNull(Text2), "link_at": orNull(Text3), "level_at_link": orNull(Text2), "governance": Values8, "proposal_id": orNull(Text0), "announced_at": orNull(Text3), "effective_at": orNull(Text3), "definition": OBJECT })
const MarketMappingSchema = record({ "mapping_id": Text0, "venue_id": TEXT, "source_event_id": orNull(TEXT), "source_series_id": orNull(TEXT), "source_market_id": TEXT, "source_outcome_id": orNull(TEXT), "valid_from": orNull(Text3), "valid_to": orNull(Text3) })
const ConstituentLegSchema = record({ "market_id": Text0, "outcome_id": Text0, "venue_id": TEXT, "source_series_id": orNull(TEXT), "source_market_id": TEXT, "pool_weight": orNull(Text2) })
const Values12 = oneOf("scheduled", "open", "paused", "closed", "resolving", "resolved", "voided", "archived")
const MarketOutcomeSchema = record({ "outcome_id": Text0, "label": TEXT, "status": orNull(TEXT), "payout_value": orNull(Text2), "complementary_outcome_id": orNull(Text0) })
const MarketRulesSchema = record({ "rules_version": orNull(TEXT), "resolution_question": orNull(TEXT), "resolution_sources": listOf(TEXT), "resolution_criteria": orNull(TEXT), "dispute_policy_uri": orNull(TEXT), "timezone": orNull(TEXT) })
const MarketScheduleSchema = record({ "opens_at": orNull(Text3), "closes_at": orNull(Text3), "expected_resolution_at": orNull(Text3) })
const TradingParametersSchema = record({ "price_min": orNull(Text2), "price_max": orNull(Text2), "price_increment": orNull(Text2), "quantity_increment": orNull(Text2), "minimum_quantity": orNull(Text2), "settlement_asset_id": orNull(TEXT), "shorting_permitted": orNull(BOOLEAN), "complementary": orNull(BOOLEAN) })
const VenueMappingSchema = record({ "venue_id": TEXT, "source_market_id": TEXT, "source_outcome_ids": listOf(TEXT), "mapping_version": orNull(TEXT), "valid_from": orNull(Text3), "valid_to": orNull(Text3) })
const Values18 = oneOf("eligible", "ineligible")
const EligibilitySchema = record({ "status": Values18, "policy_id": TEXT, "policy_version": INTEGER, "reason_codes": listOf(TEXT), "evaluated_at": Text3 })
const Text20 = textLike("^(0|[1-9]\\d*)(\\.\\d+)?$")
const MarketMetricsSchema = record({ "volume_24h": orNull(Text20), "open_interest": orNull(Text20), "liquidity_notional": orNull(Text20), "observed_at": Text3 })
const MarketSchema = record({ "market_id": Text0, "event_id": Text0, "slug": orNull(TEXT), "title": TEXT, "category": orNull(TEXT), "status": orNull(Values12), "outcome_type": TEXT, "outcomes": listOf(MarketOutcomeSchema), "rules": orNull(MarketRulesSchema), "schedule": orNull(MarketScheduleSchema), "trading_parameters": orNull(TradingParametersSchema), "venue_mapping": orNull(VenueMappingSchema), "eligibility": orNull(EligibilitySchema), "metrics": orNull(MarketMetricsSchema), "created_at": orNull(Text3), "updated_at": Text3, "source_at": Text3, "published_at": Text3, "simulated": BOOLEAN })
const VenueSchema = record({ "venue_id": TEXT, "name": TEXT, "index_eligible": BOOLEAN, "redistribution": TEXT })
const ConstituentSchema = record({ "constituent_id": Text0, "index_version_id": Text0, "market_id": orNull(Text0), "outcome_id": orNull(Text0), "target_weight": Text2, "effective_weight_at_publication": Text2, "weight_cap": orNull(Text2), "normalization": TEXT, "eligibility_status": TEXT, "eligibility_reason_codes": listOf(TEXT), "rating_assessment_id_at_selection": orNull(Text0), "market_mapping": orNull(MarketMappingSchema), "legs": listOf(ConstituentLegSchema), "definition": OBJECT }, { "market": orNull(MarketSchema), "outcomes": orNull(listOf(MarketOutcomeSchema)), "venue": orNull(VenueSchema) })
const Text25 = textLike("^[a-z0-9-]+:[0-9a-f]+$")
const Text26 = textLike("^[0-9a-f]{64}$")
const MethodologySchema = record({ "methodology_id": Text0, "version": TEXT, "status": TEXT, "name": TEXT, "document_uri": TEXT, "content_hash": Text25, "published_at": Text3, "supersedes_version": orNull(TEXT), "parameters": OBJECT, "text_sha256": Text26, "text_uri": TEXT })
const Values28 = oneOf("valid", "indicative", "stale", "degraded", "suspended", "corrected")
const ExcludedInputSchema = record({ "constituent_id": Text0, "observation_id": orNull(Text0), "rule": TEXT, "raw_value": orNull(TEXT), "reference_value": orNull(TEXT), "threshold": orNull(TEXT) })
const InputLegSchema = record({ "market_id": Text0, "outcome_id": Text0, "mark_rule": orNull(TEXT), "origin_rule": orNull(TEXT), "value": orNull(Text2), "freshness_class": TEXT, "source_at": orNull(Text3), "confirmed_at": orNull(Text3), "mark_cutoff_at": orNull(Text3), "source_observation_ids": listOf(Text0), "window_observation_ids": listOf(Text0) })
const IndexInputSchema = record({ "constituent_id": Text0, "market_id": orNull(Text0), "outcome_id": orNull(Text0), "source_observation_id": orNull(Text0), "target_weight": Text2, "weight_applied": orNull(Text2), "normalization": TEXT, "raw_value": orNull(Text2), "normalized_value": orNull(Text2), "freshness_class": TEXT, "mark_rule": orNull(TEXT), "exclusion_reason": orNull(TEXT), "contribution": orNull(Text2), "provisional": BOOLEAN, "pending": BOOLEAN, "reason_codes": listOf(TEXT), "legs": listOf(InputLegSchema) })
const Text32 = textLike("^(0(\\.\\d+)?|1(\\.0+)?)$")
const QuoteRecordSchema = record({ "bid": orNull(Text32), "ask": orNull(Text32), "bid_depth": orNull(Text20), "ask_depth": orNull(Text20), "last_trade": orNull(Text32), "last_trade_at": orNull(Text3), "reported_probability": orNull(Text32), "confirmed_at": orNull(Text3) })
const LevelQuoteSchema = record({ "observation_id": TEXT, "revision": INTEGER, "market_id": Text0, "outcome_id": Text0, "source_at": Text3, "received_at": orNull(Text3), "published_at": Text3, "quote": QuoteRecordSchema })
const IndexObservationSchema = record({ "observation_id": Text0, "revision": INTEGER, "supersedes_id": orNull(Text0), "correction_reason": orNull(TEXT), "index_id": Text0, "index_version_id": Text0, "methodology_id": Text0, "methodology_version": TEXT, "level": orNull(Text2), "unit": TEXT, "tick_at": Text3, "calculated_at": orNull(Text3), "source_cutoff_at": orNull(Text3), "published_at": Text3, "published_at_ts_ms": INTEGER, "quality_state": Values28, "underlying_quality_state": orNull(Values28), "coverage_ratio": orNull(Text2), "confidence": orNull(Text2), "link_factor": orNull(Text2), "reason_codes": listOf(TEXT), "missing_constituent_ids": listOf(Text0), "excluded_inputs": listOf(ExcludedInputSchema), "input_observation_ids": listOf(Text0), "calculation_run_id": Text0, "input_digest": orNull(TEXT), "record_hash": TEXT }, { "inputs": listOf(IndexInputSchema), "quotes": listOf(LevelQuoteSchema) })
const PayoutSchema = record({ "outcome_id": Text0, "payout": Text2 })
const EvidenceSchema = record({ "evidence_id": Text0, "kind": TEXT, "source_uri": orNull(TEXT), "observed_at": orNull(Text3), "content_hash": orNull(TEXT) })
const ResolverSchema = record({ "kind": TEXT, "resolver_id": orNull(TEXT) })
const Values39 = oneOf("proposed", "disputed", "final", "withdrawn")
const ResolutionSchema = record({ "resolution_id": Text0, "revision": INTEGER, "supersedes_id": orNull(Text0), "correction_reason": orNull(TEXT), "market_id": Text0, "winning_outcome_ids": listOf(Text0), "payouts": listOf(PayoutSchema), "resolved_at": orNull(Text3), "final_at": orNull(Text3), "confirmed_at": Text3, "evidence": listOf(EvidenceSchema), "resolver": orNull(ResolverSchema), "dispute_window_ends_at": orNull(Text3), "finality": Values39, "source_at": Text3, "received_at": Text3, "published_at": Text3 })
const Values41 = oneOf("bid", "ask", "midpoint", "last_trade", "mark", "reported_probability")
const MarketObservationSchema = record({ "observation_id": Text0, "revision": INTEGER, "supersedes_id": orNull(Text0), "correction_reason": orNull(TEXT), "market_id": Text0, "outcome_id": Text0, "field": Values41, "value": Text32, "venue_id": TEXT, "source_series_id": orNull(TEXT), "source_market_id": TEXT, "source_observation_ids": listOf(Text0), "derived": BOOLEAN, "derivation_rule": orNull(TEXT), "quality_state": Values28, "source_at": Text3, "tick_at": orNull(Text3), "received_at": orNull(Text3), "calculated_at": orNull(Text3), "published_at": Text3, "schema_version": TEXT, "methodology_id": orNull(Text0), "methodology_version": orNull(TEXT) }, { "quote": orNull(QuoteRecordSchema) })
const Values43 = oneOf("BUY", "SELL")
const Values44 = oneOf("void", "correction")
const TradeCorrectionSchema = record({ "kind": Values44, "supersedes_trade_id": orNull(Text0) })
const Values46 = oneOf("merge", "transfer", "mint", "mixed")
const Values47 = oneOf("merge", "transfer", "mint")
const FillSegmentSchema = record({ "match_kind": Values47, "outcome_id": orNull(Text0), "quantity": Text20 })
const TradeSchema = record({ "trade_id": Text0, "market_id": Text0, "outcome_id": Text0, "price": Text32, "quantity": Text20, "aggressor_side": orNull(Values43), "venue_id": TEXT, "source_series_id": orNull(TEXT), "source_trade_id": TEXT, "source_trade_ids": listOf(TEXT), "source_sequence": orNull(INTEGER), "source_at": Text3, "received_at": Text3, "published_at": Text3, "correction": orNull(TradeCorrectionSchema), "derived": BOOLEAN, "derivation_rule": orNull(TEXT), "match_kind": orNull(Values46), "segments": listOf(FillSegmentSchema) })
const Values50 = oneOf("MR1", "MR2", "MR3", "MR4", "MR5", "NR")
const RatingComponentScoresSchema = record({ "resolution_clarity": orNull(Text2), "source_reliability": orNull(Text2), "liquidity": orNull(Text2), "manipulation_resistance": orNull(Text2), "data_quality": orNull(Text2), "venue_operational_risk": orNull(Text2) })
const Values52 = oneOf("committee", "analyst", "model")
const IssuerSchema = record({ "kind": Values52, "issuer_id": TEXT, "model_version": orNull(TEXT) })
const Values54 = oneOf("A", "B", "C", "D")
const EvidenceItemSchema = record({ "evidence_id": Text0, "kind": TEXT, "source_uri": orNull(TEXT), "observed_at": orNull(Text3), "content_hash": orNull(TEXT), "component": orNull(TEXT), "tier": orNull(Values54) }, { "measured": orNull(TEXT) })
const Values56 = oneOf("draft", "under_review", "approved", "superseded", "disputed", "withdrawn")
const OverrideSchema = record({ "override_id": Text0, "authority": TEXT, "reason_code": TEXT, "narrative": TEXT, "previous_value": orNull(TEXT), "proposed_value": TEXT, "starts_at": Text3, "expires_at": orNull(Text3) })
const Values58 = oneOf("open", "upheld", "rejected")
const DisputeSchema = record({ "dispute_id": Text0, "state": Values58, "filer": TEXT, "basis": orNull(TEXT), "decision": orNull(TEXT), "filed_at": Text3, "decided_at": orNull(Text3) })
const WithdrawalSchema = record({ "withdrawn_by": TEXT, "reason": orNull(TEXT), "withdrawn_at": Text3 })
const MarketRatingSchema = record({ "rating_id": orNull(Text0), "revision": orNull(INTEGER), "supersedes_id": orNull(Text0), "correction_reason": orNull(TEXT), "market_id": Text0, "band": Values50, "score": orNull(Text2), "component_scores": RatingComponentScoresSchema, "outlook": orNull(TEXT), "watch_status": orNull(TEXT), "confidence": orNull(Text2), "reason_codes": listOf(TEXT), "rationale": orNull(TEXT), "methodology_id": orNull(Text0), "methodology_version": orNull(TEXT), "issuer": orNull(IssuerSchema), "evidence": listOf(EvidenceItemSchema), "observation_cutoff_at": orNull(Text3), "effective_from": orNull(Text3), "effective_to": orNull(Text3), "published_at": orNull(Text3), "review_state": orNull(Values56), "override": orNull(OverrideSchema), "dispute": orNull(DisputeSchema), "withdrawal": orNull(WithdrawalSchema), "previous_band": orNull(Values50), "previous_score": orNull(Text2) })
const Values62 = oneOf("observed", "forecast")
const Values63 = oneOf("SEV-0", "SEV-1", "SEV-2", "SEV-3", "SEV-4", "SEV-5", "UNKNOWN")
const ScoreRangeSchema = record({ "low": Text2, "high": Text2 })
const SeverityComponentScoresSchema = record({ "human": orNull(Text2), "economic": orNull(Text2), "infrastructure": orNull(Text2), "geographic": orNull(Text2), "geopolitical": orNull(Text2), "duration": orNull(Text2) })
const EventTimeWindowSchema = record({ "start": Text3, "end": orNull(Text3) })
const ExceedanceSchema = record({ "level": Values63, "probability": Text2 })
const ScenarioSchema = record({ "probability": Text2, "score": orNull(Text2) })
const SeverityAssessmentSchema = record({ "assessment_id": orNull(Text0), "revision": orNull(INTEGER), "supersedes_id": orNull(Text0), "correction_reason": orNull(TEXT), "event_id": Text0, "assessment_type": Values62, "level": Values63, "score": orNull(Text2), "score_range": orNull(ScoreRangeSchema), "component_scores": SeverityComponentScoresSchema, "confidence": orNull(Text2), "reason_codes": listOf(TEXT), "rationale": orNull(TEXT), "methodology_id": orNull(Text0), "methodology_version": orNull(TEXT), "issuer": orNull(IssuerSchema), "evidence": listOf(EvidenceItemSchema), "event_time_window": orNull(EventTimeWindowSchema), "observation_cutoff_at": orNull(Text3), "forecast_horizon_end": orNull(Text3), "effective_from": orNull(Text3), "effective_to": orNull(Text3), "published_at": orNull(Text3), "review_state": orNull(Values56), "override": orNull(OverrideSchema), "dispute": orNull(DisputeSchema), "withdrawal": orNull(WithdrawalSchema), "previous_level": orNull(Values63), "previous_score": orNull(Text2), "exceedance": orNull(listOf(ExceedanceSchema)), "scenarios": orNull(listOf(ScenarioSchema)) })
const Values70 = oneOf("analyst", "committee", "observer", "oversight", "operator", "runner", "administrator")
const RosterKeySchema = record({ "public_key": Text26, "valid_from": Text3, "valid_to": orNull(Text3), "revoked_at": orNull(Text3) })
const RosterMemberSchema = record({ "actor_id": TEXT, "name": TEXT, "roles": listOf(Values70), "keys": listOf(RosterKeySchema) })
const RosterSchema = record({ "version": INTEGER, "record_hash": Text26, "previous_hash": orNull(Text26), "proposal_id": Text0, "effective_from": Text3, "expires_at": Text3, "published_at": Text3, "signed_content": TEXT, "threshold": INTEGER, "members": listOf(RosterMemberSchema) })
const Values74 = oneOf("text", "parameter", "material", "scheduled_rebalance", "late_restatement", "emergency", "cessation", "policy", "roster")
const Values75 = oneOf("required")
const ChangeClassRuleSchema = record({ "change_class": Values74, "committee": INTEGER, "oversight": INTEGER, "comment": Text7, "vote": Text7, "notice": Text7 }, { "impact": Values75 })
const PolicySchema = record({ "version": INTEGER, "record_hash": Text26, "previous_hash": orNull(Text26), "proposal_id": Text0, "effective_from": Text3, "expires_at": Text3, "published_at": Text3, "signed_content": TEXT, "classes": listOf(ChangeClassRuleSchema), "proposal_lifetime": Text7, "late_window": Text7, "late_extension": Text7, "emergency_lapse": Text7 }, { "drift_after": Text7 })
const Values78 = oneOf("roster", "policy", "eligibility_policy", "index_version", "index_adoption", "index_status", "cessation", "methodology", "restatement")
const Values79 = oneOf("draft", "proposed", "consulting", "approved", "queued", "effective", "rejected", "cancelled", "vetoed", "expired", "lapsed")
const Values80 = oneOf("approve", "dissent")
const GovernanceVoteSchema = record({ "actor_id": TEXT, "choice": Values80, "public_key": Text26, "acted_at": Text3 })
const ProposalSchema = record({ "proposal_id": Text0, "revision": INTEGER, "kind": Values78, "target": TEXT, "base_hash": orNull(Text26), "content": TEXT, "rationale": TEXT, "impact_digest": orNull(Text26), "emergency": orNull(TEXT), "change_class": Values74, "state": Values79, "reason": orNull(TEXT), "proposed_by": TEXT, "proposed_at": Text3, "comment_ends_at": Text3, "vote_ends_at": orNull(Text3), "effective_at": orNull(Text3), "expires_at": Text3, "lapses_at": orNull(Text3), "votes": listOf(GovernanceVoteSchema), "ratifications": listOf(GovernanceVoteSchema), "recused": listOf(TEXT), "act_id": Text0, "published_at": Text3 })
const GovernanceVoteWithReasonSchema = record({ "actor_id": TEXT, "choice": Values80, "public_key": Text26, "acted_at": Text3, "reason": orNull(TEXT) })
const SeatsSchema = record({ "roles": listOf(Values70), "needed": INTEGER, "actor_ids": listOf(TEXT), "roster_version": orNull(INTEGER) })
const ContentDifferenceSchema = record({ "path": TEXT, "before": orNull(TEXT), "after": orNull(TEXT) })
const ProposalWithHistorySchema = record({ "proposal_id": Text0, "revision": INTEGER, "kind": Values78, "target": TEXT, "base_hash": orNull(Text26), "content": TEXT, "rationale": TEXT, "impact_digest": orNull(Text26), "emergency": orNull(TEXT), "change_class": Values74, "state": Values79, "reason": orNull(TEXT), "proposed_by": TEXT, "proposed_at": Text3, "comment_ends_at": Text3, "vote_ends_at": orNull(Text3), "effective_at": orNull(Text3), "expires_at": Text3, "lapses_at": orNull(Text3), "votes": listOf(GovernanceVoteWithReasonSchema), "ratifications": listOf(GovernanceVoteSchema), "recused": listOf(TEXT), "act_id": Text0, "published_at": Text3, "seats": listOf(SeatsSchema), "ratification_seats": listOf(SeatsSchema), "takes_effect_at": orNull(Text3), "vetoed_before": listOf(Text0), "diff": listOf(ContentDifferenceSchema), "history": listOf(ProposalSchema) })
const Values87 = oneOf("recorded", "refused")
const Values88 = oneOf("attest", "draft", "propose", "vote", "comment", "recuse", "veto", "cancel", "ratify", "approve", "reject", "queue", "activate", "expire", "lapse", "publish_notice", "publish_complaint", "decline_complaint", "assign_complaint", "resolve_complaint")
const GovernanceActSchema = record({ "act_id": Text0, "outcome": Values87, "act": orNull(Values88), "subject_id": orNull(TEXT), "actor_id": orNull(TEXT), "roles": listOf(Values70), "public_key": orNull(TEXT), "signed_text": TEXT, "signature": orNull(TEXT), "acted_at": orNull(Text3), "recorded_at": orNull(Text3), "code": orNull(TEXT), "message": orNull(TEXT), "published_at": Text3 })
const Values90 = oneOf("announcement", "correction", "degraded_service", "cessation", "complaint_outcome", "drift")
const NoticeChangeSchema = record({ "record_id": TEXT, "at": orNull(Text3), "field": TEXT, "old_value": orNull(TEXT), "new_value": orNull(TEXT) })
const NoticeSchema = record({ "notice_id": Text0, "kind": Values90, "subject_id": orNull(TEXT), "index_id": orNull(Text0), "market_id": orNull(Text0), "venue_id": orNull(TEXT), "proposal_id": orNull(Text0), "title": TEXT, "text": TEXT, "cause": orNull(TEXT), "effective_at": orNull(Text3), "starts_at": orNull(Text3), "ends_at": orNull(Text3), "changes": listOf(NoticeChangeSchema), "source_ids": listOf(TEXT), "follows_notice_id": orNull(Text0), "corrects_notice_id": orNull(Text0), "draft": orNull(TEXT), "draft_sha256": orNull(Text26), "actor_id": orNull(TEXT), "public_key": orNull(TEXT), "signed_text": orNull(TEXT), "signature": orNull(TEXT), "acted_at": orNull(Text3), "published_at": Text3 })
const Values93 = oneOf("LATE_DATA", "SOURCE_CORRECTION", "TRADE_VOIDED", "RESOLUTION_CORRECTED", "WEIGHT_ERROR", "CODE_ERROR", "MAPPING_ERROR")
const RestatedLevelSchema = record({ "observation_id": Text0, "supersedes_id": orNull(Text0), "tick_at": Text3, "old_level": orNull(Text2), "new_level": orNull(Text2), "basis_points": orNull(TEXT), "quality_state": Values28 })
const RestatementSchema = record({ "proposal_id": Text0, "index_id": Text0, "change_class": Values74, "correction_reason": Values93, "starts_at": Text3, "ends_at": Text3, "known_at": Text3, "changes": listOf(RestatedLevelSchema), "act_id": orNull(Text0), "published_at": Text3 })
const Values96 = oneOf("received", "published", "assigned", "declined", "resolved")
const Values97 = oneOf("index", "market", "proposal", "rating", "severity", "notice", "other")
const Values98 = oneOf("upheld", "partly_upheld", "rejected")
const Values99 = oneOf("publish_notice", "publish_complaint", "decline_complaint", "assign_complaint", "resolve_complaint")
const ComplaintSchema = record({ "complaint_id": Text0, "revision": INTEGER, "state": Values96, "subject_kind": Values97, "subject_id": orNull(TEXT), "text": orNull(TEXT), "text_sha256": Text26, "is_redacted": BOOLEAN, "filed_at": Text3, "handler": orNull(TEXT), "outcome": orNull(Values98), "reason": orNull(TEXT), "proposal_id": orNull(Text0), "act": Values99, "actor_id": orNull(TEXT), "public_key": orNull(TEXT), "signed_text": orNull(TEXT), "signature": orNull(TEXT), "acted_at": orNull(Text3), "recorded_at": Text3, "published_at": Text3 })
const ComplaintWithHistorySchema = record({ "complaint_id": Text0, "revision": INTEGER, "state": Values96, "subject_kind": Values97, "subject_id": orNull(TEXT), "text": orNull(TEXT), "text_sha256": Text26, "is_redacted": BOOLEAN, "filed_at": Text3, "handler": orNull(TEXT), "outcome": orNull(Values98), "reason": orNull(TEXT), "proposal_id": orNull(Text0), "act": Values99, "actor_id": orNull(TEXT), "public_key": orNull(TEXT), "signed_text": orNull(TEXT), "signature": orNull(TEXT), "acted_at": orNull(Text3), "recorded_at": Text3, "published_at": Text3, "history": listOf(ComplaintSchema) })
const Values102 = oneOf("source_permitted", "venue_id", "category", "market_status", "time_to_resolution", "rating_band", "rating_score", "resolution_clarity", "source_reliability", "liquidity", "manipulation_resistance", "data_quality", "venue_operational_risk", "volume_24h", "open_interest", "liquidity_notional", "median_daily_volume", "spread", "venue_uptime")
const EligibilityRuleSchema = record({ "fact": Values102, "at_least": orNull(TEXT), "at_most": orNull(TEXT), "one_of": orNull(listOf(TEXT)), "age_max": orNull(TEXT) })
const EligibilityPolicySchema = record({ "policy_id": Text0, "version": INTEGER, "name": TEXT, "record_hash": Text26, "previous_hash": orNull(Text26), "proposal_id": orNull(Text0), "effective_from": orNull(Text3), "rules": listOf(EligibilityRuleSchema), "signed_content": TEXT, "published_at": orNull(Text3) })
const Values105 = oneOf("eligible", "ineligible", "unknown")
const EligibilityFactSchema = record({ "fact": Values102, "value": orNull(TEXT), "observed_at": orNull(Text3), "source_table": orNull(TEXT), "source_id": orNull(Text0) })
const MarketEligibilitySchema = record({ "market_id": Text0, "policy_id": Text0, "policy_version": INTEGER, "policy_hash": Text26, "status": Values105, "reason_codes": listOf(TEXT), "facts": listOf(EligibilityFactSchema), "facts_as_of": orNull(Text3), "decision_id": orNull(Text0), "revision": orNull(INTEGER), "published_at": orNull(Text3) })
const Values108 = oneOf("NOT_ELIGIBLE", "RANKING_FACT_UNKNOWN", "KEPT_BY_BUFFER", "RANK_BEYOND_COUNT", "VENUE_FULL", "EVENT_FULL")
const ProFormaConstituentSchema = record({ "constituent_id": Text0, "market_id": Text0, "outcome_id": Text0, "target_weight": Text2, "rank": INTEGER, "ranking_value": TEXT, "rating_id": orNull(Text0), "is_incumbent": BOOLEAN, "reason_codes": listOf(Values108), "facts": listOf(EligibilityFactSchema) })
const ProFormaCandidateSchema = record({ "market_id": Text0, "eligibility_status": Values105, "eligibility_reason_codes": listOf(TEXT), "rank": orNull(INTEGER), "ranking_value": orNull(TEXT), "is_incumbent": BOOLEAN, "is_selected": BOOLEAN, "reason_codes": listOf(Values108) })
const ProFormaSchema = record({ "pro_forma_id": Text0, "index_id": Text0, "index_version_id": Text0, "version": TEXT, "effective_from": Text3, "selected_as_of": Text3, "is_governed": BOOLEAN, "base_version_id": orNull(Text0), "methodology_id": Text0, "methodology_version": TEXT, "policy_id": Text0, "policy_version": INTEGER, "policy_hash": Text26, "definition": OBJECT, "constituents": listOf(ProFormaConstituentSchema), "candidates": listOf(ProFormaCandidateSchema), "record_hash": Text26, "published_at": Text3 })
const RatingComponentDefinitionSchema = record({ "name": TEXT, "minimum": Text2, "maximum": Text2, "higher_is_better": BOOLEAN, "weight": Text2, "required": BOOLEAN })
const MissingEvidencePolicySchema = record({ "required_components": listOf(TEXT), "minimum_weight": TEXT, "evidence_age_max_days": TEXT, "best_band_when_missing": Values50, "missing_is_zero": BOOLEAN })
const RatingMethodologySchema = record({ "methodology_id": Text0, "version": TEXT, "status": TEXT, "name": orNull(TEXT), "scale": listOf(Values50), "component_definitions": listOf(RatingComponentDefinitionSchema), "band_thresholds": OBJECT, "missing_evidence_policy": MissingEvidencePolicySchema, "document_uri": TEXT, "content_hash": Text25, "published_at": Text3, "supersedes_version": orNull(TEXT), "parameters": OBJECT, "text_sha256": Text26, "document": TEXT, "text_uri": TEXT })
const SeverityComponentDefinitionSchema = record({ "name": TEXT, "minimum": Text2, "maximum": Text2, "weight": Text2, "is_consequence": BOOLEAN })
const SeverityMethodologySchema = record({ "methodology_id": Text0, "version": TEXT, "status": TEXT, "name": orNull(TEXT), "scale": listOf(Values63), "component_definitions": listOf(SeverityComponentDefinitionSchema), "level_thresholds": OBJECT, "minimum_coverage": TEXT, "range_levels_max": TEXT, "evidence_hierarchy": OBJECT, "document_uri": TEXT, "content_hash": Text25, "published_at": Text3, "supersedes_version": orNull(TEXT), "parameters": OBJECT, "text_sha256": Text26, "document": TEXT, "text_uri": TEXT })
const SeverityIndexSchema = record({ "severity_index_id": Text0, "name": TEXT, "description": orNull(TEXT), "status": TEXT, "unit": TEXT, "active_version_id": orNull(Text0), "active_version": orNull(TEXT), "published_at": Text3 })
const ProofSchema = record({ "record_text": TEXT, "entry": TEXT, "index": INTEGER, "hashes": listOf(TEXT), "checkpoint": TEXT })

/** Schema of one record by the path below /v1, and whether the answer is a list of them. */
export const ANSWERS: Readonly<Record<string, readonly [schema: AnswerSchema, is_list: boolean]>> = {
  '/indexes': [IndexSchema, true],
  '/indexes/{index_id}': [IndexSchema, false],
  '/indexes/{index_id}/versions': [IndexVersionSchema, true],
  '/indexes/{index_id}/versions/{version_id}': [IndexVersionSchema, false],
  '/indexes/{index_id}/versions/{version_id}/constituents': [ConstituentSchema, true],
  '/methodologies/{methodology_id}/versions/{version}': [MethodologySchema, false],
  '/indexes/{index_id}/prices': [IndexObservationSchema, true],
  '/indexes/{index_id}/prices/{observation_id}': [IndexObservationSchema, false],
  '/markets': [MarketSchema, true],
  '/markets/{market_id}': [MarketSchema, false],
  '/markets/{market_id}/resolution': [ResolutionSchema, false],
  '/markets/{market_id}/resolution/history': [ResolutionSchema, true],
  '/markets/{market_id}/prices': [MarketObservationSchema, true],
  '/markets/{market_id}/prices/{observation_id}': [MarketObservationSchema, false],
  '/markets/{market_id}/trades': [TradeSchema, true],
  '/ratings': [MarketRatingSchema, true],
  '/severity-assessments': [SeverityAssessmentSchema, true],
  '/governance/roster': [RosterSchema, false],
  '/governance/policy': [PolicySchema, false],
  '/governance/proposals': [ProposalSchema, true],
  '/governance/proposals/{proposal_id}': [ProposalWithHistorySchema, false],
  '/governance/acts': [GovernanceActSchema, true],
  '/governance/notices': [NoticeSchema, true],
  '/governance/notices/{notice_id}': [NoticeSchema, false],
  '/governance/restatements': [RestatementSchema, true],
  '/governance/complaints': [ComplaintSchema, true],
  '/governance/complaints/{complaint_id}': [ComplaintWithHistorySchema, false],
  '/eligibility/policies': [EligibilityPolicySchema, true],
  '/eligibility/markets/{market_id}': [MarketEligibilitySchema, false],
  '/indexes/{index_id}/pro-forma': [ProFormaSchema, false],
  '/methodologies': [MethodologySchema, true],
  '/rating-methodologies': [RatingMethodologySchema, true],
  '/market-rating-methodologies': [RatingMethodologySchema, true],
  '/severity-methodologies': [SeverityMethodologySchema, true],
  '/ratings/{rating_id}': [MarketRatingSchema, false],
  '/severity-assessments/{assessment_id}': [SeverityAssessmentSchema, false],
  '/severity-indexes/{severity_index_id}': [SeverityIndexSchema, false],
  '/indexes/{index_id}/prices/{observation_id}/proof': [ProofSchema, false],
  '/indexes/{index_id}/versions/{version_id}/proof': [ProofSchema, false],
  '/indexes/{index_id}/versions/{version_id}/constituents/proof': [ProofSchema, false],
  '/methodologies/{methodology_id}/versions/{version}/proof': [ProofSchema, false],
  '/market-rating-methodologies/{methodology_id}/versions/{version}/proof': [ProofSchema, false],
  '/severity-methodologies/{methodology_id}/versions/{version}/proof': [ProofSchema, false],
  '/ratings/{rating_id}/proof': [ProofSchema, false],
  '/severity-assessments/{assessment_id}/proof': [ProofSchema, false],
  '/governance/roster/proof': [ProofSchema, false],
  '/governance/policy/proof': [ProofSchema, false],
  '/governance/proposals/{proposal_id}/proof': [ProofSchema, false],
  '/governance/acts/{act_id}/proof': [ProofSchema, false],
  '/governance/notices/{notice_id}/proof': [ProofSchema, false],
  '/governance/restatements/{proposal_id}/proof': [ProofSchema, false],
  '/governance/complaints/{complaint_id}/proof': [ProofSchema, false],
  '/governance/impacts/{change_id}/proof': [ProofSchema, false],
  '/eligibility/policies/{policy_id}/proof': [ProofSchema, false],
  '/indexes/{index_id}/pro-forma/proof': [ProofSchema, false],
}
