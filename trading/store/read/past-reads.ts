import { ServiceError } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { EngineEvent } from '../../engine/events.ts'
import { type PastFacts, pastMarket } from '../../public-market/past-market.ts'
import type { PublicListing, PublicMarket } from '../../public-market/public-market.ts'
import type { Pool } from '../create-pool.ts'
import { readWholePastBooks } from '../past-books.ts'
import { decodeEvent, type TailedEvent } from '../tailed-event.ts'
import { headOf, queryOnce, snapshot } from './snapshot.ts'
import type { Head } from './trading-reads.ts'

/** Reads of listed markets as they were. @throws {ServiceError} SERVICE_UNAVAILABLE */
export type PastReads = {
  /** The last batch; `at` 0: none. */
  head(): Promise<Head>
  /** The last batch stamped at or before an instant; `at` 0: none. */
  headAt(as_of: Micros): Promise<Head>
  /** Returns the public state of a market after all events up to one; null: it was not listed yet. */
  market(listing: PublicListing, through: number): Promise<PublicMarket | null>
  /** The newest status and the resolutions of every listed market, up to an event. */
  statuses(through: number): Promise<readonly EngineEvent[]>
}

/** Creates the reads over a pool of the trading database. */
export function createPastReads(pool: Pool): PastReads {
  return {
    head: () => snapshot(pool, (query) => headOf(query, null)),
    headAt: (as_of) => snapshot(pool, (query) => headOf(query, as_of)),
    async market(listing, through) {
      const [newest, books] = await Promise.all([
        queryOnce<TailedEvent>(pool, 'public_market_at', [listing.market_id, through]),
        booksOf(pool, listing, through),
      ])
      return pastMarket(listing, { newest: once(newest), books })
    },
    statuses: async (through) => (await queryOnce<TailedEvent>(pool, 'public_statuses_at', [through])).map(decodeEvent),
  }
}

async function booksOf(pool: Pool, { market_id, outcomes }: PublicListing, through: number) {
  const outcome_ids = outcomes.map(({ outcome_id }) => outcome_id)
  const books = await readWholePastBooks(pool, outcome_ids, through)
  if (books !== null) return books
  const message = `the past books of ${market_id} are being prepared from its events; ask again`
  throw new ServiceError('SERVICE_UNAVAILABLE', message, { phase: 'checkpoints' })
}

/** Decodes events, each once. */
function once(rows: readonly TailedEvent[]): PastFacts['newest'] {
  return [...new Map(rows.map((row) => [row.engine_sequence, row])).values()].map(decodeEvent)
}
