import { eventIdOf } from '../../pipelines/revisions/identity.ts'
import { eligibilityOf } from '../../pipelines/venues/eligibility.ts'
import { FIRST_REVISION, supersede } from '../../primitives/append-only.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { OutcomePayout } from '../../trading/engine/settlement-commands.ts'
import { slugOf } from '../../trading/public-market/listing-texts.ts'
import type { PublicMarketRead } from '../../trading/store/read/public-reads.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import { ENDED_STATUSES, SCHEDULE_FIELDS } from '../../vocabulary/market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row, RowValue } from '../../warehouse/schema.ts'

/** Returns the real-world event of a listed market; a market listed without one is an event of its own. */
export function eventOf({ market_id, listed }: PublicMarketRead): string {
  return listed.listing?.event_id ?? eventIdOf(OWN_VENUE, market_id)
}

/** Returns the title of a listed market; its id if it has none. */
export function titleOf({ market_id, listed }: PublicMarketRead): string {
  return listed.listing?.title ?? market_id
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
  const head = { revision_max: revision - 1, current_id: `${market_id}.${revision - 1}` }
  return {
    market_id,
    ...(revision === 1 ? FIRST_REVISION : supersede(head, reason)),
    event_id: eventOf(listing),
    slug: slugOf(titleOf(listing)),
    title: titleOf(listing),
    status,
    outcome_type: listing.outcomes.length === 2 ? 'binary' : 'categorical',
    outcomes: outcomesOf(listing, revised),
    ...presentation(listing),
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

/** Rules and schedule as they were listed; null for fields that were not. */
function presentation({ listed }: PublicMarketRead): Pick<Row, 'rules' | 'schedule'> {
  const pick = (given: unknown, fields: readonly string[]): Row => {
    const values = (given ?? {}) as Row
    return Object.fromEntries(fields.map((field): [string, RowValue] => [field, values[field] ?? null]))
  }
  const { rules = null, schedule = null } = listed.listing ?? {}
  return { rules: pick(rules, RULES), schedule: pick(schedule, SCHEDULE_FIELDS) }
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
