import { expect, test } from 'vitest'
import { bookFacts, bookRow, bookRule } from '../../../pipelines/revisions/book-revisions.ts'
import { isEconomicDifference } from '../../../pipelines/revisions/economic-difference.ts'
import { createIdentities } from '../../../pipelines/revisions/identities.ts'
import type { BookRecord } from '../../../pipelines/venues/record.ts'
import { FIRST_REVISION } from '../../../primitives/append-only.ts'
import { toMicros } from '../../../primitives/instants.ts'

const BOOK: BookRecord = {
  file: 'f',
  line: 1,
  venue_id: 'v',
  source_series_id: 's',
  source_market_id: 'm',
  outcome: 'YES',
  source_at: toMicros('2026-01-05T10:00:00Z'),
  received_at: toMicros('2026-01-05T10:00:01Z'),
  source_sequence: 7,
  price_unit: 'probability',
  bids: [{ price: '0.52', quantity: '10' }],
  asks: [],
  asks_derived: true,
  overround: null,
}
const facts = (changes: Partial<BookRecord>) => bookFacts({ ...BOOK, ...changes })

test('needless zeros and the sequence do not make two books differ; sides, prices, quantities and the unit do', () => {
  expect(facts({ bids: [{ price: '0.520000000', quantity: '10.000000' }], source_sequence: 8 })).toEqual(facts({}))
  const others: Partial<BookRecord>[] = [
    { bids: [], asks: BOOK.bids },
    { bids: [{ price: '0.53', quantity: '10' }] },
    { bids: [{ price: '0.52', quantity: '100' }] },
    { price_unit: 'decimal_odds' },
  ]
  for (const other of others) expect(facts(other)).not.toEqual(facts({}))
})

test('the same book again is confirmed, another one corrects', () => {
  expect(isEconomicDifference(facts({}), facts({}))).toBe(false)
  expect(isEconomicDifference(facts({}), facts({ bids: [] }))).toBe(true)
})

test('the chain is venue, market, outcome and source instant: the series it was seen in does not count', () => {
  const { chainOf } = bookRule(createIdentities())
  expect(chainOf({ ...BOOK, source_series_id: null, received_at: BOOK.received_at + 1 })).toBe(chainOf(BOOK))
  for (const other of [
    { outcome: 'NO' },
    { source_market_id: 'n' },
    { venue_id: 'w' },
    { source_at: BOOK.source_at - 1 },
  ]) {
    expect(chainOf({ ...BOOK, ...other })).not.toBe(chainOf(BOOK))
  }
})

test('a row has the book as it was read, and an id from its content', () => {
  const ids = createIdentities()
  const row = bookRow(BOOK, FIRST_REVISION, ids)
  expect(row).toMatchObject({ bids: BOOK.bids, asks: [], asks_derived: true, overround: null, source_sequence: 7 })
  expect(row.order_book_id).toMatch(/^obk_[0-9a-f]{32}$/)
  expect(bookRow({ ...BOOK, received_at: BOOK.received_at + 1 }, FIRST_REVISION, ids).order_book_id).not.toBe(
    row.order_book_id,
  )
})
