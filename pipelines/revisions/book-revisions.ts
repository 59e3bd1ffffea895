import type { Revised } from '../../primitives/append-only.ts'
import { deriveId } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import { plainDecimal } from '../text/fields.ts'
import { instantText } from '../text/instant-text.ts'
import type { BookLevel, BookRecord } from '../venues/record.ts'
import type { Facts } from './economic-difference.ts'
import type { Identities } from './identities.ts'
import type { Confirmation, RevisionRule } from './plan-revisions.ts'

/** Returns the chain of an `order_book` row: (venue, outcome, source instant); the outcome id includes the market. */
export function bookChain(venue_id: string, outcome_id: string, source_at: Micros): string {
  return `${venue_id}\u001f${outcome_id}\u001f${source_at}`
}

/** Returns a book's unit and levels in one canonical text. Sequence and overround are not facts of the book. */
export function bookFacts({ price_unit, bids, asks }: Pick<BookRecord, 'price_unit' | 'bids' | 'asks'>): Facts {
  return { kind: price_unit, content: `${sideContent(bids)}|${sideContent(asks)}` }
}

function sideContent(levels: readonly BookLevel[]): string {
  return levels.map(({ price, quantity }) => `${plainDecimal(price)}x${plainDecimal(quantity)}`).join(' ')
}

/** Returns the rule by which books form chains. */
export function bookRule(ids: Identities): RevisionRule<BookRecord> {
  return {
    chainOf: (b) => bookChain(b.venue_id, outcomeId(b, ids), b.source_at),
    subject: { of: (b) => outcomeId(b, ids), at: (b) => b.source_at },
    idOf: bookId,
    factsOf: bookFacts,
    reasonOf: () => 'SOURCE_CORRECTION',
    keeps_confirmations: true,
  }
}

/** Returns a row of `order_book`. */
export function bookRow(book: BookRecord, revised: Revised | Confirmation, ids: Identities) {
  return {
    order_book_id: bookId(book),
    revision: revised.revision,
    supersedes_id: revised.supersedes_id,
    correction_reason: revised.correction_reason,
    confirms_id: 'confirms_id' in revised ? revised.confirms_id : null,
    venue_id: book.venue_id,
    source_series_id: book.source_series_id,
    source_market_id: book.source_market_id,
    market_id: ids.marketId(book.venue_id, book.source_market_id),
    outcome_id: outcomeId(book, ids),
    price_unit: book.price_unit,
    bids: book.bids,
    asks: book.asks,
    asks_derived: book.asks_derived,
    overround: book.overround,
    source_sequence: book.source_sequence,
    quality_state: revised.supersedes_id === null ? 'valid' : 'corrected',
    source_at: book.source_at,
    received_at: book.received_at,
  }
}

function outcomeId(book: BookRecord, ids: Identities) {
  return ids.outcomeId(ids.marketId(book.venue_id, book.source_market_id), book.outcome)
}

function bookId(b: BookRecord): `obk_${string}` {
  const [source_at, received_at] = [instantText(b.source_at), instantText(b.received_at)]
  return deriveId('obk', b.venue_id, b.source_market_id, b.outcome, source_at, received_at)
}
