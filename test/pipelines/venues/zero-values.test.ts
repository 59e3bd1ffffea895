import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createKalshiReader } from '../../../pipelines/venues/kalshi/kalshi-reader.ts'
import { ZERO_FIELDS } from '../../../pipelines/venues/zero-values.ts'
import { ROOT } from '../../support/source-files.ts'
import { NOW } from '../../support/venue-payload.ts'

const RECEIVED = NOW - 60e6

/** Reads one page of trades; each trade has the given prices. */
function read(zero_means_missing: boolean, ...prices: readonly object[]) {
  const trades = prices.map((price, n) => ({
    ...{ trade_id: `t${n}`, ticker: 'KX-1', count: 3, taker_side: 'yes', created_time: '2026-01-01T00:00:00Z' },
    ...price,
  }))
  const reader = createKalshiReader(NOW, zero_means_missing)
  return reader.read({
    venue_id: 'kalshi',
    endpoint: 'GET /markets/trades',
    request: null,
    received_at: RECEIVED,
    file: 'x.json',
    text: JSON.stringify({ trades }),
  })
}

const ZERO = { yes_price: '0.0', no_price: '0.0' }
const OTHER = { yes_price: '0.0', no_price_dollars: '0.9700' }
const REAL = { yes_price_dollars: '0.0300', no_price_dollars: '0.9700' }

describe('trades of Kalshi with a price of 0', () => {
  test('off: no trade is made of one, each zero is counted', () => {
    const { trades, zeros, outcomes } = read(false, ZERO, OTHER, REAL)
    expect(trades?.map(({ price }) => price)).toEqual(['0.030000000'])
    expect(outcomes).toEqual(['quarantined', 'quarantined', 'taken'])
    expect(zeros).toEqual([1, 1, 2].map((line) => ({ file: 'x.json', line, is_missing: false })))
  })

  test('on: the other price counts, and a trade without any is ignored by a rule', () => {
    const { trades, zeros, outcomes, quarantine } = read(true, ZERO, OTHER, REAL)
    expect(trades?.map(({ line, price }) => [line, price])).toEqual([
      [2, '0.030000000'],
      [3, '0.030000000'],
    ])
    expect(outcomes).toEqual(['ZERO_PRICE', 'taken', 'taken'])
    expect(zeros?.every(({ is_missing }) => is_missing)).toBe(true)
    expect(quarantine).toBeUndefined()
  })

  test('a trade that states no price at all is quarantined either way', () => {
    for (const is_on of [true, false]) expect(read(is_on, {}).outcomes).toEqual(['quarantined'])
  })
})

test('docs/archives.md lists the fields of each archive, and no others', () => {
  const page = readFileSync(join(ROOT, 'docs/archives.md'), 'utf8')
  const part = page.split('## Zero for missing')[1]!.split('\n## ')[0]!
  const rows = [...part.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, kind, fields]) => [kind, fields])
  expect(rows).toEqual(Object.entries(ZERO_FIELDS))
})
