import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RowValue } from '../../../warehouse/schema.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { queryTable, step, testWarehouse } from './fixtures.ts'

const AT = Date.parse('2026-01-17T00:00:00Z') * 1000

function bookRow(n: number, bids: RowValue) {
  return {
    order_book_id: `obk_${n}`,
    revision: 1,
    venue_id: 'kalshi',
    source_market_id: 'M',
    market_id: 'mkt_M',
    outcome_id: 'out_M',
    price_unit: 'probability',
    bids,
    asks: [],
    asks_derived: true,
    quality_state: 'valid',
    source_at: AT + n,
    received_at: AT + n,
  }
}

/** The sides as DuckDB prints them. */
async function readBack(sides: readonly RowValue[]): Promise<unknown[]> {
  const warehouse = await testWarehouse()
  const rows = sides.map((bids, n) => bookRow(n, bids))
  await warehouse.append('order_book', rows, step(1))
  const stored = await queryTable(warehouse, 'order_book', 'SELECT bids::VARCHAR AS bids FROM rows ORDER BY source_at')
  return stored.map(({ bids }) => bids)
}

const price = fc.integer({ min: 0, max: 9999 }).map((place) => `0.${String(place).padStart(4, '0')}00000`)
const quantity = fc.oneof(
  fc.integer({ min: 0, max: 999_999 }).map((contracts) => `${contracts}.500000`),
  fc.constantFrom('123456789012.123456', '9007199254.740993', '9007199254.740992'),
)
const level = fc.oneof(
  fc.record({ price, quantity }),
  fc.tuple(price, quantity).map(([p, q]) => ({ quantity: q, price: p })), // in another order
  price.map((p) => ({ price: p })),
)
const side = fc.array(fc.oneof(fc.constant(null), level), { maxLength: 5 })
type Level = { readonly price?: string; readonly quantity?: string } | null

const printed = (each: Level) =>
  each === null ? 'NULL' : `{'price': ${each.price ?? 'NULL'}, 'quantity': ${each.quantity ?? 'NULL'}}`

test('property: lists of levels come back as they were given, in whatever order their fields stand, and missing ones as null', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(side, { minLength: 1, maxLength: 40 }), async (given: Level[][]) => {
      expect(await readBack(given as RowValue[])).toEqual(given.map((levels) => `[${levels.map(printed).join(', ')}]`))
    }),
    { seed: SEED, numRuns: sized(4, 20) },
  )
})

test.each([
  ['a field of no level', [{ price: '0.100000000', quantity: '1.000000', size: '1' }], /bids\[\]\.size/],
  ['a level that is none', ['0.1'], /an object/],
  ['a side that is no list', { price: '0.100000000' }, /a list/],
  ['a price with too many digits', [{ price: '0.1234567891' }], /bids\[\]\.price/],
])('%s is refused by name', async (_, bids, message) => {
  const warehouse = await testWarehouse()
  await expect(warehouse.append('order_book', [bookRow(0, bids as RowValue)], step(1))).rejects.toThrow(message)
})
