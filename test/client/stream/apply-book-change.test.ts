import { expect, test } from 'vitest'
import type { OrderBook } from '../../../client/contract/types.ts'
import { applyBookChange } from '../../../client/stream/apply-book-change.ts'
import type { PublicChange } from '../../../client/stream/followed-public-topic.ts'

const level = ([price, quantity]: readonly [string, string]) => ({
  ...{ price, quantity, order_count: 1, derived: false, parts: [] },
})
type Rows = readonly (readonly [string, string])[]
const bookOf = (sequence: number, bids: Rows, asks: Rows): OrderBook => ({
  ...{ market_id: 'mkt_a', outcome_id: 'out_a', sequence, asks_derived: false, quality_state: 'valid' },
  ...{ source_at: `s${sequence}`, received_at: 'r', published_at: 'p', bids: bids.map(level), asks: asks.map(level) },
})
const changeOf = (type: 'snapshot' | 'event', data: OrderBook, kind: 'delta' | 'snapshot' = 'delta') =>
  ({ type, topic: 'market.orderbook', kind, seq: data.sequence, data }) as unknown as PublicChange<'market.orderbook'>
const lost = { type: 'gap', topic: 'market.orderbook', from_seq: 1, to_seq: 2, reason: 'retention' } as const

test('levels of a delta replace those of their price, a quantity of 0 removes one, and the best ones stay first', () => {
  const confirmed_at = '2026-01-01T00:00:00Z'
  const first = { ...bookOf(1, [['0.40', '5'], ['0.39', '7']], [['0.60', '1'], ['0.70', '2']]), confirmed_at } // biome-ignore format: a book
  const begun = applyBookChange(null, changeOf('snapshot', first))
  expect(begun).toBe(first)
  const delta = bookOf(2, [['0.40', '0'], ['0.395', '3'], ['0.39', '8']], [['0.5', '4']]) // biome-ignore format: a book
  const after = bookOf(2, [['0.395', '3'], ['0.39', '8']], [['0.5', '4'], ['0.60', '1'], ['0.70', '2']]) // biome-ignore format: a book
  expect(applyBookChange(begun, changeOf('event', delta))).toEqual(after)
  const replaced = bookOf(3, [], [])
  expect(applyBookChange(after, changeOf('event', replaced, 'snapshot'))).toBe(replaced)
})

test('after lost messages there is no book until a whole one', () => {
  const book = bookOf(1, [['0.40', '5']], [])
  expect(applyBookChange(book, lost)).toBeNull()
  expect(applyBookChange(null, changeOf('event', book))).toBeNull()
  expect(applyBookChange(null, changeOf('snapshot', book))).toBe(book)
})
