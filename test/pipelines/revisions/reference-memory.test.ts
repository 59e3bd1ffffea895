import { expect, test } from 'vitest'
import { ReferenceMemory } from '../../../pipelines/revisions/reference-memory.ts'
import { createTinyReader } from '../../support/tiny-reader.ts'
import { venuePayload } from '../../support/venue-payload.ts'

const said = (time: string, title: string) => {
  const body = { markets: [{ event: 'e', market: 'm', title }] }
  const payload = venuePayload('kalshi', 'GET /tiny', body, `2026-01-05T${time}Z`)
  return createTinyReader().read(payload).references![0]!
}

test('a statement is news unless it repeats the one before it, whenever and wherever that was read', () => {
  const memory = new ReferenceMemory()
  expect(memory.isNews(said('10:00:00', 'A'))).toBe(true)
  expect(memory.isNews({ ...said('10:00:10', 'A'), file: 'other', line: 9, path: 'markets[8]' })).toBe(false)
  expect(memory.isNews(said('10:00:20', 'B'))).toBe(true)
  expect(memory.isNews(said('10:00:30', 'A'))).toBe(true)
  expect(memory.isNews({ ...said('10:00:30', 'A'), source_market_id: 'n' })).toBe(true)
})
