import { eventIdOf } from '../../pipelines/revisions/identity.ts'
import { eligibilityOf } from '../../pipelines/venues/eligibility.ts'
import { FIRST_REVISION, supersede } from '../../primitives/append-only.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { OutcomePayout } from '../../trading/engine/settlement-commands.ts'
import type { MarketListing } from '../../trading/market/market-listing.ts'
import { slugOf } from '../../trading/public-market/listing-texts.ts'
import type { PublicMarketRead } from '../../trading/store/read/public-reads.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import { ENDED_STATUSES, SCHEDULE_FIELDS } from '../../vocabulary/market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row, RowValue } from '../../warehouse/schema.ts'

/** Presentation of a market as it was listed; null: not given. */
type Listed = Pick<MarketListing, 'event_id' | 'title' | 'rules' | 'schedule'>

/**
 * Returns the presentation of a listed market as it is published: without an event it is an event of its own, without a title its id is
 * the title, and fields of rules and schedule that were not given are null.
 */
export function shownListing(market_id: string, { event_id, title, rules, schedule }: Listed) {
  return {
    event_id: event_id ?? eventIdOf(OWN_VENUE, market_id),
    title: title ?? market_id,
    rules: pick(rules, RULES),
    schedule: pick(schedule, SCHEDULE_FIELDS),
  }
}

const UNTOLD: Listed = { event_id: null, title: null, rules: null, schedule: null }

function shownOf({ market_id, listed }: PublicMarketRead) {
  return shownListing(market_id, listed.listing ?? UNTOLD)
}

/** Returns the real-world event of a listed market. */
export function eventOf(listing: PublicMarketRead): string {
  return shownOf(listing).event_id
}

/** Returns the title of a listed market. */
export function titleOf(listing: PublicMarketRead): string {
  return shownOf(listing).title
}

/** A new revision of a market; `at` is the engine's stamp. */
type MarketRevision = {
  readonly revision: number
  readonly status: MarketStatus | null
  readonly payouts: readonly OutcomePayout[]
  readonly reason: 'STATUS_CHANGED' | 'RESOLUTION_CORRECTED'
  readonly at: Micros
  readonly received_at: Micros
}

/** Returns a row of `market`: the listing with the market's status and payouts. */
export function marketRow(listing: PublicMarketRead, revised: MarketRevision): Row {
  const { market_id } = listing
  const { revision, status, reason, at, received_at } = revised
  const shown = shownOf(listing)
  const head = { revision_max: revision - 1, current_id: `${market_id}.${revision - 1}` }
  return {
    market_id,
    ...(revision === 1 ? FIRST_REVISION : supersede(head, reason)),
    ...shown,
    slug: slugOf(shown.title),
    status,
    outcome_type: listing.outcomes.length === 2 ? 'binary' : 'categorical',
    outcomes: outcomesOf(listing, revised),
    venue_mapping: {
      venue_id: OWN_VENUE,
      source_market_id: market_id,
      source_outcome_ids: listing.outcomes.map(({ outcome_id }) => outcome_id),
      mapping_version: '1',
      valid_from: formatMicros(listing.created_at),
      valid_to: null,
    },
    created_at: formatMicros(listing.created_at),
    updated_at: formatMicros(at),
    source_at: at,
    received_at,
    trading_parameters: listing.listed.terms,
  }
}

/** Payouts are shown once the market has ended. */
function outcomesOf({ outcomes }: PublicMarketRead, { status, payouts }: MarketRevision): Row[] {
  const has_ended = ENDED_STATUSES.includes(status)
  const payoutOf = (id: string) => payouts.find(({ outcome_id }) => outcome_id === id)?.payout ?? null
  return outcomes.map(({ outcome_id, label }) => {
    return { outcome_id, label, status: null, payout_value: has_ended ? payoutOf(outcome_id) : null }
  })
}

const RULES = [
  'rules_version',
  'resolution_question',
  'resolution_sources',
  'resolution_criteria',
  'dispute_policy_uri',
  'timezone',
] as const

function pick(given: unknown, fields: readonly string[]): Row {
  const values = (given ?? {}) as Row
  return Object.fromEntries(fields.map((field): [string, RowValue] => [field, values[field] ?? null]))
}

/** Returns a row of `market_eligibility`: our own data is public and may enter indexes. */
export function eligibilityRow({ market_id }: PublicMarketRead, at: Micros): Row {
  return {
    eligibility_id: deriveId('elg', OWN_VENUE, market_id),
    ...FIRST_REVISION,
    market_id,
    ...eligibilityOf(OWN_VENUE),
    evaluated_at: at,
  }
}
