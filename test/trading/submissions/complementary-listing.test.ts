import { expect, test } from 'vitest'
import type { ListedTerms } from '../../../trading/market/market-terms.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

/** Lists a complementary market with changed terms. @returns the refused field; undefined: it was listed */
function list(change: Partial<ListedTerms>, outcome_ids = ['out_a', 'out_b']) {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a']))
  const { listed } = engine.state.markets.get('mkt_1')!
  const terms = { ...listed.terms, complementary: true, ...change }
  const fees = { schedule_id: 'fee_2', schedule_version: 1, taker_rate: '0', maker_rate: '0' }
  const { error } = engine.ask(maker.operate({ kind: 'add_market', market_id: 'mkt_2', outcome_ids, terms, fees }))
  expect(engine.state.markets.has('mkt_2')).toBe(error === null)
  expect(engine.state.accounts.has('acct_house_pool_mkt_2')).toBe(error === null && terms.complementary)
  return error?.facts?.field
}

test('a market is listed as complementary with two outcomes and the same prices for both', () => {
  expect(list({})).toBeUndefined()
  expect(list({ price_min: '0.10', price_max: '0.90', price_increment: '0.05' })).toBeUndefined()
})

test.each<[Partial<ListedTerms>, string]>([
  [{ price_max: '0.98' }, 'price_max'],
  [{ price_min: '0.02' }, 'price_max'],
  [{ price_min: '0', price_max: '1' }, 'price_min'],
  [{ price_min: '0.03', price_max: '0.97', price_increment: '0.03' }, 'price_max'],
  [{ price_min: '0.3', price_max: '0.7', price_increment: '0.3' }, 'price_max'],
  [{ price_min: '0.4', price_max: '0.6', price_increment: '0.2' }, 'nothing'],
])('a complementary listing with %j is refused for its %s', (change, field) => {
  expect(list(change) ?? 'nothing').toBe(field)
})

test.each([[['out_a']], [['out_a', 'out_b', 'out_c']]])('a complementary listing of %j is refused', (outcome_ids) => {
  expect(list({}, outcome_ids)).toBe('outcome_ids')
})

test('other markets may have other prices and more outcomes', () => {
  expect(list({ complementary: false, price_max: '0.98' }, ['out_a', 'out_b', 'out_c'])).toBeUndefined()
})
