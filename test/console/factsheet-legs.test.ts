import { expect, test } from 'vitest'
import { legRows } from '../../console/indexes/factsheet-legs.ts'
import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { Market } from '../../protocol/resources/market.ts'

test('every leg of a pool has a row with its pool weight, rating and status', () => {
  const leg = (name: string, pool_weight: string | null) => ({
    ...{ market_id: `mkt_${name}`, outcome_id: `out_${name}`, venue_id: name, pool_weight },
    ...{ source_series_id: null, source_market_id: name },
  })
  const constituents = [
    { constituent_id: 'con_a', legs: [leg('x', '0.400000'), leg('y', '0.6')] },
    { constituent_id: 'con_b', legs: [leg('z', null)] },
  ] as unknown as Constituent[]
  const market = {
    market_id: 'mkt_y',
    title: 'Y?',
    outcomes: [{ outcome_id: 'out_y', label: 'Yes' }],
    status: 'open',
    rating: { band: 'A' },
  } as unknown as Market
  const cells = legRows(constituents, [market]).map((row) => row.cells)
  expect(cells).toEqual([
    ['mkt_x', 'out_x', 'con_a', 'x', '0.4', 'none', 'unknown'],
    ['Y?', 'Yes', 'con_a', 'y', '0.6', 'A', 'open'],
    ['mkt_z', 'out_z', 'con_b', 'z', 'none', 'none', 'unknown'],
  ])
})
