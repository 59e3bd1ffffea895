/** Resources and requests of the contract, made from the OpenAPI document by `npm run docs`. */

export type ChangeClass = 'text' | 'parameter' | 'material' | 'scheduled_rebalance' | 'late_restatement' | 'emergency' | 'cessation' | 'policy' | 'roster'

export type ComplaintAct = 'publish_notice' | 'publish_complaint' | 'decline_complaint' | 'assign_complaint' | 'resolve_complaint'

export type ComplaintOutcome = 'upheld' | 'partly_upheld' | 'rejected'

export type ComplaintState = 'received' | 'published' | 'assigned' | 'declined' | 'resolved'

export type ComplaintSubject = 'index' | 'market' | 'proposal' | 'rating' | 'severity' | 'notice' | 'other'

export type DepthReason = 'DEPTH_NOT_STORED' | 'DEPTH_NOT_OF_TICK' | 'DEPTH_CROSSED' | 'DEPTH_INSUFFICIENT' | 'MARK_NOT_FROM_BOOK' | 'PRICE_UNIT_NOT_PROBABILITY' | 'SEVERAL_LEGS'

export type EligibilityFactName = 'source_permitted' | 'venue_id' | 'category' | 'market_status' | 'time_to_resolution' | 'rating_band' | 'rating_score' | 'resolution_clarity' | 'source_reliability' | 'liquidity' | 'manipulation_resistance' | 'data_quality' | 'venue_operational_risk' | 'volume_24h' | 'open_interest' | 'liquidity_notional' | 'median_daily_volume' | 'spread' | 'venue_uptime'

export type EligibilityStatus = 'eligible' | 'ineligible' | 'unknown'

export type GovernanceRole = 'analyst' | 'committee' | 'observer' | 'oversight' | 'operator' | 'runner' | 'administrator'

export type LevelBandReason = DepthReason | 'LEVEL_ZERO'

export type LimitTierName = 'standard' | 'advanced' | 'market_maker'

export type MarketStatus = 'scheduled' | 'open' | 'paused' | 'closed' | 'resolving' | 'resolved' | 'voided' | 'archived'

export type OrderStatus = 'received' | 'validated' | 'rejected' | 'open' | 'partially_filled' | 'filled' | 'cancel_pending' | 'canceled' | 'expired' | 'suspended' | 'failed'

export type ProposalKind = 'roster' | 'policy' | 'eligibility_policy' | 'index_version' | 'index_adoption' | 'index_status' | 'cessation' | 'methodology' | 'restatement'

export type ProposalState = 'draft' | 'proposed' | 'consulting' | 'approved' | 'queued' | 'effective' | 'rejected' | 'cancelled' | 'vetoed' | 'expired' | 'lapsed'

export type QualityState = 'valid' | 'indicative' | 'stale' | 'degraded' | 'suspended' | 'corrected'

export type RatingBand = 'MR1' | 'MR2' | 'MR3' | 'MR4' | 'MR5' | 'NR'

export type RebalanceReason = 'NOT_ELIGIBLE' | 'RANKING_FACT_UNKNOWN' | 'KEPT_BY_BUFFER' | 'RANK_BEYOND_COUNT' | 'VENUE_FULL' | 'EVENT_FULL'

export type ReviewState = 'draft' | 'under_review' | 'approved' | 'superseded' | 'disputed' | 'withdrawn'

export type SelfTradePrevention = 'cancel_taker' | 'cancel_maker' | 'cancel_both'

export type SettlementState = 'pending' | 'submitted' | 'confirmed' | 'failed' | 'reversed' | 'redeemable' | 'redeemed'

export type SeverityLevel = 'SEV-0' | 'SEV-1' | 'SEV-2' | 'SEV-3' | 'SEV-4' | 'SEV-5' | 'UNKNOWN'

export type SignatureType = 'eoa' | 'erc1271' | 'erc1271_erc7739'

export type TerminalReason = 'FOK_NOT_FILLED' | 'FAK_NO_FILL' | 'FAK_REMAINDER' | 'SELF_TRADE_PREVENTION' | 'REPLACED' | 'MARKET_CLOSED' | 'REDUCE_ONLY' | 'RISK_ACTION' | 'EXPIRED' | 'USER_CANCELED' | 'CANCEL_ALL' | 'CANCEL_AFTER' | 'CANCEL_ON_PAUSE' | 'MARKET_MAKER_PROTECTION' | 'INTERNAL_FAILURE'

export type TimeInForce = 'GTC' | 'GTD' | 'FOK' | 'FAK'

export type WebhookDeliveryType = WebhookEventType | 'webhook.test'

export type WebhookEventType = 'settlement.created' | 'settlement.confirmed' | 'settlement.failed' | 'settlement.reversed' | 'settlement.adjusted' | 'payout.created' | 'payout.confirmed' | 'payout.failed' | 'payout.reversed' | 'payout_correction.created' | 'payout_correction.confirmed' | 'payout_correction.failed' | 'payout_correction.reversed' | 'adjustment.created' | 'transfer.requested' | 'transfer.held' | 'transfer.confirmed' | 'transfer.failed' | 'transfer.canceled' | 'order.canceled' | 'order.failed' | 'account.suspended' | 'account.resumed' | 'account.cancel_after_fired' | 'api_key.created' | 'api_key.rotated' | 'api_key.revoked' | 'market.paused' | 'market.resumed' | 'market.closed' | 'market.resolved' | 'market.voided' | 'webhook.created' | 'webhook.updated' | 'webhook.secret_rotated' | 'webhook.disabled' | 'webhook.deleted'

export type AccountPolicy = { account_id: string; policy_id: string; policy_version: number; default_self_trade_prevention: SelfTradePrevention; reduce_only_crossing: 'cap' | 'reject'; position_limit: string | null; price_band: string | null; limit_tier: LimitTierName; max_open_orders: number; max_open_orders_per_market: number; collateral: CollateralPolicy; blocked: boolean; cancel_after_ms: number | null; cancel_after_at: string | null }

export type AccountSummary = { account_id: string; as_of: string; assets: AssetSummary[]; markets: MarketExposure[]; events: EventExposure[]; exposures_left_out: number }

export type Adjustment = { adjustment_id: string; fill_id: string; account_id: string; adjustment_type: 'bust' | 'amend'; quantity_delta: string; notional_delta: string; fee_delta: string; reason_code: string; rationale: string; evidence: string[]; actor: string; approval: Approval; effective_at: string; published_at: string; supersedes_adjustment_id: string | null; engine_sequence: number }

export type AmendBatchRequest = { orders: AmendTarget[] }

export type AmendItem = { index: number; status: 'accepted' | 'rejected'; order: Order | null; error: Error | null; order_id: string; replacement: Order | null }

/** The new intent whole, with a client_order_id and nonce of its own. */
export type AmendRequest = OrderRequest & { expected_order_version: number }

/** The order to replace, and the new intent whole. */
export type AmendTarget = AmendRequest & { order_id: string }

export type AmendedOrder = Order & { replacement: Order }

export type ApiKey = { key_id: string; account_id: string; environment: string; label: string; algorithm: 'hmac-sha256' | 'ed25519'; public_key: string | null; scopes: string[]; ip_allowlist: string[]; status: 'active' | 'rotating' | 'revoked' | 'expired'; secret_version: number; previous_valid_until: string | null; created_at: string; expires_at: string | null; revoked_at: string | null; revoke_reason: string | null; last_used_at: string | null }

export type Approval = { approved_by: string; approved_at: string }

export type AssetSummary = { asset_id: string; total: string; buying_power: string; reserved: string; withdrawal_hold: string; pending_settlement_debit: string; pending_settlement_credit: string; holdings_value: string | null; projected_equity: string | null; missing_mark_outcome_ids: string[]; pnl: PeriodPnl[] }

export type Balance = { balance_id: string; account_id: string; asset_id: string; total: string; available: string; reserved: string; pending_settlement_credit: string; pending_settlement_debit: string; withdrawal_hold: string; projection_version: number; ledger_sequence: number; engine_sequence: number; as_of: string }

export type BandLeg = { constituent_id: string; quantity: string | null; average_price: string | null; reason: DepthReason | null }

export type BandSide = { level: string | null; reason: LevelBandReason | null; legs: BandLeg[] }

export type BatchItem = { index: number; status: 'accepted' | 'rejected'; order: Order | null; error: Error | null; order_id: string | null }

export type BookAtTick = { market_id: string; outcome_id: string; price_unit: string; source_at: string; published_at: string }

export type BookLevel = { price: string; quantity: string; order_count: number | null; derived: boolean; parts: BookPart[] }

export type BookPart = { quantity: string; order_count: number | null; derived: boolean; derivation_rule: string | null }

export type CalendarEntry = { entry_id: string; kind: 'rebalance' | 'fixing' | 'final_value' | 'comment_end' | 'vote_end' | 'notice_end' | 'emergency_lapse' | 'roster_expiry' | 'policy_expiry' | 'rating_expiry'; at: string; title: string; subject_id: string; index_id: string | null; market_id: string | null; published_at: string }

export type CancelAfter = { account_id: string; timeout_ms: number | null; cancel_at: string | null }

export type CancelAfterRequest = { timeout_ms: 0 | number }

/** Either scope, or at least one of market_id, index_id, venue_id, cancel_on_pause_only. */
export type CancelAllRequest = { account_id: string; scope?: 'all_open_orders'; market_id?: string; index_id?: string; venue_id?: string; cancel_on_pause_only?: boolean; client_cancel_id?: string | null; reason?: string | null }

export type CancelAllResult = { command_id: string; scope: Record<string, string | boolean>; targeted_count: number; pending_count: number; orders: CanceledOrder[]; failures: CancelFailure[]; engine_cutoff_sequence: number; resume_cursor: ResumeCursor }

export type CancelBatchRequest = { orders: CancelTarget[]; client_cancel_id?: string | null; reason?: string | null }

export type CancelFailure = { order_id: string; error: Error }

export type CancelRequest = { expected_order_version?: number | null; client_cancel_id?: string | null; reason?: string | null }

/** An order by exactly one of order_id, client_order_id. */
export type CancelTarget = { order_id?: string; client_order_id?: string; expected_order_version?: number | null }

export type CancelTransferRequest = { reason?: string | null }

export type CanceledOrder = { order_id: string; status: OrderStatus; canceled_quantity: string; filled_quantity: string; engine_sequence: number }

export type Candle = { bucket_start: string; bucket_end: string; open: string; high: string; low: string; close: string; observation_count: number; coverage_ratio_min: string | null; volume: string | null; quality_states: QualityState[]; methodology_version: string | null; published_at: string; final: boolean }

export type Capabilities = { api_version: string; schema_version: string; environment: string; page_size: { default: number; max: number }; order_book_depth: { default: number; max: number }; candle_intervals: string[]; candle_buckets_max: number; body_bytes_max: number; json_depth_max: number; max_open_orders: number; max_open_orders_per_market: number; open_order_limits: OpenOrderLimits[]; limit_classes: LimitClass[]; costs: EndpointCost[]; limits: Limit[]; topics: TopicCapability[]; signed_requests: SignedRequests; stream: { heartbeat_ms: number; subscriptions_max: number; connections_per_address_max: number; anonymous_per_address_max: number; subscriptions_per_address_max: number; snapshot_bytes: { rate: number; burst: number }; message_bytes_max: number; request_bytes_max: number; requests_in_flight_max: number; buffered_bytes_max: number; messages: { rate: number; burst: number }; connections_per_account_max: number; subscribes_per_key: { rate: number; burst: number }; snapshot_max: number; snapshot_fills_max: number }; venues: { venue_id: string; prices_public: boolean; trades_public: boolean; index_eligible: boolean; simulated: boolean }[]; first_published_at: string | null }

export type ChangeClassRule = { change_class: ChangeClass; committee: number; oversight: number; comment: string; vote: string; notice: string; impact?: 'required' }

export type ChangedFact = { fact: string; at_selection: string | null; now: string | null }

export type ChangedInput = { constituent_id: string; changed_fields: string[]; before: IndexInput | null; after: IndexInput | null }

export type CollateralPolicy = { policy: 'fully_collateralized'; version: number; cross_margin: boolean }

export type Complaint = { complaint_id: string; revision: number; state: ComplaintState; subject_kind: ComplaintSubject; subject_id: string | null; text: string | null; text_sha256: string; is_redacted: boolean; filed_at: string; handler: string | null; outcome: ComplaintOutcome | null; reason: string | null; proposal_id: string | null; act: ComplaintAct; actor_id: string | null; public_key: string | null; signed_text: string | null; signature: string | null; acted_at: string | null; recorded_at: string; published_at: string }

export type ComplaintReceipt = { complaint_id: string; state: 'received'; filed_at: string; text_sha256: string }

export type ComplaintRequest = { subject_kind: ComplaintSubject; subject_id: string | null; text: string; contact?: string | null }

export type ComplaintWithHistory = Complaint & { history: Complaint[] }

export type Constituent = { constituent_id: string; index_version_id: string; market_id: string | null; outcome_id: string | null; target_weight: string; effective_weight_at_publication: string; weight_cap: string | null; normalization: string; eligibility_status: string; eligibility_reason_codes: string[]; rating_assessment_id_at_selection: string | null; market_mapping: MarketMapping | null; legs: ConstituentLeg[]; definition: Record<string, unknown>; market?: Market | null; outcomes?: MarketOutcome[] | null; venue?: Venue | null }

export type ConstituentEligibility = { constituent_id: string; market_id: string; status_at_selection: string; rating_assessment_id_at_selection: string | null; status: EligibilityStatus; reason_codes: string[]; facts: EligibilityFact[]; changed_facts: ChangedFact[]; decision_id: string | null; facts_as_of: string | null }

export type ConstituentLeg = { market_id: string; outcome_id: string; venue_id: string; source_series_id: string | null; source_market_id: string; pool_weight: string | null }

export type ContentDifference = { path: string; before: string | null; after: string | null }

export type CreateKeyRequest = { key_id: string; environment: string; label: string; algorithm: 'hmac-sha256' | 'ed25519'; public_key?: string | null; scopes: ('market_data:read' | 'account:read' | 'orders:read' | 'orders:write' | 'settlement:read' | 'transfers:write' | 'webhooks:write' | 'keys:read' | 'keys:write')[]; ip_allowlist?: string[]; expires_at?: string | null; authorization: SvcApiAuthorization; authorization_signature: string; signature_type: SignatureType; signed_message?: Record<string, string | number | boolean> | null }

export type CreateWebhookRequest = { url: string; event_types: WebhookEventType[]; description?: string | null }

export type DeletedWebhook = { webhook_id: string; deleted_at: string }

export type Derivation = { field: string; derivation_rule: string; source_observation_ids: string[] }

export type Dispute = { dispute_id: string; state: 'open' | 'upheld' | 'rejected'; filer: string; basis: string | null; decision: string | null; filed_at: string; decided_at: string | null }

export type Eligibility = { status: 'eligible' | 'ineligible'; policy_id: string; policy_version: number; reason_codes: string[]; evaluated_at: string }

export type EligibilityFact = { fact: EligibilityFactName; value: string | null; observed_at: string | null; source_table: string | null; source_id: string | null }

export type EligibilityPolicy = { policy_id: string; version: number; name: string; record_hash: string; previous_hash: string | null; proposal_id: string | null; effective_from: string | null; rules: EligibilityRule[]; signed_content: string; published_at: string | null }

export type EligibilityRule = { fact: EligibilityFactName; at_least: string | null; at_most: string | null; one_of: string[] | null; age_max: string | null }

export type EndedQuote = { order_id: string; client_order_id: string; status: OrderStatus; terminal_reason: TerminalReason | null; canceled_quantity: string; filled_quantity: string; engine_sequence: number }

/** Cost_each: name of the list in the body whose items each cost `cost`; rows_each: number of rows that `cost` covers, each further part of `limit` costs as much again, null: rows cost nothing; bytes_each: bytes of the answer that one token covers, where that is more than its cost, null: bytes cost nothing; scope: scope that the key needs, null: no key is needed. */
export type EndpointCost = { method: string; path: string; limit_class: string; cost: number; cost_each: string | null; rows_each: number | null; bytes_each: number | null; scope: string | null }

export type EquityPoint = { at: string; asset_id: string; cash: string; holdings_value: string | null; equity: string | null; net_deposits: string; missing_mark_outcome_ids: string[] }

export type Error = { code: string; message: string; retryable: boolean; request_id: string; field_violations?: FieldViolation[]; retry_after_ms?: number; server_time_ms?: number; digest?: string; domain_separator?: string; expected_signer?: string; recovered_signer?: string; first_differing_field?: string; expected_value?: string; signed_value?: string; signed_domain_separator?: string; contents_hash?: string; contract_result?: string }

export type ErrorEnvelope = { error: Error }

export type Event = { event_id: string; slug: string | null; title: string; description: string | null; category: string | null; regions: string[]; status: string | null; event_start: string | null; event_end: string | null; market_ids: string[]; source_mappings: SourceMapping[]; created_at: string | null; updated_at: string }

export type EventExposure = { event_id: string; asset_id: string; net_value: string | null; gross_value: string | null; reserved: string; missing_mark_outcome_ids: string[] }

export type EventRelevance = { event_id: string; relevance: string }

export type EventTimeWindow = { start: string; end: string | null }

export type Evidence = { evidence_id: string; kind: string; source_uri: string | null; observed_at: string | null; content_hash: string | null }

export type EvidenceItem = { evidence_id: string; kind: string; source_uri: string | null; observed_at: string | null; content_hash: string | null; component: string | null; tier: 'A' | 'B' | 'C' | 'D' | null; measured?: string | null }

export type Exceedance = { level: SeverityLevel; probability: string }

export type ExcludedInput = { constituent_id: string; observation_id: string | null; rule: string; raw_value: string | null; reference_value: string | null; threshold: string | null }

export type ExecutableBand = { index_id: string; observation_id: string; index_version_id: string; methodology_id: string; methodology_version: string; tick_at: string; published_at: string; level: string | null; quality_state: QualityState; reason: 'NO_LEVEL' | null; books: BookAtTick[]; notional: string; bid: BandSide | null; ask: BandSide | null }

export type FeeSchedule = { schedule_id: string; schedule_version: number; taker_rate: string; maker_rate: string; effective_from: string; superseded_at: string | null; market_count: number }

export type FieldViolation = { field: string; code: string; message: string; value?: string | null }

export type Fill = { fill_id: string; trade_id: string; order_id: string; client_order_id: string; account_id: string; market_id: string; outcome_id: string; side: 'BUY' | 'SELL'; price: string; quantity: string; notional: string; liquidity_role: 'maker' | 'taker'; closed_quantity: string | null; segments: FillSegment[] | null; fee: FillFee; counterparty_type: 'participant'; engine_sequence: number; matched_at: string; matched_at_ts_ms: number; published_at: string; settlement_id: string; settlement_state: SettlementState; adjustment_ids: string[]; schema_version: string }

/** Busted_quantity: filled and undone later; filled, busted and remaining quantity add up to the order. */
export type FillBound = { fills: WouldBeFill[]; fills_omitted: number; filled_quantity: string; busted_quantity: string; remaining_quantity: string; completed_at: string | null }

export type FillFee = { amount: string; asset_id: string; rate: string; schedule_id: string; schedule_version: number }

export type FillSegment = { match_kind: 'merge' | 'transfer' | 'mint'; outcome_id: string | null; quantity: string }

export type FoundObservation = { observation_id: string; kind: 'index_observation' | 'market_observation' | 'resolution' | 'severity_index_value' | 'trade'; record: IndexObservation | MarketObservation | Resolution | SeverityIndexValue | Trade }

export type GovernanceAct = { act_id: string; outcome: 'recorded' | 'refused'; act: 'attest' | 'draft' | 'propose' | 'vote' | 'comment' | 'recuse' | 'veto' | 'cancel' | 'ratify' | 'approve' | 'reject' | 'queue' | 'activate' | 'expire' | 'lapse' | 'publish_notice' | 'publish_complaint' | 'decline_complaint' | 'assign_complaint' | 'resolve_complaint' | null; subject_id: string | null; actor_id: string | null; roles: GovernanceRole[]; public_key: string | null; signed_text: string; signature: string | null; acted_at: string | null; recorded_at: string | null; code: string | null; message: string | null; published_at: string }

export type GovernanceVote = { actor_id: string; choice: 'approve' | 'dissent'; public_key: string; acted_at: string }

export type GovernanceVoteWithReason = { actor_id: string; choice: 'approve' | 'dissent'; public_key: string; acted_at: string; reason: string | null }

export type Impact = { change_id: string; kind: 'index_version' | 'methodology' | 'eligibility_policy' | 'index_status' | 'cessation'; target_id: string; index_id: string | null; base_hash: string | null; content_hash: string; agreement: 'one_runner' | 'agreed' | 'disputed'; impact_digest: string | null; change_class: ChangeClass | null; attestations: ImpactAttestation[]; reports: ImpactReport[]; published_at: string }

export type ImpactAttestation = { runner: string; engine: 'exact' | 'reference'; impact_digest: string; change_class: ChangeClass; is_latest: boolean; act_id: string; acted_at: string; published_at: string }

export type ImpactReport = { impact_digest: string; report: string }

export type Index = { index_id: string; slug: string; symbol: string; name: string; description: string | null; family: string | null; status: 'draft' | 'scheduled' | 'active' | 'suspended' | 'archived'; unit: string; base_value: string; base_date: string; active_version_id: string | null; tags: string[]; simulated: boolean; created_at: string; updated_at: string; latest?: LatestLevel | null; day?: IndexDay | null }

export type IndexDay = { start_time: string; end_time: string; interval: string; levels: (string | null)[]; base_level: string | null; base_at: string | null; change: string | null }

export type IndexEligibility = { index_id: string; index_version_id: string | null; policy_id: string; policy_version: number; constituents: ConstituentEligibility[]; removals: string[] }

export type IndexInput = { constituent_id: string; market_id: string | null; outcome_id: string | null; source_observation_id: string | null; target_weight: string; weight_applied: string | null; normalization: string; raw_value: string | null; normalized_value: string | null; freshness_class: string; mark_rule: string | null; exclusion_reason: string | null; contribution: string | null; provisional: boolean; pending: boolean; reason_codes: string[]; legs: InputLeg[] }

export type IndexObservation = { observation_id: string; revision: number; supersedes_id: string | null; correction_reason: string | null; index_id: string; index_version_id: string; methodology_id: string; methodology_version: string; level: string | null; unit: string; tick_at: string; calculated_at: string | null; source_cutoff_at: string | null; published_at: string; published_at_ts_ms: number; quality_state: QualityState; underlying_quality_state: QualityState | null; coverage_ratio: string | null; confidence: string | null; link_factor: string | null; reason_codes: string[]; missing_constituent_ids: string[]; excluded_inputs: ExcludedInput[]; input_observation_ids: string[]; calculation_run_id: string; input_digest: string | null; record_hash: string; inputs?: IndexInput[]; quotes?: LevelQuote[] }

export type IndexPreview = { index_id: string; observation_id: string; index_version_id: string; methodology_id: string; methodology_version: string; tick_at: string; published_at: string; level: string | null; quality_state: QualityState; reason: 'NO_LEVEL' | null; books: BookAtTick[]; market_id: string; outcomes: PreviewedOutcome[]; voided: PreviewedVoid[] }

export type IndexVersion = { index_version_id: string; index_id: string; version: string; status: 'published'; effective_from: string; effective_to: string | null; methodology_id: string; methodology_version: string; mode: 'chain_linked' | 'gauge'; calculation_frequency: string; rebalance_rule: string | null; weight_sum: string; minimum_coverage_ratio: string; approved_by: string | null; approved_at: string | null; published_at: string; supersedes_version_id: string | null; change_summary: string[]; link_factor: string | null; link_at: string | null; level_at_link: string | null; governance: 'none' | 'governed'; proposal_id: string | null; announced_at: string | null; effective_at: string | null; definition: Record<string, unknown> }

export type InputLeg = { market_id: string; outcome_id: string; mark_rule: string | null; origin_rule: string | null; value: string | null; freshness_class: string; source_at: string | null; confirmed_at: string | null; mark_cutoff_at: string | null; source_observation_ids: string[]; window_observation_ids: string[] }

export type IssuedApiKey = ApiKey & { secret: string | null; secret_already_returned: boolean }

export type IssuedWebhook = Webhook & { secret: string | null; secret_already_returned: boolean }

export type Issuer = { kind: 'committee' | 'analyst' | 'model'; issuer_id: string; model_version: string | null }

/** Requests are counted: occurred_at is the start of their minute, last_at the last of them, and ip is null for several addresses. */
export type KeyAuditItem = { audit_id: string; key_id: string; action: 'created' | 'rotated' | 'revoked' | 'used' | 'refused'; occurred_at: string; last_at: string; count: number; request_id: string | null; ip: string | null; method: string | null; path: string | null; outcome: 'done' | 'wrong_signature' | 'revoked' | 'expired' | 'other_environment' | 'address_not_allowed' | 'scope_missing' | 'timestamp_out_of_window' | 'nonce_reused' | 'owner_consent_missing'; by_key_id: string | null; actor: string | null; reason: string | null }

export type KnowledgeChange = { subject: 'index' | 'index_version' | 'constituent' | 'rating' | 'level'; subject_id: string; change: 'added' | 'revised' | 'removed'; changed_fields: string[]; changed_inputs: ChangedInput[]; before: Index | IndexVersion | Constituent | MarketRating | IndexObservation | null; after: Index | IndexVersion | Constituent | MarketRating | IndexObservation | null }

export type LatestLevel = { observation_id: string; revision: number; index_version_id: string; level: string | null; unit: string; tick_at: string; source_cutoff_at: string | null; published_at: string; quality_state: QualityState; underlying_quality_state: QualityState | null; coverage_ratio: string | null; max_age_ms: number }

export type LevelQuote = { observation_id: string; revision: number; market_id: string; outcome_id: string; source_at: string; received_at: string | null; published_at: string; quote: QuoteRecord }

export type LevelRobustness = { index_id: string; observation_id: string; index_version_id: string; methodology_id: string; methodology_version: string; tick_at: string; published_at: string; level: string | null; quality_state: QualityState; reason: 'NO_LEVEL' | null; books: BookAtTick[]; missing_input: MissingInputBound | null; manipulation_cost: ManipulationCost | null }

/** A limit and its value in this version; per: what it is counted for; code: error beyond it, null: effect says what happens; metric: metric of the process that shows it. */
export type Limit = { name: string; value: number; per: string; code: string | null; effect: string; metric: string | null }

/** Token buckets that refill by rate tokens a second, up to burst: of a key and of all keys of an account, both in the standard tier; and of an address without a key (null: a key is required). */
export type LimitClass = { limit_class: string; keyed: { rate: number; burst: number }; account: { rate: number; burst: number }; anonymous: { rate: number; burst: number } | null; tiers: LimitTier[] }

/** Rate limits of accounts of one tier (limit_tier of GET /v1/account/policy). */
export type LimitTier = { limit_tier: LimitTierName; keyed: { rate: number; burst: number }; account: { rate: number; burst: number } }

export type ManipulationCost = { basis_points: number; notional_at_least: string | null; notional_sufficient: string | null; reason: LevelBandReason | null; up: PushCost; down: PushCost; without_depth: MissingDepth[] }

export type Market = { market_id: string; event_id: string; slug: string | null; title: string; category: string | null; status: MarketStatus | null; outcome_type: string; outcomes: MarketOutcome[]; rules: MarketRules | null; schedule: MarketSchedule | null; trading_parameters: TradingParameters | null; venue_mapping: VenueMapping | null; eligibility: Eligibility | null; metrics: MarketMetrics | null; created_at: string | null; updated_at: string; source_at: string; published_at: string; simulated: boolean; price?: MarketPrice | null; price_error?: MarketPriceRefusal | null; day?: MarketDay | null; rating?: RatingInForce }

export type MarketDay = { outcome_id: string; field: 'bid' | 'ask' | 'midpoint' | 'last_trade' | 'mark'; interval: string; start_time: string; end_time: string; open: string | null; closes: MarketDayClose[] }

export type MarketDayClose = { bucket_start: string; close: string }

export type MarketEligibility = { market_id: string; policy_id: string; policy_version: number; policy_hash: string; status: EligibilityStatus; reason_codes: string[]; facts: EligibilityFact[]; facts_as_of: string | null; decision_id: string | null; revision: number | null; published_at: string | null }

export type MarketExposure = { market_id: string; event_id: string | null; asset_id: string; net_value: string | null; gross_value: string | null; reserved: string; missing_mark_outcome_ids: string[] }

export type MarketMakerProtection = { account_id: string; market_id: string; fill_count_max: number; quantity_max: string | null; window_ms: number; frozen_ms: number; frozen_until: string | null; triggered_at: string | null; trigger_count: number; updated_at: string; engine_sequence: number }

export type MarketMapping = { mapping_id: string; venue_id: string; source_event_id: string | null; source_series_id: string | null; source_market_id: string; source_outcome_id: string | null; valid_from: string | null; valid_to: string | null }

export type MarketMetrics = { volume_24h: string | null; open_interest: string | null; liquidity_notional: string | null; observed_at: string }

export type MarketObservation = { observation_id: string; revision: number; supersedes_id: string | null; correction_reason: string | null; market_id: string; outcome_id: string; field: 'bid' | 'ask' | 'midpoint' | 'last_trade' | 'mark' | 'reported_probability'; value: string; venue_id: string; source_series_id: string | null; source_market_id: string; source_observation_ids: string[]; derived: boolean; derivation_rule: string | null; quality_state: QualityState; source_at: string; tick_at: string | null; received_at: string | null; calculated_at: string | null; published_at: string; schema_version: string; methodology_id: string | null; methodology_version: string | null; quote?: QuoteRecord | null }

export type MarketOutcome = { outcome_id: string; label: string; status: string | null; payout_value: string | null; complementary_outcome_id: string | null }

export type MarketPrice = { market_id: string; market_status: MarketStatus | null; outcomes: OutcomePrice[]; venue_id: string; source_market_id: string; source_series_id: string | null; source_sequence: number | null; source_at: string; received_at: string; published_at: string; freshness_ms?: number; quality_state: QualityState; methodology_id: string | null; methodology_version: string | null }

export type MarketPriceRefusal = { code: string; message: string }

export type MarketPriceResult = { market_id: string; price: MarketPrice | null; error: MarketPriceRefusal | null }

export type MarketRating = { rating_id: string | null; revision: number | null; supersedes_id: string | null; correction_reason: string | null; market_id: string; band: RatingBand; score: string | null; component_scores: RatingComponentScores; outlook: string | null; watch_status: string | null; confidence: string | null; reason_codes: string[]; rationale: string | null; methodology_id: string | null; methodology_version: string | null; issuer: Issuer | null; evidence: EvidenceItem[]; observation_cutoff_at: string | null; effective_from: string | null; effective_to: string | null; published_at: string | null; review_state: ReviewState | null; override: Override | null; dispute: Dispute | null; withdrawal: Withdrawal | null; previous_band: RatingBand | null; previous_score: string | null }

export type MarketRules = { rules_version: string | null; resolution_question: string | null; resolution_sources: string[]; resolution_criteria: string | null; dispute_policy_uri: string | null; timezone: string | null }

export type MarketSchedule = { opens_at: string | null; closes_at: string | null; expected_resolution_at: string | null }

export type MassQuoteRequest = { market_id: string; quote_set_id: string; orders: OrderRequest[] }

export type MassQuoteResult = { command_id: string; market_id: string; quote_set_id: string; canceled: EndedQuote[]; orders: BatchItem[] }

export type Meta = { request_id: string; published_at: string; schema_version: string; as_of?: string; max_age_ms?: number; correction_chain?: string[]; stale?: boolean; stale_since?: string | null; stream_cursor?: StreamCursor; receipt?: Receipt }

export type Methodology = { methodology_id: string; version: string; status: string; name: string; document_uri: string; content_hash: string; published_at: string; supersedes_version: string | null; parameters: Record<string, unknown>; text_sha256: string; text_uri: string }

export type MissingDepth = { constituent_id: string; reason: DepthReason }

export type MissingEvidencePolicy = { required_components: string[]; minimum_weight: string; evidence_age_max_days: string; best_band_when_missing: RatingBand; missing_is_zero: boolean }

export type MissingInput = { constituent_id: string; level_without: string | null; move: string | null; move_bp: string | null; quality_state: QualityState; reason_codes: string[]; coverage_ratio: string; level_if_zero: string; level_if_one: string }

export type MissingInputBound = { level: string; inputs: MissingInput[]; largest: MissingInput | null; indispensable_ids: string[] }

export type Notice = { notice_id: string; kind: 'announcement' | 'correction' | 'degraded_service' | 'cessation' | 'complaint_outcome' | 'drift'; subject_id: string | null; index_id: string | null; market_id: string | null; venue_id: string | null; proposal_id: string | null; title: string; text: string; cause: string | null; effective_at: string | null; starts_at: string | null; ends_at: string | null; changes: NoticeChange[]; source_ids: string[]; follows_notice_id: string | null; corrects_notice_id: string | null; draft: string | null; draft_sha256: string | null; actor_id: string | null; public_key: string | null; signed_text: string | null; signature: string | null; acted_at: string | null; published_at: string }

export type NoticeChange = { record_id: string; at: string | null; field: string; old_value: string | null; new_value: string | null }

export type ObservationPayloads = { observation_id: string; market_id: string; venue_id: string; received_at: string; payloads: VenuePayload[]; payloads_omitted: number }

export type OpenOrderLimits = { limit_tier: LimitTierName; max_open_orders: number; max_open_orders_per_market: number }

export type Order = { order_id: string; client_order_id: string; command_id: string; account_id: string; market_id: string; outcome_id: string; side: 'BUY' | 'SELL'; order_type: 'limit'; limit_price: string; time_in_force: TimeInForce; expires_at: string | null; post_only: boolean; reduce_only: boolean; cancel_on_pause: boolean; self_trade_prevention: SelfTradePrevention; maximum_fee: string; maximum_notional: string; settlement_asset_id: string; signer: string; signature_type: SignatureType; signature_version: string; order_nonce: string; labels: Record<string, string> | null; quote_set_id: string | null; status: OrderStatus; version: number; terminal_reason: TerminalReason | null; rejection: Error | null; original_quantity: string; filled_quantity: string; remaining_quantity: string; canceled_quantity: string; trimmed_quantity: string; average_fill_price: string | null; filled_notional: string; accrued_fee: string; reserved_amount: string; fee_schedule_id: string | null; fee_schedule_version: number | null; policy_id: string; policy_version: number; replaced_by_order_id: string | null; cancel_command_id: string | null; client_cancel_id: string | null; cancel_reason: string | null; engine_sequence: number; created_at: string; updated_at: string; received_at: string; validated_at: string | null; acknowledged_at: string; rejected_at: string | null; opened_at: string | null; partially_filled_at: string | null; filled_at: string | null; cancel_pending_at: string | null; canceled_at: string | null; expired_at: string | null; suspended_at: string | null; failed_at: string | null }

export type OrderBatchRequest = { orders: OrderRequest[] }

export type OrderBook = { market_id: string; outcome_id: string; sequence: number; bids: BookLevel[]; asks: BookLevel[]; asks_derived: boolean; source_at: string; received_at: string; published_at: string; quality_state: QualityState; confirmed_at?: string; newer_quote_at?: string | null }

export type OrderDetail = Order & { fill_ids: string[]; settlement_ids: string[]; prevented_matches: PreventedMatch[] }

export type OrderPreview = { account_id: string; market_id: string; outcome_id: string; status: 'accepted' | 'rejected'; rejection: Error | null; working_quantity: string | null; executable_quantity: string | null; average_executable_price: string | null; closes: { outcome_id: string; quantity: string; price: string } | null; opens: { outcome_id: string; quantity: string; price: string } | null; reserved_amount: string | null; maximum_fee_charged: string | null; available_before: string | null; order_status: OrderStatus | null; terminal_reason: TerminalReason | null; self_trade_prevention: PreviewedSelfTradePrevention | null; as_of: string; would_fill?: WouldFill | null }

export type OrderRequest = { client_order_id: string; account_id: string; market_id: string; outcome_id: string; side: 'BUY' | 'SELL'; order_type?: 'limit'; limit_price: string; quantity: string; time_in_force: TimeInForce; expires_at?: string | null; post_only?: boolean; reduce_only?: boolean; cancel_on_pause?: boolean; self_trade_prevention: SelfTradePrevention; maximum_fee: string; maximum_notional: string; settlement_asset_id: string; signer: string; signature_type: SignatureType; signature_version: '1'; order_nonce: string; order_signature: string; labels?: Record<string, string> | null; signed_message?: Record<string, string | number | boolean> | null }

export type OutcomePrice = { outcome_id: string; best_bid: string | null; best_ask: string | null; midpoint: string | null; last_trade: string | null; last_trade_at: string | null; mark: string | null; implied_probability: string | null; implied_reason: 'PARTIAL_OUTCOME_SET' | 'OVERROUND_EXCEEDED' | null; spread: string | null; book_reason: 'CROSSED_BOOK' | 'MARKET_PAUSED' | null; book_sequence: number | null; bid_depth: string | null; ask_depth: string | null; derived: boolean; derivation_rule: string | null; source_observation_ids: string[]; derivations: Derivation[]; mark_rule: string | null; mark_at: string | null; mark_observation_id: string | null; confirmed_at: string | null; quality_state: QualityState }

export type Override = { override_id: string; authority: string; reason_code: string; narrative: string; previous_value: string | null; proposed_value: string; starts_at: string; expires_at: string | null }

export type Page = { next_cursor: string | null; has_more: boolean }

export type Payout = { outcome_id: string; payout: string }

export type PeriodPnl = { period: 'day' | 'week' | 'month' | 'all'; from: string; realized_pnl: string; unrealized_pnl_change: string | null; fees: string; total_pnl: string | null; missing_mark_outcome_ids: string[] }

export type Policy = { version: number; record_hash: string; previous_hash: string | null; proposal_id: string; effective_from: string; expires_at: string; published_at: string; signed_content: string; classes: ChangeClassRule[]; proposal_lifetime: string; late_window: string; late_extension: string; emergency_lapse: string; drift_after?: string }

export type Position = { position_id: string; account_id: string; market_id: string; outcome_id: string; net_quantity: string; settled_quantity: string; unsettled_quantity: string; reserved_sell_quantity: string; available_to_sell: string; average_entry_price: string | null; mark_price: string | null; mark_observation_id: string | null; pricing_method: 'last_delivered_mark' | null; cost_basis: string; market_value: string | null; realized_pnl: string; unrealized_pnl: string | null; pnl_asset_id: string; pending_settlement_ids: string[]; source_fill_sequence: number; projection_version: number; engine_sequence: number; as_of: string }

export type PreventedMatch = { prevented_match_id: string; taker_order_id: string; maker_order_id: string; mode: SelfTradePrevention; price: string; quantity: string; prevented_at: string; engine_sequence: number }

export type PreviewRequest = OrderRequest & { as_of?: string | null; until?: string | null }

export type PreviewedConstituent = { constituent_id: string; before: string | null; after: string | null }

export type PreviewedOutcome = { outcome_id: string; label: string | null; level: string | null; move: string | null; constituents: PreviewedConstituent[] }

export type PreviewedOwnOrder = { order_id: string; client_order_id: string; outcome_id: string; side: 'BUY' | 'SELL'; price: string; prevented_quantity: string; canceled_quantity: string }

/** Own resting orders in the way, in the order in which they would be met; prices are of the previewed outcome. */
export type PreviewedSelfTradePrevention = { mode: SelfTradePrevention; ends_order: boolean; own_orders: PreviewedOwnOrder[]; own_orders_omitted: number; canceled_quantity: string }

export type PreviewedVoid = { payout_rule: 'equal_shares' | 'none'; payout: string | null; level: string | null; move: string | null; constituents: PreviewedConstituent[]; reason: 'PAYOUTS_NOT_EXACT' | 'MARK_NOT_STATED' | 'NO_FRESH_INPUT' | null }

export type ProForma = { pro_forma_id: string; index_id: string; index_version_id: string; version: string; effective_from: string; selected_as_of: string; is_governed: boolean; base_version_id: string | null; methodology_id: string; methodology_version: string; policy_id: string; policy_version: number; policy_hash: string; definition: Record<string, unknown>; constituents: ProFormaConstituent[]; candidates: ProFormaCandidate[]; record_hash: string; published_at: string }

export type ProFormaCandidate = { market_id: string; eligibility_status: EligibilityStatus; eligibility_reason_codes: string[]; rank: number | null; ranking_value: string | null; is_incumbent: boolean; is_selected: boolean; reason_codes: RebalanceReason[] }

export type ProFormaConstituent = { constituent_id: string; market_id: string; outcome_id: string; target_weight: string; rank: number; ranking_value: string; rating_id: string | null; is_incumbent: boolean; reason_codes: RebalanceReason[]; facts: EligibilityFact[] }

/** Checkpoint is the smallest that covers the record. */
export type Proof = { record_text: string; entry: string; index: number; hashes: string[]; checkpoint: string }

export type Proposal = { proposal_id: string; revision: number; kind: ProposalKind; target: string; base_hash: string | null; content: string; rationale: string; impact_digest: string | null; emergency: string | null; change_class: ChangeClass; state: ProposalState; reason: string | null; proposed_by: string; proposed_at: string; comment_ends_at: string; vote_ends_at: string | null; effective_at: string | null; expires_at: string; lapses_at: string | null; votes: GovernanceVote[]; ratifications: GovernanceVote[]; recused: string[]; act_id: string; published_at: string }

export type ProposalWithHistory = { proposal_id: string; revision: number; kind: ProposalKind; target: string; base_hash: string | null; content: string; rationale: string; impact_digest: string | null; emergency: string | null; change_class: ChangeClass; state: ProposalState; reason: string | null; proposed_by: string; proposed_at: string; comment_ends_at: string; vote_ends_at: string | null; effective_at: string | null; expires_at: string; lapses_at: string | null; votes: GovernanceVoteWithReason[]; ratifications: GovernanceVote[]; recused: string[]; act_id: string; published_at: string; seats: Seats[]; ratification_seats: Seats[]; takes_effect_at: string | null; vetoed_before: string[]; diff: ContentDifference[]; history: Proposal[] }

export type ProtectionRequest = { fill_count_max: number; quantity_max?: string | null; window_ms: number; frozen_ms: number }

export type PushCost = { notional_at_least: string | null; notional_sufficient: string | null; reason: LevelBandReason | null; touches: PushedTouch[] }

export type PushedTouch = { constituent_id: string; touch: string; notional: string }

export type QuantityAhead = { quantity: string; order_count: number }

/** Ahead_at_price: older orders at the same price; both are null if the order is not in the book. */
export type QueuePosition = { order_id: string; market_id: string; outcome_id: string; side: 'BUY' | 'SELL'; limit_price: string; status: OrderStatus; remaining_quantity: string; ahead_at_price: QuantityAhead | null; ahead_at_better_prices: QuantityAhead | null; engine_sequence: number; as_of: string }

export type QuoteRecord = { bid: string | null; ask: string | null; bid_depth: string | null; ask_depth: string | null; last_trade: string | null; last_trade_at: string | null; reported_probability: string | null; confirmed_at: string | null }

export type RatingComponentDefinition = { name: string; minimum: string; maximum: string; higher_is_better: boolean; weight: string; required: boolean }

export type RatingComponentScores = { resolution_clarity: string | null; source_reliability: string | null; liquidity: string | null; manipulation_resistance: string | null; data_quality: string | null; venue_operational_risk: string | null }

export type RatingInForce = { rating_id: string | null; band: RatingBand; score: string | null; confidence: string | null; review_state: ReviewState | null; methodology_id: string | null; methodology_version: string | null; effective_from: string | null; published_at: string | null }

export type RatingMethodology = { methodology_id: string; version: string; status: string; name: string | null; scale: RatingBand[]; component_definitions: RatingComponentDefinition[]; band_thresholds: Record<string, string>; missing_evidence_policy: MissingEvidencePolicy; document_uri: string; content_hash: string; published_at: string; supersedes_version: string | null; parameters: Record<string, string>; text_sha256: string; document: string; text_uri: string }

export type Receipt = { kind?: string; kinds?: string[]; sealed_through: string; seal: SealProof; record: RecordProof | null; records?: RecordProof[]; checkpoint: string }

export type RecordProof = { record_text: string; entry: string; index: number; hashes: string[] }

export type RedeemedHolding = { outcome_id: string; net_quantity: string; average_entry_price: string | null; payout_per_contract: string; payout: string; realized_pnl: string }

export type RedemptionPreview = { account_id: string; market_id: string; market_status: string; asset_id: string; open_order_count: number; open_order_ids: string[]; collateral_freed: string; pending_settlement_ids: string[]; results: RedemptionResult[]; as_of: string }

export type RedemptionResult = { verdict: 'resolved' | 'voided'; outcome_id: string | null; payout_rule: 'winner' | 'equal_shares'; payout: string | null; fee: string | null; realized_pnl: string | null; available_change: string | null; reason: 'PAYOUTS_NOT_EXACT' | null; holdings: RedeemedHolding[] }

/** Exactly one of from_cursor, delivery_ids. */
export type ReplayWebhookRequest = { from_cursor?: number; delivery_ids?: string[] }

export type ResetProtectionRequest = Record<string, never>

export type Resolution = { resolution_id: string; revision: number; supersedes_id: string | null; correction_reason: string | null; market_id: string; winning_outcome_ids: string[]; payouts: Payout[]; resolved_at: string | null; final_at: string | null; confirmed_at: string; evidence: Evidence[]; resolver: Resolver | null; dispute_window_ends_at: string | null; finality: 'proposed' | 'disputed' | 'final' | 'withdrawn'; source_at: string; received_at: string; published_at: string }

export type Resolver = { kind: string; resolver_id: string | null }

export type RestatedLevel = { observation_id: string; supersedes_id: string | null; tick_at: string; old_level: string | null; new_level: string | null; basis_points: string | null; quality_state: QualityState }

export type Restatement = { proposal_id: string; index_id: string; change_class: ChangeClass; correction_reason: 'LATE_DATA' | 'SOURCE_CORRECTION' | 'TRADE_VOIDED' | 'RESOLUTION_CORRECTED' | 'WEIGHT_ERROR' | 'CODE_ERROR' | 'MAPPING_ERROR'; starts_at: string; ends_at: string; known_at: string; changes: RestatedLevel[]; act_id: string | null; published_at: string }

/** Cursor of the stream of the account: later events continue from it. */
export type ResumeCursor = { engine_sequence: number; epoch: string; after_seq: number }

export type RevokeKeyRequest = { authorization?: SvcApiAuthorization; authorization_signature?: string; signature_type?: SignatureType; signed_message?: Record<string, string | number | boolean> | null; reason: string }

export type Roster = { version: number; record_hash: string; previous_hash: string | null; proposal_id: string; effective_from: string; expires_at: string; published_at: string; signed_content: string; threshold: number; members: RosterMember[] }

export type RosterKey = { public_key: string; valid_from: string; valid_to: string | null; revoked_at: string | null }

export type RosterMember = { actor_id: string; name: string; roles: GovernanceRole[]; keys: RosterKey[] }

export type RotateKeyRequest = { authorization?: SvcApiAuthorization; authorization_signature?: string; signature_type?: SignatureType; signed_message?: Record<string, string | number | boolean> | null; overlap_seconds: number; public_key?: string | null }

export type RotateWebhookSecretRequest = { overlap_seconds: number }

export type RuleChange = { change_id: string; kind: 'archived' | 'changed'; market_id: string; venue_id: string | null; source_market_id: string | null; revision: number; rules_sha256: string; previous_sha256: string | null; changed_fields: string[]; resolution_question: string | null; resolution_criteria: string | null; resolution_sources: string[] | null; index_ids: string[]; source_at: string; published_at: string }

export type Scenario = { probability: string; score: string | null }

export type ScoreRange = { low: string; high: string }

export type SealProof = { entry: string; index: number; hashes: string[] }

export type Seats = { roles: GovernanceRole[]; needed: number; actor_ids: string[]; roster_version: number | null }

export type ServiceTime = { server_time: string; server_time_ms: number }

export type Settlement = { settlement_id: string; account_id: string; state: SettlementState; kind: 'trade_settlement' | 'resolution_payout' | 'resolution_correction'; fill_ids: string[]; resolution_id: string | null; market_id: string; outcome_id: string; side: 'BUY' | 'SELL'; quantity: string; amount: string; fee: string; net_amount: string; asset_id: string; rail: string | null; attempts: SettlementAttempt[]; transitions: SettlementTransition[]; adjustment_ids: string[]; created_at: string; updated_at: string; confirmed_at: string | null; reversal_id: string | null; reversal: SettlementReversal | null; redemption_id: string | null; engine_sequence: number; projection_version: number }

export type SettlementAttempt = { attempt_id: string; attempt_number: number; state: 'submitted' | 'confirmed' | 'failed'; rail: string; submitted_at: string; concluded_at: string | null; external_reference: string | null; chain_id: string | null; transaction_hash: string | null; confirmation_count: number | null; failure_code: string | null; message: string | null; retryable: boolean | null; next_action: string | null; rail_response_reference: string | null }

export type SettlementReversal = { reversal_id: string; settlement_id: string; reason_code: string; rationale: string; evidence: string[]; actor: string; approved_by: string; reversed_at: string }

export type SettlementTransition = { from_state: SettlementState | null; state: SettlementState; attempt_id: string | null; actor: string; reason: string; engine_sequence: number; at: string }

export type SeverityAssessment = { assessment_id: string | null; revision: number | null; supersedes_id: string | null; correction_reason: string | null; event_id: string; assessment_type: 'observed' | 'forecast'; level: SeverityLevel; score: string | null; score_range: ScoreRange | null; component_scores: SeverityComponentScores; confidence: string | null; reason_codes: string[]; rationale: string | null; methodology_id: string | null; methodology_version: string | null; issuer: Issuer | null; evidence: EvidenceItem[]; event_time_window: EventTimeWindow | null; observation_cutoff_at: string | null; forecast_horizon_end: string | null; effective_from: string | null; effective_to: string | null; published_at: string | null; review_state: ReviewState | null; override: Override | null; dispute: Dispute | null; withdrawal: Withdrawal | null; previous_level: SeverityLevel | null; previous_score: string | null; exceedance: Exceedance[] | null; scenarios: Scenario[] | null }

export type SeverityComponentDefinition = { name: string; minimum: string; maximum: string; weight: string; is_consequence: boolean }

export type SeverityComponentScores = { human: string | null; economic: string | null; infrastructure: string | null; geographic: string | null; geopolitical: string | null; duration: string | null }

export type SeverityEventRule = { venue_ids: string[] | null; hazard_types: string[] | null; countries: string[] | null; event_ids: string[] | null }

export type SeverityIndex = { severity_index_id: string; name: string; description: string | null; status: string; unit: string; active_version_id: string | null; active_version: string | null; published_at: string }

export type SeverityIndexInput = { event_id: string; assessment_id: string | null; relevance: string; days_since_end: string | null; level: SeverityLevel | null; score: string | null }

export type SeverityIndexValue = { value_id: string; revision: number; supersedes_id: string | null; correction_reason: string | null; severity_index_id: string; severity_index_version_id: string; value: string | null; unit: string; level_equivalent: SeverityLevel; methodology_id: string; methodology_version: string; input_assessment_ids: string[]; coverage_ratio: string; quality_state: 'valid' | 'degraded' | 'suspended'; calculated_at: string; source_cutoff_at: string; published_at: string; inputs?: SeverityIndexInput[] }

export type SeverityIndexVersion = { severity_index_version_id: string; severity_index_id: string; version: string; effective_from: string; effective_to: string | null; assessment_type: 'observed' | 'forecast'; methodology_id: string; methodology_version: string; event_rule: SeverityEventRule; relevance: SeverityRelevance; rho: string; decay_days: string; published_at: string }

export type SeverityMethodology = { methodology_id: string; version: string; status: string; name: string | null; scale: SeverityLevel[]; component_definitions: SeverityComponentDefinition[]; level_thresholds: Record<string, string>; minimum_coverage: string; range_levels_max: string; evidence_hierarchy: Record<string, string>; document_uri: string; content_hash: string; published_at: string; supersedes_version: string | null; parameters: Record<string, string>; text_sha256: string; document: string; text_uri: string }

export type SeverityRelevance = { default: string; events: EventRelevance[] }

export type SignedRequests = { signature_version: string; algorithms: string[]; timestamp_behind_ms: number; timestamp_ahead_ms: number; nonce_retention_ms: number; idempotency_retention_ms: number; client_order_id_retention_ms: number; batch_orders_max: number; mass_quote_orders_max: number; key_overlap_max_s: number; cancel_after_ms: { min: number; max: number }; available: boolean }

/** Key_id and authorization_id are null for the owner; until null: no end. */
export type Signer = { account_id: string; signer: string; is_owner: boolean; key_id: string | null; authorization_id: string | null; since: string; until: string | null }

export type SourceMapping = { venue_id: string; source_event_id: string | null; source_series_id: string | null; source_url: string | null }

export type StatementEntry = { entry_id: string; account_id: string; ledger_sequence: number; line: number; engine_sequence: number; booked_at: string; kind: 'order' | 'fill' | 'settlement' | 'reversal' | 'payout' | 'adjustment' | 'deposit' | 'withdrawal'; asset_id: string; bucket: 'available' | 'reserved' | 'withdrawal_hold' | 'pending_settlement_debit' | 'pending_settlement_credit' | 'settled_quantity' | 'unsettled_quantity'; amount: string; bucket_after: string; total_after: string; fee: string | null; schedule_id: string | null; schedule_version: number | null; market_id: string | null; outcome_id: string | null; order_id: string | null; fill_id: string | null; trade_id: string | null; settlement_id: string | null; adjustment_id: string | null; resolution_id: string | null; transfer_id: string | null }

/** Epoch changes only if history is lost; seq is an engine_sequence. */
export type StreamCursor = { epoch: string; seq: number }

export type SvcApiAuthorization = { owner: string; signer: string; account: string; api_key_id: string; scopes_hash: string; environment: string; issued_at: number; expiry: number; nonce: string; authorization_version: '1' }

export type TestWebhookRequest = Record<string, never>

export type TopicCapability = { topic: string; scope: string | null; filters: string[]; kinds: string[]; event_schema_version: string; resume_retention_ms: number; conflated: boolean; known_gaps: string[] }

export type Trade = { trade_id: string; market_id: string; outcome_id: string; price: string; quantity: string; aggressor_side: 'BUY' | 'SELL' | null; venue_id: string; source_series_id: string | null; source_trade_id: string; source_trade_ids: string[]; source_sequence: number | null; source_at: string; received_at: string; published_at: string; correction: TradeCorrection | null; derived: boolean; derivation_rule: string | null; match_kind: 'merge' | 'transfer' | 'mint' | 'mixed' | null; segments: FillSegment[] }

export type TradeCorrection = { kind: 'void' | 'correction'; supersedes_trade_id: string | null }

export type TradingParameters = { price_min: string | null; price_max: string | null; price_increment: string | null; quantity_increment: string | null; minimum_quantity: string | null; settlement_asset_id: string | null; shorting_permitted: boolean | null; complementary: boolean | null }

export type Transfer = { transfer_id: string; account_id: string; direction: 'deposit' | 'withdrawal'; asset_id: string; amount: string; destination: string | null; state: 'requested' | 'held' | 'confirmed' | 'failed' | 'canceled'; requested_at: string; updated_at: string; external_reference: string | null; reason: string | null; projection_version: number; engine_sequence: number }

export type TransferRequest = { account_id: string; direction: 'deposit' | 'withdrawal'; asset_id: string; amount: string; destination?: string | null }

/** The fields to change. */
export type UpdateWebhookRequest = { url?: string; event_types?: WebhookEventType[]; description?: string | null; status?: 'enabled' | 'disabled' }

export type Venue = { venue_id: string; name: string; index_eligible: boolean; redistribution: string }

export type VenueMapping = { venue_id: string; source_market_id: string; source_outcome_ids: string[]; mapping_version: string | null; valid_from: string | null; valid_to: string | null }

export type VenuePayload = { content_hash: string; endpoint: string; request: string | null; byte_count: number; received_at: string; published_at: string; body?: string }

export type Webhook = { webhook_id: string; account_id: string; url: string; description: string | null; event_types: WebhookEventType[]; status: 'enabled' | 'disabled'; disabled_reason: 'requested' | 'gone' | 'failing' | null; secret_version: number; previous_secret_valid_until: string | null; created_at: string; updated_at: string; projection_version: number; engine_sequence: number }

export type WebhookAttempt = { attempt_number: number; attempted_at: string; duration_ms: number; status_code: number | null; failure: 'status_refused' | 'redirect_refused' | 'target_refused' | 'name_unresolved' | 'connection_failed' | 'timed_out' | null; message: string | null; answer: string | null }

export type WebhookDelivery = { delivery_id: string; webhook_id: string; account_id: string; kind: 'event' | 'test' | 'redelivery'; status: 'pending' | 'delivered' | 'failed' | 'canceled'; event_id: string; event_type: WebhookDeliveryType; sequence: number; created_at: string; next_attempt_at: string | null; concluded_at: string | null; attempt_count: number; attempts: WebhookAttempt[] }

export type WebhookEvent = { event_id: string; event_type: WebhookDeliveryType; account_id: string; sequence: number; occurred_at: string; data: Record<string, unknown> }

export type WebhookOrder = { webhook_id: string; requested_at: string; from_cursor: number | null; delivery_ids: string[]; engine_sequence: number }

export type Withdrawal = { withdrawn_by: string; reason: string | null; withdrawn_at: string }

export type WouldBeFill = { filled_at: string; quantity: string; price: string; cumulative_quantity: string; trade_id: string | null }

/** Fills of an order that was never placed: between the pessimistic and the optimistic bound. */
export type WouldFill = { until: string; ended_at: string; end_reason: 'filled' | 'not_resting' | 'expired' | 'market_not_open' | 'until'; book: { sequence: number; bids: { price: string; quantity: string; order_count: number }[]; asks: { price: string; quantity: string; order_count: number }[] }; taken: { quantity: string; average_price: string | null; fee: string | null; schedule_id: string | null; schedule_version: number | null; levels: { price: string; quantity: string }[] }; resting: WouldRest | null; pessimistic: FillBound; optimistic: FillBound; assumptions: string[] }

export type WouldRest = { quantity: string; price: string; ahead_quantity: string; ahead_order_count: number }
