import { describe, expect, test } from 'vitest'
import { ENGINE } from '../../../protocol/limits.ts'
import type { AdjustFill, OperatorCommand } from '../../../trading/engine/submission.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from '../support/check-invariants.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

function world() {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b', 'acct_c'], '1000'))
  const act = (command: OperatorCommand) => engine.ask(maker.operate(command))
  return { engine, maker, act }
}

const usd = (text: string) => Math.round(Number(text) * 1_000_000)

describe('acts', () => {
  test('are recorded with actor and reason, and the same one again does nothing more', () => {
    const { engine, maker } = world()
    const act = maker.operate({
      kind: 'deposit',
      transfer_id: 'tr_x',
      account_id: 'acct_a',
      asset_id: 'asset_usd',
      amount: '5',
    })
    const first = engine.ask(act)
    const again = engine.ask(act)
    expect([first.replayed, again.replayed]).toEqual([false, true])
    expect(engine.state.accounts.get('acct_a')!.balances.get('asset_usd')!.total).toBe(usd('1005'))
    expect(engine.rows('operator_act').at(-1)).toMatchObject({ act_id: act.act_id, actor: 'tester', reason: 'test' })
  })

  test('a refused one changes and records nothing', () => {
    const { engine, act } = world()
    const before = [engine.rows('operator_act').length, engine.state.engine_sequence]
    expect(act({ kind: 'move_market', market_id: 'mkt_1', to: 'resolved' })).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_USAGE_INVALID' },
    })
    expect([engine.rows('operator_act').length, engine.state.engine_sequence]).toEqual(before)
  })

  test('deposits of an asset stay below 2^53 units in all, so that everything that is counted is exact', () => {
    const { act } = world()
    const deposit = (transfer_id: string, account_id: string) =>
      act({ kind: 'deposit', transfer_id, account_id, asset_id: 'asset_usd', amount: '5000000000' })
    expect(deposit('tr_x', 'acct_a').status).toBe(200)
    expect(deposit('tr_y', 'acct_b')).toMatchObject({ status: 400, error: { code: 'VALIDATION_USAGE_INVALID' } })
  })

  test('no key material stands in a record of what was done', () => {
    const { engine } = world()
    expect(JSON.stringify(engine.rows('operator_act'))).not.toContain('ab'.repeat(32))
    expect(JSON.stringify(engine.rows('engine_event'))).not.toContain('ab'.repeat(32))
  })

  test('a fee schedule has versions; an order keeps that of its acceptance', () => {
    const { engine, maker, act } = world()
    engine.ask(maker.place('acct_a', { side: 'SELL', limit_price: '0.50', quantity: '10' }))
    act({ kind: 'set_fees', schedule_id: 'fee_1', taker_rate: '0.04', maker_rate: '0.01', market_ids: ['mkt_1'] })
    const { data } = engine.ask(maker.place('acct_b', { limit_price: '0.50', quantity: '10' }))
    expect(data.fee_schedule_version).toBe(2)
    // Taker: 0.04 x 0.50 x 10 = 0.20, of version 2. Maker: 0.005 x 0.50 x 10 = 0.025, of version 1.
    expect(engine.rows('fill').map(({ fee, fee_rate, schedule_version }) => [fee, fee_rate, schedule_version])).toEqual(
      [
        [usd('0.2'), '0.04', 2],
        [usd('0.025'), '0.005', 1],
      ],
    )
    expect(
      act({ kind: 'set_fees', schedule_id: 'fee_1', taker_rate: '1', maker_rate: '0', market_ids: [] }).status,
    ).toBe(400)
  })

  test.each([
    [{ price_increment: '0.000001', price_min: '0.000001', price_max: '0.999999' }, 'price_increment'],
    [{ quantity_increment: '0.00001' }, 'price_increment'],
    [{ price_max: '1' }, 'price_max'],
    [{ price_min: '0' }, 'price_min'],
    [{ minimum_quantity: '0.005' }, 'minimum_quantity'],
    [{ settlement_asset_id: 'asset_none' }, 'settlement_asset_id'],
  ])('a listing with %j is refused for its %s', (change, field) => {
    const { engine, act } = world()
    const { listed } = engine.state.markets.get('mkt_1')!
    const terms = { ...listed.terms, ...change }
    const fees = { schedule_id: 'fee_2', schedule_version: 1, taker_rate: '0', maker_rate: '0' }
    const outcome_ids = ['out_a', 'out_b']
    const { error } = act({ kind: 'add_market', market_id: 'mkt_2', outcome_ids, terms, fees })
    expect(error?.code).toMatch(/^VALIDATION_/)
    expect(error?.facts?.field).toBe(field)
    expect(engine.state.fee_schedules.has('fee_2')).toBe(false)
  })

  test('a policy has versions', () => {
    const { engine, act } = world()
    const policy = { ...engine.state.accounts.get('acct_a')!.policy, position_limit: '5' }
    expect(act({ kind: 'set_policy', account_id: 'acct_a', policy }).status).toBe(400)
    expect(act({ kind: 'set_policy', account_id: 'acct_a', policy: { ...policy, policy_version: 2 } }).status).toBe(200)
    expect(engine.rows('account_policy').filter(({ account_id }) => account_id === 'acct_a')).toHaveLength(2)
  })

  const SLICE = ENGINE.slice_max

  test('a pause is worked off in slices, also after a restart and after the market has opened again', () => {
    const { engine, maker, act } = world()
    const many = Array.from({ length: 3 * SLICE }, () =>
      maker.place('acct_a', { quantity: '0.01', cancel_on_pause: true }),
    )
    engine.submit(...many)
    act({ kind: 'move_market', market_id: 'mkt_1', to: 'paused' })
    expect(engine.state.orders.size).toBe(3 * SLICE)
    engine.ask({ kind: 'stamp', at: engine.now })
    expect(engine.state.orders.size).toBe(2 * SLICE)
    engine.state = engine.rebuilt()
    // The next slice goes first, and this order, which is marked too, ends when its cancel is looked at.
    expect(engine.ask(maker.cancel('acct_a', many.at(-1)!.order.intent.order_id)).status).toBe(409)
    expect(engine.state.orders.size).toBe(SLICE - 1)
    engine.ask({ kind: 'stamp', at: engine.now })
    expect(engine.state.orders.size).toBe(0)
    act({ kind: 'move_market', market_id: 'mkt_1', to: 'open' })
    engine.submit(
      ...Array.from({ length: 3 * SLICE }, () => maker.place('acct_b', { quantity: '0.01', cancel_on_pause: true })),
    )
    act({ kind: 'move_market', market_id: 'mkt_1', to: 'paused' })
    act({ kind: 'move_market', market_id: 'mkt_1', to: 'open' })
    // None that is left trades again, whenever its slice comes.
    engine.state = engine.rebuilt()
    const selling = maker.place('acct_c', { side: 'SELL', time_in_force: 'FAK' })
    expect(engine.ask(selling).data).toMatchObject({ terminal_reason: 'FAK_NO_FILL' })
    engine.ask({ kind: 'stamp', at: engine.now })
    engine.ask({ kind: 'stamp', at: engine.now })
    expect(engine.state.orders.size).toBe(0)
    checkEngine(engine)
  })
})

describe('adjustments', () => {
  /** acct_a buys 10 at 0.60 from acct_b, who is short by it then. */
  function traded() {
    const traded = world()
    const { engine, maker } = traded
    engine.ask(maker.place('acct_b', { side: 'SELL', quantity: '10', limit_price: '0.60' }))
    const { data: order } = engine.ask(maker.place('acct_a', { quantity: '10', limit_price: '0.60' }))
    const fills = engine.rows('fill')
    const [bought, sold] = ['BUY', 'SELL'].map((side) => fills.find((fill) => fill.side === side)!)
    const adjust = (fill_id: string, change: Partial<AdjustFill> = {}) =>
      traded.act({
        kind: 'adjust_fill',
        adjustment_id: `adj_${engine.rows('adjustment').length}`,
        fill_id,
        adjustment_type: 'bust',
        quantity_delta: null,
        notional_delta: null,
        fee_delta: null,
        reason_code: 'ERRONEOUS_TRADE',
        rationale: 'clearly erroneous',
        evidence: [],
        approved_by: 'second',
        supersedes_adjustment_id: null,
        ...change,
      })
    return { ...traded, order, bought: bought!, sold: sold!, adjust }
  }
  const money = (engine: MemoryEngine, account_id: string) =>
    engine.state.accounts.get(account_id)!.balances.get('asset_usd')!

  test.each(['pending', 'confirmed'])('a bust of both sides leaves all as if nothing had been (%s)', (state) => {
    const { engine, act, bought, sold, adjust, order } = traded()
    if (state === 'confirmed') {
      const ids = engine.rows('settlement').map(({ settlement_id }) => settlement_id)
      act(submitting(ids))
      act(concluding(ids))
    }
    expect(adjust(bought.fill_id).error).toBeNull()
    checkEngine(engine)
    expect(adjust(sold.fill_id).error).toBeNull()
    checkEngine(engine)
    for (const account_id of ['acct_a', 'acct_b']) {
      expect(money(engine, account_id)).toMatchObject({
        total: usd('1000'),
        reserved: 0,
        pending_settlement_debit: 0,
        pending_settlement_credit: 0,
      })
      const position = engine.state.accounts.get(account_id)!.positions.get('out_yes')!
      expect(position).toMatchObject({ net_quantity: 0, average_entry_price: null, realized_pnl: 0, requirement: 0 })
    }
    const row = engine.rows('orders').find(({ order_id }) => order_id === order.order_id)
    expect(row).toMatchObject({
      status: 'filled',
      filled_quantity: 0,
      canceled_quantity: 1000,
      filled_notional: 0,
      fees: 0,
    })
    expect(row!.version).toBe(order.version + 1)
    expect(adjust(bought.fill_id).status).toBe(400)
    expect(money(engine, 'acct_house_receivable')).toMatchObject({ total: 0 })
  })

  test('an amended price moves money and P&L, and corrections of it add up', () => {
    const { engine, bought, adjust } = traded()
    // 10 at 0.55 instead of 0.60: notional 5.50, fee as it is. 0.50 comes back and is gained.
    const change = { adjustment_type: 'amend', notional_delta: '-0.5', fee_delta: '-0.01' } as const
    expect(adjust(bought.fill_id, change).error).toBeNull()
    expect(money(engine, 'acct_a').pending_settlement_debit).toBe(usd('6') + bought.fee - usd('0.51'))
    expect(engine.state.accounts.get('acct_a')!.positions.get('out_yes')!.realized_pnl).toBe(usd('0.5'))
    adjust(bought.fill_id, { ...change, notional_delta: '0.5', fee_delta: '0.01', supersedes_adjustment_id: 'adj_0' })
    expect(money(engine, 'acct_a').pending_settlement_debit).toBe(usd('6') + bought.fee)
    expect(engine.state.accounts.get('acct_a')!.positions.get('out_yes')!.realized_pnl).toBe(0)
    checkEngine(engine)
  })

  test.each([
    [{ approved_by: 'tester' }, 'approved_by'],
    [{ fill_id: 'fill_none' }, 'fill_id'],
    [{ adjustment_type: 'amend', quantity_delta: '1', notional_delta: '0.6' }, 'quantity_delta'],
    [{ adjustment_type: 'amend', quantity_delta: '-11' }, 'quantity_delta'],
    [{ adjustment_type: 'amend', notional_delta: '5' }, 'notional_delta'],
    [{ adjustment_type: 'amend', fee_delta: '-1' }, 'fee_delta'],
    [{ adjustment_type: 'amend' }, 'quantity_delta'],
    [{ quantity_delta: '-10' }, 'quantity_delta'],
    [{ supersedes_adjustment_id: 'adj_none' }, 'supersedes_adjustment_id'],
  ] as const)('%j is refused for its %s, and nothing changes', (change, field) => {
    const { engine, bought, adjust } = traded()
    const before = engine.state.engine_sequence
    expect(adjust(bought.fill_id, change as Partial<AdjustFill>).error).toMatchObject({ facts: { field } })
    expect(engine.state.engine_sequence).toBe(before)
  })

  test('what an account cannot pay the house lays out; its orders are canceled for it first', () => {
    const { engine, maker, act, bought, adjust } = traded()
    // acct_a sells the 10 on at 0.90 to acct_c, then takes out all it can but what its resting BUY holds.
    engine.ask(maker.place('acct_c', { quantity: '10', limit_price: '0.90' }))
    engine.ask(maker.place('acct_a', { side: 'SELL', quantity: '10', limit_price: '0.90' }))
    engine.ask(maker.place('acct_a', { quantity: '4', limit_price: '0.25' }))
    const { total, reserved, pending_settlement_debit } = money(engine, 'acct_a')
    const amount = String((total - reserved - pending_settlement_debit) / 1_000_000)
    act({ kind: 'withdraw', transfer_id: 'tr_w', account_id: 'acct_a', asset_id: 'asset_usd', amount })
    // Undone, its purchase leaves it short by 10: it needs 10 less nothing pending short; 6 and the fee come back.
    expect(adjust(bought.fill_id).error).toBeNull()
    const { total: after, reserved: kept, pending_settlement_debit: pending } = money(engine, 'acct_a')
    expect(after - kept - pending).toBe(0)
    expect(kept).toBe(usd('10'))
    expect(engine.rows('orders').filter(({ terminal_reason }) => terminal_reason === 'RISK_ACTION')).toHaveLength(1)
    // 10 less 6 + 0.08 paid for the purchase, less 1.02 that the canceled order held: 2.90.
    expect(money(engine, 'acct_house_receivable').total).toBe(usd('-2.9'))
    checkEngine(engine)
  })
})
