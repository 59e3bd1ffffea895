import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCursors } from '../../../api/server/cursors.ts'
import { refusal } from '../../support/refusal.ts'

const SECRET = Buffer.alloc(32, 7)
const cursors = createCursors(SECRET)
const FILTERS = { index_id: 'idx_a', quality_state: 'valid', limit: 10 }
const STATE = { as_of: 1_768_651_200_000_000, key: ['2026-01-17T00:00:00Z', 12, null] }

test('a cursor is read back by every process that has the secret, whatever the page size', () => {
  const cursor = cursors.write('list_index_prices', FILTERS, STATE)
  expect(createCursors(SECRET).read('list_index_prices', { ...FILTERS, limit: 500, cursor }, cursor)).toEqual(STATE)
  expect(cursor).toMatch(/^[A-Za-z0-9_.-]+$/)
})

test.each([
  ['another operation', 'list_market_prices', FILTERS, SECRET],
  ['another index', 'list_index_prices', { ...FILTERS, index_id: 'idx_b' }, SECRET],
  ['another filter', 'list_index_prices', { ...FILTERS, quality_state: 'stale' }, SECRET],
  ['one filter more', 'list_index_prices', { ...FILTERS, time_domain: 'source' }, SECRET],
  ['one filter less', 'list_index_prices', { index_id: 'idx_a' }, SECRET],
  ['another service', 'list_index_prices', FILTERS, Buffer.alloc(32, 8)],
])('a cursor of %s is refused', (_name, operation, filters, secret) => {
  const cursor = cursors.write('list_index_prices', FILTERS, STATE)
  refusal('VALIDATION_CURSOR_INVALID', () => createCursors(secret).read(operation, filters, cursor))
})

test('a cursor with any character changed, added or left out is refused', () => {
  const cursor = cursors.write('list_index_prices', FILTERS, STATE)
  const place = fc.nat(cursor.length - 1)
  const text = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-.'), maxLength: 3 })
  fc.assert(
    fc.property(place, fc.nat(2), text, (at, left_out, put_in) => {
      const forged = cursor.slice(0, at) + put_in + cursor.slice(at + left_out)
      fc.pre(forged !== cursor)
      refusal('VALIDATION_CURSOR_INVALID', () => cursors.read('list_index_prices', FILTERS, forged))
    }),
  )
})
