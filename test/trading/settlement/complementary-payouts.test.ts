import { beforeEach, expect, test } from 'vitest'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { PaidResolution } from '../../../trading/engine/settlement-commands.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import { bustCommand } from '../../support/trading/bust-command.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from '../support/check-invariants.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

const POOL = 'acct_house_pool_mkt_1'
const RESOLVING = { evidence: [], resolver: { kind: 'operator', resolver_id: null } } as const
let engine: MemoryEngine
let maker: SubmissionMaker

/** acct_a has YES 10, acct_b has NO 10, all of it settled. */
beforeEach(() => {
  engine = new MemoryEngine()
  maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b'], '1000', { complementary: true }))
  engine.submit(maker.place('acct_a', { quantity: '10', limit_price: '0.60' }))
  engine.submit(maker.place('acct_b', { outcome_id: 'out_no', quantity: '10', limit_price: '0.40' }))
  settleAll()
})

function act<D>(command: OperatorCommand): D {
  const { error, data } = engine.ask<D>(maker.operate(command))
  expect(error).toBeNull()
  return data
}

function settleAll(): void {
  const open = engine.rows('settlement').filter(({ state }) => state === 'pending')
  const settlement_ids = open.map(({ settlement_id }) => settlement_id)
  act(submitting(settlement_ids))
  act(concluding(settlement_ids))
}

const payouts = (yes: string, no: string) => [
  { outcome_id: 'out_yes', payout: yes },
  { outcome_id: 'out_no', payout: no },
]

function resolve(yes: string, no: string): void {
  const proposal = { verdict: 'resolved', payouts: payouts(yes, no), dispute_window_ms: 0, ...RESOLVING } as const
  act({ kind: 'propose_resolution', resolution_id: 'res_1', market_id: 'mkt_1', ...proposal })
  act({ kind: 'finalize_resolution', resolution_id: 'res_1' })
}

const correct = (yes: string, no: string) =>
  act({
    kind: 'correct_resolution',
    resolution_id: 'res_2',
    supersedes_id: 'res_1',
    payouts: payouts(yes, no),
    correction_reason: 'test',
    approved_by: 'second',
    ...RESOLVING,
  })

const pay = (resolution_id: string, limit: number) =>
  act<PaidResolution>({ kind: 'pay_resolution', resolution_id, limit })

function cash(account_id: string): number {
  const { total, pending_settlement_credit, pending_settlement_debit } = engine.state.accounts
    .get(account_id)!
    .balances.get('asset_usd')!
  return total + pending_settlement_credit - pending_settlement_debit
}

test('a resolution that is paid in portions empties the pool', () => {
  resolve('0.3', '0.7')
  expect(pay('res_1', 1)).toMatchObject({ paid: 1, waiting: 0, done: false })
  expect(cash(POOL)).toBeGreaterThan(0)
  expect(pay('res_1', 1)).toMatchObject({ paid: 1, waiting: 0, done: true })
  expect(cash(POOL)).toBe(0)
  checkEngine(engine)
})

test('a correction between two portions is the house’s, and the pool ends at 0', () => {
  resolve('1', '0')
  expect(pay('res_1', 1)).toMatchObject({ paid: 1, waiting: 0, done: false })
  correct('0', '1')
  expect(pay('res_2', 10)).toMatchObject({ waiting: 0, done: true })
  settleAll()
  expect(cash(POOL)).toBe(0)
  // 6 and a fee of 0.02 were paid for YES, which pays nothing; 4 and a fee of 0.08 for NO, which pays 10.
  expect([cash('acct_a'), cash('acct_b')]).toEqual([993_980_000, 1_005_920_000])
  checkEngine(engine)
})

test('the house pays the difference of its own holding to itself, and advances nothing for that', () => {
  engine.submit(maker.place('acct_b', { side: 'SELL', outcome_id: 'out_no', quantity: '10', limit_price: '0.30' }))
  engine.submit(maker.place('acct_a', { side: 'SELL', quantity: '10', limit_price: '0.70' }))
  settleAll()
  const amount = fromScaled(BigInt(cash('acct_a')), 6)
  act({ kind: 'withdraw', transfer_id: 'tr_out', account_id: 'acct_a', asset_id: 'asset_usd', amount })
  act(bustCommand(engine.rows('fill').findLast(({ account_id }) => account_id === 'acct_a')!.fill_id))
  expect(cash('acct_house_receivable')).toBeLessThan(0)
  resolve('0', '1')
  expect(pay('res_1', 10)).toMatchObject({ paid: 2, done: true })
  correct('1', '0')
  expect(pay('res_2', 10)).toMatchObject({ paid: 2, done: true })
  const rows = engine.rows('resolution_payout').filter(({ account_id }) => account_id === 'acct_house_receivable')
  expect(rows.map(({ amount: paid, shortfall }) => [paid, shortfall])).toEqual([
    [10_000_000, 0],
    [-10_000_000, 0],
  ])
  checkEngine(engine)
})
