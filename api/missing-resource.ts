import { ERROR_CODES, type ErrorCode } from '../primitives/error-codes.ts'
import { isServiceError, refusedValue, ServiceError } from '../primitives/errors.ts'
import { formatMicros, type Micros } from '../primitives/instants.ts'
import { ACCOUNT_RECORDS } from '../trading/engine/unknown-record.ts'
import type { Row } from '../warehouse/schema.ts'

type Missing = { readonly code: ErrorCode; readonly field: string; readonly allowed: string }

/** Resources that a request may name: the code when there is none, the naming field, and which values exist. */
const MISSING = {
  ...ACCOUNT_RECORDS,
  account: { code: 'ACCOUNT_NOT_FOUND', field: 'account_id', allowed: 'the account of the key' },
  event: { code: 'EVENT_NOT_FOUND', field: 'event_id', allowed: 'an event of GET /v1/events' },
  assessable_event: {
    code: 'EVENT_NOT_FOUND',
    field: 'event_id',
    allowed: 'an event of GET /v1/events, or one that was assessed',
  },
  booked_transfer: {
    code: 'TRANSFER_NOT_FOUND',
    field: 'transfer_id',
    allowed:
      'a transfer that the account asked for (trf_); an operator booked this one, so the statement alone shows it',
  },
  fill: { code: 'FILL_NOT_FOUND', field: 'fill_id', allowed: 'a fill of GET /v1/fills' },
  index: { code: 'INDEX_NOT_FOUND', field: 'index_id', allowed: 'an index of GET /v1/indexes' },
  index_version: { code: 'INDEX_VERSION_NOT_FOUND', field: 'version_id', allowed: "one of the index's versions" },
  index_methodology: { code: 'METHODOLOGY_NOT_FOUND', field: 'version', allowed: 'a version of GET /v1/methodologies' },
  index_level: { code: 'OBSERVATION_NOT_FOUND', field: 'index_id', allowed: 'an index with a published level' },
  index_observation: {
    code: 'OBSERVATION_NOT_FOUND',
    field: 'observation_id',
    allowed: "one of the index's observations",
  },
  market: { code: 'MARKET_NOT_FOUND', field: 'market_id', allowed: 'a market of GET /v1/markets' },
  traded_market: { code: 'MARKET_NOT_FOUND', field: 'market_id', allowed: 'a market that is traded here' },
  market_price: { code: 'OBSERVATION_NOT_FOUND', field: 'market_id', allowed: 'a market that was quoted or traded' },
  market_observation: {
    code: 'OBSERVATION_NOT_FOUND',
    field: 'observation_id',
    allowed: "one of the market's observations",
  },
  observation: {
    code: 'OBSERVATION_NOT_FOUND',
    field: 'observation_id',
    allowed: 'the id of a published observation, level, trade, resolution or severity value',
  },
  received_observation: {
    code: 'OBSERVATION_NOT_FOUND',
    field: 'observation_id',
    allowed: 'the id of a published quote or trade',
  },
  payload: {
    code: 'OBSERVATION_NOT_FOUND',
    field: 'content_hash',
    allowed: 'a content_hash of the same record, read without content_hash',
  },
  rating: { code: 'RATING_NOT_FOUND', field: 'rating_id', allowed: 'a rating of GET /v1/markets/{market_id}/ratings' },
  severity_assessment: {
    code: 'ASSESSMENT_NOT_FOUND',
    field: 'assessment_id',
    allowed: 'an assessment of GET /v1/events/{event_id}/severity-history',
  },
  order_book: { code: 'ORDER_BOOK_NOT_FOUND', field: 'outcome_id', allowed: 'an outcome whose book is stored' },
  rating_methodology: {
    code: 'METHODOLOGY_NOT_FOUND',
    field: 'version',
    allowed: 'a version of GET /v1/rating-methodologies',
  },
  roster: { code: 'GOVERNANCE_NOT_FOUND', field: 'version', allowed: 'a roster that was in force' },
  policy: { code: 'GOVERNANCE_NOT_FOUND', field: 'version', allowed: 'a policy that was in force' },
  eligibility_policy: {
    code: 'GOVERNANCE_NOT_FOUND',
    field: 'policy_id',
    allowed: 'a version of GET /v1/eligibility/policies that was published by as_of',
  },
  published_policy: {
    code: 'GOVERNANCE_NOT_FOUND',
    field: 'policy_id',
    allowed: 'a policy that was published; a built-in one is not in the log',
  },
  pro_forma: {
    code: 'INDEX_VERSION_NOT_FOUND',
    field: 'index_id',
    allowed: 'an index with an announced composition',
  },
  pro_forma_start: {
    code: 'INDEX_VERSION_NOT_FOUND',
    field: 'effective_from',
    allowed: 'the start of an announced composition of the index',
  },
  proposal: {
    code: 'GOVERNANCE_NOT_FOUND',
    field: 'proposal_id',
    allowed: 'a proposal of GET /v1/governance/proposals',
  },
  notice: { code: 'GOVERNANCE_NOT_FOUND', field: 'notice_id', allowed: 'a notice of GET /v1/governance/notices' },
  restatement: {
    code: 'GOVERNANCE_NOT_FOUND',
    field: 'proposal_id',
    allowed: 'a proposal of GET /v1/governance/restatements',
  },
  complaint: {
    code: 'GOVERNANCE_NOT_FOUND',
    field: 'complaint_id',
    allowed: 'a complaint of GET /v1/governance/complaints, which lists those that are public',
  },
  complaint_state: {
    code: 'GOVERNANCE_NOT_FOUND',
    field: 'revision',
    allowed: 'an act in the history of the complaint',
  },
  impact: {
    code: 'GOVERNANCE_NOT_FOUND',
    field: 'change_id',
    allowed: 'a change that a runner has signed an impact of',
  },
  impact_of_runner: {
    code: 'GOVERNANCE_NOT_FOUND',
    field: 'runner',
    allowed: 'a runner who has signed an impact of the change',
  },
  proposal_state: {
    code: 'GOVERNANCE_NOT_FOUND',
    field: 'revision',
    allowed: 'a state in the history of the proposal',
  },
  governance_act: {
    code: 'GOVERNANCE_NOT_FOUND',
    field: 'act_id',
    allowed: 'an act of GET /v1/governance/acts',
  },
  resolution: { code: 'RESOLUTION_NOT_FOUND', field: 'market_id', allowed: 'a market that was resolved' },
  resolution_evidence: {
    code: 'RESOLUTION_NOT_FOUND',
    field: 'evidence_id',
    allowed: "the evidence of one of the market's resolutions",
  },
  settlement: { code: 'SETTLEMENT_NOT_FOUND', field: 'settlement_id', allowed: 'a settlement of GET /v1/settlements' },
  severity_index: {
    code: 'SEVERITY_INDEX_NOT_FOUND',
    field: 'severity_index_id',
    allowed: 'an index of GET /v1/severity-indexes',
  },
  severity_index_version: { code: 'INDEX_VERSION_NOT_FOUND', field: 'version', allowed: "one of the index's versions" },
  severity_methodology: {
    code: 'METHODOLOGY_NOT_FOUND',
    field: 'version',
    allowed: 'a version of GET /v1/severity-methodologies',
  },
  severity_value: {
    code: 'OBSERVATION_NOT_FOUND',
    field: 'severity_index_id',
    allowed: 'a severity index with a published value',
  },
} as const satisfies Record<string, Missing>

/** The error for a resource that does not exist, did not at as_of, or belongs to another account. */
export function missing(resource: keyof typeof MISSING, value: string): ServiceError {
  const { code, field, allowed } = MISSING[resource]
  return refusedValue(code, field, value, allowed)
}

/** Most ids that a message lists. */
const IDS_LISTED_MAX = 20

/** The error for an index that does not exist, or did not at as_of: it lists the ids that do. */
export function missingIndex(index_id: string, indexes: readonly Row[]): ServiceError {
  const { code, field, allowed } = MISSING.index
  const ids = indexes.slice(0, IDS_LISTED_MAX).map((index) => String(index.index_id))
  const rest = indexes.length > ids.length ? ` and ${indexes.length - ids.length} more` : ''
  return refusedValue(code, field, index_id, `${allowed}: ${ids.join(', ') || 'none'}${rest}`)
}

/** Names the instant in an error of a missing resource, which may exist at other instants; other errors stay as they are. */
export function atInstant(error: unknown, field: string, instant: Micros): unknown {
  if (!isServiceError(error) || ERROR_CODES[error.code].status !== 404) return error
  return new ServiceError(error.code, `at ${field} ${formatMicros(instant)}, ${error.message}`, error.facts, error)
}

/** The error for a market whose venue's terms keep `what` (prices, trades) inside. */
export function sourceNotPublic(venue_id: string, what: string): ServiceError {
  const allowed = `a market whose venue's terms let ${what} out`
  return new ServiceError('SOURCE_NOT_PUBLIC', `market_id is of venue ${venue_id}; allowed: ${allowed}`, { venue_id })
}

/** Returns the refusal of a process that serves no accounts. */
export function withoutEngine(): ServiceError {
  const message = 'no engine is configured: this process serves what is published, and no accounts'
  return new ServiceError('SERVICE_UNAVAILABLE', message, { phase: 'no_engine' })
}
