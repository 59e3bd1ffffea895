"""Resources of the contract, made from the OpenAPI document by `npm run docs`."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class AccountPolicy(TypedDict):
    """Resource AccountPolicy."""

    account_id: str
    policy_id: str
    policy_version: int
    default_self_trade_prevention: Literal["cancel_taker", "cancel_maker", "cancel_both"]
    reduce_only_crossing: Literal["cap", "reject"]
    position_limit: str | None
    price_band: str | None
    limit_tier: Literal["standard", "advanced", "market_maker"]
    max_open_orders: int
    max_open_orders_per_market: int
    collateral: CollateralPolicy
    blocked: bool
    cancel_after_ms: int | None
    cancel_after_at: str | None


class AccountSummary(TypedDict):
    """Resource AccountSummary."""

    account_id: str
    as_of: str
    assets: list[AssetSummary]
    markets: list[MarketExposure]
    events: list[EventExposure]
    exposures_left_out: int


class Adjustment(TypedDict):
    """Resource Adjustment."""

    adjustment_id: str
    fill_id: str
    account_id: str
    adjustment_type: Literal["bust", "amend"]
    quantity_delta: str
    notional_delta: str
    fee_delta: str
    reason_code: str
    rationale: str
    evidence: list[str]
    actor: str
    approval: Approval
    effective_at: str
    published_at: str
    supersedes_adjustment_id: str | None
    engine_sequence: int


class AmendBatchRequest(TypedDict):
    """Resource AmendBatchRequest."""

    orders: list[AmendTarget]


class AmendItem(TypedDict):
    """Resource AmendItem."""

    index: int
    status: Literal["accepted", "rejected"]
    order: Order | None
    error: Error | None
    order_id: str
    replacement: Order | None


class _AmendRequestRequired(TypedDict):
    client_order_id: str
    account_id: str
    market_id: str
    outcome_id: str
    side: Literal["BUY", "SELL"]
    limit_price: str
    quantity: str
    time_in_force: Literal["GTC", "GTD", "FOK", "FAK"]
    self_trade_prevention: Literal["cancel_taker", "cancel_maker", "cancel_both"]
    maximum_fee: str
    maximum_notional: str
    settlement_asset_id: str
    signer: str
    signature_type: Literal["eoa", "erc1271", "erc1271_erc7739"]
    signature_version: Literal["1"]
    order_nonce: str
    order_signature: str
    expected_order_version: int


class AmendRequest(_AmendRequestRequired, total=False):
    """The new intent whole, with a client_order_id and nonce of its own."""

    order_type: Literal["limit"]
    expires_at: str | None
    post_only: bool
    reduce_only: bool
    cancel_on_pause: bool
    labels: dict[str, Any] | None
    signed_message: dict[str, Any] | None


class _AmendTargetRequired(TypedDict):
    order_id: str
    client_order_id: str
    account_id: str
    market_id: str
    outcome_id: str
    side: Literal["BUY", "SELL"]
    limit_price: str
    quantity: str
    time_in_force: Literal["GTC", "GTD", "FOK", "FAK"]
    self_trade_prevention: Literal["cancel_taker", "cancel_maker", "cancel_both"]
    maximum_fee: str
    maximum_notional: str
    settlement_asset_id: str
    signer: str
    signature_type: Literal["eoa", "erc1271", "erc1271_erc7739"]
    signature_version: Literal["1"]
    order_nonce: str
    order_signature: str
    expected_order_version: int


class AmendTarget(_AmendTargetRequired, total=False):
    """The order to replace, and the new intent whole."""

    order_type: Literal["limit"]
    expires_at: str | None
    post_only: bool
    reduce_only: bool
    cancel_on_pause: bool
    labels: dict[str, Any] | None
    signed_message: dict[str, Any] | None


class AmendedOrder(TypedDict):
    """Resource AmendedOrder."""

    order_id: str
    client_order_id: str
    command_id: str
    account_id: str
    market_id: str
    outcome_id: str
    side: Literal["BUY", "SELL"]
    order_type: Literal["limit"]
    limit_price: str
    time_in_force: Literal["GTC", "GTD", "FOK", "FAK"]
    expires_at: str | None
    post_only: bool
    reduce_only: bool
    cancel_on_pause: bool
    self_trade_prevention: Literal["cancel_taker", "cancel_maker", "cancel_both"]
    maximum_fee: str
    maximum_notional: str
    settlement_asset_id: str
    signer: str
    signature_type: Literal["eoa", "erc1271", "erc1271_erc7739"]
    signature_version: str
    order_nonce: str
    labels: dict[str, Any] | None
    quote_set_id: str | None
    status: Literal["received", "validated", "rejected", "open", "partially_filled", "filled", "cancel_pending", "canceled", "expired", "suspended", "failed"]
    version: int
    terminal_reason: Literal["FOK_NOT_FILLED", "FAK_NO_FILL", "FAK_REMAINDER", "SELF_TRADE_PREVENTION", "REPLACED", "MARKET_CLOSED", "REDUCE_ONLY", "RISK_ACTION", "EXPIRED", "USER_CANCELED", "CANCEL_ALL", "CANCEL_AFTER", "CANCEL_ON_PAUSE", "MARKET_MAKER_PROTECTION", "INTERNAL_FAILURE"] | None
    rejection: Error | None
    original_quantity: str
    filled_quantity: str
    remaining_quantity: str
    canceled_quantity: str
    trimmed_quantity: str
    average_fill_price: str | None
    filled_notional: str
    accrued_fee: str
    reserved_amount: str
    fee_schedule_id: str | None
    fee_schedule_version: int | None
    policy_id: str
    policy_version: int
    replaced_by_order_id: str | None
    cancel_command_id: str | None
    client_cancel_id: str | None
    cancel_reason: str | None
    engine_sequence: int
    created_at: str
    updated_at: str
    received_at: str
    validated_at: str | None
    acknowledged_at: str
    rejected_at: str | None
    opened_at: str | None
    partially_filled_at: str | None
    filled_at: str | None
    cancel_pending_at: str | None
    canceled_at: str | None
    expired_at: str | None
    suspended_at: str | None
    failed_at: str | None
    replacement: Order


class ApiKey(TypedDict):
    """Resource ApiKey."""

    key_id: str
    account_id: str
    environment: str
    label: str
    algorithm: Literal["hmac-sha256", "ed25519"]
    public_key: str | None
    scopes: list[str]
    ip_allowlist: list[str]
    status: Literal["active", "rotating", "revoked", "expired"]
    secret_version: int
    previous_valid_until: str | None
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    revoke_reason: str | None
    last_used_at: str | None


class Approval(TypedDict):
    """Resource Approval."""

    approved_by: str
    approved_at: str


class AssetSummary(TypedDict):
    """Resource AssetSummary."""

    asset_id: str
    total: str
    buying_power: str
    reserved: str
    withdrawal_hold: str
    pending_settlement_debit: str
    pending_settlement_credit: str
    holdings_value: str | None
    projected_equity: str | None
    missing_mark_outcome_ids: list[str]
    pnl: list[PeriodPnl]


class Balance(TypedDict):
    """Resource Balance."""

    balance_id: str
    account_id: str
    asset_id: str
    total: str
    available: str
    reserved: str
    pending_settlement_credit: str
    pending_settlement_debit: str
    withdrawal_hold: str
    projection_version: int
    ledger_sequence: int
    engine_sequence: int
    as_of: str


class BandLeg(TypedDict):
    """Resource BandLeg."""

    constituent_id: str
    quantity: str | None
    average_price: str | None
    reason: Literal["DEPTH_NOT_STORED", "DEPTH_NOT_OF_TICK", "DEPTH_CROSSED", "DEPTH_INSUFFICIENT", "MARK_NOT_FROM_BOOK", "PRICE_UNIT_NOT_PROBABILITY", "SEVERAL_LEGS"] | None


class BandSide(TypedDict):
    """Resource BandSide."""

    level: str | None
    reason: Literal["DEPTH_NOT_STORED", "DEPTH_NOT_OF_TICK", "DEPTH_CROSSED", "DEPTH_INSUFFICIENT", "MARK_NOT_FROM_BOOK", "PRICE_UNIT_NOT_PROBABILITY", "SEVERAL_LEGS", "LEVEL_ZERO"] | None
    legs: list[BandLeg]


class BatchItem(TypedDict):
    """Resource BatchItem."""

    index: int
    status: Literal["accepted", "rejected"]
    order: Order | None
    error: Error | None
    order_id: str | None


class BookAtTick(TypedDict):
    """Resource BookAtTick."""

    market_id: str
    outcome_id: str
    price_unit: str
    source_at: str
    published_at: str


class BookLevel(TypedDict):
    """Resource BookLevel."""

    price: str
    quantity: str
    order_count: int | None
    derived: bool
    parts: list[BookPart]


class BookPart(TypedDict):
    """Resource BookPart."""

    quantity: str
    order_count: int | None
    derived: bool
    derivation_rule: str | None


class CalendarEntry(TypedDict):
    """Resource CalendarEntry."""

    entry_id: str
    kind: Literal["rebalance", "fixing", "final_value", "comment_end", "vote_end", "notice_end", "emergency_lapse", "roster_expiry", "policy_expiry", "rating_expiry"]
    at: str
    title: str
    subject_id: str
    index_id: str | None
    market_id: str | None
    published_at: str


class CancelAfter(TypedDict):
    """Resource CancelAfter."""

    account_id: str
    timeout_ms: int | None
    cancel_at: str | None


class CancelAfterRequest(TypedDict):
    """Resource CancelAfterRequest."""

    timeout_ms: Literal[0] | int


class _CancelAllRequestRequired(TypedDict):
    account_id: str


class CancelAllRequest(_CancelAllRequestRequired, total=False):
    """Either scope, or at least one of market_id, index_id, venue_id, cancel_on_pause_only."""

    scope: Literal["all_open_orders"]
    market_id: str
    index_id: str
    venue_id: str
    cancel_on_pause_only: bool
    client_cancel_id: str | None
    reason: str | None


class CancelAllResult(TypedDict):
    """Resource CancelAllResult."""

    command_id: str
    scope: dict[str, Any]
    targeted_count: int
    pending_count: int
    orders: list[CanceledOrder]
    failures: list[CancelFailure]
    engine_cutoff_sequence: int
    resume_cursor: ResumeCursor


class _CancelBatchRequestRequired(TypedDict):
    orders: list[CancelTarget]


class CancelBatchRequest(_CancelBatchRequestRequired, total=False):
    """Resource CancelBatchRequest."""

    client_cancel_id: str | None
    reason: str | None


class CancelFailure(TypedDict):
    """Resource CancelFailure."""

    order_id: str
    error: Error


class CancelRequest(TypedDict, total=False):
    """Resource CancelRequest."""

    expected_order_version: int | None
    client_cancel_id: str | None
    reason: str | None


class CancelTarget(TypedDict, total=False):
    """An order by exactly one of order_id, client_order_id."""

    order_id: str
    client_order_id: str
    expected_order_version: int | None


class CancelTransferRequest(TypedDict, total=False):
    """Resource CancelTransferRequest."""

    reason: str | None


class CanceledOrder(TypedDict):
    """Resource CanceledOrder."""

    order_id: str
    status: Literal["received", "validated", "rejected", "open", "partially_filled", "filled", "cancel_pending", "canceled", "expired", "suspended", "failed"]
    canceled_quantity: str
    filled_quantity: str
    engine_sequence: int


class Candle(TypedDict):
    """Resource Candle."""

    bucket_start: str
    bucket_end: str
    open: str
    high: str
    low: str
    close: str
    observation_count: int
    coverage_ratio_min: str | None
    volume: str | None
    quality_states: list[Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]]
    methodology_version: str | None
    published_at: str
    final: bool


class CapabilitiesPageSize(TypedDict):
    """Entries of a page: without `limit`, and at most."""

    default: int
    max: int


class CapabilitiesOrderBookDepth(TypedDict):
    """Price levels of a book: without `depth`, and at most."""

    default: int
    max: int


class CapabilitiesStreamSnapshotBytes(TypedDict):
    """Resource CapabilitiesStreamSnapshotBytes."""

    rate: int
    burst: int


class CapabilitiesStreamMessages(TypedDict):
    """Resource CapabilitiesStreamMessages."""

    rate: int
    burst: int


class CapabilitiesStreamSubscribesPerKey(TypedDict):
    """Resource CapabilitiesStreamSubscribesPerKey."""

    rate: int
    burst: int


class CapabilitiesStream(TypedDict):
    """Limits of the stream."""

    heartbeat_ms: int
    subscriptions_max: int
    connections_per_address_max: int
    anonymous_per_address_max: int
    subscriptions_per_address_max: int
    snapshot_bytes: CapabilitiesStreamSnapshotBytes
    message_bytes_max: int
    request_bytes_max: int
    requests_in_flight_max: int
    buffered_bytes_max: int
    messages: CapabilitiesStreamMessages
    connections_per_account_max: int
    subscribes_per_key: CapabilitiesStreamSubscribesPerKey
    snapshot_max: int
    snapshot_fills_max: int


class CapabilitiesVenuesItem(TypedDict):
    """Resource CapabilitiesVenuesItem."""

    venue_id: str
    prices_public: bool
    trades_public: bool
    index_eligible: bool
    simulated: bool


class Capabilities(TypedDict):
    """Resource Capabilities."""

    api_version: str
    schema_version: str
    environment: str
    page_size: CapabilitiesPageSize
    order_book_depth: CapabilitiesOrderBookDepth
    candle_intervals: list[str]
    candle_buckets_max: int
    body_bytes_max: int
    json_depth_max: int
    max_open_orders: int
    max_open_orders_per_market: int
    open_order_limits: list[OpenOrderLimits]
    limit_classes: list[LimitClass]
    costs: list[EndpointCost]
    limits: list[Limit]
    topics: list[TopicCapability]
    signed_requests: SignedRequests
    stream: CapabilitiesStream
    venues: list[CapabilitiesVenuesItem]
    first_published_at: str | None


class _ChangeClassRuleRequired(TypedDict):
    change_class: Literal["text", "parameter", "material", "scheduled_rebalance", "late_restatement", "emergency", "cessation", "policy", "roster"]
    committee: int
    oversight: int
    comment: str
    vote: str
    notice: str


class ChangeClassRule(_ChangeClassRuleRequired, total=False):
    """Resource ChangeClassRule."""

    impact: Literal["required"]


class ChangedFact(TypedDict):
    """Resource ChangedFact."""

    fact: str
    at_selection: str | None
    now: str | None


class ChangedInput(TypedDict):
    """Resource ChangedInput."""

    constituent_id: str
    changed_fields: list[str]
    before: IndexInput | None
    after: IndexInput | None


class CollateralPolicy(TypedDict):
    """Resource CollateralPolicy."""

    policy: Literal["fully_collateralized"]
    version: int
    cross_margin: bool


class Complaint(TypedDict):
    """Resource Complaint."""

    complaint_id: str
    revision: int
    state: Literal["received", "published", "assigned", "declined", "resolved"]
    subject_kind: Literal["index", "market", "proposal", "rating", "severity", "notice", "other"]
    subject_id: str | None
    text: str | None
    text_sha256: str
    is_redacted: bool
    filed_at: str
    handler: str | None
    outcome: Literal["upheld", "partly_upheld", "rejected"] | None
    reason: str | None
    proposal_id: str | None
    act: Literal["publish_notice", "publish_complaint", "decline_complaint", "assign_complaint", "resolve_complaint"]
    actor_id: str | None
    public_key: str | None
    signed_text: str | None
    signature: str | None
    acted_at: str | None
    recorded_at: str
    published_at: str


class ComplaintReceipt(TypedDict):
    """Resource ComplaintReceipt."""

    complaint_id: str
    state: Literal["received"]
    filed_at: str
    text_sha256: str


class _ComplaintRequestRequired(TypedDict):
    subject_kind: Literal["index", "market", "proposal", "rating", "severity", "notice", "other"]
    subject_id: str | None
    text: str


class ComplaintRequest(_ComplaintRequestRequired, total=False):
    """Resource ComplaintRequest."""

    contact: str | None


class ComplaintWithHistory(TypedDict):
    """Resource ComplaintWithHistory."""

    complaint_id: str
    revision: int
    state: Literal["received", "published", "assigned", "declined", "resolved"]
    subject_kind: Literal["index", "market", "proposal", "rating", "severity", "notice", "other"]
    subject_id: str | None
    text: str | None
    text_sha256: str
    is_redacted: bool
    filed_at: str
    handler: str | None
    outcome: Literal["upheld", "partly_upheld", "rejected"] | None
    reason: str | None
    proposal_id: str | None
    act: Literal["publish_notice", "publish_complaint", "decline_complaint", "assign_complaint", "resolve_complaint"]
    actor_id: str | None
    public_key: str | None
    signed_text: str | None
    signature: str | None
    acted_at: str | None
    recorded_at: str
    published_at: str
    history: list[Complaint]


class _ConstituentRequired(TypedDict):
    constituent_id: str
    index_version_id: str
    market_id: str | None
    outcome_id: str | None
    target_weight: str
    effective_weight_at_publication: str
    weight_cap: str | None
    normalization: str
    eligibility_status: str
    eligibility_reason_codes: list[str]
    rating_assessment_id_at_selection: str | None
    market_mapping: MarketMapping | None
    legs: list[ConstituentLeg]
    definition: dict[str, Any]


class Constituent(_ConstituentRequired, total=False):
    """Resource Constituent."""

    market: Market | None
    outcomes: list[MarketOutcome] | None
    venue: Venue | None


class ConstituentEligibility(TypedDict):
    """Resource ConstituentEligibility."""

    constituent_id: str
    market_id: str
    status_at_selection: str
    rating_assessment_id_at_selection: str | None
    status: Literal["eligible", "ineligible", "unknown"]
    reason_codes: list[str]
    facts: list[EligibilityFact]
    changed_facts: list[ChangedFact]
    decision_id: str | None
    facts_as_of: str | None


class ConstituentLeg(TypedDict):
    """Resource ConstituentLeg."""

    market_id: str
    outcome_id: str
    venue_id: str
    source_series_id: str | None
    source_market_id: str
    pool_weight: str | None


class ContentDifference(TypedDict):
    """Resource ContentDifference."""

    path: str
    before: str | None
    after: str | None


class _CreateKeyRequestRequired(TypedDict):
    key_id: str
    environment: str
    label: str
    algorithm: Literal["hmac-sha256", "ed25519"]
    scopes: list[Literal["market_data:read", "account:read", "orders:read", "orders:write", "settlement:read", "transfers:write", "webhooks:write", "keys:read", "keys:write"]]
    authorization: SvcApiAuthorization
    authorization_signature: str
    signature_type: Literal["eoa", "erc1271", "erc1271_erc7739"]


class CreateKeyRequest(_CreateKeyRequestRequired, total=False):
    """Resource CreateKeyRequest."""

    public_key: str | None
    ip_allowlist: list[str]
    expires_at: str | None
    signed_message: dict[str, Any] | None


class _CreateWebhookRequestRequired(TypedDict):
    url: str
    event_types: list[Literal["settlement.created", "settlement.confirmed", "settlement.failed", "settlement.reversed", "settlement.adjusted", "payout.created", "payout.confirmed", "payout.failed", "payout.reversed", "payout_correction.created", "payout_correction.confirmed", "payout_correction.failed", "payout_correction.reversed", "adjustment.created", "transfer.requested", "transfer.held", "transfer.confirmed", "transfer.failed", "transfer.canceled", "order.canceled", "order.failed", "account.suspended", "account.resumed", "account.cancel_after_fired", "api_key.created", "api_key.rotated", "api_key.revoked", "market.paused", "market.resumed", "market.closed", "market.resolved", "market.voided", "webhook.created", "webhook.updated", "webhook.secret_rotated", "webhook.disabled", "webhook.deleted"]]


class CreateWebhookRequest(_CreateWebhookRequestRequired, total=False):
    """Resource CreateWebhookRequest."""

    description: str | None


class DeletedWebhook(TypedDict):
    """Resource DeletedWebhook."""

    webhook_id: str
    deleted_at: str


class Derivation(TypedDict):
    """Resource Derivation."""

    field: str
    derivation_rule: str
    source_observation_ids: list[str]


class Dispute(TypedDict):
    """Resource Dispute."""

    dispute_id: str
    state: Literal["open", "upheld", "rejected"]
    filer: str
    basis: str | None
    decision: str | None
    filed_at: str
    decided_at: str | None


class Eligibility(TypedDict):
    """Resource Eligibility."""

    status: Literal["eligible", "ineligible"]
    policy_id: str
    policy_version: int
    reason_codes: list[str]
    evaluated_at: str


class EligibilityFact(TypedDict):
    """Resource EligibilityFact."""

    fact: Literal["source_permitted", "venue_id", "category", "market_status", "time_to_resolution", "rating_band", "rating_score", "resolution_clarity", "source_reliability", "liquidity", "manipulation_resistance", "data_quality", "venue_operational_risk", "volume_24h", "open_interest", "liquidity_notional", "median_daily_volume", "spread", "venue_uptime"]
    value: str | None
    observed_at: str | None
    source_table: str | None
    source_id: str | None


class EligibilityPolicy(TypedDict):
    """Resource EligibilityPolicy."""

    policy_id: str
    version: int
    name: str
    record_hash: str
    previous_hash: str | None
    proposal_id: str | None
    effective_from: str | None
    rules: list[EligibilityRule]
    signed_content: str
    published_at: str | None


class EligibilityRule(TypedDict):
    """Resource EligibilityRule."""

    fact: Literal["source_permitted", "venue_id", "category", "market_status", "time_to_resolution", "rating_band", "rating_score", "resolution_clarity", "source_reliability", "liquidity", "manipulation_resistance", "data_quality", "venue_operational_risk", "volume_24h", "open_interest", "liquidity_notional", "median_daily_volume", "spread", "venue_uptime"]
    at_least: str | None
    at_most: str | None
    one_of: list[str] | None
    age_max: str | None


class EndedQuote(TypedDict):
    """Resource EndedQuote."""

    order_id: str
    client_order_id: str
    status: Literal["received", "validated", "rejected", "open", "partially_filled", "filled", "cancel_pending", "canceled", "expired", "suspended", "failed"]
    terminal_reason: Literal["FOK_NOT_FILLED", "FAK_NO_FILL", "FAK_REMAINDER", "SELF_TRADE_PREVENTION", "REPLACED", "MARKET_CLOSED", "REDUCE_ONLY", "RISK_ACTION", "EXPIRED", "USER_CANCELED", "CANCEL_ALL", "CANCEL_AFTER", "CANCEL_ON_PAUSE", "MARKET_MAKER_PROTECTION", "INTERNAL_FAILURE"] | None
    canceled_quantity: str
    filled_quantity: str
    engine_sequence: int


class EndpointCost(TypedDict):
    """Cost_each: name of the list in the body whose items each cost `cost`; rows_each: number of r..."""

    method: str
    path: str
    limit_class: str
    cost: int
    cost_each: str | None
    rows_each: int | None
    bytes_each: int | None
    scope: str | None


class EquityPoint(TypedDict):
    """Resource EquityPoint."""

    at: str
    asset_id: str
    cash: str
    holdings_value: str | None
    equity: str | None
    net_deposits: str
    missing_mark_outcome_ids: list[str]


class _ErrorRequired(TypedDict):
    code: str
    message: str
    retryable: bool
    request_id: str


class Error(_ErrorRequired, total=False):
    """Resource Error."""

    field_violations: list[FieldViolation]
    retry_after_ms: int
    server_time_ms: int
    digest: str
    domain_separator: str
    expected_signer: str
    recovered_signer: str
    first_differing_field: str
    expected_value: str
    signed_value: str
    signed_domain_separator: str
    contents_hash: str
    contract_result: str


class ErrorEnvelope(TypedDict):
    """Resource ErrorEnvelope."""

    error: Error


class Event(TypedDict):
    """Resource Event."""

    event_id: str
    slug: str | None
    title: str
    description: str | None
    category: str | None
    regions: list[str]
    status: str | None
    event_start: str | None
    event_end: str | None
    market_ids: list[str]
    source_mappings: list[SourceMapping]
    created_at: str | None
    updated_at: str


class EventExposure(TypedDict):
    """Resource EventExposure."""

    event_id: str
    asset_id: str
    net_value: str | None
    gross_value: str | None
    reserved: str
    missing_mark_outcome_ids: list[str]


class EventRelevance(TypedDict):
    """Resource EventRelevance."""

    event_id: str
    relevance: str


class EventTimeWindow(TypedDict):
    """Resource EventTimeWindow."""

    start: str
    end: str | None


class Evidence(TypedDict):
    """Resource Evidence."""

    evidence_id: str
    kind: str
    source_uri: str | None
    observed_at: str | None
    content_hash: str | None


class _EvidenceItemRequired(TypedDict):
    evidence_id: str
    kind: str
    source_uri: str | None
    observed_at: str | None
    content_hash: str | None
    component: str | None
    tier: Literal["A", "B", "C", "D"] | None


class EvidenceItem(_EvidenceItemRequired, total=False):
    """Resource EvidenceItem."""

    measured: str | None


class Exceedance(TypedDict):
    """Resource Exceedance."""

    level: Literal["SEV-0", "SEV-1", "SEV-2", "SEV-3", "SEV-4", "SEV-5", "UNKNOWN"]
    probability: str


class ExcludedInput(TypedDict):
    """Resource ExcludedInput."""

    constituent_id: str
    observation_id: str | None
    rule: str
    raw_value: str | None
    reference_value: str | None
    threshold: str | None


class ExecutableBand(TypedDict):
    """Resource ExecutableBand."""

    index_id: str
    observation_id: str
    index_version_id: str
    methodology_id: str
    methodology_version: str
    tick_at: str
    published_at: str
    level: str | None
    quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]
    reason: Literal["NO_LEVEL"] | None
    books: list[BookAtTick]
    notional: str
    bid: BandSide | None
    ask: BandSide | None


class FeeSchedule(TypedDict):
    """Resource FeeSchedule."""

    schedule_id: str
    schedule_version: int
    taker_rate: str
    maker_rate: str
    effective_from: str
    superseded_at: str | None
    market_count: int


class _FieldViolationRequired(TypedDict):
    field: str
    code: str
    message: str


class FieldViolation(_FieldViolationRequired, total=False):
    """Resource FieldViolation."""

    value: str | None


class Fill(TypedDict):
    """Resource Fill."""

    fill_id: str
    trade_id: str
    order_id: str
    client_order_id: str
    account_id: str
    market_id: str
    outcome_id: str
    side: Literal["BUY", "SELL"]
    price: str
    quantity: str
    notional: str
    liquidity_role: Literal["maker", "taker"]
    closed_quantity: str | None
    segments: list[FillSegment] | None
    fee: FillFee
    counterparty_type: Literal["participant"]
    engine_sequence: int
    matched_at: str
    matched_at_ts_ms: int
    published_at: str
    settlement_id: str
    settlement_state: Literal["pending", "submitted", "confirmed", "failed", "reversed", "redeemable", "redeemed"]
    adjustment_ids: list[str]
    schema_version: str


class FillBound(TypedDict):
    """Busted_quantity: filled and undone later; filled, busted and remaining quantity add up to th..."""

    fills: list[WouldBeFill]
    fills_omitted: int
    filled_quantity: str
    busted_quantity: str
    remaining_quantity: str
    completed_at: str | None


class FillFee(TypedDict):
    """Resource FillFee."""

    amount: str
    asset_id: str
    rate: str
    schedule_id: str
    schedule_version: int


class FillSegment(TypedDict):
    """Resource FillSegment."""

    match_kind: Literal["merge", "transfer", "mint"]
    outcome_id: str | None
    quantity: str


class FoundObservation(TypedDict):
    """Resource FoundObservation."""

    observation_id: str
    kind: Literal["index_observation", "market_observation", "resolution", "severity_index_value", "trade"]
    record: IndexObservation | MarketObservation | Resolution | SeverityIndexValue | Trade


class GovernanceAct(TypedDict):
    """Resource GovernanceAct."""

    act_id: str
    outcome: Literal["recorded", "refused"]
    act: Literal["attest", "draft", "propose", "vote", "comment", "recuse", "veto", "cancel", "ratify", "approve", "reject", "queue", "activate", "expire", "lapse", "publish_notice", "publish_complaint", "decline_complaint", "assign_complaint", "resolve_complaint"] | None
    subject_id: str | None
    actor_id: str | None
    roles: list[Literal["analyst", "committee", "observer", "oversight", "operator", "runner", "administrator"]]
    public_key: str | None
    signed_text: str
    signature: str | None
    acted_at: str | None
    recorded_at: str | None
    code: str | None
    message: str | None
    published_at: str


class GovernanceVote(TypedDict):
    """Resource GovernanceVote."""

    actor_id: str
    choice: Literal["approve", "dissent"]
    public_key: str
    acted_at: str


class GovernanceVoteWithReason(TypedDict):
    """Resource GovernanceVoteWithReason."""

    actor_id: str
    choice: Literal["approve", "dissent"]
    public_key: str
    acted_at: str
    reason: str | None


class Impact(TypedDict):
    """Resource Impact."""

    change_id: str
    kind: Literal["index_version", "methodology", "eligibility_policy", "index_status", "cessation"]
    target_id: str
    index_id: str | None
    base_hash: str | None
    content_hash: str
    agreement: Literal["one_runner", "agreed", "disputed"]
    impact_digest: str | None
    change_class: Literal["text", "parameter", "material", "scheduled_rebalance", "late_restatement", "emergency", "cessation", "policy", "roster"] | None
    attestations: list[ImpactAttestation]
    reports: list[ImpactReport]
    published_at: str


class ImpactAttestation(TypedDict):
    """Resource ImpactAttestation."""

    runner: str
    engine: Literal["exact", "reference"]
    impact_digest: str
    change_class: Literal["text", "parameter", "material", "scheduled_rebalance", "late_restatement", "emergency", "cessation", "policy", "roster"]
    is_latest: bool
    act_id: str
    acted_at: str
    published_at: str


class ImpactReport(TypedDict):
    """Resource ImpactReport."""

    impact_digest: str
    report: str


class _IndexRequired(TypedDict):
    index_id: str
    slug: str
    symbol: str
    name: str
    description: str | None
    family: str | None
    status: Literal["draft", "scheduled", "active", "suspended", "archived"]
    unit: str
    base_value: str
    base_date: str
    active_version_id: str | None
    tags: list[str]
    simulated: bool
    created_at: str
    updated_at: str


class Index(_IndexRequired, total=False):
    """Resource Index."""

    latest: LatestLevel | None
    day: IndexDay | None


class IndexDay(TypedDict):
    """Resource IndexDay."""

    start_time: str
    end_time: str
    interval: str
    levels: list[str | None]
    base_level: str | None
    base_at: str | None
    change: str | None


class IndexEligibility(TypedDict):
    """Resource IndexEligibility."""

    index_id: str
    index_version_id: str | None
    policy_id: str
    policy_version: int
    constituents: list[ConstituentEligibility]
    removals: list[str]


class IndexInput(TypedDict):
    """Resource IndexInput."""

    constituent_id: str
    market_id: str | None
    outcome_id: str | None
    source_observation_id: str | None
    target_weight: str
    weight_applied: str | None
    normalization: str
    raw_value: str | None
    normalized_value: str | None
    freshness_class: str
    mark_rule: str | None
    exclusion_reason: str | None
    contribution: str | None
    provisional: bool
    pending: bool
    reason_codes: list[str]
    legs: list[InputLeg]


class _IndexObservationRequired(TypedDict):
    observation_id: str
    revision: int
    supersedes_id: str | None
    correction_reason: str | None
    index_id: str
    index_version_id: str
    methodology_id: str
    methodology_version: str
    level: str | None
    unit: str
    tick_at: str
    calculated_at: str | None
    source_cutoff_at: str | None
    published_at: str
    published_at_ts_ms: int
    quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]
    underlying_quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"] | None
    coverage_ratio: str | None
    confidence: str | None
    link_factor: str | None
    reason_codes: list[str]
    missing_constituent_ids: list[str]
    excluded_inputs: list[ExcludedInput]
    input_observation_ids: list[str]
    calculation_run_id: str
    input_digest: str | None
    record_hash: str


class IndexObservation(_IndexObservationRequired, total=False):
    """Resource IndexObservation."""

    inputs: list[IndexInput]
    quotes: list[LevelQuote]


class IndexPreview(TypedDict):
    """Resource IndexPreview."""

    index_id: str
    observation_id: str
    index_version_id: str
    methodology_id: str
    methodology_version: str
    tick_at: str
    published_at: str
    level: str | None
    quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]
    reason: Literal["NO_LEVEL"] | None
    books: list[BookAtTick]
    market_id: str
    outcomes: list[PreviewedOutcome]
    voided: list[PreviewedVoid]


class IndexVersion(TypedDict):
    """Resource IndexVersion."""

    index_version_id: str
    index_id: str
    version: str
    status: Literal["published"]
    effective_from: str
    effective_to: str | None
    methodology_id: str
    methodology_version: str
    mode: Literal["chain_linked", "gauge"]
    calculation_frequency: str
    rebalance_rule: str | None
    weight_sum: str
    minimum_coverage_ratio: str
    approved_by: str | None
    approved_at: str | None
    published_at: str
    supersedes_version_id: str | None
    change_summary: list[str]
    link_factor: str | None
    link_at: str | None
    level_at_link: str | None
    governance: Literal["none", "governed"]
    proposal_id: str | None
    announced_at: str | None
    effective_at: str | None
    definition: dict[str, Any]


class InputLeg(TypedDict):
    """Resource InputLeg."""

    market_id: str
    outcome_id: str
    mark_rule: str | None
    origin_rule: str | None
    value: str | None
    freshness_class: str
    source_at: str | None
    confirmed_at: str | None
    mark_cutoff_at: str | None
    source_observation_ids: list[str]
    window_observation_ids: list[str]


class IssuedApiKey(TypedDict):
    """Resource IssuedApiKey."""

    key_id: str
    account_id: str
    environment: str
    label: str
    algorithm: Literal["hmac-sha256", "ed25519"]
    public_key: str | None
    scopes: list[str]
    ip_allowlist: list[str]
    status: Literal["active", "rotating", "revoked", "expired"]
    secret_version: int
    previous_valid_until: str | None
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    revoke_reason: str | None
    last_used_at: str | None
    secret: str | None
    secret_already_returned: bool


class IssuedWebhook(TypedDict):
    """Resource IssuedWebhook."""

    webhook_id: str
    account_id: str
    url: str
    description: str | None
    event_types: list[Literal["settlement.created", "settlement.confirmed", "settlement.failed", "settlement.reversed", "settlement.adjusted", "payout.created", "payout.confirmed", "payout.failed", "payout.reversed", "payout_correction.created", "payout_correction.confirmed", "payout_correction.failed", "payout_correction.reversed", "adjustment.created", "transfer.requested", "transfer.held", "transfer.confirmed", "transfer.failed", "transfer.canceled", "order.canceled", "order.failed", "account.suspended", "account.resumed", "account.cancel_after_fired", "api_key.created", "api_key.rotated", "api_key.revoked", "market.paused", "market.resumed", "market.closed", "market.resolved", "market.voided", "webhook.created", "webhook.updated", "webhook.secret_rotated", "webhook.disabled", "webhook.deleted"]]
    status: Literal["enabled", "disabled"]
    disabled_reason: Literal["requested", "gone", "failing"] | None
    secret_version: int
    previous_secret_valid_until: str | None
    created_at: str
    updated_at: str
    projection_version: int
    engine_sequence: int
    secret: str | None
    secret_already_returned: bool


class Issuer(TypedDict):
    """Resource Issuer."""

    kind: Literal["committee", "analyst", "model"]
    issuer_id: str
    model_version: str | None


class KeyAuditItem(TypedDict):
    """Requests are counted: occurred_at is the start of their minute, last_at the last of them, an..."""

    audit_id: str
    key_id: str
    action: Literal["created", "rotated", "revoked", "used", "refused"]
    occurred_at: str
    last_at: str
    count: int
    request_id: str | None
    ip: str | None
    method: str | None
    path: str | None
    outcome: Literal["done", "wrong_signature", "revoked", "expired", "other_environment", "address_not_allowed", "scope_missing", "timestamp_out_of_window", "nonce_reused", "owner_consent_missing"]
    by_key_id: str | None
    actor: str | None
    reason: str | None


class KnowledgeChange(TypedDict):
    """Resource KnowledgeChange."""

    subject: Literal["index", "index_version", "constituent", "rating", "level"]
    subject_id: str
    change: Literal["added", "revised", "removed"]
    changed_fields: list[str]
    changed_inputs: list[ChangedInput]
    before: Index | IndexVersion | Constituent | MarketRating | IndexObservation | None
    after: Index | IndexVersion | Constituent | MarketRating | IndexObservation | None


class LatestLevel(TypedDict):
    """Resource LatestLevel."""

    observation_id: str
    revision: int
    index_version_id: str
    level: str | None
    unit: str
    tick_at: str
    source_cutoff_at: str | None
    published_at: str
    quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]
    underlying_quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"] | None
    coverage_ratio: str | None
    max_age_ms: int


class LevelQuote(TypedDict):
    """Resource LevelQuote."""

    observation_id: str
    revision: int
    market_id: str
    outcome_id: str
    source_at: str
    received_at: str | None
    published_at: str
    quote: QuoteRecord


class LevelRobustness(TypedDict):
    """Resource LevelRobustness."""

    index_id: str
    observation_id: str
    index_version_id: str
    methodology_id: str
    methodology_version: str
    tick_at: str
    published_at: str
    level: str | None
    quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]
    reason: Literal["NO_LEVEL"] | None
    books: list[BookAtTick]
    missing_input: MissingInputBound | None
    manipulation_cost: ManipulationCost | None


class Limit(TypedDict):
    """A limit and its value in this version; per: what it is counted for; code: error beyond it, n..."""

    name: str
    value: int
    per: str
    code: str | None
    effect: str
    metric: str | None


class LimitClassKeyed(TypedDict):
    """Resource LimitClassKeyed."""

    rate: int
    burst: int


class LimitClassAccount(TypedDict):
    """Resource LimitClassAccount."""

    rate: int
    burst: int


class LimitClassAnonymous(TypedDict):
    """Resource LimitClassAnonymous."""

    rate: int
    burst: int


class LimitClass(TypedDict):
    """Token buckets that refill by rate tokens a second, up to burst: of a key and of all keys of ..."""

    limit_class: str
    keyed: LimitClassKeyed
    account: LimitClassAccount
    anonymous: LimitClassAnonymous | None
    tiers: list[LimitTier]


class LimitTierKeyed(TypedDict):
    """Resource LimitTierKeyed."""

    rate: int
    burst: int


class LimitTierAccount(TypedDict):
    """Resource LimitTierAccount."""

    rate: int
    burst: int


class LimitTier(TypedDict):
    """Rate limits of accounts of one tier (limit_tier of GET /v1/account/policy)."""

    limit_tier: Literal["standard", "advanced", "market_maker"]
    keyed: LimitTierKeyed
    account: LimitTierAccount


class ManipulationCost(TypedDict):
    """Resource ManipulationCost."""

    basis_points: int
    notional_at_least: str | None
    notional_sufficient: str | None
    reason: Literal["DEPTH_NOT_STORED", "DEPTH_NOT_OF_TICK", "DEPTH_CROSSED", "DEPTH_INSUFFICIENT", "MARK_NOT_FROM_BOOK", "PRICE_UNIT_NOT_PROBABILITY", "SEVERAL_LEGS", "LEVEL_ZERO"] | None
    up: PushCost
    down: PushCost
    without_depth: list[MissingDepth]


class _MarketRequired(TypedDict):
    market_id: str
    event_id: str
    slug: str | None
    title: str
    category: str | None
    status: Literal["scheduled", "open", "paused", "closed", "resolving", "resolved", "voided", "archived"] | None
    outcome_type: str
    outcomes: list[MarketOutcome]
    rules: MarketRules | None
    schedule: MarketSchedule | None
    trading_parameters: TradingParameters | None
    venue_mapping: VenueMapping | None
    eligibility: Eligibility | None
    metrics: MarketMetrics | None
    created_at: str | None
    updated_at: str
    source_at: str
    published_at: str
    simulated: bool


class Market(_MarketRequired, total=False):
    """Resource Market."""

    price: MarketPrice | None
    price_error: MarketPriceRefusal | None
    day: MarketDay | None
    rating: RatingInForce


class MarketDay(TypedDict):
    """Resource MarketDay."""

    outcome_id: str
    field: Literal["bid", "ask", "midpoint", "last_trade", "mark"]
    interval: str
    start_time: str
    end_time: str
    open: str | None
    closes: list[MarketDayClose]


class MarketDayClose(TypedDict):
    """Resource MarketDayClose."""

    bucket_start: str
    close: str


class MarketEligibility(TypedDict):
    """Resource MarketEligibility."""

    market_id: str
    policy_id: str
    policy_version: int
    policy_hash: str
    status: Literal["eligible", "ineligible", "unknown"]
    reason_codes: list[str]
    facts: list[EligibilityFact]
    facts_as_of: str | None
    decision_id: str | None
    revision: int | None
    published_at: str | None


class MarketExposure(TypedDict):
    """Resource MarketExposure."""

    market_id: str
    event_id: str | None
    asset_id: str
    net_value: str | None
    gross_value: str | None
    reserved: str
    missing_mark_outcome_ids: list[str]


class MarketMakerProtection(TypedDict):
    """Resource MarketMakerProtection."""

    account_id: str
    market_id: str
    fill_count_max: int
    quantity_max: str | None
    window_ms: int
    frozen_ms: int
    frozen_until: str | None
    triggered_at: str | None
    trigger_count: int
    updated_at: str
    engine_sequence: int


class MarketMapping(TypedDict):
    """Resource MarketMapping."""

    mapping_id: str
    venue_id: str
    source_event_id: str | None
    source_series_id: str | None
    source_market_id: str
    source_outcome_id: str | None
    valid_from: str | None
    valid_to: str | None


class MarketMetrics(TypedDict):
    """Resource MarketMetrics."""

    volume_24h: str | None
    open_interest: str | None
    liquidity_notional: str | None
    observed_at: str


class _MarketObservationRequired(TypedDict):
    observation_id: str
    revision: int
    supersedes_id: str | None
    correction_reason: str | None
    market_id: str
    outcome_id: str
    field: Literal["bid", "ask", "midpoint", "last_trade", "mark", "reported_probability"]
    value: str
    venue_id: str
    source_series_id: str | None
    source_market_id: str
    source_observation_ids: list[str]
    derived: bool
    derivation_rule: str | None
    quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]
    source_at: str
    tick_at: str | None
    received_at: str | None
    calculated_at: str | None
    published_at: str
    schema_version: str
    methodology_id: str | None
    methodology_version: str | None


class MarketObservation(_MarketObservationRequired, total=False):
    """Resource MarketObservation."""

    quote: QuoteRecord | None


class MarketOutcome(TypedDict):
    """Resource MarketOutcome."""

    outcome_id: str
    label: str
    status: str | None
    payout_value: str | None
    complementary_outcome_id: str | None


class _MarketPriceRequired(TypedDict):
    market_id: str
    market_status: Literal["scheduled", "open", "paused", "closed", "resolving", "resolved", "voided", "archived"] | None
    outcomes: list[OutcomePrice]
    venue_id: str
    source_market_id: str
    source_series_id: str | None
    source_sequence: int | None
    source_at: str
    received_at: str
    published_at: str
    quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]
    methodology_id: str | None
    methodology_version: str | None


class MarketPrice(_MarketPriceRequired, total=False):
    """Resource MarketPrice."""

    freshness_ms: int


class MarketPriceRefusal(TypedDict):
    """Resource MarketPriceRefusal."""

    code: str
    message: str


class MarketPriceResult(TypedDict):
    """Resource MarketPriceResult."""

    market_id: str
    price: MarketPrice | None
    error: MarketPriceRefusal | None


class MarketRating(TypedDict):
    """Resource MarketRating."""

    rating_id: str | None
    revision: int | None
    supersedes_id: str | None
    correction_reason: str | None
    market_id: str
    band: Literal["MR1", "MR2", "MR3", "MR4", "MR5", "NR"]
    score: str | None
    component_scores: RatingComponentScores
    outlook: str | None
    watch_status: str | None
    confidence: str | None
    reason_codes: list[str]
    rationale: str | None
    methodology_id: str | None
    methodology_version: str | None
    issuer: Issuer | None
    evidence: list[EvidenceItem]
    observation_cutoff_at: str | None
    effective_from: str | None
    effective_to: str | None
    published_at: str | None
    review_state: Literal["draft", "under_review", "approved", "superseded", "disputed", "withdrawn"] | None
    override: Override | None
    dispute: Dispute | None
    withdrawal: Withdrawal | None
    previous_band: Literal["MR1", "MR2", "MR3", "MR4", "MR5", "NR"] | None
    previous_score: str | None


class MarketRules(TypedDict):
    """Resource MarketRules."""

    rules_version: str | None
    resolution_question: str | None
    resolution_sources: list[str]
    resolution_criteria: str | None
    dispute_policy_uri: str | None
    timezone: str | None


class MarketSchedule(TypedDict):
    """Resource MarketSchedule."""

    opens_at: str | None
    closes_at: str | None
    expected_resolution_at: str | None


class MassQuoteRequest(TypedDict):
    """Resource MassQuoteRequest."""

    market_id: str
    quote_set_id: str
    orders: list[OrderRequest]


class MassQuoteResult(TypedDict):
    """Resource MassQuoteResult."""

    command_id: str
    market_id: str
    quote_set_id: str
    canceled: list[EndedQuote]
    orders: list[BatchItem]


class _MetaRequired(TypedDict):
    request_id: str
    published_at: str
    schema_version: str


class Meta(_MetaRequired, total=False):
    """Resource Meta."""

    as_of: str
    max_age_ms: int
    correction_chain: list[str]
    stale: bool
    stale_since: str | None
    stream_cursor: StreamCursor
    receipt: Receipt


class Methodology(TypedDict):
    """Resource Methodology."""

    methodology_id: str
    version: str
    status: str
    name: str
    document_uri: str
    content_hash: str
    published_at: str
    supersedes_version: str | None
    parameters: dict[str, Any]
    text_sha256: str
    text_uri: str


class MissingDepth(TypedDict):
    """Resource MissingDepth."""

    constituent_id: str
    reason: Literal["DEPTH_NOT_STORED", "DEPTH_NOT_OF_TICK", "DEPTH_CROSSED", "DEPTH_INSUFFICIENT", "MARK_NOT_FROM_BOOK", "PRICE_UNIT_NOT_PROBABILITY", "SEVERAL_LEGS"]


class MissingEvidencePolicy(TypedDict):
    """Resource MissingEvidencePolicy."""

    required_components: list[str]
    minimum_weight: str
    evidence_age_max_days: str
    best_band_when_missing: Literal["MR1", "MR2", "MR3", "MR4", "MR5", "NR"]
    missing_is_zero: bool


class MissingInput(TypedDict):
    """Resource MissingInput."""

    constituent_id: str
    level_without: str | None
    move: str | None
    move_bp: str | None
    quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]
    reason_codes: list[str]
    coverage_ratio: str
    level_if_zero: str
    level_if_one: str


class MissingInputBound(TypedDict):
    """Resource MissingInputBound."""

    level: str
    inputs: list[MissingInput]
    largest: MissingInput | None
    indispensable_ids: list[str]


class Notice(TypedDict):
    """Resource Notice."""

    notice_id: str
    kind: Literal["announcement", "correction", "degraded_service", "cessation", "complaint_outcome", "drift"]
    subject_id: str | None
    index_id: str | None
    market_id: str | None
    venue_id: str | None
    proposal_id: str | None
    title: str
    text: str
    cause: str | None
    effective_at: str | None
    starts_at: str | None
    ends_at: str | None
    changes: list[NoticeChange]
    source_ids: list[str]
    follows_notice_id: str | None
    corrects_notice_id: str | None
    draft: str | None
    draft_sha256: str | None
    actor_id: str | None
    public_key: str | None
    signed_text: str | None
    signature: str | None
    acted_at: str | None
    published_at: str


class NoticeChange(TypedDict):
    """Resource NoticeChange."""

    record_id: str
    at: str | None
    field: str
    old_value: str | None
    new_value: str | None


class ObservationPayloads(TypedDict):
    """Resource ObservationPayloads."""

    observation_id: str
    market_id: str
    venue_id: str
    received_at: str
    payloads: list[VenuePayload]
    payloads_omitted: int


class OpenOrderLimits(TypedDict):
    """Resource OpenOrderLimits."""

    limit_tier: Literal["standard", "advanced", "market_maker"]
    max_open_orders: int
    max_open_orders_per_market: int


class Order(TypedDict):
    """Resource Order."""

    order_id: str
    client_order_id: str
    command_id: str
    account_id: str
    market_id: str
    outcome_id: str
    side: Literal["BUY", "SELL"]
    order_type: Literal["limit"]
    limit_price: str
    time_in_force: Literal["GTC", "GTD", "FOK", "FAK"]
    expires_at: str | None
    post_only: bool
    reduce_only: bool
    cancel_on_pause: bool
    self_trade_prevention: Literal["cancel_taker", "cancel_maker", "cancel_both"]
    maximum_fee: str
    maximum_notional: str
    settlement_asset_id: str
    signer: str
    signature_type: Literal["eoa", "erc1271", "erc1271_erc7739"]
    signature_version: str
    order_nonce: str
    labels: dict[str, Any] | None
    quote_set_id: str | None
    status: Literal["received", "validated", "rejected", "open", "partially_filled", "filled", "cancel_pending", "canceled", "expired", "suspended", "failed"]
    version: int
    terminal_reason: Literal["FOK_NOT_FILLED", "FAK_NO_FILL", "FAK_REMAINDER", "SELF_TRADE_PREVENTION", "REPLACED", "MARKET_CLOSED", "REDUCE_ONLY", "RISK_ACTION", "EXPIRED", "USER_CANCELED", "CANCEL_ALL", "CANCEL_AFTER", "CANCEL_ON_PAUSE", "MARKET_MAKER_PROTECTION", "INTERNAL_FAILURE"] | None
    rejection: Error | None
    original_quantity: str
    filled_quantity: str
    remaining_quantity: str
    canceled_quantity: str
    trimmed_quantity: str
    average_fill_price: str | None
    filled_notional: str
    accrued_fee: str
    reserved_amount: str
    fee_schedule_id: str | None
    fee_schedule_version: int | None
    policy_id: str
    policy_version: int
    replaced_by_order_id: str | None
    cancel_command_id: str | None
    client_cancel_id: str | None
    cancel_reason: str | None
    engine_sequence: int
    created_at: str
    updated_at: str
    received_at: str
    validated_at: str | None
    acknowledged_at: str
    rejected_at: str | None
    opened_at: str | None
    partially_filled_at: str | None
    filled_at: str | None
    cancel_pending_at: str | None
    canceled_at: str | None
    expired_at: str | None
    suspended_at: str | None
    failed_at: str | None


class OrderBatchRequest(TypedDict):
    """Resource OrderBatchRequest."""

    orders: list[OrderRequest]


class _OrderBookRequired(TypedDict):
    market_id: str
    outcome_id: str
    sequence: int
    bids: list[BookLevel]
    asks: list[BookLevel]
    asks_derived: bool
    source_at: str
    received_at: str
    published_at: str
    quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]


class OrderBook(_OrderBookRequired, total=False):
    """Resource OrderBook."""

    confirmed_at: str
    newer_quote_at: str | None


class OrderDetail(TypedDict):
    """Resource OrderDetail."""

    order_id: str
    client_order_id: str
    command_id: str
    account_id: str
    market_id: str
    outcome_id: str
    side: Literal["BUY", "SELL"]
    order_type: Literal["limit"]
    limit_price: str
    time_in_force: Literal["GTC", "GTD", "FOK", "FAK"]
    expires_at: str | None
    post_only: bool
    reduce_only: bool
    cancel_on_pause: bool
    self_trade_prevention: Literal["cancel_taker", "cancel_maker", "cancel_both"]
    maximum_fee: str
    maximum_notional: str
    settlement_asset_id: str
    signer: str
    signature_type: Literal["eoa", "erc1271", "erc1271_erc7739"]
    signature_version: str
    order_nonce: str
    labels: dict[str, Any] | None
    quote_set_id: str | None
    status: Literal["received", "validated", "rejected", "open", "partially_filled", "filled", "cancel_pending", "canceled", "expired", "suspended", "failed"]
    version: int
    terminal_reason: Literal["FOK_NOT_FILLED", "FAK_NO_FILL", "FAK_REMAINDER", "SELF_TRADE_PREVENTION", "REPLACED", "MARKET_CLOSED", "REDUCE_ONLY", "RISK_ACTION", "EXPIRED", "USER_CANCELED", "CANCEL_ALL", "CANCEL_AFTER", "CANCEL_ON_PAUSE", "MARKET_MAKER_PROTECTION", "INTERNAL_FAILURE"] | None
    rejection: Error | None
    original_quantity: str
    filled_quantity: str
    remaining_quantity: str
    canceled_quantity: str
    trimmed_quantity: str
    average_fill_price: str | None
    filled_notional: str
    accrued_fee: str
    reserved_amount: str
    fee_schedule_id: str | None
    fee_schedule_version: int | None
    policy_id: str
    policy_version: int
    replaced_by_order_id: str | None
    cancel_command_id: str | None
    client_cancel_id: str | None
    cancel_reason: str | None
    engine_sequence: int
    created_at: str
    updated_at: str
    received_at: str
    validated_at: str | None
    acknowledged_at: str
    rejected_at: str | None
    opened_at: str | None
    partially_filled_at: str | None
    filled_at: str | None
    cancel_pending_at: str | None
    canceled_at: str | None
    expired_at: str | None
    suspended_at: str | None
    failed_at: str | None
    fill_ids: list[str]
    settlement_ids: list[str]
    prevented_matches: list[PreventedMatch]


class OrderPreviewCloses(TypedDict):
    """Resource OrderPreviewCloses."""

    outcome_id: str
    quantity: str
    price: str


class OrderPreviewOpens(TypedDict):
    """Resource OrderPreviewOpens."""

    outcome_id: str
    quantity: str
    price: str


class _OrderPreviewRequired(TypedDict):
    account_id: str
    market_id: str
    outcome_id: str
    status: Literal["accepted", "rejected"]
    rejection: Error | None
    working_quantity: str | None
    executable_quantity: str | None
    average_executable_price: str | None
    closes: OrderPreviewCloses | None
    opens: OrderPreviewOpens | None
    reserved_amount: str | None
    maximum_fee_charged: str | None
    available_before: str | None
    order_status: Literal["received", "validated", "rejected", "open", "partially_filled", "filled", "cancel_pending", "canceled", "expired", "suspended", "failed"] | None
    terminal_reason: Literal["FOK_NOT_FILLED", "FAK_NO_FILL", "FAK_REMAINDER", "SELF_TRADE_PREVENTION", "REPLACED", "MARKET_CLOSED", "REDUCE_ONLY", "RISK_ACTION", "EXPIRED", "USER_CANCELED", "CANCEL_ALL", "CANCEL_AFTER", "CANCEL_ON_PAUSE", "MARKET_MAKER_PROTECTION", "INTERNAL_FAILURE"] | None
    self_trade_prevention: PreviewedSelfTradePrevention | None
    as_of: str


class OrderPreview(_OrderPreviewRequired, total=False):
    """Resource OrderPreview."""

    would_fill: WouldFill | None


class _OrderRequestRequired(TypedDict):
    client_order_id: str
    account_id: str
    market_id: str
    outcome_id: str
    side: Literal["BUY", "SELL"]
    limit_price: str
    quantity: str
    time_in_force: Literal["GTC", "GTD", "FOK", "FAK"]
    self_trade_prevention: Literal["cancel_taker", "cancel_maker", "cancel_both"]
    maximum_fee: str
    maximum_notional: str
    settlement_asset_id: str
    signer: str
    signature_type: Literal["eoa", "erc1271", "erc1271_erc7739"]
    signature_version: Literal["1"]
    order_nonce: str
    order_signature: str


class OrderRequest(_OrderRequestRequired, total=False):
    """Resource OrderRequest."""

    order_type: Literal["limit"]
    expires_at: str | None
    post_only: bool
    reduce_only: bool
    cancel_on_pause: bool
    labels: dict[str, Any] | None
    signed_message: dict[str, Any] | None


class OutcomePrice(TypedDict):
    """Resource OutcomePrice."""

    outcome_id: str
    best_bid: str | None
    best_ask: str | None
    midpoint: str | None
    last_trade: str | None
    last_trade_at: str | None
    mark: str | None
    implied_probability: str | None
    implied_reason: Literal["PARTIAL_OUTCOME_SET", "OVERROUND_EXCEEDED"] | None
    spread: str | None
    book_reason: Literal["CROSSED_BOOK", "MARKET_PAUSED"] | None
    book_sequence: int | None
    bid_depth: str | None
    ask_depth: str | None
    derived: bool
    derivation_rule: str | None
    source_observation_ids: list[str]
    derivations: list[Derivation]
    mark_rule: str | None
    mark_at: str | None
    mark_observation_id: str | None
    confirmed_at: str | None
    quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]


class Override(TypedDict):
    """Resource Override."""

    override_id: str
    authority: str
    reason_code: str
    narrative: str
    previous_value: str | None
    proposed_value: str
    starts_at: str
    expires_at: str | None


class Page(TypedDict):
    """Resource Page."""

    next_cursor: str | None
    has_more: bool


class Payout(TypedDict):
    """Resource Payout."""

    outcome_id: str
    payout: str


PeriodPnl = TypedDict(
    "PeriodPnl",
    {
        "period": "Literal['day', 'week', 'month', 'all']",
        "from": "str",
        "realized_pnl": "str",
        "unrealized_pnl_change": "str | None",
        "fees": "str",
        "total_pnl": "str | None",
        "missing_mark_outcome_ids": "list[str]",
    },
)


class _PolicyRequired(TypedDict):
    version: int
    record_hash: str
    previous_hash: str | None
    proposal_id: str
    effective_from: str
    expires_at: str
    published_at: str
    signed_content: str
    classes: list[ChangeClassRule]
    proposal_lifetime: str
    late_window: str
    late_extension: str
    emergency_lapse: str


class Policy(_PolicyRequired, total=False):
    """Resource Policy."""

    drift_after: str


class Position(TypedDict):
    """Resource Position."""

    position_id: str
    account_id: str
    market_id: str
    outcome_id: str
    net_quantity: str
    settled_quantity: str
    unsettled_quantity: str
    reserved_sell_quantity: str
    available_to_sell: str
    average_entry_price: str | None
    mark_price: str | None
    mark_observation_id: str | None
    pricing_method: Literal["last_delivered_mark"] | None
    cost_basis: str
    market_value: str | None
    realized_pnl: str
    unrealized_pnl: str | None
    pnl_asset_id: str
    pending_settlement_ids: list[str]
    source_fill_sequence: int
    projection_version: int
    engine_sequence: int
    as_of: str


class PreventedMatch(TypedDict):
    """Resource PreventedMatch."""

    prevented_match_id: str
    taker_order_id: str
    maker_order_id: str
    mode: Literal["cancel_taker", "cancel_maker", "cancel_both"]
    price: str
    quantity: str
    prevented_at: str
    engine_sequence: int


class _PreviewRequestRequired(TypedDict):
    client_order_id: str
    account_id: str
    market_id: str
    outcome_id: str
    side: Literal["BUY", "SELL"]
    limit_price: str
    quantity: str
    time_in_force: Literal["GTC", "GTD", "FOK", "FAK"]
    self_trade_prevention: Literal["cancel_taker", "cancel_maker", "cancel_both"]
    maximum_fee: str
    maximum_notional: str
    settlement_asset_id: str
    signer: str
    signature_type: Literal["eoa", "erc1271", "erc1271_erc7739"]
    signature_version: Literal["1"]
    order_nonce: str
    order_signature: str


class PreviewRequest(_PreviewRequestRequired, total=False):
    """Resource PreviewRequest."""

    order_type: Literal["limit"]
    expires_at: str | None
    post_only: bool
    reduce_only: bool
    cancel_on_pause: bool
    labels: dict[str, Any] | None
    signed_message: dict[str, Any] | None
    as_of: str | None
    until: str | None


class PreviewedConstituent(TypedDict):
    """Resource PreviewedConstituent."""

    constituent_id: str
    before: str | None
    after: str | None


class PreviewedOutcome(TypedDict):
    """Resource PreviewedOutcome."""

    outcome_id: str
    label: str | None
    level: str | None
    move: str | None
    constituents: list[PreviewedConstituent]


class PreviewedOwnOrder(TypedDict):
    """Resource PreviewedOwnOrder."""

    order_id: str
    client_order_id: str
    outcome_id: str
    side: Literal["BUY", "SELL"]
    price: str
    prevented_quantity: str
    canceled_quantity: str


class PreviewedSelfTradePrevention(TypedDict):
    """Own resting orders in the way, in the order in which they would be met; prices are of the pr..."""

    mode: Literal["cancel_taker", "cancel_maker", "cancel_both"]
    ends_order: bool
    own_orders: list[PreviewedOwnOrder]
    own_orders_omitted: int
    canceled_quantity: str


class PreviewedVoid(TypedDict):
    """Resource PreviewedVoid."""

    payout_rule: Literal["equal_shares", "none"]
    payout: str | None
    level: str | None
    move: str | None
    constituents: list[PreviewedConstituent]
    reason: Literal["PAYOUTS_NOT_EXACT", "MARK_NOT_STATED", "NO_FRESH_INPUT"] | None


class ProForma(TypedDict):
    """Resource ProForma."""

    pro_forma_id: str
    index_id: str
    index_version_id: str
    version: str
    effective_from: str
    selected_as_of: str
    is_governed: bool
    base_version_id: str | None
    methodology_id: str
    methodology_version: str
    policy_id: str
    policy_version: int
    policy_hash: str
    definition: dict[str, Any]
    constituents: list[ProFormaConstituent]
    candidates: list[ProFormaCandidate]
    record_hash: str
    published_at: str


class ProFormaCandidate(TypedDict):
    """Resource ProFormaCandidate."""

    market_id: str
    eligibility_status: Literal["eligible", "ineligible", "unknown"]
    eligibility_reason_codes: list[str]
    rank: int | None
    ranking_value: str | None
    is_incumbent: bool
    is_selected: bool
    reason_codes: list[Literal["NOT_ELIGIBLE", "RANKING_FACT_UNKNOWN", "KEPT_BY_BUFFER", "RANK_BEYOND_COUNT", "VENUE_FULL", "EVENT_FULL"]]


class ProFormaConstituent(TypedDict):
    """Resource ProFormaConstituent."""

    constituent_id: str
    market_id: str
    outcome_id: str
    target_weight: str
    rank: int
    ranking_value: str
    rating_id: str | None
    is_incumbent: bool
    reason_codes: list[Literal["NOT_ELIGIBLE", "RANKING_FACT_UNKNOWN", "KEPT_BY_BUFFER", "RANK_BEYOND_COUNT", "VENUE_FULL", "EVENT_FULL"]]
    facts: list[EligibilityFact]


class Proof(TypedDict):
    """Checkpoint is the smallest that covers the record."""

    record_text: str
    entry: str
    index: int
    hashes: list[str]
    checkpoint: str


class Proposal(TypedDict):
    """Resource Proposal."""

    proposal_id: str
    revision: int
    kind: Literal["roster", "policy", "eligibility_policy", "index_version", "index_adoption", "index_status", "cessation", "methodology", "restatement"]
    target: str
    base_hash: str | None
    content: str
    rationale: str
    impact_digest: str | None
    emergency: str | None
    change_class: Literal["text", "parameter", "material", "scheduled_rebalance", "late_restatement", "emergency", "cessation", "policy", "roster"]
    state: Literal["draft", "proposed", "consulting", "approved", "queued", "effective", "rejected", "cancelled", "vetoed", "expired", "lapsed"]
    reason: str | None
    proposed_by: str
    proposed_at: str
    comment_ends_at: str
    vote_ends_at: str | None
    effective_at: str | None
    expires_at: str
    lapses_at: str | None
    votes: list[GovernanceVote]
    ratifications: list[GovernanceVote]
    recused: list[str]
    act_id: str
    published_at: str


class ProposalWithHistory(TypedDict):
    """Resource ProposalWithHistory."""

    proposal_id: str
    revision: int
    kind: Literal["roster", "policy", "eligibility_policy", "index_version", "index_adoption", "index_status", "cessation", "methodology", "restatement"]
    target: str
    base_hash: str | None
    content: str
    rationale: str
    impact_digest: str | None
    emergency: str | None
    change_class: Literal["text", "parameter", "material", "scheduled_rebalance", "late_restatement", "emergency", "cessation", "policy", "roster"]
    state: Literal["draft", "proposed", "consulting", "approved", "queued", "effective", "rejected", "cancelled", "vetoed", "expired", "lapsed"]
    reason: str | None
    proposed_by: str
    proposed_at: str
    comment_ends_at: str
    vote_ends_at: str | None
    effective_at: str | None
    expires_at: str
    lapses_at: str | None
    votes: list[GovernanceVoteWithReason]
    ratifications: list[GovernanceVote]
    recused: list[str]
    act_id: str
    published_at: str
    seats: list[Seats]
    ratification_seats: list[Seats]
    takes_effect_at: str | None
    vetoed_before: list[str]
    diff: list[ContentDifference]
    history: list[Proposal]


class _ProtectionRequestRequired(TypedDict):
    fill_count_max: int
    window_ms: int
    frozen_ms: int


class ProtectionRequest(_ProtectionRequestRequired, total=False):
    """Resource ProtectionRequest."""

    quantity_max: str | None


class PushCost(TypedDict):
    """Resource PushCost."""

    notional_at_least: str | None
    notional_sufficient: str | None
    reason: Literal["DEPTH_NOT_STORED", "DEPTH_NOT_OF_TICK", "DEPTH_CROSSED", "DEPTH_INSUFFICIENT", "MARK_NOT_FROM_BOOK", "PRICE_UNIT_NOT_PROBABILITY", "SEVERAL_LEGS", "LEVEL_ZERO"] | None
    touches: list[PushedTouch]


class PushedTouch(TypedDict):
    """Resource PushedTouch."""

    constituent_id: str
    touch: str
    notional: str


class QuantityAhead(TypedDict):
    """Resource QuantityAhead."""

    quantity: str
    order_count: int


class QueuePosition(TypedDict):
    """Ahead_at_price: older orders at the same price; both are null if the order is not in the book."""

    order_id: str
    market_id: str
    outcome_id: str
    side: Literal["BUY", "SELL"]
    limit_price: str
    status: Literal["received", "validated", "rejected", "open", "partially_filled", "filled", "cancel_pending", "canceled", "expired", "suspended", "failed"]
    remaining_quantity: str
    ahead_at_price: QuantityAhead | None
    ahead_at_better_prices: QuantityAhead | None
    engine_sequence: int
    as_of: str


class QuoteRecord(TypedDict):
    """Resource QuoteRecord."""

    bid: str | None
    ask: str | None
    bid_depth: str | None
    ask_depth: str | None
    last_trade: str | None
    last_trade_at: str | None
    reported_probability: str | None
    confirmed_at: str | None


class RatingComponentDefinition(TypedDict):
    """Resource RatingComponentDefinition."""

    name: str
    minimum: str
    maximum: str
    higher_is_better: bool
    weight: str
    required: bool


class RatingComponentScores(TypedDict):
    """Resource RatingComponentScores."""

    resolution_clarity: str | None
    source_reliability: str | None
    liquidity: str | None
    manipulation_resistance: str | None
    data_quality: str | None
    venue_operational_risk: str | None


class RatingInForce(TypedDict):
    """Resource RatingInForce."""

    rating_id: str | None
    band: Literal["MR1", "MR2", "MR3", "MR4", "MR5", "NR"]
    score: str | None
    confidence: str | None
    review_state: Literal["draft", "under_review", "approved", "superseded", "disputed", "withdrawn"] | None
    methodology_id: str | None
    methodology_version: str | None
    effective_from: str | None
    published_at: str | None


class RatingMethodology(TypedDict):
    """Resource RatingMethodology."""

    methodology_id: str
    version: str
    status: str
    name: str | None
    scale: list[Literal["MR1", "MR2", "MR3", "MR4", "MR5", "NR"]]
    component_definitions: list[RatingComponentDefinition]
    band_thresholds: dict[str, Any]
    missing_evidence_policy: MissingEvidencePolicy
    document_uri: str
    content_hash: str
    published_at: str
    supersedes_version: str | None
    parameters: dict[str, Any]
    text_sha256: str
    document: str
    text_uri: str


class _ReceiptRequired(TypedDict):
    sealed_through: str
    seal: SealProof
    record: RecordProof | None
    checkpoint: str


class Receipt(_ReceiptRequired, total=False):
    """Resource Receipt."""

    kind: str
    kinds: list[str]
    records: list[RecordProof]


class RecordProof(TypedDict):
    """Resource RecordProof."""

    record_text: str
    entry: str
    index: int
    hashes: list[str]


class RedeemedHolding(TypedDict):
    """Resource RedeemedHolding."""

    outcome_id: str
    net_quantity: str
    average_entry_price: str | None
    payout_per_contract: str
    payout: str
    realized_pnl: str


class RedemptionPreview(TypedDict):
    """Resource RedemptionPreview."""

    account_id: str
    market_id: str
    market_status: str
    asset_id: str
    open_order_count: int
    open_order_ids: list[str]
    collateral_freed: str
    pending_settlement_ids: list[str]
    results: list[RedemptionResult]
    as_of: str


class RedemptionResult(TypedDict):
    """Resource RedemptionResult."""

    verdict: Literal["resolved", "voided"]
    outcome_id: str | None
    payout_rule: Literal["winner", "equal_shares"]
    payout: str | None
    fee: str | None
    realized_pnl: str | None
    available_change: str | None
    reason: Literal["PAYOUTS_NOT_EXACT"] | None
    holdings: list[RedeemedHolding]


class ReplayWebhookRequest(TypedDict, total=False):
    """Exactly one of from_cursor, delivery_ids."""

    from_cursor: int
    delivery_ids: list[str]


class ResetProtectionRequest(TypedDict):
    """Resource ResetProtectionRequest."""

    pass


class Resolution(TypedDict):
    """Resource Resolution."""

    resolution_id: str
    revision: int
    supersedes_id: str | None
    correction_reason: str | None
    market_id: str
    winning_outcome_ids: list[str]
    payouts: list[Payout]
    resolved_at: str | None
    final_at: str | None
    confirmed_at: str
    evidence: list[Evidence]
    resolver: Resolver | None
    dispute_window_ends_at: str | None
    finality: Literal["proposed", "disputed", "final", "withdrawn"]
    source_at: str
    received_at: str
    published_at: str


class Resolver(TypedDict):
    """Resource Resolver."""

    kind: str
    resolver_id: str | None


class RestatedLevel(TypedDict):
    """Resource RestatedLevel."""

    observation_id: str
    supersedes_id: str | None
    tick_at: str
    old_level: str | None
    new_level: str | None
    basis_points: str | None
    quality_state: Literal["valid", "indicative", "stale", "degraded", "suspended", "corrected"]


class Restatement(TypedDict):
    """Resource Restatement."""

    proposal_id: str
    index_id: str
    change_class: Literal["text", "parameter", "material", "scheduled_rebalance", "late_restatement", "emergency", "cessation", "policy", "roster"]
    correction_reason: Literal["LATE_DATA", "SOURCE_CORRECTION", "TRADE_VOIDED", "RESOLUTION_CORRECTED", "WEIGHT_ERROR", "CODE_ERROR", "MAPPING_ERROR"]
    starts_at: str
    ends_at: str
    known_at: str
    changes: list[RestatedLevel]
    act_id: str | None
    published_at: str


class ResumeCursor(TypedDict):
    """Cursor of the stream of the account: later events continue from it."""

    engine_sequence: int
    epoch: str
    after_seq: int


class _RevokeKeyRequestRequired(TypedDict):
    reason: str


class RevokeKeyRequest(_RevokeKeyRequestRequired, total=False):
    """Resource RevokeKeyRequest."""

    authorization: SvcApiAuthorization
    authorization_signature: str
    signature_type: Literal["eoa", "erc1271", "erc1271_erc7739"]
    signed_message: dict[str, Any] | None


class Roster(TypedDict):
    """Resource Roster."""

    version: int
    record_hash: str
    previous_hash: str | None
    proposal_id: str
    effective_from: str
    expires_at: str
    published_at: str
    signed_content: str
    threshold: int
    members: list[RosterMember]


class RosterKey(TypedDict):
    """Resource RosterKey."""

    public_key: str
    valid_from: str
    valid_to: str | None
    revoked_at: str | None


class RosterMember(TypedDict):
    """Resource RosterMember."""

    actor_id: str
    name: str
    roles: list[Literal["analyst", "committee", "observer", "oversight", "operator", "runner", "administrator"]]
    keys: list[RosterKey]


class _RotateKeyRequestRequired(TypedDict):
    overlap_seconds: int


class RotateKeyRequest(_RotateKeyRequestRequired, total=False):
    """Resource RotateKeyRequest."""

    authorization: SvcApiAuthorization
    authorization_signature: str
    signature_type: Literal["eoa", "erc1271", "erc1271_erc7739"]
    signed_message: dict[str, Any] | None
    public_key: str | None


class RotateWebhookSecretRequest(TypedDict):
    """Resource RotateWebhookSecretRequest."""

    overlap_seconds: int


class RuleChange(TypedDict):
    """Resource RuleChange."""

    change_id: str
    kind: Literal["archived", "changed"]
    market_id: str
    venue_id: str | None
    source_market_id: str | None
    revision: int
    rules_sha256: str
    previous_sha256: str | None
    changed_fields: list[str]
    resolution_question: str | None
    resolution_criteria: str | None
    resolution_sources: list[str] | None
    index_ids: list[str]
    source_at: str
    published_at: str


class Scenario(TypedDict):
    """Resource Scenario."""

    probability: str
    score: str | None


class ScoreRange(TypedDict):
    """Resource ScoreRange."""

    low: str
    high: str


class SealProof(TypedDict):
    """Resource SealProof."""

    entry: str
    index: int
    hashes: list[str]


class Seats(TypedDict):
    """Resource Seats."""

    roles: list[Literal["analyst", "committee", "observer", "oversight", "operator", "runner", "administrator"]]
    needed: int
    actor_ids: list[str]
    roster_version: int | None


class ServiceTime(TypedDict):
    """Resource ServiceTime."""

    server_time: str
    server_time_ms: int


class Settlement(TypedDict):
    """Resource Settlement."""

    settlement_id: str
    account_id: str
    state: Literal["pending", "submitted", "confirmed", "failed", "reversed", "redeemable", "redeemed"]
    kind: Literal["trade_settlement", "resolution_payout", "resolution_correction"]
    fill_ids: list[str]
    resolution_id: str | None
    market_id: str
    outcome_id: str
    side: Literal["BUY", "SELL"]
    quantity: str
    amount: str
    fee: str
    net_amount: str
    asset_id: str
    rail: str | None
    attempts: list[SettlementAttempt]
    transitions: list[SettlementTransition]
    adjustment_ids: list[str]
    created_at: str
    updated_at: str
    confirmed_at: str | None
    reversal_id: str | None
    reversal: SettlementReversal | None
    redemption_id: str | None
    engine_sequence: int
    projection_version: int


class SettlementAttempt(TypedDict):
    """Resource SettlementAttempt."""

    attempt_id: str
    attempt_number: int
    state: Literal["submitted", "confirmed", "failed"]
    rail: str
    submitted_at: str
    concluded_at: str | None
    external_reference: str | None
    chain_id: str | None
    transaction_hash: str | None
    confirmation_count: int | None
    failure_code: str | None
    message: str | None
    retryable: bool | None
    next_action: str | None
    rail_response_reference: str | None


class SettlementReversal(TypedDict):
    """Resource SettlementReversal."""

    reversal_id: str
    settlement_id: str
    reason_code: str
    rationale: str
    evidence: list[str]
    actor: str
    approved_by: str
    reversed_at: str


class SettlementTransition(TypedDict):
    """Resource SettlementTransition."""

    from_state: Literal["pending", "submitted", "confirmed", "failed", "reversed", "redeemable", "redeemed"] | None
    state: Literal["pending", "submitted", "confirmed", "failed", "reversed", "redeemable", "redeemed"]
    attempt_id: str | None
    actor: str
    reason: str
    engine_sequence: int
    at: str


class SeverityAssessment(TypedDict):
    """Resource SeverityAssessment."""

    assessment_id: str | None
    revision: int | None
    supersedes_id: str | None
    correction_reason: str | None
    event_id: str
    assessment_type: Literal["observed", "forecast"]
    level: Literal["SEV-0", "SEV-1", "SEV-2", "SEV-3", "SEV-4", "SEV-5", "UNKNOWN"]
    score: str | None
    score_range: ScoreRange | None
    component_scores: SeverityComponentScores
    confidence: str | None
    reason_codes: list[str]
    rationale: str | None
    methodology_id: str | None
    methodology_version: str | None
    issuer: Issuer | None
    evidence: list[EvidenceItem]
    event_time_window: EventTimeWindow | None
    observation_cutoff_at: str | None
    forecast_horizon_end: str | None
    effective_from: str | None
    effective_to: str | None
    published_at: str | None
    review_state: Literal["draft", "under_review", "approved", "superseded", "disputed", "withdrawn"] | None
    override: Override | None
    dispute: Dispute | None
    withdrawal: Withdrawal | None
    previous_level: Literal["SEV-0", "SEV-1", "SEV-2", "SEV-3", "SEV-4", "SEV-5", "UNKNOWN"] | None
    previous_score: str | None
    exceedance: list[Exceedance] | None
    scenarios: list[Scenario] | None


class SeverityComponentDefinition(TypedDict):
    """Resource SeverityComponentDefinition."""

    name: str
    minimum: str
    maximum: str
    weight: str
    is_consequence: bool


class SeverityComponentScores(TypedDict):
    """Resource SeverityComponentScores."""

    human: str | None
    economic: str | None
    infrastructure: str | None
    geographic: str | None
    geopolitical: str | None
    duration: str | None


class SeverityEventRule(TypedDict):
    """Resource SeverityEventRule."""

    venue_ids: list[str] | None
    hazard_types: list[str] | None
    countries: list[str] | None
    event_ids: list[str] | None


class SeverityIndex(TypedDict):
    """Resource SeverityIndex."""

    severity_index_id: str
    name: str
    description: str | None
    status: str
    unit: str
    active_version_id: str | None
    active_version: str | None
    published_at: str


class SeverityIndexInput(TypedDict):
    """Resource SeverityIndexInput."""

    event_id: str
    assessment_id: str | None
    relevance: str
    days_since_end: str | None
    level: Literal["SEV-0", "SEV-1", "SEV-2", "SEV-3", "SEV-4", "SEV-5", "UNKNOWN"] | None
    score: str | None


class _SeverityIndexValueRequired(TypedDict):
    value_id: str
    revision: int
    supersedes_id: str | None
    correction_reason: str | None
    severity_index_id: str
    severity_index_version_id: str
    value: str | None
    unit: str
    level_equivalent: Literal["SEV-0", "SEV-1", "SEV-2", "SEV-3", "SEV-4", "SEV-5", "UNKNOWN"]
    methodology_id: str
    methodology_version: str
    input_assessment_ids: list[str]
    coverage_ratio: str
    quality_state: Literal["valid", "degraded", "suspended"]
    calculated_at: str
    source_cutoff_at: str
    published_at: str


class SeverityIndexValue(_SeverityIndexValueRequired, total=False):
    """Resource SeverityIndexValue."""

    inputs: list[SeverityIndexInput]


class SeverityIndexVersion(TypedDict):
    """Resource SeverityIndexVersion."""

    severity_index_version_id: str
    severity_index_id: str
    version: str
    effective_from: str
    effective_to: str | None
    assessment_type: Literal["observed", "forecast"]
    methodology_id: str
    methodology_version: str
    event_rule: SeverityEventRule
    relevance: SeverityRelevance
    rho: str
    decay_days: str
    published_at: str


class SeverityMethodology(TypedDict):
    """Resource SeverityMethodology."""

    methodology_id: str
    version: str
    status: str
    name: str | None
    scale: list[Literal["SEV-0", "SEV-1", "SEV-2", "SEV-3", "SEV-4", "SEV-5", "UNKNOWN"]]
    component_definitions: list[SeverityComponentDefinition]
    level_thresholds: dict[str, Any]
    minimum_coverage: str
    range_levels_max: str
    evidence_hierarchy: dict[str, Any]
    document_uri: str
    content_hash: str
    published_at: str
    supersedes_version: str | None
    parameters: dict[str, Any]
    text_sha256: str
    document: str
    text_uri: str


class SeverityRelevance(TypedDict):
    """Resource SeverityRelevance."""

    default: str
    events: list[EventRelevance]


class SignedRequestsCancelAfterMs(TypedDict):
    """Resource SignedRequestsCancelAfterMs."""

    min: int
    max: int


class SignedRequests(TypedDict):
    """Resource SignedRequests."""

    signature_version: str
    algorithms: list[str]
    timestamp_behind_ms: int
    timestamp_ahead_ms: int
    nonce_retention_ms: int
    idempotency_retention_ms: int
    client_order_id_retention_ms: int
    batch_orders_max: int
    mass_quote_orders_max: int
    key_overlap_max_s: int
    cancel_after_ms: SignedRequestsCancelAfterMs
    available: bool


class Signer(TypedDict):
    """Key_id and authorization_id are null for the owner; until null: no end."""

    account_id: str
    signer: str
    is_owner: bool
    key_id: str | None
    authorization_id: str | None
    since: str
    until: str | None


class SourceMapping(TypedDict):
    """Resource SourceMapping."""

    venue_id: str
    source_event_id: str | None
    source_series_id: str | None
    source_url: str | None


class StatementEntry(TypedDict):
    """Resource StatementEntry."""

    entry_id: str
    account_id: str
    ledger_sequence: int
    line: int
    engine_sequence: int
    booked_at: str
    kind: Literal["order", "fill", "settlement", "reversal", "payout", "adjustment", "deposit", "withdrawal"]
    asset_id: str
    bucket: Literal["available", "reserved", "withdrawal_hold", "pending_settlement_debit", "pending_settlement_credit", "settled_quantity", "unsettled_quantity"]
    amount: str
    bucket_after: str
    total_after: str
    fee: str | None
    schedule_id: str | None
    schedule_version: int | None
    market_id: str | None
    outcome_id: str | None
    order_id: str | None
    fill_id: str | None
    trade_id: str | None
    settlement_id: str | None
    adjustment_id: str | None
    resolution_id: str | None
    transfer_id: str | None


class StreamCursor(TypedDict):
    """Epoch changes only if history is lost; seq is an engine_sequence."""

    epoch: str
    seq: int


class SvcApiAuthorization(TypedDict):
    """Resource SvcApiAuthorization."""

    owner: str
    signer: str
    account: str
    api_key_id: str
    scopes_hash: str
    environment: str
    issued_at: int
    expiry: int
    nonce: str
    authorization_version: Literal["1"]


class TestWebhookRequest(TypedDict):
    """Resource TestWebhookRequest."""

    pass


class TopicCapability(TypedDict):
    """Resource TopicCapability."""

    topic: str
    scope: str | None
    filters: list[str]
    kinds: list[str]
    event_schema_version: str
    resume_retention_ms: int
    conflated: bool
    known_gaps: list[str]


class Trade(TypedDict):
    """Resource Trade."""

    trade_id: str
    market_id: str
    outcome_id: str
    price: str
    quantity: str
    aggressor_side: Literal["BUY", "SELL"] | None
    venue_id: str
    source_series_id: str | None
    source_trade_id: str
    source_trade_ids: list[str]
    source_sequence: int | None
    source_at: str
    received_at: str
    published_at: str
    correction: TradeCorrection | None
    derived: bool
    derivation_rule: str | None
    match_kind: Literal["merge", "transfer", "mint", "mixed"] | None
    segments: list[FillSegment]


class TradeCorrection(TypedDict):
    """Resource TradeCorrection."""

    kind: Literal["void", "correction"]
    supersedes_trade_id: str | None


class TradingParameters(TypedDict):
    """Resource TradingParameters."""

    price_min: str | None
    price_max: str | None
    price_increment: str | None
    quantity_increment: str | None
    minimum_quantity: str | None
    settlement_asset_id: str | None
    shorting_permitted: bool | None
    complementary: bool | None


class Transfer(TypedDict):
    """Resource Transfer."""

    transfer_id: str
    account_id: str
    direction: Literal["deposit", "withdrawal"]
    asset_id: str
    amount: str
    destination: str | None
    state: Literal["requested", "held", "confirmed", "failed", "canceled"]
    requested_at: str
    updated_at: str
    external_reference: str | None
    reason: str | None
    projection_version: int
    engine_sequence: int


class _TransferRequestRequired(TypedDict):
    account_id: str
    direction: Literal["deposit", "withdrawal"]
    asset_id: str
    amount: str


class TransferRequest(_TransferRequestRequired, total=False):
    """Resource TransferRequest."""

    destination: str | None


class UpdateWebhookRequest(TypedDict, total=False):
    """The fields to change."""

    url: str
    event_types: list[Literal["settlement.created", "settlement.confirmed", "settlement.failed", "settlement.reversed", "settlement.adjusted", "payout.created", "payout.confirmed", "payout.failed", "payout.reversed", "payout_correction.created", "payout_correction.confirmed", "payout_correction.failed", "payout_correction.reversed", "adjustment.created", "transfer.requested", "transfer.held", "transfer.confirmed", "transfer.failed", "transfer.canceled", "order.canceled", "order.failed", "account.suspended", "account.resumed", "account.cancel_after_fired", "api_key.created", "api_key.rotated", "api_key.revoked", "market.paused", "market.resumed", "market.closed", "market.resolved", "market.voided", "webhook.created", "webhook.updated", "webhook.secret_rotated", "webhook.disabled", "webhook.deleted"]]
    description: str | None
    status: Literal["enabled", "disabled"]


class Venue(TypedDict):
    """Resource Venue."""

    venue_id: str
    name: str
    index_eligible: bool
    redistribution: str


class VenueMapping(TypedDict):
    """Resource VenueMapping."""

    venue_id: str
    source_market_id: str
    source_outcome_ids: list[str]
    mapping_version: str | None
    valid_from: str | None
    valid_to: str | None


class _VenuePayloadRequired(TypedDict):
    content_hash: str
    endpoint: str
    request: str | None
    byte_count: int
    received_at: str
    published_at: str


class VenuePayload(_VenuePayloadRequired, total=False):
    """Resource VenuePayload."""

    body: str


class Webhook(TypedDict):
    """Resource Webhook."""

    webhook_id: str
    account_id: str
    url: str
    description: str | None
    event_types: list[Literal["settlement.created", "settlement.confirmed", "settlement.failed", "settlement.reversed", "settlement.adjusted", "payout.created", "payout.confirmed", "payout.failed", "payout.reversed", "payout_correction.created", "payout_correction.confirmed", "payout_correction.failed", "payout_correction.reversed", "adjustment.created", "transfer.requested", "transfer.held", "transfer.confirmed", "transfer.failed", "transfer.canceled", "order.canceled", "order.failed", "account.suspended", "account.resumed", "account.cancel_after_fired", "api_key.created", "api_key.rotated", "api_key.revoked", "market.paused", "market.resumed", "market.closed", "market.resolved", "market.voided", "webhook.created", "webhook.updated", "webhook.secret_rotated", "webhook.disabled", "webhook.deleted"]]
    status: Literal["enabled", "disabled"]
    disabled_reason: Literal["requested", "gone", "failing"] | None
    secret_version: int
    previous_secret_valid_until: str | None
    created_at: str
    updated_at: str
    projection_version: int
    engine_sequence: int


class WebhookAttempt(TypedDict):
    """Resource WebhookAttempt."""

    attempt_number: int
    attempted_at: str
    duration_ms: int
    status_code: int | None
    failure: Literal["status_refused", "redirect_refused", "target_refused", "name_unresolved", "connection_failed", "timed_out"] | None
    message: str | None
    answer: str | None


class WebhookDelivery(TypedDict):
    """Resource WebhookDelivery."""

    delivery_id: str
    webhook_id: str
    account_id: str
    kind: Literal["event", "test", "redelivery"]
    status: Literal["pending", "delivered", "failed", "canceled"]
    event_id: str
    event_type: Literal["settlement.created", "settlement.confirmed", "settlement.failed", "settlement.reversed", "settlement.adjusted", "payout.created", "payout.confirmed", "payout.failed", "payout.reversed", "payout_correction.created", "payout_correction.confirmed", "payout_correction.failed", "payout_correction.reversed", "adjustment.created", "transfer.requested", "transfer.held", "transfer.confirmed", "transfer.failed", "transfer.canceled", "order.canceled", "order.failed", "account.suspended", "account.resumed", "account.cancel_after_fired", "api_key.created", "api_key.rotated", "api_key.revoked", "market.paused", "market.resumed", "market.closed", "market.resolved", "market.voided", "webhook.created", "webhook.updated", "webhook.secret_rotated", "webhook.disabled", "webhook.deleted", "webhook.test"]
    sequence: int
    created_at: str
    next_attempt_at: str | None
    concluded_at: str | None
    attempt_count: int
    attempts: list[WebhookAttempt]


class WebhookEvent(TypedDict):
    """Resource WebhookEvent."""

    event_id: str
    event_type: Literal["settlement.created", "settlement.confirmed", "settlement.failed", "settlement.reversed", "settlement.adjusted", "payout.created", "payout.confirmed", "payout.failed", "payout.reversed", "payout_correction.created", "payout_correction.confirmed", "payout_correction.failed", "payout_correction.reversed", "adjustment.created", "transfer.requested", "transfer.held", "transfer.confirmed", "transfer.failed", "transfer.canceled", "order.canceled", "order.failed", "account.suspended", "account.resumed", "account.cancel_after_fired", "api_key.created", "api_key.rotated", "api_key.revoked", "market.paused", "market.resumed", "market.closed", "market.resolved", "market.voided", "webhook.created", "webhook.updated", "webhook.secret_rotated", "webhook.disabled", "webhook.deleted", "webhook.test"]
    account_id: str
    sequence: int
    occurred_at: str
    data: dict[str, Any]


class WebhookOrder(TypedDict):
    """Resource WebhookOrder."""

    webhook_id: str
    requested_at: str
    from_cursor: int | None
    delivery_ids: list[str]
    engine_sequence: int


class Withdrawal(TypedDict):
    """Resource Withdrawal."""

    withdrawn_by: str
    reason: str | None
    withdrawn_at: str


class WouldBeFill(TypedDict):
    """Resource WouldBeFill."""

    filled_at: str
    quantity: str
    price: str
    cumulative_quantity: str
    trade_id: str | None


class WouldFillBookBidsItem(TypedDict):
    """Resource WouldFillBookBidsItem."""

    price: str
    quantity: str
    order_count: int


class WouldFillBookAsksItem(TypedDict):
    """Resource WouldFillBookAsksItem."""

    price: str
    quantity: str
    order_count: int


class WouldFillBook(TypedDict):
    """Resource WouldFillBook."""

    sequence: int
    bids: list[WouldFillBookBidsItem]
    asks: list[WouldFillBookAsksItem]


class WouldFillTakenLevelsItem(TypedDict):
    """Resource WouldFillTakenLevelsItem."""

    price: str
    quantity: str


class WouldFillTaken(TypedDict):
    """Resource WouldFillTaken."""

    quantity: str
    average_price: str | None
    fee: str | None
    schedule_id: str | None
    schedule_version: int | None
    levels: list[WouldFillTakenLevelsItem]


class WouldFill(TypedDict):
    """Fills of an order that was never placed: between the pessimistic and the optimistic bound."""

    until: str
    ended_at: str
    end_reason: Literal["filled", "not_resting", "expired", "market_not_open", "until"]
    book: WouldFillBook
    taken: WouldFillTaken
    resting: WouldRest | None
    pessimistic: FillBound
    optimistic: FillBound
    assumptions: list[str]


class WouldRest(TypedDict):
    """Resource WouldRest."""

    quantity: str
    price: str
    ahead_quantity: str
    ahead_order_count: int
