import type { Event } from '../../protocol/resources/event.ts'
import type { Market } from '../../protocol/resources/market.ts'
import type { Resolution } from '../../protocol/resources/resolution.ts'
import { METRIC_FIELDS, SCHEDULE_FIELDS } from '../../vocabulary/market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'
import { fieldsOf, rowOrNull, rowsOf, textsOf } from './pick.ts'

const EVENT_FIELDS = ['event_id', 'slug', 'title', 'description', 'category'] as const
const SOURCE_FIELDS = ['venue_id', 'source_event_id', 'source_series_id', 'source_url'] as const

/** Converts a row of event to the resource; updated_at defaults to the publication of its newest revision. */
export function eventOf(row: Row): Event {
  return {
    ...fieldsOf(row, EVENT_FIELDS),
    regions: textsOf(row.regions),
    ...fieldsOf(row, ['status', 'event_start', 'event_end']),
    market_ids: textsOf(row.market_ids),
    source_mappings: rowsOf(row.source_mappings).map((item) => fieldsOf(item, SOURCE_FIELDS)),
    created_at: row.created_at ?? null,
    updated_at: updatedAt(row),
  } as unknown as Event
}

const OUTCOME_FIELDS = ['outcome_id', 'label', 'status', 'payout_value'] as const
const RULES_FIELDS = ['rules_version', 'resolution_question'] as const
const TRADING_FIELDS = [
  'price_min',
  'price_max',
  'price_increment',
  'quantity_increment',
  'minimum_quantity',
  'settlement_asset_id',
  'shorting_permitted',
] as const

/** Converts a market of the catalogue to the resource. @param simulated venues whose data is invented */
export function marketOf(row: Row, simulated: ReadonlySet<string>): Market {
  return {
    ...fieldsOf(row, ['market_id', 'event_id', 'slug', 'title', 'category', 'status', 'outcome_type']),
    outcomes: outcomesOf(row),
    rules: nested(row.rules, rulesOf),
    schedule: nested(row.schedule, (schedule) => fieldsOf(schedule, SCHEDULE_FIELDS)),
    trading_parameters: nested(row.trading_parameters, (parameters) => {
      return { ...fieldsOf(parameters, TRADING_FIELDS), complementary: isComplementary(row) }
    }),
    venue_mapping: nested(row.venue_mapping, venueMappingOf),
    eligibility: nested(row.eligibility, eligibilityOf),
    metrics: nested(row.metrics, metricsOf),
    created_at: row.created_at ?? null,
    updated_at: updatedAt(row),
    ...fieldsOf(row, ['source_at', 'published_at']),
    simulated: simulated.has(String(rowOrNull(row.venue_mapping)?.venue_id)),
  } as unknown as Market
}

/** Returns the outcomes of a market row, in the market's order; tradable while the market is open, unless the record states otherwise. */
export function outcomesOf(row: Row): Market['outcomes'] {
  const open = row.status === 'open' ? 'tradable' : null
  const rows = rowsOf(row.outcomes)
  const outcomes = rows.map((outcome, ordinal) => {
    const other = isComplementary(row) === true ? rows[1 - ordinal] : undefined
    const shown = fieldsOf({ ...outcome, status: outcome.status ?? open }, OUTCOME_FIELDS)
    return { ...shown, complementary_outcome_id: other?.outcome_id ?? null }
  })
  return outcomes as unknown as Market['outcomes']
}

/** Whether orders of both outcomes meet; null: its venue does not state it. Rows of our own from before it was stored have no such orders. */
function isComplementary({ complementary, venue_mapping }: Row): boolean | null {
  if (typeof complementary === 'boolean') return complementary
  return rowOrNull(venue_mapping)?.venue_id === OWN_VENUE ? false : null
}

/** Returns when a reference record last changed: the source's instant, or else that of publication. */
export function updatedAt(row: Row): string {
  return String(row.updated_at ?? row.published_at)
}

function rulesOf(rules: Row) {
  return {
    ...fieldsOf(rules, RULES_FIELDS),
    resolution_sources: textsOf(rules.resolution_sources),
    ...fieldsOf(rules, ['resolution_criteria', 'dispute_policy_uri', 'timezone']),
  }
}

function venueMappingOf(mapping: Row) {
  return {
    ...fieldsOf(mapping, ['venue_id', 'source_market_id']),
    source_outcome_ids: textsOf(mapping.source_outcome_ids),
    ...fieldsOf(mapping, ['mapping_version', 'valid_from', 'valid_to']),
  }
}

function eligibilityOf(row: Row) {
  return {
    ...fieldsOf(row, ['status', 'policy_id']),
    policy_version: Number(row.policy_version),
    reason_codes: textsOf(row.reason_codes),
    evaluated_at: row.evaluated_at ?? null,
  }
}

function metricsOf(row: Row) {
  return { ...fieldsOf(row, METRIC_FIELDS), observed_at: row.source_at ?? null }
}

function nested<T>(value: Row[string], of: (row: Row) => T): T | null {
  const row = rowOrNull(value)
  return row === null ? null : of(row)
}

const EVIDENCE_FIELDS = ['evidence_id', 'kind', 'source_uri', 'observed_at', 'content_hash'] as const

/** Converts a row of market_resolution to the resource. */
export function resolutionOf(row: Row): Resolution {
  return {
    ...fieldsOf(row, ['resolution_id', 'revision', 'supersedes_id', 'correction_reason', 'market_id']),
    winning_outcome_ids: textsOf(row.winning_outcome_ids),
    payouts: rowsOf(row.payouts).map((payout) => fieldsOf(payout, ['outcome_id', 'payout'])),
    resolved_at: row.resolved_at ?? null,
    final_at: row.final_at ?? null,
    confirmed_at: row.confirmed_at ?? row.received_at,
    evidence: rowsOf(row.evidence).map((item) => fieldsOf(item, EVIDENCE_FIELDS)),
    resolver: nested(row.resolver, (resolver) => fieldsOf(resolver, ['kind', 'resolver_id'])),
    ...fieldsOf(row, ['dispute_window_ends_at', 'finality', 'source_at', 'received_at', 'published_at']),
  } as unknown as Resolution
}
