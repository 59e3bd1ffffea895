import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { ENDED_STATUSES, type MarketStatus, SCHEDULE_FIELDS } from '../../vocabulary/market.ts'
import { RULE_FIELDS } from '../../vocabulary/notices.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import { eventIdOf } from '../revisions/identity.ts'
import { slugOf } from './slug.ts'

/*
 * Records of the markets listed here and of their events. The warehouse stores them, and the API shows them from the engine's
 * event on: both use these functions, so that they never differ.
 */

type Fields = Readonly<Record<string, unknown>>

/** Presentation of a market as it was listed; null: not given. */
type Listed = {
  readonly event_id: string | null
  readonly title: string | null
  readonly rules: unknown
  readonly schedule: unknown
}

/** A market as it was listed. */
export type OwnListing = {
  readonly market_id: string
  readonly outcomes: readonly { readonly outcome_id: string; readonly label: string }[]
  readonly listed: { readonly terms: { readonly complementary?: boolean }; readonly listing: Listed | null }
  readonly created_at: Micros
}

/** State of a market after one event of the engine, and the stamp of its batch. */
export type OwnRevision = {
  readonly status: MarketStatus | null
  readonly payouts: readonly { readonly outcome_id: string; readonly payout: string }[]
  /** Whether the orders of both outcomes meet on one ladder: a market may have become so after its listing. */
  readonly complementary: boolean
  readonly at: Micros
}

const RULES_FIELDS = ['rules_version', ...RULE_FIELDS, 'dispute_policy_uri', 'timezone'] as const

const UNTOLD: Listed = { event_id: null, title: null, rules: null, schedule: null }

/**
 * Returns the presentation of a listed market as it is published: without an event it is an event of its own, without a title its id is
 * the title, and fields of rules and schedule that were not given are null.
 */
export function shownListing(market_id: string, { event_id, title, rules, schedule }: Listed) {
  return {
    event_id: event_id ?? (eventIdOf(OWN_VENUE, market_id) as string),
    title: title ?? market_id,
    rules: pick(rules, RULES_FIELDS),
    schedule: pick(schedule, SCHEDULE_FIELDS),
  }
}

/** Returns the real-world event of a listed market. */
export function ownEventId(listing: OwnListing): string {
  return shownOf(listing).event_id
}

/** Returns a market's record after one event of the engine, without its place among its revisions. */
export function ownMarketRecord(listing: OwnListing, { status, payouts, complementary, at }: OwnRevision) {
  const { market_id, outcomes, created_at } = listing
  const shown = shownOf(listing)
  return {
    market_id,
    ...shown,
    slug: slugOf(shown.title),
    status,
    outcome_type: outcomes.length === 2 ? 'binary' : 'categorical',
    outcomes: outcomesOf(listing, status, payouts),
    venue_mapping: {
      venue_id: OWN_VENUE,
      source_market_id: market_id,
      source_outcome_ids: outcomes.map(({ outcome_id }) => outcome_id),
      mapping_version: '1',
      valid_from: formatMicros(created_at),
      valid_to: null,
    },
    created_at: formatMicros(created_at),
    updated_at: formatMicros(at),
    trading_parameters: termsOf(listing.listed.terms),
    complementary,
  }
}

/**
 * Returns the record of a listed market's event with the market added, without its place among its revisions; null if it names the
 * market already. @param before the event as it is known; null: the market is the first of an event of its own
 */
export function ownEventRecord(before: Fields | null, listing: OwnListing) {
  const { market_id, created_at } = listing
  const { event_id, title } = shownOf(listing)
  const market_ids = (before?.market_ids ?? []) as readonly string[]
  if (market_ids.includes(market_id)) return null
  const mappings = (before?.source_mappings ?? []) as readonly Fields[]
  const is_mapped = mappings.some(({ venue_id }) => venue_id === OWN_VENUE)
  const mapping = { venue_id: OWN_VENUE, source_event_id: event_id, source_series_id: null, source_url: null }
  return {
    event_id,
    slug: slugOf(title),
    title,
    description: null,
    category: null,
    regions: null,
    status: null,
    event_start: null,
    event_end: null,
    created_at: formatMicros(created_at),
    ...before,
    market_ids: [...market_ids, market_id],
    source_mappings: is_mapped ? mappings : [...mappings, mapping],
  }
}

function shownOf({ market_id, listed }: OwnListing) {
  return shownListing(market_id, listed.listing ?? UNTOLD)
}

/** Returns a listing's terms without the one that has a column of its own. */
function termsOf({ complementary: _, ...trading_parameters }: OwnListing['listed']['terms']) {
  return trading_parameters
}

/** Payouts are shown once the market has ended. */
function outcomesOf({ outcomes }: OwnListing, status: MarketStatus | null, payouts: OwnRevision['payouts']) {
  const has_ended = ENDED_STATUSES.includes(status)
  const payoutOf = (id: string) => payouts.find(({ outcome_id }) => outcome_id === id)?.payout ?? null
  return outcomes.map(({ outcome_id, label }) => {
    return { outcome_id, label, status: null, payout_value: has_ended ? payoutOf(outcome_id) : null }
  })
}

function pick(given: unknown, fields: readonly string[]): Fields {
  const values = (given ?? {}) as Fields
  return Object.fromEntries(fields.map((field): [string, unknown] => [field, values[field] ?? null]))
}
