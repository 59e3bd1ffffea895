import { expect, test } from 'vitest'
import type { OperatorCommand } from '../../trading/engine/submission.ts'
import { availableOf } from '../../trading/ledger/balance.ts'
import { isHouse } from '../../trading/ledger/entries.ts'
import { pick, seededRandom } from '../support/random.ts'
import { SEED } from '../support/seed.ts'
import { SubmissionMaker } from '../support/trading/submissions.ts'
import { checkEngine } from './support/check-invariants.ts'
import { MemoryEngine } from './support/memory-engine.ts'

const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c', 'acct_d']
const MARKET = 'mkt_1'
const UNIT = 10_000

/** An open market with two books, in which accounts have traded at random. */
function traded(random: () => number, orders: number) {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(ACCOUNTS, '1000'))
  const act = (command: OperatorCommand) => engine.ask<Record<string, unknown>>(maker.operate(command))
  for (let n = 0; n < orders; n += 1) {
    engine.submit(
      maker.place(pick(ACCOUNTS, random), {
        side: pick(['BUY', 'SELL'] as const, random),
        outcome_id: pick(['out_yes', 'out_no'], random),
        limit_price: (0.4 + Math.floor(random() * 20) / 100).toFixed(2),
        quantity: (1 + Math.floor(random() * 20)).toString(),
        self_trade_prevention: 'cancel_maker',
      }),
    )
  }
  const settle = () => {
    const pending = engine.rows('settlement').filter(({ state }) => state === 'pending')
    for (const { settlement_id } of pending) act(confirming(settlement_id))
  }
  return { engine, maker, act, settle }
}

function confirming(settlement_id: string): OperatorCommand {
  const confirmation = {
    external_reference: null,
    confirmation_count: null,
    message: null,
    rail_response_reference: null,
  }
  const attempt = { settlement_id, attempt_id: `att_${settlement_id}`, confirmation }
  return { kind: 'submit_settlements', rail: 'custodial', attempts: [attempt] }
}

/** Money that an account has in the end if one outcome pays 1. */
function worthIf(engine: MemoryEngine, account_id: string, paying: string): number {
  const { balances, positions } = engine.state.accounts.get(account_id)!
  return (balances.get('asset_usd')?.total ?? 0) + (positions.get(paying)?.net_quantity ?? 0) * UNIT
}

test('a market with two books becomes complementary: nobody gains or loses under either outcome', () => {
  const random = seededRandom(SEED)
  for (let round = 0; round < 12; round += 1) {
    const { engine, maker, act, settle } = traded(random, 60)
    act({ kind: 'move_market', market_id: MARKET, to: 'paused' })
    settle()
    const everybody = [...engine.state.accounts.keys()]
    const worth = () => everybody.flatMap((id) => ['out_yes', 'out_no'].map((paying) => worthIf(engine, id, paying)))
    const before = worth()
    expect(act({ kind: 'make_complementary', market_id: MARKET }).data).toMatchObject({ is_done: true, orders_left: 0 })
    expect(worth()).toEqual(before)
    checkEngine(engine)
    const pool = engine.state.accounts.get('acct_house_pool_mkt_1')!
    const held = (outcome_id: string) =>
      everybody.reduce(
        (sum, id) => sum + (engine.state.accounts.get(id)!.positions.get(outcome_id)?.net_quantity ?? 0),
        0,
      )
    expect(pool.balances.get('asset_usd')!.total).toBe(held('out_yes') * UNIT)
    expect(held('out_no')).toBe(held('out_yes'))
    for (const id of everybody.filter((one) => !isHouse(one))) {
      const { balances, positions } = engine.state.accounts.get(id)!
      expect(availableOf(balances.get('asset_usd')!)).toBeGreaterThanOrEqual(0)
      const nets = ['out_yes', 'out_no'].map((outcome_id) => positions.get(outcome_id)?.net_quantity ?? 0)
      expect([Math.min(...nets), nets.every((net) => net >= 0)]).toEqual([0, true])
    }
    // Both books are one from now on.
    act({ kind: 'move_market', market_id: MARKET, to: 'open' })
    engine.ask(maker.place('acct_a', { outcome_id: 'out_yes', limit_price: '0.62', quantity: '1' }))
    const taken = engine.ask(maker.place('acct_b', { outcome_id: 'out_no', limit_price: '0.40', quantity: '1' }))
    expect(taken.data).toMatchObject({ status: 'filled', average_fill_price: '0.3800000000' })
    checkEngine(engine)
  }
})

test('it waits for settlements, and refuses a market that is open, complementary, or whose prices are not symmetric', () => {
  const { engine, maker, act, settle } = traded(seededRandom(7), 20)
  expect(act({ kind: 'make_complementary', market_id: MARKET }).error?.message).toBe(
    'market.status is open; allowed: paused',
  )
  act({ kind: 'move_market', market_id: MARKET, to: 'paused' })
  const waiting = act({ kind: 'make_complementary', market_id: MARKET }).data
  expect(waiting).toMatchObject({ is_done: false, orders_left: 0 })
  expect(waiting.settlements_left).toBeGreaterThan(0)
  settle()
  expect(act({ kind: 'make_complementary', market_id: MARKET }).data).toMatchObject({ is_done: true })
  expect(act({ kind: 'make_complementary', market_id: MARKET }).error?.message).toContain('not complementary yet')
  checkEngine(engine)
  const [, listing] = maker.setUp([])
  const { command } = listing as { command: Extract<OperatorCommand, { kind: 'add_market' }> }
  const other = { ...command, market_id: 'mkt_2', outcome_ids: ['out_2y', 'out_2n'] }
  act({ ...other, terms: { ...command.terms, price_max: '0.90' } })
  act({ kind: 'move_market', market_id: 'mkt_2', to: 'open' })
  act({ kind: 'move_market', market_id: 'mkt_2', to: 'paused' })
  expect(act({ kind: 'make_complementary', market_id: 'mkt_2' }).error?.message).toContain('price_max is 0.90')
})
