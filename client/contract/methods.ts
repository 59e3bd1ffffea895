import type { Call } from '../http/call.ts'
import type * as t from './types.ts'

/** Public operations of the contract as methods, made from the OpenAPI document by `npm run docs`. */
export type PublicMethods = {
  /** List indexes. */
  listIndexes(parameters?: { family?: string; status?: 'draft' | 'scheduled' | 'active' | 'suspended' | 'archived'; tag?: string; constituent_market_id?: string; expand?: readonly ('latest' | 'day')[]; as_of?: string; receipt?: boolean; limit?: number }, call?: Call): AsyncGenerator<t.Index>
  /** Get an index. */
  getIndex(parameters: { index_id: string; expand?: readonly ('latest' | 'day')[]; as_of?: string }, call?: Call): Promise<t.Index>
  /** List versions of an index. */
  listIndexVersions(parameters: { index_id: string; as_of?: string; receipt?: boolean; limit?: number }, call?: Call): AsyncGenerator<t.IndexVersion>
  /** Get a version of an index. */
  getIndexVersion(parameters: { index_id: string; version_id: string; as_of?: string; receipt?: boolean }, call?: Call): Promise<t.IndexVersion>
  /** List constituents of a version. */
  listConstituents(parameters: { index_id: string; version_id: string; expand?: readonly ('market' | 'outcomes' | 'venue')[]; as_of?: string; receipt?: boolean; limit?: number }, call?: Call): AsyncGenerator<t.Constituent>
  /** Get a version of a methodology. */
  getMethodology(parameters: { methodology_id: string; version: string; as_of?: string; receipt?: boolean }, call?: Call): Promise<t.Methodology>
  /** Latest level of an index. */
  getIndexPrice(parameters: { index_id: string; as_of?: string; receipt?: boolean }, call?: Call): Promise<t.IndexObservation>
  /** Levels of an index. */
  listIndexPrices(parameters: { index_id: string; start_time?: string; end_time?: string; time_domain?: 'published' | 'source' | 'calculated'; sampling?: 'raw' | 'latest_per_interval'; interval?: 'PT1M' | 'PT5M' | 'PT15M' | 'PT1H' | 'P1D'; quality_state?: 'valid' | 'indicative' | 'stale' | 'degraded' | 'suspended' | 'corrected'; include_corrections?: boolean; as_of?: string; limit?: number; expand?: readonly ('inputs' | 'quotes')[]; receipt?: boolean }, call?: Call): AsyncGenerator<t.IndexObservation>
  /** One level and how it was made. */
  getIndexObservation(parameters: { index_id: string; observation_id: string; expand?: readonly 'inputs'[]; as_of?: string; receipt?: boolean }, call?: Call): Promise<t.IndexObservation>
  /** Candles of an index. */
  listIndexCandles(parameters: { index_id: string; start_time: string; end_time: string; interval: 'PT1M' | 'PT5M' | 'PT15M' | 'PT1H' | 'P1D'; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.Candle>
  /** Missing-input bound and manipulation cost of a level. */
  getIndexRobustness(parameters: { index_id: string; observation_id?: string; as_of?: string; basis_points?: number }, call?: Call): Promise<t.LevelRobustness>
  /** Levels at which a notional could be traded. */
  getExecutableBand(parameters: { index_id: string; observation_id?: string; as_of?: string; notional: string }, call?: Call): Promise<t.ExecutableBand>
  /** Difference between two states of knowledge. */
  listKnowledgeChanges(parameters: { index_id: string; from_as_of: string; to_as_of: string; start_time?: string; end_time?: string; limit?: number }, call?: Call): AsyncGenerator<t.KnowledgeChange>
  /** Indexes under each outcome of a market, or its void. */
  listIndexPreviews(parameters: { market_id: string; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.IndexPreview>
  /** List events. */
  listEvents(parameters?: { status?: 'ongoing' | 'ended'; category?: string; region?: string; venue_id?: string; source_event_id?: string; q?: string; starts_after?: string; ends_before?: string; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.Event>
  /** Get an event. */
  getEvent(parameters: { event_id: string; as_of?: string }, call?: Call): Promise<t.Event>
  /** List markets. */
  listMarkets(parameters?: { event_id?: string; venue_id?: string; source_market_id?: string; q?: string; status?: 'scheduled' | 'open' | 'paused' | 'closed' | 'resolving' | 'resolved' | 'voided' | 'archived'; category?: string; outcome_type?: 'binary' | 'categorical'; index_id?: string; eligibility_status?: 'eligible' | 'ineligible'; resolution_after?: string; rating_band?: 'MR1' | 'MR2' | 'MR3' | 'MR4' | 'MR5' | 'NR'; sort?: 'updated' | 'title' | 'closes' | 'volume'; expand?: readonly ('price' | 'day' | 'rating')[]; as_of?: string; receipt?: boolean; limit?: number }, call?: Call): AsyncGenerator<t.Market>
  /** Get a market. */
  getMarket(parameters: { market_id: string; as_of?: string }, call?: Call): Promise<t.Market>
  /** Get the resolution of a market. */
  getMarketResolution(parameters: { market_id: string; evidence_id?: string; as_of?: string }, call?: Call): Promise<t.Resolution>
  /** List the revisions of a resolution. */
  listMarketResolutions(parameters: { market_id: string; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.Resolution>
  /** Newest quotes and marks of a market. */
  getMarketPrice(parameters: { market_id: string; as_of?: string }, call?: Call): Promise<t.MarketPrice>
  /** Observations of a market. */
  listMarketPrices(parameters: { market_id: string; start_time?: string; end_time?: string; time_domain?: 'published' | 'source' | 'calculated'; sampling?: 'raw' | 'latest_per_interval'; interval?: 'PT1M' | 'PT5M' | 'PT15M' | 'PT1H' | 'P1D'; quality_state?: 'valid' | 'indicative' | 'stale' | 'degraded' | 'suspended' | 'corrected'; include_corrections?: boolean; as_of?: string; limit?: number; field?: 'bid' | 'ask' | 'midpoint' | 'last_trade' | 'mark' | 'reported_probability'; outcome_id?: string; include_quoted_trades?: boolean }, call?: Call): AsyncGenerator<t.MarketObservation>
  /** One observation of a market. */
  getMarketObservation(parameters: { market_id: string; observation_id: string; as_of?: string }, call?: Call): Promise<t.MarketObservation>
  /** Candles of one outcome. */
  listMarketCandles(parameters: { market_id: string; start_time: string; end_time: string; interval: 'PT1M' | 'PT5M' | 'PT15M' | 'PT1H' | 'P1D'; as_of?: string; limit?: number; outcome_id: string; field: 'bid' | 'ask' | 'midpoint' | 'last_trade' | 'mark' }, call?: Call): AsyncGenerator<t.Candle>
  /** Order book of one outcome. */
  getOrderBook(parameters: { market_id: string; outcome_id: string; depth?: number; as_of?: string }, call?: Call): Promise<t.OrderBook>
  /** Public trades of a market. */
  listTrades(parameters: { market_id: string; outcome_id?: string; start_time?: string; end_time?: string; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.Trade>
  /** Rating of a market. */
  getMarketRating(parameters: { market_id: string; methodology_id?: string; assessment_kind?: 'committee' | 'analyst' | 'model'; expand?: readonly 'measured'[]; as_of?: string; receipt?: boolean }, call?: Call): Promise<t.MarketRating>
  /** List ratings of a market. */
  listMarketRatings(parameters: { market_id: string; start_time?: string; end_time?: string; published_after?: string; review_state?: readonly ('draft' | 'under_review' | 'approved' | 'superseded' | 'disputed' | 'withdrawn')[]; methodology_id?: string; include_withdrawn?: boolean; include_corrections?: boolean; expand?: readonly 'measured'[]; as_of?: string; receipt?: boolean; limit?: number; band?: 'MR1' | 'MR2' | 'MR3' | 'MR4' | 'MR5' | 'NR' }, call?: Call): AsyncGenerator<t.MarketRating>
  /** List ratings of all markets. */
  listRatings(parameters?: { start_time?: string; end_time?: string; published_after?: string; review_state?: readonly ('draft' | 'under_review' | 'approved' | 'superseded' | 'disputed' | 'withdrawn')[]; methodology_id?: string; include_withdrawn?: boolean; include_corrections?: boolean; expand?: readonly 'measured'[]; as_of?: string; receipt?: boolean; limit?: number; band?: 'MR1' | 'MR2' | 'MR3' | 'MR4' | 'MR5' | 'NR' }, call?: Call): AsyncGenerator<t.MarketRating>
  /** Get a version of a rating methodology. */
  getRatingMethodology(parameters: { methodology_id: string; version: string; as_of?: string }, call?: Call): Promise<t.RatingMethodology>
  /** Severity of an event. */
  getEventSeverity(parameters: { event_id: string; assessment_type: 'observed' | 'forecast'; expand?: readonly 'measured'[]; as_of?: string }, call?: Call): Promise<t.SeverityAssessment>
  /** List severity assessments of an event. */
  listEventSeverity(parameters: { event_id: string; assessment_type?: 'observed' | 'forecast'; start_time?: string; end_time?: string; published_after?: string; review_state?: readonly ('draft' | 'under_review' | 'approved' | 'superseded' | 'disputed' | 'withdrawn')[]; methodology_id?: string; include_withdrawn?: boolean; include_corrections?: boolean; expand?: readonly 'measured'[]; as_of?: string; receipt?: boolean; limit?: number; level?: 'SEV-0' | 'SEV-1' | 'SEV-2' | 'SEV-3' | 'SEV-4' | 'SEV-5' | 'UNKNOWN' }, call?: Call): AsyncGenerator<t.SeverityAssessment>
  /** List severity assessments of all events. */
  listSeverityAssessments(parameters?: { assessment_type?: 'observed' | 'forecast'; start_time?: string; end_time?: string; published_after?: string; review_state?: readonly ('draft' | 'under_review' | 'approved' | 'superseded' | 'disputed' | 'withdrawn')[]; methodology_id?: string; include_withdrawn?: boolean; include_corrections?: boolean; expand?: readonly 'measured'[]; as_of?: string; receipt?: boolean; limit?: number; level?: 'SEV-0' | 'SEV-1' | 'SEV-2' | 'SEV-3' | 'SEV-4' | 'SEV-5' | 'UNKNOWN' }, call?: Call): AsyncGenerator<t.SeverityAssessment>
  /** List severity indexes. */
  listSeverityIndexes(parameters?: { as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.SeverityIndex>
  /** Get a version of a severity index. */
  getSeverityIndexVersion(parameters: { severity_index_id: string; version: string; as_of?: string }, call?: Call): Promise<t.SeverityIndexVersion>
  /** Latest value of a severity index. */
  getSeverityIndexValue(parameters: { severity_index_id: string; expand?: readonly 'inputs'[]; as_of?: string }, call?: Call): Promise<t.SeverityIndexValue>
  /** Values of a severity index. */
  listSeverityIndexValues(parameters: { severity_index_id: string; start_time?: string; end_time?: string; time_domain?: 'published' | 'source' | 'calculated'; quality_state?: 'valid' | 'degraded' | 'suspended'; include_corrections?: boolean; expand?: readonly 'inputs'[]; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.SeverityIndexValue>
  /** Get a version of a severity methodology. */
  getSeverityMethodology(parameters: { methodology_id: string; version: string; as_of?: string }, call?: Call): Promise<t.SeverityMethodology>
  /** Roster in force. */
  getGovernanceRoster(parameters?: { version?: number; as_of?: string; receipt?: boolean }, call?: Call): Promise<t.Roster>
  /** Policy in force. */
  getGovernancePolicy(parameters?: { version?: number; as_of?: string; receipt?: boolean }, call?: Call): Promise<t.Policy>
  /** List proposals. */
  listGovernanceProposals(parameters?: { kind?: 'roster' | 'policy' | 'eligibility_policy' | 'index_version' | 'index_adoption' | 'index_status' | 'cessation' | 'methodology' | 'restatement'; state?: 'draft' | 'proposed' | 'consulting' | 'approved' | 'queued' | 'effective' | 'rejected' | 'cancelled' | 'vetoed' | 'expired' | 'lapsed'; as_of?: string; receipt?: boolean; limit?: number }, call?: Call): AsyncGenerator<t.Proposal>
  /** Get a proposal with its history. */
  getGovernanceProposal(parameters: { proposal_id: string; as_of?: string }, call?: Call): Promise<t.ProposalWithHistory>
  /** Get the impact of a change. */
  getGovernanceImpact(parameters: { change_id: string; as_of?: string }, call?: Call): Promise<t.Impact>
  /** List signed acts. */
  listGovernanceActs(parameters?: { outcome?: 'recorded' | 'refused'; subject_id?: string; as_of?: string; receipt?: boolean; limit?: number }, call?: Call): AsyncGenerator<t.GovernanceAct>
  /** Get a signed act. */
  getGovernanceAct(parameters: { act_id: string; as_of?: string; receipt?: boolean }, call?: Call): Promise<t.GovernanceAct>
  /** List notices. */
  listGovernanceNotices(parameters?: { kind?: 'announcement' | 'correction' | 'degraded_service' | 'cessation' | 'complaint_outcome' | 'drift'; index_id?: string; since?: string; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.Notice>
  /** Get a notice. */
  getGovernanceNotice(parameters: { notice_id: string; as_of?: string }, call?: Call): Promise<t.Notice>
  /** List late restatements. */
  listRestatements(parameters?: { index_id?: string; since?: string; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.Restatement>
  /** Get a late restatement. */
  getRestatement(parameters: { proposal_id: string; as_of?: string }, call?: Call): Promise<t.Restatement>
  /** List what is due. */
  listGovernanceCalendar(parameters?: { kind?: 'rebalance' | 'fixing' | 'final_value' | 'comment_end' | 'vote_end' | 'notice_end' | 'emergency_lapse' | 'roster_expiry' | 'policy_expiry' | 'rating_expiry'; index_id?: string; start_time?: string; end_time?: string; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.CalendarEntry>
  /** List the rules of markets as they changed. */
  listRuleChanges(parameters?: { kind?: 'archived' | 'changed'; venue_id?: string; market_id?: string; index_id?: string; since?: string; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.RuleChange>
  /** List complaints. */
  listComplaints(parameters?: { state?: 'received' | 'published' | 'assigned' | 'declined' | 'resolved'; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.Complaint>
  /** File a complaint. */
  fileComplaint(body: t.ComplaintRequest, call?: Call): Promise<t.ComplaintReceipt>
  /** Get a complaint with its history. */
  getComplaint(parameters: { complaint_id: string; as_of?: string }, call?: Call): Promise<t.ComplaintWithHistory>
  /** List eligibility policies. */
  listEligibilityPolicies(parameters?: { policy_id?: string; as_of?: string; limit?: number }, call?: Call): AsyncGenerator<t.EligibilityPolicy>
  /** Get an eligibility policy. */
  getEligibilityPolicy(parameters: { policy_id: string; version?: number; as_of?: string }, call?: Call): Promise<t.EligibilityPolicy>
  /** Eligibility of a market. */
  getMarketEligibility(parameters: { market_id: string; policy_id?: string; version?: number; as_of?: string }, call?: Call): Promise<t.MarketEligibility>
  /** Eligibility of the constituents of an index. */
  getIndexEligibility(parameters: { index_id: string; as_of?: string }, call?: Call): Promise<t.IndexEligibility>
  /** Newest announced composition of an index. */
  getIndexProForma(parameters: { index_id: string; effective_from?: string; as_of?: string }, call?: Call): Promise<t.ProForma>
  /** List index methodologies. */
  listMethodologies(parameters?: { methodology_id?: string; as_of?: string; receipt?: boolean; limit?: number }, call?: Call): AsyncGenerator<t.Methodology>
  /** List rating methodologies. */
  listRatingMethodologies(parameters?: { methodology_id?: string; as_of?: string; receipt?: boolean; limit?: number }, call?: Call): AsyncGenerator<t.RatingMethodology>
  /** List severity methodologies. */
  listSeverityMethodologies(parameters?: { methodology_id?: string; as_of?: string; receipt?: boolean; limit?: number }, call?: Call): AsyncGenerator<t.SeverityMethodology>
  /** Get a rating by its id. */
  getRating(parameters: { rating_id: string; expand?: readonly 'measured'[]; as_of?: string; receipt?: boolean }, call?: Call): Promise<t.MarketRating>
  /** Get a severity assessment by its id. */
  getSeverityAssessment(parameters: { assessment_id: string; expand?: readonly 'measured'[]; as_of?: string; receipt?: boolean }, call?: Call): Promise<t.SeverityAssessment>
  /** Get a severity index. */
  getSeverityIndex(parameters: { severity_index_id: string; as_of?: string }, call?: Call): Promise<t.SeverityIndex>
  /** Get a record that another one derives from. */
  getObservation(parameters: { observation_id: string; as_of?: string }, call?: Call): Promise<t.FoundObservation>
  /** Payloads that a quote or trade was read from. */
  getObservationPayloads(parameters: { observation_id: string; content_hash?: string }, call?: Call): Promise<t.ObservationPayloads>
  /** Newest quotes and marks of several markets. */
  listLatestPrices(parameters: { market_ids: readonly string[]; as_of?: string }, call?: Call): AsyncGenerator<t.MarketPriceResult>
  /** Proof of a level with its inputs. */
  getIndexObservationProof(parameters: { index_id: string; observation_id: string }, call?: Call): Promise<t.Proof>
  /** Proof of a version of an index. */
  getIndexVersionProof(parameters: { index_id: string; version_id: string }, call?: Call): Promise<t.Proof>
  /** Proof of the constituents of a version. */
  getConstituentsProof(parameters: { index_id: string; version_id: string }, call?: Call): Promise<t.Proof>
  /** Proof of a version of a methodology. */
  getMethodologyProof(parameters: { methodology_id: string; version: string }, call?: Call): Promise<t.Proof>
  /** Proof of a version of a rating methodology. */
  getRatingMethodologyProof(parameters: { methodology_id: string; version: string }, call?: Call): Promise<t.Proof>
  /** Proof of a version of a severity methodology. */
  getSeverityMethodologyProof(parameters: { methodology_id: string; version: string }, call?: Call): Promise<t.Proof>
  /** Proof of a rating. */
  getRatingProof(parameters: { rating_id: string }, call?: Call): Promise<t.Proof>
  /** Proof of a severity assessment. */
  getSeverityAssessmentProof(parameters: { assessment_id: string }, call?: Call): Promise<t.Proof>
  /** Proof of a roster. */
  getGovernanceRosterProof(parameters?: { version?: number }, call?: Call): Promise<t.Proof>
  /** Proof of a policy. */
  getGovernancePolicyProof(parameters?: { version?: number }, call?: Call): Promise<t.Proof>
  /** Proof of a state of a proposal. */
  getGovernanceProposalProof(parameters: { proposal_id: string; revision?: number }, call?: Call): Promise<t.Proof>
  /** Proof of an act of governance, or a refused one. */
  getGovernanceActProof(parameters: { act_id: string }, call?: Call): Promise<t.Proof>
  /** Proof of a notice. */
  getGovernanceNoticeProof(parameters: { notice_id: string }, call?: Call): Promise<t.Proof>
  /** Proof of a late restatement. */
  getRestatementProof(parameters: { proposal_id: string }, call?: Call): Promise<t.Proof>
  /** Proof of an act on a complaint. */
  getComplaintProof(parameters: { complaint_id: string; revision?: number }, call?: Call): Promise<t.Proof>
  /** Proof of an impact report, in the act that signed it. */
  getGovernanceImpactProof(parameters: { change_id: string; runner?: string }, call?: Call): Promise<t.Proof>
  /** Proof of an eligibility policy. */
  getEligibilityPolicyProof(parameters: { policy_id: string; version?: number }, call?: Call): Promise<t.Proof>
  /** Proof of an announced composition, with every candidate of its selection. */
  getIndexProFormaProof(parameters: { index_id: string; effective_from?: string }, call?: Call): Promise<t.Proof>
  /** The service's clock. */
  getTime(parameters?: Record<never, never>, call?: Call): Promise<t.ServiceTime>
  /** Limits, intervals, depths, topics and versions. */
  getCapabilities(parameters?: Record<never, never>, call?: Call): Promise<t.Capabilities>
}
