import { expect, test } from 'vitest'
import { type Input, usedMarket } from '../../console/parts/used-market.ts'
import type { Constituent } from '../../protocol/resources/constituent.ts'

const leg = (market_id: string, venue_id: string) => ({ market_id, outcome_id: `out_${market_id}`, venue_id })
const constituent = {
  ...{ constituent_id: 'con_a', market_id: 'mkt_k', outcome_id: 'out_mkt_k', market_mapping: { venue_id: 'kalshi' } },
  legs: [leg('mkt_k', 'kalshi'), leg('mkt_m', 'manifold'), leg('mkt_l', 'kalshi')],
} as unknown as Constituent
const used = (...markets: readonly string[]) =>
  usedMarket(constituent, { legs: markets.map((market_id) => leg(market_id, '')) } as unknown as Input)

test('a row of a pool that one leg settled names the market and venue of that leg', () => {
  expect(used('mkt_m')).toEqual({ market_id: 'mkt_m', outcome_id: 'out_mkt_m', venue_id: 'manifold' })
})

test('of several legs it names the own market, and their venue if they share it', () => {
  const own = { market_id: 'mkt_k', outcome_id: 'out_mkt_k' }
  expect(used('mkt_k', 'mkt_m')).toEqual({ ...own, venue_id: 'several' })
  expect(used('mkt_l', 'mkt_k')).toEqual({ ...own, venue_id: 'kalshi' })
  expect(used()).toEqual({ ...own, venue_id: 'kalshi' })
})
