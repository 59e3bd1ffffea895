import { expect, test } from 'vitest'
import { factsheetLegs } from '../../../operations/index/factsheet-legs.ts'
import { definitionFile } from '../../support/index-world.ts'

test('a pooled constituent lists every leg with its pool weight, rating and status', () => {
  const leg = (source_market_id: string, pool_weight: string) => ({ venue_id: 'v', source_market_id, pool_weight })
  const constituent = { constituent_id: 'con_a', target_weight: '1', normalization: 'logodds_pool' as const }
  const { versions } = definitionFile([{ ...constituent, legs: [leg('a', '0.4'), leg('b', '0.6')] }])
  const text = JSON.stringify(versions[0])
  const [first, second] = factsheetLegs(text, new Map()).get('con_a')!
  expect(first).toMatchObject({ venue_id: 'v', pool_weight: '0.4', band: null, market_status: null, title: null })
  const market = { title: 'B?', market_status: 'open', band: 'A' }
  const outcomes = [{ outcome_id: second!.outcome_id, label: 'Yes' }]
  const known = factsheetLegs(text, new Map([[second!.market_id, { ...market, outcomes }]])).get('con_a')!
  expect(known[1]).toEqual({ ...second, ...market, outcome: 'Yes' })
})
