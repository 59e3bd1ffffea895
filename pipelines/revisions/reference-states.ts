import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import type { HazardRecord, ReferenceRecord, TradingParameters } from '../venues/record.ts'
import type { Identities } from './identities.ts'
import { eventIdOf } from './identity.ts'
import type { PlannedState, ReferenceRule } from './plan-references.ts'
import { instantOrNull } from './quote-revisions.ts'

type SourceMapping = {
  readonly venue_id: string
  readonly source_event_id: string
  readonly source_series_id: string | null
  readonly source_url: string | null
}

/** Statement about an event: the listing of a market, or the alert of a hazard. */
export type EventSource = ReferenceRecord | HazardRecord

/** State of an `event` row, without its clocks and revision. */
export type EventState = {
  readonly slug: string | null
  readonly title: string
  readonly description: string | null
  readonly category: string | null
  readonly regions: readonly string[] | null
  readonly status: string | null
  readonly event_start: Instant | null
  readonly event_end: Instant | null
  readonly market_ids: readonly string[]
  readonly source_mappings: readonly SourceMapping[]
}

/** State of a `market` row, without its clocks and revision. */
export type MarketState = {
  readonly event_id: string
  readonly slug: string | null
  readonly title: string
  readonly status: string | null
  readonly outcome_type: string
  readonly outcomes: readonly {
    readonly outcome_id: string
    readonly label: string
    readonly status: null
    readonly payout_value: null
  }[]
  readonly rules: {
    readonly rules_version: null
    readonly resolution_question: string | null
    readonly resolution_sources: readonly string[]
    readonly resolution_criteria: string | null
    readonly dispute_policy_uri: null
    readonly timezone: string | null
  }
  readonly schedule: {
    readonly opens_at: Instant | null
    readonly closes_at: Instant | null
    readonly expected_resolution_at: Instant | null
  }
  readonly venue_mapping: {
    readonly venue_id: string
    readonly source_market_id: string
    readonly source_outcome_ids: readonly string[]
    readonly mapping_version: string
    readonly valid_from: null
    readonly valid_to: null
  }
  readonly trading_parameters: TradingParameters | null
}

/**
 * Returns the rule of events. A later line of another series only adds its mapping; another title or description replaces the
 * former. A market's statement without its event's title has the event's id there; then the event's known texts stay. An alert
 * of a hazard states the whole event.
 */
export function eventRule(ids: Identities): ReferenceRule<EventState, EventSource> {
  return {
    idOf: (r) => eventIdOf(r.venue_id, r.source_event_id),
    merge: (before, r) => (isHazard(r) ? hazardEvent(r) : listedEvent(before, r, ids)),
    reasonOf: () => 'REFERENCE_UPDATED',
  }
}

function isHazard(record: EventSource): record is HazardRecord {
  return 'hazard_type' in record
}

/**
 * Returns the event of an alert, which states all of it. It has no market. An earthquake is over when it is reported; any other
 * hazard without a stated end is ongoing.
 */
function hazardEvent(record: HazardRecord): EventState {
  const { venue_id, source_event_id, title, hazard_type, countries, started_at, ended_at, source_url } = record
  const is_sudden = hazard_type === 'earthquake'
  return {
    slug: null,
    title,
    description: null,
    category: hazard_type,
    regions: countries,
    status: is_sudden || ended_at !== null ? 'ended' : 'ongoing',
    event_start: formatMicros(started_at),
    event_end: instantOrNull(is_sudden ? started_at : ended_at),
    market_ids: [],
    source_mappings: [{ venue_id, source_event_id, source_series_id: null, source_url }],
  }
}

function listedEvent(before: EventState | null, r: ReferenceRecord, ids: Identities): EventState {
  return {
    slug: r.event_slug ?? before?.slug ?? null,
    ...eventTexts(before, r),
    ...eventDetails(before, r),
    market_ids: union(before?.market_ids ?? [], ids.marketId(r.venue_id, r.source_market_id)),
    source_mappings: withMapping(before?.source_mappings ?? [], mappingOf(r)),
  }
}

function eventTexts(
  before: EventState | null,
  r: ReferenceRecord,
): Pick<EventState, 'title' | 'description' | 'category'> {
  const { event_title: title, description, category } = r
  if (before === null || title !== r.source_event_id) return { title, description, category }
  return {
    title: before.title,
    description: description ?? before.description,
    category: category ?? before.category,
  }
}

/** Merges an event's details; those not stated stay as they were. */
function eventDetails(
  before: EventState | null,
  { event_details: stated }: ReferenceRecord,
): Pick<EventState, 'regions' | 'status' | 'event_start' | 'event_end'> {
  return {
    regions: stated?.regions ?? before?.regions ?? null,
    status: stated?.status ?? before?.status ?? null,
    event_start: instantOrNull(stated?.starts_at ?? null) ?? before?.event_start ?? null,
    event_end: instantOrNull(stated?.ends_at ?? null) ?? before?.event_end ?? null,
  }
}

/**
 * Returns the rule of markets. A line is the whole statement, except for trading parameters, because each endpoint of a venue
 * states its own. A short description (`is_partial`) of a known market leaves what it does not state.
 */
export function marketRule(ids: Identities): ReferenceRule<MarketState, ReferenceRecord> {
  return {
    idOf: (r) => ids.marketId(r.venue_id, r.source_market_id),
    merge: (before, r) => marketState(before, r, ids),
    reasonOf: (before, after) => (before.status === after.status ? 'REFERENCE_UPDATED' : 'STATUS_CHANGED'),
  }
}

function marketState(before: MarketState | null, r: ReferenceRecord, ids: Identities): MarketState {
  const market_id = ids.marketId(r.venue_id, r.source_market_id)
  const keeps = before !== null && r.is_partial === true
  const { opens_at = null, closes_at = null, expected_resolution_at = null } = keeps ? before.schedule : {}
  const outcomes = r.outcomes.map((outcome, i) => {
    const outcome_id = ids.outcomeId(market_id, outcome)
    const known = keeps ? before.outcomes.find((one) => one.outcome_id === outcome_id)?.label : undefined
    return { outcome_id, label: r.outcome_labels?.[i] ?? known ?? outcome, status: null, payout_value: null }
  })
  return {
    event_id: keeps ? before.event_id : eventIdOf(r.venue_id, r.source_event_id),
    slug: r.slug ?? before?.slug ?? null,
    title: r.title,
    status: r.status ?? (keeps ? before.status : null),
    outcome_type: r.outcome_type,
    outcomes,
    rules: {
      rules_version: null,
      resolution_question: r.resolution_question,
      resolution_sources: resolutionSources(before, r),
      resolution_criteria: r.resolution_criteria ?? (keeps ? before.rules.resolution_criteria : null),
      dispute_policy_uri: null,
      timezone: r.event_details?.timezone ?? (keeps ? before.rules.timezone : null),
    },
    schedule: {
      opens_at: instantOrNull(r.opens_at) ?? opens_at,
      closes_at: instantOrNull(r.closes_at) ?? closes_at,
      expected_resolution_at: instantOrNull(r.expected_resolution_at) ?? expected_resolution_at,
    },
    venue_mapping: {
      venue_id: r.venue_id,
      source_market_id: r.source_market_id,
      source_outcome_ids: r.outcomes,
      mapping_version: '1',
      valid_from: null,
      valid_to: null,
    },
    trading_parameters: mergeTrading(before?.trading_parameters ?? null, r.trading),
  }
}

/** Returns the stated sources; endpoints that state none leave the known ones. */
function resolutionSources(before: MarketState | null, r: ReferenceRecord): readonly string[] {
  if (r.resolution_sources !== undefined) return r.resolution_sources
  return r.source_url === null ? (before?.rules.resolution_sources ?? []) : [r.source_url]
}

/** Merges trading parameters: stated ones replace the former, others stay. */
function mergeTrading(before: TradingParameters | null, stated: TradingParameters | null): TradingParameters | null {
  if (before === null || stated === null) return stated ?? before
  return {
    price_min: stated.price_min ?? before.price_min,
    price_max: stated.price_max ?? before.price_max,
    price_increment: stated.price_increment ?? before.price_increment,
    quantity_increment: stated.quantity_increment ?? before.quantity_increment,
    minimum_quantity: stated.minimum_quantity ?? before.minimum_quantity,
    settlement_asset_id: stated.settlement_asset_id ?? before.settlement_asset_id,
    shorting_permitted: stated.shorting_permitted ?? before.shorting_permitted,
  }
}

function mappingOf(r: ReferenceRecord): SourceMapping {
  const { venue_id, source_event_id, source_series_id, source_url } = r
  return { venue_id, source_event_id, source_series_id, source_url }
}

/** Adds a mapping; one per (venue, event, series), and a later address replaces the former. */
function withMapping(before: readonly SourceMapping[], added: SourceMapping): SourceMapping[] {
  const same = (m: SourceMapping) =>
    m.venue_id === added.venue_id &&
    m.source_event_id === added.source_event_id &&
    m.source_series_id === added.source_series_id
  return before.some(same) ? before.map((m) => (same(m) ? added : m)) : [...before, added]
}

function union(before: readonly string[], added: string): readonly string[] {
  return before.includes(added) ? before : [...before, added]
}

/** Returns a row of `event`. */
export function eventRow({ record, revised, state, created_at }: PlannedState<EventState, EventSource>) {
  return {
    event_id: eventIdOf(record.venue_id, record.source_event_id),
    ...revised,
    ...state,
    ...clocks(record, created_at),
  }
}

/** Returns a row of `market`. */
export function marketRow(planned: PlannedState<MarketState, ReferenceRecord>, ids: Identities) {
  const { record, revised, state, created_at } = planned
  return {
    market_id: ids.marketId(record.venue_id, record.source_market_id),
    ...revised,
    ...state,
    ...clocks(record, created_at),
  }
}

function clocks(record: EventSource, created_at: Micros) {
  const received_at = formatMicros(record.received_at)
  return {
    created_at: formatMicros(created_at),
    updated_at: received_at,
    source_at: formatMicros(record.source_at),
    received_at,
  }
}
