import type { EngineEvent } from '../engine/events.ts'
import { foldBook, type LevelEvent, restoredLevel, type StoredLevel } from './fold-book.ts'
import { PublicMarkets } from './fold-events.ts'
import type { PublicListing, PublicMarket } from './public-market.ts'

/** A past book: the newest checkpoint up to an instant, and every book event after it. */
export type PastBook = {
  readonly outcome_id: string
  readonly checkpoint: readonly StoredLevel[]
  readonly events: readonly LevelEvent[]
}

/** Events that restore a market as it was after a batch. */
export type PastFacts = {
  /** Newest events up to the batch, for `PublicMarkets.restore`. */
  readonly newest: readonly EngineEvent[]
  readonly books: readonly PastBook[]
}

/** Returns the public state of a market after a past batch; null: it was not listed yet. */
export function pastMarket(listing: PublicListing, { newest, books }: PastFacts): PublicMarket | null {
  if (!newest.some(({ kind }) => kind === 'market')) return null
  const markets = new PublicMarkets()
  markets.list(listing)
  markets.restore(newest)
  markets.setBooks(pastLevels(books))
  return markets.market(listing.market_id)
}

/** Returns the price levels of past books, for `PublicMarkets.setBooks`. */
export function pastLevels(books: readonly PastBook[]) {
  return books.flatMap(({ outcome_id, checkpoint, events }) =>
    foldBook(checkpoint, events).map((level) => ({ outcome_id, ...restoredLevel(level) })),
  )
}
