import { eligibilityOf } from '../../pipelines/venues/eligibility.ts'
import { type OwnRevision, ownMarketRecord } from '../../pipelines/venues/own-listing.ts'
import { FIRST_REVISION, supersede } from '../../primitives/append-only.ts'
import { deriveId } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { PublicMarketRead } from '../../trading/store/read/public-reads.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'

/** A new revision of a market; `at` is the engine's stamp. */
type MarketRevision = OwnRevision & {
  readonly revision: number
  readonly reason: 'STATUS_CHANGED' | 'RESOLUTION_CORRECTED'
  readonly received_at: Micros
}

/** Returns a row of `market`: the listing with the market's status and payouts. */
export function marketRow(listing: PublicMarketRead, revised: MarketRevision): Row {
  const { revision, reason, at, received_at } = revised
  const head = { revision_max: revision - 1, current_id: `${listing.market_id}.${revision - 1}` }
  return {
    ...(ownMarketRecord(listing, revised) as Row),
    ...(revision === 1 ? FIRST_REVISION : supersede(head, reason)),
    source_at: at,
    received_at,
  }
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
