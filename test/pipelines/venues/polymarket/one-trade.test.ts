import { expect, test } from 'vitest'
import { knowingReader, lastTrade, newTrade } from './support/payloads.ts'

const SECOND = 1790855999
const TERMS = { price: '0.304', size: '219.217767', side: 'SELL' }
const HASH = '0xabc123def456789012345678901234567890abcdef1234567890abcdef123456'

function idsOf(message: Record<string, unknown>, count = 1): string[] {
  const read = knowingReader()
  return Array.from(
    { length: count },
    () => read('ws market', lastTrade({ ...TERMS, ...message })).trades[0]!.source_trade_id,
  )
}

test('a message that names its transaction has the id of the Data API', () => {
  const row = newTrade({ ...TERMS, timestamp: SECOND, transaction_hash: HASH })
  const listed = knowingReader()('GET /trades', [row, row]).trades.map(({ source_trade_id }) => source_trade_id)
  expect(idsOf({ transaction_hash: HASH }, 2)).toEqual(listed)
  expect(new Set(listed).size).toBe(2)
})

test('a message without one has an id of its own', () => {
  for (const none of [{}, { transaction_hash: '' }, { transaction_hash: null }]) {
    expect(idsOf(none)[0]).toMatch(/^tape_/)
  }
  expect(idsOf({ transaction_hash: HASH })[0]).toMatch(/^fill_/)
})
