import { expect, test } from 'vitest'
import type { EngineState } from '../../trading/engine/state.ts'
import { SubmissionMaker } from '../support/trading/submissions.ts'
import { stateViolations } from './support/invariants.ts'
import { MemoryEngine } from './support/memory-engine.ts'

/** acct_a has YES 10, acct_b NO 10, the pool 10. */
function traded(): EngineState {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b'], '1000', { complementary: true }))
  engine.submit(maker.place('acct_a', { quantity: '10', limit_price: '0.60' }))
  engine.submit(maker.place('acct_b', { outcome_id: 'out_no', quantity: '10', limit_price: '0.40' }))
  return engine.state
}

const add = (state: EngineState, account_id: string, outcome_id: string, quantity: number) => {
  state.accounts.get(account_id)!.positions.get(outcome_id)!.net_quantity += quantity
}

const POOL = 'acct_house_pool_mkt_1'

test.each<[string, string, (state: EngineState) => void]>([
  ['L10', 'both outcomes', (state) => add(state, 'acct_a', 'out_no', 5)],
  ['L10', 'a debt', (state) => add(state, 'acct_b', 'out_yes', -5)],
  ['L9', 'an outcome that the pool does not owe', (state) => add(state, POOL, 'out_no', 5)],
  [
    'L9',
    'money that is not of sets',
    (state) => {
      state.accounts.get(POOL)!.balances.get('asset_usd')!.total += 1
    },
  ],
])('%s finds %s in the state of the engine', (id, _, plant) => {
  const state = traded()
  expect(stateViolations(state)).toEqual([])
  plant(state)
  expect(stateViolations(state).some((violation) => violation.startsWith(`${id} `))).toBe(true)
})
