import type { FoundObservation } from '../../protocol/resources/found-observation.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { MarketObservation } from '../../protocol/resources/market-price.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import { trimZeros } from '../data/decimal-text.ts'

/** One source that a level names: the constituent and leg that brought it, and the record. */
export type SourceRow = {
  readonly constituent_id: string
  readonly market_id: string | null
  readonly outcome_id: string | null
  /** null: the leg has no value. */
  readonly value: string | null
  readonly rule: string | null
  readonly source_at: string | null
  readonly confirmed_at: string | null
  /** Empty: the leg rests on no record. */
  readonly record_ids: readonly string[]
}

/** Returns the sources of a level: one row a leg, or one a constituent without legs. */
export function sourcesOf({ inputs = [] }: IndexObservation): readonly SourceRow[] {
  return inputs.flatMap((input) => {
    const { constituent_id, legs, source_observation_id } = input
    const own: SourceRow = {
      ...{ constituent_id, market_id: input.market_id, outcome_id: input.outcome_id, value: input.raw_value },
      ...{ rule: input.mark_rule, source_at: null, confirmed_at: null },
      record_ids: source_observation_id === null ? [] : [source_observation_id],
    }
    return legs.length === 0
      ? [own]
      : legs.map((leg): SourceRow => {
          const { market_id, outcome_id, value, mark_rule, origin_rule, source_at, confirmed_at } = leg
          const rest = { market_id, outcome_id, value, rule: mark_rule ?? origin_rule, source_at, confirmed_at }
          return { constituent_id, ...rest, record_ids: leg.source_observation_ids }
        })
  })
}

const PAYLOAD_OF = /^(obs|trd)_/

/** Whether a record is read from payloads: quotes and trades are, what derives from them is not. */
export function hasPayloads(record_id: string): boolean {
  return PAYLOAD_OF.test(record_id)
}

/** Fields that say what a record is, in this order; others follow in theirs. */
const FIRST = ['field', 'value', 'price', 'quantity', 'market_id', 'outcome_id', 'venue_id', 'source_at', 'received_at']

/** Returns the fields of a record with one value, as texts; null: not known. */
export function factsOfRecord({
  record,
}: FoundObservation): readonly (readonly [name: string, value: string | null])[] {
  const plain = Object.entries(record).filter(([, value]) => value === null || typeof value !== 'object')
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  return plain
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([name, value]) => [name.replaceAll('_', ' '), value === null ? null : String(value)] as const)
}

/** Returns the records that a record derives from. */
export function sourceIdsOf({ record }: FoundObservation): readonly string[] {
  const { source_observation_ids = [] } = record as { readonly source_observation_ids?: readonly string[] }
  return source_observation_ids
}

/** Outcome of the order book that belongs to a record, and the as_of instant at which that book was known. */
export type BookAt = { readonly market_id: string; readonly outcome_id: string; readonly as_of: string }

/** Returns the order book that a record can be compared with; null: the record is no quote. */
export function bookOf({ record }: FoundObservation): BookAt | null {
  const { quote, market_id, outcome_id, published_at } = record as Partial<MarketObservation>
  if (quote == null || market_id === undefined || outcome_id === undefined || published_at === undefined) return null
  return { market_id, outcome_id, as_of: published_at }
}

type Top = { readonly bid: string | null; readonly ask: string | null }

/** Returns the best prices of a book; null: no order is on that side. */
function topOf({ bids, asks }: Pick<OrderBook, 'bids' | 'asks'>): Top {
  return { bid: bids[0]?.price ?? null, ask: asks[0]?.price ?? null }
}

/** Returns how the best prices of a book compare with those of the quote of a record. */
export function bookNote(book: OrderBook, { record }: FoundObservation): string {
  const { quote, source_at } = record as Partial<MarketObservation>
  const top = topOf(book)
  const is_same = isSamePrice(top.bid, quote?.bid ?? null) && isSamePrice(top.ask, quote?.ask ?? null)
  if (is_same && book.source_at === source_at)
    return 'This book is the quote: its best prices and its time are those of the record.'
  if (is_same) return 'The best prices are those of the record; the book was stored at another time.'
  return 'The best prices differ from the record: books are stored once a minute, quotes at every change.'
}

function isSamePrice(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : trimZeros(a) === trimZeros(b)
}
