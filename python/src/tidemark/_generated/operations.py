"""Operations of the contract, made from the OpenAPI document by `npm run docs`."""

from .._core import Operation

CONTRACT_VERSION = "1.0"
"""Version of the contract that this client speaks."""

LIST_INDEXES = Operation(
    "list_indexes",
    "GET",
    "/v1/indexes",
    query=("family", "status", "tag", "constituent_market_id", "expand", "as_of", "receipt", "cursor", "limit",),
    page_max=1000,
    page_max_with=(("expand", 200), ("receipt", 100),),
)
GET_INDEX = Operation(
    "get_index",
    "GET",
    "/v1/indexes/{index_id}",
    query=("expand", "as_of",),
)
LIST_INDEX_VERSIONS = Operation(
    "list_index_versions",
    "GET",
    "/v1/indexes/{index_id}/versions",
    query=("as_of", "receipt", "cursor", "limit",),
    page_max=1000,
    page_max_with=(("receipt", 100),),
)
GET_INDEX_VERSION = Operation(
    "get_index_version",
    "GET",
    "/v1/indexes/{index_id}/versions/{version_id}",
    query=("as_of", "receipt",),
)
LIST_CONSTITUENTS = Operation(
    "list_constituents",
    "GET",
    "/v1/indexes/{index_id}/versions/{version_id}/constituents",
    query=("expand", "as_of", "receipt", "cursor", "limit",),
    page_max=1000,
    page_max_with=(("receipt", 100),),
)
GET_METHODOLOGY = Operation(
    "get_methodology",
    "GET",
    "/v1/methodologies/{methodology_id}/versions/{version}",
    query=("as_of", "receipt",),
)
GET_INDEX_PRICE = Operation(
    "get_index_price",
    "GET",
    "/v1/indexes/{index_id}/price",
    query=("as_of", "receipt",),
)
LIST_INDEX_PRICES = Operation(
    "list_index_prices",
    "GET",
    "/v1/indexes/{index_id}/prices",
    query=("start_time", "end_time", "time_domain", "sampling", "interval", "quality_state", "include_corrections", "as_of", "cursor", "limit", "expand", "receipt",),
    page_max=1000,
    page_max_with=(("expand", 200), ("receipt", 100),),
    table=True,
    decimals=("level", "coverage_ratio", "confidence", "link_factor",),
    instants=("tick_at", "calculated_at", "source_cutoff_at", "published_at",),
)
GET_INDEX_OBSERVATION = Operation(
    "get_index_observation",
    "GET",
    "/v1/indexes/{index_id}/prices/{observation_id}",
    query=("expand", "as_of", "receipt",),
)
LIST_INDEX_CANDLES = Operation(
    "list_index_candles",
    "GET",
    "/v1/indexes/{index_id}/candles",
    query=("start_time", "end_time", "interval", "as_of", "cursor", "limit",),
    page_max=1000,
    table=True,
    decimals=("open", "high", "low", "close", "coverage_ratio_min", "volume",),
    instants=("bucket_start", "bucket_end", "published_at",),
)
GET_INDEX_ROBUSTNESS = Operation(
    "get_index_robustness",
    "GET",
    "/v1/indexes/{index_id}/robustness",
    query=("observation_id", "as_of", "basis_points",),
)
GET_EXECUTABLE_BAND = Operation(
    "get_executable_band",
    "GET",
    "/v1/indexes/{index_id}/executable-band",
    query=("observation_id", "as_of", "notional",),
)
LIST_KNOWLEDGE_CHANGES = Operation(
    "list_knowledge_changes",
    "GET",
    "/v1/indexes/{index_id}/knowledge-diff",
    query=("from_as_of", "to_as_of", "start_time", "end_time", "cursor", "limit",),
    page_max=1000,
)
LIST_INDEX_PREVIEWS = Operation(
    "list_index_previews",
    "GET",
    "/v1/markets/{market_id}/index-previews",
    query=("as_of", "cursor", "limit",),
    page_max=1000,
)
LIST_EVENTS = Operation(
    "list_events",
    "GET",
    "/v1/events",
    query=("status", "category", "region", "venue_id", "source_event_id", "q", "starts_after", "ends_before", "as_of", "cursor", "limit",),
    page_max=1000,
)
GET_EVENT = Operation(
    "get_event",
    "GET",
    "/v1/events/{event_id}",
    query=("as_of",),
)
LIST_MARKETS = Operation(
    "list_markets",
    "GET",
    "/v1/markets",
    query=("event_id", "venue_id", "source_market_id", "q", "status", "category", "outcome_type", "index_id", "eligibility_status", "resolution_after", "rating_band", "sort", "expand", "as_of", "receipt", "cursor", "limit",),
    page_max=1000,
    page_max_with=(("expand", 100), ("receipt", 100),),
)
GET_MARKET = Operation(
    "get_market",
    "GET",
    "/v1/markets/{market_id}",
    query=("as_of",),
)
GET_MARKET_RESOLUTION = Operation(
    "get_market_resolution",
    "GET",
    "/v1/markets/{market_id}/resolution",
    query=("evidence_id", "as_of",),
)
LIST_MARKET_RESOLUTIONS = Operation(
    "list_market_resolutions",
    "GET",
    "/v1/markets/{market_id}/resolution/history",
    query=("as_of", "cursor", "limit",),
    page_max=1000,
)
GET_MARKET_PRICE = Operation(
    "get_market_price",
    "GET",
    "/v1/markets/{market_id}/price",
    query=("as_of",),
)
LIST_MARKET_PRICES = Operation(
    "list_market_prices",
    "GET",
    "/v1/markets/{market_id}/prices",
    query=("start_time", "end_time", "time_domain", "sampling", "interval", "quality_state", "include_corrections", "as_of", "cursor", "limit", "field", "outcome_id", "include_quoted_trades",),
    page_max=1000,
    table=True,
    decimals=("value",),
    instants=("source_at", "tick_at", "received_at", "calculated_at", "published_at",),
)
GET_MARKET_OBSERVATION = Operation(
    "get_market_observation",
    "GET",
    "/v1/markets/{market_id}/prices/{observation_id}",
    query=("as_of",),
)
LIST_MARKET_CANDLES = Operation(
    "list_market_candles",
    "GET",
    "/v1/markets/{market_id}/candles",
    query=("start_time", "end_time", "interval", "as_of", "cursor", "limit", "outcome_id", "field",),
    page_max=1000,
    table=True,
    decimals=("open", "high", "low", "close", "coverage_ratio_min", "volume",),
    instants=("bucket_start", "bucket_end", "published_at",),
)
GET_ORDER_BOOK = Operation(
    "get_order_book",
    "GET",
    "/v1/markets/{market_id}/orderbook",
    query=("outcome_id", "depth", "as_of",),
)
LIST_TRADES = Operation(
    "list_trades",
    "GET",
    "/v1/markets/{market_id}/trades",
    query=("outcome_id", "start_time", "end_time", "as_of", "cursor", "limit",),
    page_max=1000,
    table=True,
    decimals=("price", "quantity",),
    instants=("source_at", "received_at", "published_at",),
)
GET_MARKET_RATING = Operation(
    "get_market_rating",
    "GET",
    "/v1/markets/{market_id}/rating",
    query=("methodology_id", "assessment_kind", "expand", "as_of", "receipt",),
)
LIST_MARKET_RATINGS = Operation(
    "list_market_ratings",
    "GET",
    "/v1/markets/{market_id}/ratings",
    query=("start_time", "end_time", "published_after", "review_state", "methodology_id", "include_withdrawn", "include_corrections", "expand", "as_of", "receipt", "cursor", "limit", "band",),
    page_max=1000,
    page_max_with=(("receipt", 100),),
    table=True,
    decimals=("score", "confidence", "previous_score",),
    instants=("observation_cutoff_at", "effective_from", "effective_to", "published_at",),
)
LIST_RATINGS = Operation(
    "list_ratings",
    "GET",
    "/v1/ratings",
    query=("start_time", "end_time", "published_after", "review_state", "methodology_id", "include_withdrawn", "include_corrections", "expand", "as_of", "receipt", "cursor", "limit", "band",),
    page_max=1000,
    page_max_with=(("receipt", 100),),
    table=True,
    decimals=("score", "confidence", "previous_score",),
    instants=("observation_cutoff_at", "effective_from", "effective_to", "published_at",),
)
GET_RATING_METHODOLOGY = Operation(
    "get_rating_methodology",
    "GET",
    "/v1/market-rating-methodologies/{methodology_id}/versions/{version}",
    query=("as_of",),
)
GET_EVENT_SEVERITY = Operation(
    "get_event_severity",
    "GET",
    "/v1/events/{event_id}/severity",
    query=("assessment_type", "expand", "as_of",),
)
LIST_EVENT_SEVERITY = Operation(
    "list_event_severity",
    "GET",
    "/v1/events/{event_id}/severity-history",
    query=("assessment_type", "start_time", "end_time", "published_after", "review_state", "methodology_id", "include_withdrawn", "include_corrections", "expand", "as_of", "receipt", "cursor", "limit", "level",),
    page_max=1000,
    page_max_with=(("receipt", 100),),
    table=True,
    decimals=("score", "confidence", "previous_score",),
    instants=("observation_cutoff_at", "forecast_horizon_end", "effective_from", "effective_to", "published_at",),
)
LIST_SEVERITY_ASSESSMENTS = Operation(
    "list_severity_assessments",
    "GET",
    "/v1/severity-assessments",
    query=("assessment_type", "start_time", "end_time", "published_after", "review_state", "methodology_id", "include_withdrawn", "include_corrections", "expand", "as_of", "receipt", "cursor", "limit", "level",),
    page_max=1000,
    page_max_with=(("receipt", 100),),
    table=True,
    decimals=("score", "confidence", "previous_score",),
    instants=("observation_cutoff_at", "forecast_horizon_end", "effective_from", "effective_to", "published_at",),
)
LIST_SEVERITY_INDEXES = Operation(
    "list_severity_indexes",
    "GET",
    "/v1/severity-indexes",
    query=("as_of", "cursor", "limit",),
    page_max=1000,
)
GET_SEVERITY_INDEX_VERSION = Operation(
    "get_severity_index_version",
    "GET",
    "/v1/severity-indexes/{severity_index_id}/versions/{version}",
    query=("as_of",),
)
GET_SEVERITY_INDEX_VALUE = Operation(
    "get_severity_index_value",
    "GET",
    "/v1/severity-indexes/{severity_index_id}/value",
    query=("expand", "as_of",),
)
LIST_SEVERITY_INDEX_VALUES = Operation(
    "list_severity_index_values",
    "GET",
    "/v1/severity-indexes/{severity_index_id}/values",
    query=("start_time", "end_time", "time_domain", "quality_state", "include_corrections", "expand", "as_of", "cursor", "limit",),
    page_max=1000,
    table=True,
    decimals=("value", "coverage_ratio",),
    instants=("calculated_at", "source_cutoff_at", "published_at",),
)
GET_SEVERITY_METHODOLOGY = Operation(
    "get_severity_methodology",
    "GET",
    "/v1/severity-methodologies/{methodology_id}/versions/{version}",
    query=("as_of",),
)
GET_GOVERNANCE_ROSTER = Operation(
    "get_governance_roster",
    "GET",
    "/v1/governance/roster",
    query=("version", "as_of", "receipt",),
)
GET_GOVERNANCE_POLICY = Operation(
    "get_governance_policy",
    "GET",
    "/v1/governance/policy",
    query=("version", "as_of", "receipt",),
)
LIST_GOVERNANCE_PROPOSALS = Operation(
    "list_governance_proposals",
    "GET",
    "/v1/governance/proposals",
    query=("kind", "state", "as_of", "receipt", "cursor", "limit",),
    page_max=1000,
    page_max_with=(("receipt", 100),),
)
GET_GOVERNANCE_PROPOSAL = Operation(
    "get_governance_proposal",
    "GET",
    "/v1/governance/proposals/{proposal_id}",
    query=("as_of",),
)
GET_GOVERNANCE_IMPACT = Operation(
    "get_governance_impact",
    "GET",
    "/v1/governance/impacts/{change_id}",
    query=("as_of",),
)
LIST_GOVERNANCE_ACTS = Operation(
    "list_governance_acts",
    "GET",
    "/v1/governance/acts",
    query=("outcome", "subject_id", "as_of", "receipt", "cursor", "limit",),
    page_max=1000,
    page_max_with=(("receipt", 100),),
)
GET_GOVERNANCE_ACT = Operation(
    "get_governance_act",
    "GET",
    "/v1/governance/acts/{act_id}",
    query=("as_of", "receipt",),
)
LIST_GOVERNANCE_NOTICES = Operation(
    "list_governance_notices",
    "GET",
    "/v1/governance/notices",
    query=("kind", "index_id", "since", "as_of", "cursor", "limit",),
    page_max=1000,
)
GET_GOVERNANCE_NOTICE = Operation(
    "get_governance_notice",
    "GET",
    "/v1/governance/notices/{notice_id}",
    query=("as_of",),
)
LIST_RESTATEMENTS = Operation(
    "list_restatements",
    "GET",
    "/v1/governance/restatements",
    query=("index_id", "since", "as_of", "cursor", "limit",),
    page_max=1000,
)
GET_RESTATEMENT = Operation(
    "get_restatement",
    "GET",
    "/v1/governance/restatements/{proposal_id}",
    query=("as_of",),
)
LIST_GOVERNANCE_CALENDAR = Operation(
    "list_governance_calendar",
    "GET",
    "/v1/governance/calendar",
    query=("kind", "index_id", "start_time", "end_time", "as_of", "cursor", "limit",),
    page_max=1000,
)
LIST_RULE_CHANGES = Operation(
    "list_rule_changes",
    "GET",
    "/v1/governance/rule-changes",
    query=("kind", "venue_id", "market_id", "index_id", "since", "as_of", "cursor", "limit",),
    page_max=1000,
)
LIST_COMPLAINTS = Operation(
    "list_complaints",
    "GET",
    "/v1/governance/complaints",
    query=("state", "as_of", "cursor", "limit",),
    page_max=1000,
)
FILE_COMPLAINT = Operation(
    "file_complaint",
    "POST",
    "/v1/governance/complaints",
    query=(),
)
GET_COMPLAINT = Operation(
    "get_complaint",
    "GET",
    "/v1/governance/complaints/{complaint_id}",
    query=("as_of",),
)
LIST_ELIGIBILITY_POLICIES = Operation(
    "list_eligibility_policies",
    "GET",
    "/v1/eligibility/policies",
    query=("policy_id", "as_of", "cursor", "limit",),
    page_max=1000,
)
GET_ELIGIBILITY_POLICY = Operation(
    "get_eligibility_policy",
    "GET",
    "/v1/eligibility/policies/{policy_id}",
    query=("version", "as_of",),
)
GET_MARKET_ELIGIBILITY = Operation(
    "get_market_eligibility",
    "GET",
    "/v1/eligibility/markets/{market_id}",
    query=("policy_id", "version", "as_of",),
)
GET_INDEX_ELIGIBILITY = Operation(
    "get_index_eligibility",
    "GET",
    "/v1/indexes/{index_id}/eligibility",
    query=("as_of",),
)
GET_INDEX_PRO_FORMA = Operation(
    "get_index_pro_forma",
    "GET",
    "/v1/indexes/{index_id}/pro-forma",
    query=("effective_from", "as_of",),
)
LIST_METHODOLOGIES = Operation(
    "list_methodologies",
    "GET",
    "/v1/methodologies",
    query=("methodology_id", "as_of", "receipt", "cursor", "limit",),
    page_max=1000,
    page_max_with=(("receipt", 100),),
)
LIST_RATING_METHODOLOGIES = Operation(
    "list_rating_methodologies",
    "GET",
    "/v1/rating-methodologies",
    query=("methodology_id", "as_of", "receipt", "cursor", "limit",),
    page_max=1000,
    page_max_with=(("receipt", 100),),
)
LIST_SEVERITY_METHODOLOGIES = Operation(
    "list_severity_methodologies",
    "GET",
    "/v1/severity-methodologies",
    query=("methodology_id", "as_of", "receipt", "cursor", "limit",),
    page_max=1000,
    page_max_with=(("receipt", 100),),
)
GET_RATING = Operation(
    "get_rating",
    "GET",
    "/v1/ratings/{rating_id}",
    query=("expand", "as_of", "receipt",),
)
GET_SEVERITY_ASSESSMENT = Operation(
    "get_severity_assessment",
    "GET",
    "/v1/severity-assessments/{assessment_id}",
    query=("expand", "as_of", "receipt",),
)
GET_SEVERITY_INDEX = Operation(
    "get_severity_index",
    "GET",
    "/v1/severity-indexes/{severity_index_id}",
    query=("as_of",),
)
GET_OBSERVATION = Operation(
    "get_observation",
    "GET",
    "/v1/observations/{observation_id}",
    query=("as_of",),
)
GET_OBSERVATION_PAYLOADS = Operation(
    "get_observation_payloads",
    "GET",
    "/v1/observations/{observation_id}/payloads",
    query=("content_hash",),
)
LIST_LATEST_PRICES = Operation(
    "list_latest_prices",
    "GET",
    "/v1/market-prices",
    query=("market_ids", "as_of",),
)
GET_INDEX_OBSERVATION_PROOF = Operation(
    "get_index_observation_proof",
    "GET",
    "/v1/indexes/{index_id}/prices/{observation_id}/proof",
    query=(),
)
GET_INDEX_VERSION_PROOF = Operation(
    "get_index_version_proof",
    "GET",
    "/v1/indexes/{index_id}/versions/{version_id}/proof",
    query=(),
)
GET_CONSTITUENTS_PROOF = Operation(
    "get_constituents_proof",
    "GET",
    "/v1/indexes/{index_id}/versions/{version_id}/constituents/proof",
    query=(),
)
GET_METHODOLOGY_PROOF = Operation(
    "get_methodology_proof",
    "GET",
    "/v1/methodologies/{methodology_id}/versions/{version}/proof",
    query=(),
)
GET_RATING_METHODOLOGY_PROOF = Operation(
    "get_rating_methodology_proof",
    "GET",
    "/v1/market-rating-methodologies/{methodology_id}/versions/{version}/proof",
    query=(),
)
GET_SEVERITY_METHODOLOGY_PROOF = Operation(
    "get_severity_methodology_proof",
    "GET",
    "/v1/severity-methodologies/{methodology_id}/versions/{version}/proof",
    query=(),
)
GET_RATING_PROOF = Operation(
    "get_rating_proof",
    "GET",
    "/v1/ratings/{rating_id}/proof",
    query=(),
)
GET_SEVERITY_ASSESSMENT_PROOF = Operation(
    "get_severity_assessment_proof",
    "GET",
    "/v1/severity-assessments/{assessment_id}/proof",
    query=(),
)
GET_GOVERNANCE_ROSTER_PROOF = Operation(
    "get_governance_roster_proof",
    "GET",
    "/v1/governance/roster/proof",
    query=("version",),
)
GET_GOVERNANCE_POLICY_PROOF = Operation(
    "get_governance_policy_proof",
    "GET",
    "/v1/governance/policy/proof",
    query=("version",),
)
GET_GOVERNANCE_PROPOSAL_PROOF = Operation(
    "get_governance_proposal_proof",
    "GET",
    "/v1/governance/proposals/{proposal_id}/proof",
    query=("revision",),
)
GET_GOVERNANCE_ACT_PROOF = Operation(
    "get_governance_act_proof",
    "GET",
    "/v1/governance/acts/{act_id}/proof",
    query=(),
)
GET_GOVERNANCE_NOTICE_PROOF = Operation(
    "get_governance_notice_proof",
    "GET",
    "/v1/governance/notices/{notice_id}/proof",
    query=(),
)
GET_RESTATEMENT_PROOF = Operation(
    "get_restatement_proof",
    "GET",
    "/v1/governance/restatements/{proposal_id}/proof",
    query=(),
)
GET_COMPLAINT_PROOF = Operation(
    "get_complaint_proof",
    "GET",
    "/v1/governance/complaints/{complaint_id}/proof",
    query=("revision",),
)
GET_GOVERNANCE_IMPACT_PROOF = Operation(
    "get_governance_impact_proof",
    "GET",
    "/v1/governance/impacts/{change_id}/proof",
    query=("runner",),
)
GET_ELIGIBILITY_POLICY_PROOF = Operation(
    "get_eligibility_policy_proof",
    "GET",
    "/v1/eligibility/policies/{policy_id}/proof",
    query=("version",),
)
GET_INDEX_PRO_FORMA_PROOF = Operation(
    "get_index_pro_forma_proof",
    "GET",
    "/v1/indexes/{index_id}/pro-forma/proof",
    query=("effective_from",),
)
GET_TIME = Operation(
    "get_time",
    "GET",
    "/v1/time",
    query=(),
)
GET_CAPABILITIES = Operation(
    "get_capabilities",
    "GET",
    "/v1/capabilities",
    query=(),
)
CREATE_API_KEY = Operation(
    "create_api_key",
    "POST",
    "/v1/account/api-keys",
    query=(),
    idempotent_key=True,
    private=True,
)
LIST_API_KEYS = Operation(
    "list_api_keys",
    "GET",
    "/v1/account/api-keys",
    query=("cursor", "limit",),
    private=True,
    page_max=1000,
)
ROTATE_API_KEY = Operation(
    "rotate_api_key",
    "POST",
    "/v1/account/api-keys/{key_id}/rotate",
    query=(),
    idempotent_key=True,
    private=True,
)
REVOKE_API_KEY = Operation(
    "revoke_api_key",
    "POST",
    "/v1/account/api-keys/{key_id}/revoke",
    query=(),
    idempotent_key=True,
    private=True,
)
LIST_SIGNERS = Operation(
    "list_signers",
    "GET",
    "/v1/account/signers",
    query=("cursor", "limit",),
    private=True,
    page_max=1000,
)
LIST_API_KEY_AUDIT = Operation(
    "list_api_key_audit",
    "GET",
    "/v1/account/api-keys/{key_id}/audit-log",
    query=("cursor", "limit",),
    private=True,
    page_max=1000,
)
PLACE_ORDER = Operation(
    "place_order",
    "POST",
    "/v1/orders",
    query=(),
    idempotent_key=True,
    private=True,
)
LIST_ORDERS = Operation(
    "list_orders",
    "GET",
    "/v1/orders",
    query=("market_id", "outcome_id", "status", "working", "side", "client_order_id", "quote_set_id", "command_id", "created_after", "created_before", "updated_after", "cursor", "limit",),
    private=True,
    page_max=1000,
    table=True,
    decimals=("limit_price", "maximum_fee", "maximum_notional", "original_quantity", "filled_quantity", "remaining_quantity", "canceled_quantity", "trimmed_quantity", "average_fill_price", "filled_notional", "accrued_fee", "reserved_amount",),
    instants=("expires_at", "created_at", "updated_at", "received_at", "validated_at", "acknowledged_at", "rejected_at", "opened_at", "partially_filled_at", "filled_at", "cancel_pending_at", "canceled_at", "expired_at", "suspended_at", "failed_at",),
)
PLACE_ORDERS = Operation(
    "place_orders",
    "POST",
    "/v1/orders/batch",
    query=(),
    idempotent_key=True,
    private=True,
    records=True,
)
PREVIEW_ORDER = Operation(
    "preview_order",
    "POST",
    "/v1/orders/preview",
    query=(),
    private=True,
)
GET_ORDER = Operation(
    "get_order",
    "GET",
    "/v1/orders/{order_id}",
    query=(),
    private=True,
)
GET_ORDER_BY_CLIENT_ID = Operation(
    "get_order_by_client_id",
    "GET",
    "/v1/orders/by-client-id/{client_order_id}",
    query=(),
    private=True,
)
GET_QUEUE_POSITION = Operation(
    "get_queue_position",
    "GET",
    "/v1/orders/{order_id}/queue-position",
    query=(),
    private=True,
)
CANCEL_ORDER_BY_CLIENT_ID = Operation(
    "cancel_order_by_client_id",
    "POST",
    "/v1/orders/by-client-id/{client_order_id}/cancel",
    query=(),
    idempotent_key=True,
    private=True,
)
CANCEL_ORDER = Operation(
    "cancel_order",
    "POST",
    "/v1/orders/{order_id}/cancel",
    query=(),
    idempotent_key=True,
    private=True,
)
AMEND_ORDER = Operation(
    "amend_order",
    "POST",
    "/v1/orders/{order_id}/amend",
    query=(),
    idempotent_key=True,
    private=True,
)
CANCEL_ALL_ORDERS = Operation(
    "cancel_all_orders",
    "POST",
    "/v1/orders/cancel-all",
    query=(),
    idempotent_key=True,
    private=True,
)
MASS_QUOTE = Operation(
    "mass_quote",
    "POST",
    "/v1/orders/mass-quote",
    query=(),
    idempotent_key=True,
    private=True,
)
CANCEL_ORDERS = Operation(
    "cancel_orders",
    "POST",
    "/v1/orders/cancel-batch",
    query=(),
    idempotent_key=True,
    private=True,
    records=True,
)
AMEND_ORDERS = Operation(
    "amend_orders",
    "POST",
    "/v1/orders/amend-batch",
    query=(),
    idempotent_key=True,
    private=True,
    records=True,
)
LIST_FILLS = Operation(
    "list_fills",
    "GET",
    "/v1/fills",
    query=("order_id", "market_id", "outcome_id", "side", "liquidity_role", "settlement_state", "matched_after", "matched_before", "engine_sequence_after", "cursor", "limit",),
    private=True,
    page_max=1000,
    table=True,
    decimals=("price", "quantity", "notional", "closed_quantity",),
    instants=("matched_at", "published_at",),
)
GET_FILL = Operation(
    "get_fill",
    "GET",
    "/v1/fills/{fill_id}",
    query=(),
    private=True,
)
LIST_ADJUSTMENTS = Operation(
    "list_adjustments",
    "GET",
    "/v1/adjustments",
    query=("engine_sequence_after", "published_after", "published_before", "cursor", "limit",),
    private=True,
    page_max=1000,
    table=True,
    decimals=("quantity_delta", "notional_delta", "fee_delta",),
    instants=("effective_at", "published_at",),
)
LIST_POSITIONS = Operation(
    "list_positions",
    "GET",
    "/v1/positions",
    query=("market_id", "outcome_id", "nonzero_only", "settlement_state", "as_of", "cursor", "limit",),
    private=True,
    page_max=1000,
)
GET_MARKET_POSITIONS = Operation(
    "get_market_positions",
    "GET",
    "/v1/positions/{market_id}",
    query=("as_of",),
    private=True,
)
LIST_BALANCES = Operation(
    "list_balances",
    "GET",
    "/v1/balances",
    query=("asset_id", "as_of",),
    private=True,
)
GET_ACCOUNT_POLICY = Operation(
    "get_account_policy",
    "GET",
    "/v1/account/policy",
    query=(),
    private=True,
)
GET_REDEMPTION_PREVIEW = Operation(
    "get_redemption_preview",
    "GET",
    "/v1/account/redemption-preview",
    query=("market_id",),
    private=True,
)
SET_CANCEL_AFTER = Operation(
    "set_cancel_after",
    "PUT",
    "/v1/account/cancel-after",
    query=(),
    idempotent_key=True,
    private=True,
)
SET_MARKET_MAKER_PROTECTION = Operation(
    "set_market_maker_protection",
    "PUT",
    "/v1/account/market-maker-protections/{market_id}",
    query=(),
    idempotent_key=True,
    private=True,
)
GET_MARKET_MAKER_PROTECTION = Operation(
    "get_market_maker_protection",
    "GET",
    "/v1/account/market-maker-protections/{market_id}",
    query=(),
    private=True,
)
REMOVE_MARKET_MAKER_PROTECTION = Operation(
    "remove_market_maker_protection",
    "DELETE",
    "/v1/account/market-maker-protections/{market_id}",
    query=(),
    idempotent_key=True,
    private=True,
)
LIST_MARKET_MAKER_PROTECTIONS = Operation(
    "list_market_maker_protections",
    "GET",
    "/v1/account/market-maker-protections",
    query=("cursor", "limit",),
    private=True,
    page_max=1000,
)
RESET_MARKET_MAKER_PROTECTION = Operation(
    "reset_market_maker_protection",
    "POST",
    "/v1/account/market-maker-protections/{market_id}/reset",
    query=(),
    idempotent_key=True,
    private=True,
)
LIST_SETTLEMENTS = Operation(
    "list_settlements",
    "GET",
    "/v1/settlements",
    query=("state", "kind", "market_id", "fill_id", "asset_id", "created_after", "created_before", "updated_after", "updated_before", "cursor", "limit",),
    private=True,
    page_max=1000,
    table=True,
    decimals=("quantity", "amount", "fee", "net_amount",),
    instants=("created_at", "updated_at", "confirmed_at",),
)
GET_SETTLEMENT = Operation(
    "get_settlement",
    "GET",
    "/v1/settlements/{settlement_id}",
    query=(),
    private=True,
)
LIST_STATEMENT = Operation(
    "list_statement",
    "GET",
    "/v1/account/statement",
    query=("asset_id", "market_id", "kind", "booked_after", "booked_before", "engine_sequence_after", "engine_sequence_before", "as_of", "cursor", "limit",),
    private=True,
    page_max=1000,
    table=True,
    decimals=("amount", "bucket_after", "total_after", "fee",),
    instants=("booked_at",),
)
GET_ACCOUNT_SUMMARY = Operation(
    "get_account_summary",
    "GET",
    "/v1/account/summary",
    query=("as_of",),
    private=True,
)
LIST_EQUITY_HISTORY = Operation(
    "list_equity_history",
    "GET",
    "/v1/account/equity-history",
    query=("start_time", "end_time", "interval", "asset_id",),
    private=True,
)
LIST_FEE_SCHEDULES = Operation(
    "list_fee_schedules",
    "GET",
    "/v1/fee-schedules",
    query=("schedule_id", "market_id", "cursor", "limit",),
    private=True,
    page_max=1000,
)
REQUEST_TRANSFER = Operation(
    "request_transfer",
    "POST",
    "/v1/account/transfers",
    query=(),
    idempotent_key=True,
    private=True,
)
LIST_TRANSFERS = Operation(
    "list_transfers",
    "GET",
    "/v1/account/transfers",
    query=("direction", "state", "requested_after", "requested_before", "cursor", "limit",),
    private=True,
    page_max=1000,
    table=True,
    decimals=("amount",),
    instants=("requested_at", "updated_at",),
)
CANCEL_TRANSFER = Operation(
    "cancel_transfer",
    "POST",
    "/v1/account/transfers/{transfer_id}/cancel",
    query=(),
    idempotent_key=True,
    private=True,
)
GET_TRANSFER = Operation(
    "get_transfer",
    "GET",
    "/v1/account/transfers/{transfer_id}",
    query=(),
    private=True,
)
CREATE_WEBHOOK = Operation(
    "create_webhook",
    "POST",
    "/v1/webhooks",
    query=(),
    idempotent_key=True,
    private=True,
)
LIST_WEBHOOKS = Operation(
    "list_webhooks",
    "GET",
    "/v1/webhooks",
    query=("cursor", "limit",),
    private=True,
    page_max=1000,
)
GET_WEBHOOK = Operation(
    "get_webhook",
    "GET",
    "/v1/webhooks/{webhook_id}",
    query=(),
    private=True,
)
UPDATE_WEBHOOK = Operation(
    "update_webhook",
    "PATCH",
    "/v1/webhooks/{webhook_id}",
    query=(),
    idempotent_key=True,
    private=True,
)
DELETE_WEBHOOK = Operation(
    "delete_webhook",
    "DELETE",
    "/v1/webhooks/{webhook_id}",
    query=(),
    idempotent_key=True,
    private=True,
)
ROTATE_WEBHOOK_SECRET = Operation(
    "rotate_webhook_secret",
    "POST",
    "/v1/webhooks/{webhook_id}/rotate-secret",
    query=(),
    idempotent_key=True,
    private=True,
)
TEST_WEBHOOK = Operation(
    "test_webhook",
    "POST",
    "/v1/webhooks/{webhook_id}/test",
    query=(),
    idempotent_key=True,
    private=True,
)
REPLAY_WEBHOOK = Operation(
    "replay_webhook",
    "POST",
    "/v1/webhooks/{webhook_id}/replay",
    query=(),
    idempotent_key=True,
    private=True,
)
LIST_WEBHOOK_DELIVERIES = Operation(
    "list_webhook_deliveries",
    "GET",
    "/v1/webhooks/{webhook_id}/deliveries",
    query=("status", "cursor", "limit",),
    private=True,
    page_max=1000,
)
LIST_WEBHOOK_EVENTS = Operation(
    "list_webhook_events",
    "GET",
    "/v1/webhook-events",
    query=("after", "event_type", "cursor", "limit",),
    private=True,
    page_max=1000,
)
GET_LOG_CHECKPOINT = Operation(
    "get_log_checkpoint",
    "GET",
    "/log/checkpoint",
    query=(),
    text=True,
)
GET_LOG_VKEY = Operation(
    "get_log_vkey",
    "GET",
    "/log/vkey",
    query=(),
    text=True,
)
GET_LOG_TILE = Operation(
    "get_log_tile",
    "GET",
    "/log/tile/{level}/{index}",
    query=(),
    text=True,
)
GET_LOG_ENTRIES = Operation(
    "get_log_entries",
    "GET",
    "/log/tile/entries/{index}",
    query=(),
    text=True,
)
