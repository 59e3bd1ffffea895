import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import type { RedemptionPreview } from '../../../protocol/resources/redemption-preview.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { redemptionPreview } from '../../../trading/projections/redemption-preview.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from '../support/check-invariants.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const
const OUTCOMES = ['out_yes', 'out_no']
const WORKING = ['open', 'partially_filled', 'suspended']
const RESOLVING = { evidence: [], resolver: { kind: 'operator', resolver_id: null } } as const

/** A market with orders of three accounts; every trade is settled. */
class World {
  readonly engine = new MemoryEngine()
  readonly maker = new SubmissionMaker()

  constructor(complementary: boolean, quantity_increment = '0.01') {
    this.engine.submit(...this.maker.setUp(ACCOUNTS, '1000', { complementary, quantity_increment }))
  }

  place(account_id: string, order: Partial<OrderIntent>): void {
    this.engine.ask(this.maker.place(account_id, order))
  }

  act(command: OperatorCommand): void {
    expect(this.engine.ask(this.maker.operate(command)).error).toBeNull()
  }

  settle(): void {
    const open = this.engine.rows('settlement').filter(({ state }) => state === 'pending')
    const ids = open.map(({ settlement_id }) => settlement_id)
    if (ids.length === 0) return
    this.act(submitting(ids))
    this.act(concluding(ids))
  }

  preview(account_id: string): RedemptionPreview {
    const { terms, status } = this.engine.state.markets.get('mkt_1')!
    const working = this.engine
      .rows('orders')
      .filter((row) => row.account_id === account_id && WORKING.includes(row.status))
    const positions = this.engine.rows('position').filter((row) => row.account_id === account_id)
    const waiting = this.engine
      .rows('settlement')
      .filter((row) => row.account_id === account_id && row.state === 'pending')
    const facts = {
      account_id,
      market: { market_id: 'mkt_1', status, terms, outcome_ids: OUTCOMES },
      positions: positions.map((row) => ({
        ...row,
        pending_settlement_ids: waiting.filter((s) => s.outcome_id === row.outcome_id).map((s) => s.settlement_id),
      })),
      open_orders: { count: working.length, order_ids: working.map(({ order_id }) => order_id) },
    }
    return redemptionPreview(facts, this.engine.now)
  }

  /** Resolves the market, or voids it (null), pays, and settles what was paid. */
  resolve(winner: string | null): void {
    const verdict = winner === null ? 'voided' : 'resolved'
    const payouts =
      winner === null ? [] : OUTCOMES.map((outcome_id) => ({ outcome_id, payout: outcome_id === winner ? '1' : '0' }))
    const proposal = { market_id: 'mkt_1', verdict, payouts, dispute_window_ms: 0, ...RESOLVING } as const
    this.act({ kind: 'propose_resolution', resolution_id: 'res_1', ...proposal })
    this.act({ kind: 'finalize_resolution', resolution_id: 'res_1' })
    this.act({ kind: 'pay_resolution', resolution_id: 'res_1', limit: 100 })
    this.settle()
  }

  money(account_id: string) {
    const row = this.engine.rows('balance').find((balance) => balance.account_id === account_id)!
    const of_account = this.engine.rows('position').filter((position) => position.account_id === account_id)
    const { total, reserved, withdrawal_hold, pending_settlement_debit } = row
    return {
      total,
      available: total - reserved - withdrawal_hold - pending_settlement_debit,
      reserved,
      realized: of_account.reduce((sum, { realized_pnl }) => sum + realized_pnl, 0),
      canceled: this.engine
        .rows('orders')
        .filter((order) => order.account_id === account_id && order.status === 'canceled').length,
    }
  }
}

const units = (text: string | null) => Number(toScaled(text!, 6))

/** Compares what was previewed for a result with what resolving did. */
function expectAsPreviewed(world: World, winner: string | null): void {
  world.settle()
  const before = ACCOUNTS.map((id) => ({ id, preview: world.preview(id), money: world.money(id) }))
  world.resolve(winner)
  for (const { id, preview, money } of before) {
    const result = preview.results.find(({ outcome_id }) => outcome_id === winner)!
    expect(result.payout_rule).toBe(winner === null ? 'equal_shares' : 'winner')
    const after = world.money(id)
    expect({
      id,
      payout: after.total - money.total,
      freed: money.reserved - after.reserved,
      available: after.available - money.available,
      realized: after.realized - money.realized,
      canceled: after.canceled - money.canceled,
    }).toEqual({
      id,
      payout: units(result.payout),
      freed: units(preview.collateral_freed),
      available: units(result.available_change),
      realized: units(result.realized_pnl),
      canceled: preview.open_order_count,
    })
    expect(result.holdings.reduce((sum, { payout }) => sum + units(payout), 0)).toBe(units(result.payout))
  }
  checkEngine(world.engine)
}

test('a holder, a short and a bystander: payouts, profit, canceled orders and freed collateral', () => {
  const world = new World(false)
  world.place('acct_b', { side: 'SELL', quantity: '10', limit_price: '0.60' })
  world.place('acct_a', { side: 'BUY', quantity: '10', limit_price: '0.60' })
  world.place('acct_a', { side: 'BUY', quantity: '5', limit_price: '0.40' })
  world.settle()
  const [long, short] = [world.preview('acct_a'), world.preview('acct_b')]
  expect(long).toMatchObject({ open_order_count: 1, market_status: 'open', asset_id: 'asset_usd' })
  expect(
    long.results.map(({ verdict, outcome_id, payout, realized_pnl }) => [verdict, outcome_id, payout, realized_pnl]),
  ).toEqual([
    ['resolved', 'out_yes', '10.000000', '4.000000'],
    ['resolved', 'out_no', '0.000000', '-6.000000'],
    ['voided', null, '5.000000', '-1.000000'],
  ])
  expect(long.results[0]!.holdings).toEqual([
    {
      outcome_id: 'out_yes',
      net_quantity: '10.00',
      average_entry_price: '0.6000000000',
      payout_per_contract: '1.0000',
      payout: '10.000000',
      realized_pnl: '4.000000',
    },
  ])
  expect(
    short.results.map(({ payout, realized_pnl, available_change }) => [payout, realized_pnl, available_change]),
  ).toEqual([
    ['-10.000000', '-4.000000', '0.000000'],
    ['0.000000', '6.000000', '10.000000'],
    ['-5.000000', '1.000000', '5.000000'],
  ])
  expect(world.preview('acct_c').results[0]).toMatchObject({ payout: '0.000000', fee: '0.000000', holdings: [] })
})

test('trades that are not settled yet are named: a payout waits for them', () => {
  const world = new World(true)
  world.place('acct_a', { quantity: '10', limit_price: '0.60' })
  world.place('acct_b', { outcome_id: 'out_no', quantity: '10', limit_price: '0.40' })
  expect(world.preview('acct_a').pending_settlement_ids).toHaveLength(1)
  world.settle()
  expect(world.preview('acct_a').pending_settlement_ids).toEqual([])
})

test('a void of three outcomes has no exact shares, so nothing is previewed for it', () => {
  const { terms } = new World(false).engine.state.markets.get('mkt_1')!
  const market = { market_id: 'mkt_1', status: 'open', terms, outcome_ids: ['out_x', 'out_y', 'out_z'] }
  const { results } = redemptionPreview(
    { account_id: 'acct_a', market, positions: [], open_orders: { count: 0, order_ids: [] } },
    0,
  )
  expect(results.at(-1)).toMatchObject({ verdict: 'voided', payout: null, fee: null, reason: 'PAYOUTS_NOT_EXACT' })
  expect(results[2]).toMatchObject({ outcome_id: 'out_z', payout: fromScaled(0n, 6), reason: null })
})

const order = fc.record({
  account: fc.constantFrom(...ACCOUNTS),
  outcome_id: fc.constantFrom(...OUTCOMES),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  price: fc.integer({ min: 30, max: 70 }),
  quantity: fc.integer({ min: 1, max: 2000 }),
})

test('asked twice: what a resolution does is what was previewed, after any orders', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.constantFrom('out_yes', 'out_no', null),
      fc.array(order, { minLength: 4, maxLength: 25 }),
      (complementary, winner, orders) => {
        const world = new World(complementary)
        for (const { account, outcome_id, side, price, quantity } of orders) {
          const terms = { outcome_id, side, limit_price: `0.${price}`, quantity: fromScaled(BigInt(quantity), 2) }
          world.place(account, terms)
        }
        expectAsPreviewed(world, winner)
      },
    ),
    { numRuns: 40 },
  )
})
