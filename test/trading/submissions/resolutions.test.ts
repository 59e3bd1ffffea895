import { describe, expect, test } from 'vitest'
import type {
  CorrectResolution,
  DecideDispute,
  PaidResolution,
  ProposeResolution,
  SetMarks,
} from '../../../trading/engine/settlement-commands.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from '../support/check-invariants.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

const HOUR_MS = 3_600_000
const RESOLVING = { evidence: [], resolver: { kind: 'operator', resolver_id: 'operator-a' } } as const
const payouts = (yes: string, no: string) => [
  { outcome_id: 'out_yes', payout: yes },
  { outcome_id: 'out_no', payout: no },
]
const PROPOSAL: ProposeResolution = {
  kind: 'propose_resolution',
  resolution_id: 'res_1',
  market_id: 'mkt_1',
  verdict: 'resolved',
  payouts: payouts('1', '0'),
  dispute_window_ms: HOUR_MS,
  ...RESOLVING,
}
const FINALIZE = { kind: 'finalize_resolution', resolution_id: 'res_1' } as const
const DISPUTE = { kind: 'dispute_resolution', resolution_id: 'res_1', filer: 'acct_b', basis: 'it did not' } as const
const CORRECTION: CorrectResolution = {
  kind: 'correct_resolution',
  resolution_id: 'res_2',
  supersedes_id: 'res_1',
  payouts: payouts('0', '1'),
  correction_reason: 'a wrong source',
  approved_by: 'second',
  ...RESOLVING,
}

/** acct_a buys 10 at 0.60 from acct_b, settled. */
function traded() {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b', 'acct_c'], '1000'))
  engine.ask(maker.place('acct_b', { side: 'SELL', quantity: '10', limit_price: '0.60' }))
  engine.ask(maker.place('acct_a', { quantity: '10', limit_price: '0.60' }))
  const act = <D = Record<string, unknown>>(command: OperatorCommand) => engine.ask<D>(maker.operate(command))
  const ids = engine.rows('settlement').map(({ settlement_id }) => settlement_id)
  act(submitting(ids))
  act(concluding(ids))
  const status = () => engine.state.markets.get('mkt_1')!.status
  const pay = (limit = 10, resolution_id = 'res_1') =>
    act<PaidResolution>({ kind: 'pay_resolution', resolution_id, limit }).data
  const decide = (upheld: boolean, dispute_id = 'dsp_1') =>
    act({ kind: 'decide_dispute', resolution_id: 'res_1', dispute_id, upheld, decision: 'looked at' } as DecideDispute)
  const final = () => {
    act({ ...PROPOSAL, dispute_window_ms: 0 })
    act(FINALIZE)
  }
  return { engine, maker, act, status, pay, decide, final, ids }
}

const pass = (engine: MemoryEngine, ms: number) => {
  engine.now += ms * 1000
}

describe('a proposal', () => {
  test('closes what still trades, and stands open to dispute until its window ends', () => {
    const { engine, maker, act, status } = traded()
    const rests = maker.place('acct_c', { limit_price: '0.40' })
    engine.ask(rests)
    expect(act(PROPOSAL).data).toMatchObject({ resolution_id: 'res_1', revision: 1, finality: 'proposed' })
    expect(status()).toBe('resolving')
    expect(engine.rows('orders').find(({ order_id }) => order_id === rests.order.intent.order_id)).toMatchObject({
      terminal_reason: 'MARKET_CLOSED',
    })
    const moves = engine.rows('engine_event').filter(({ kind }) => kind === 'market' || kind === 'resolution')
    const statuses = moves.map(({ body }) => (body as { status?: string }).status ?? 'proposed')
    expect(statuses.slice(-3)).toEqual(['closed', 'resolving', 'proposed'])
    expect(act(FINALIZE).error?.facts?.field).toBe('now')
    pass(engine, HOUR_MS)
    expect(act({ ...DISPUTE, dispute_id: 'dsp_1' }).error?.facts?.field).toBe('dispute_id')
    expect(act(FINALIZE).data).toMatchObject({ finality: 'final' })
    expect(status()).toBe('resolved')
    const before = engine.state.engine_sequence
    expect(act(FINALIZE).data).toMatchObject({ finality: 'final' })
    expect(engine.state.engine_sequence).toBe(before)
    checkEngine(engine)
  })

  test.each([
    [{ payouts: payouts('1', '0.5') }, 'payouts'],
    [{ payouts: payouts('1', '0').slice(0, 1) }, 'payouts'],
    [{ payouts: [...payouts('1', '0'), ...payouts('1', '0')] }, 'payouts'],
    [{ payouts: [] }, 'payouts'],
    [{ payouts: payouts('1.5', '0') }, 'payout'],
    [{ payouts: payouts('0.33333', '0.66667') }, 'payout'],
    [{ payouts: payouts('-1', '2') }, 'payout'],
    [{ market_id: 'mkt_none' }, 'market_id'],
    [{ resolution_id: '' }, 'resolution_id'],
    [{ dispute_window_ms: -1 }, 'dispute_window_ms'],
    [{ dispute_window_ms: 0.5 }, 'dispute_window_ms'],
  ])('%j is refused for its %s, and nothing changes', (change, field) => {
    const { engine, act, status } = traded()
    const before = engine.state.engine_sequence
    expect(act({ ...PROPOSAL, ...change }).error?.facts?.field).toBe(field)
    expect([status(), engine.state.engine_sequence]).toEqual(['open', before])
  })

  test('a void without payouts pays equal shares', () => {
    const { engine, act } = traded()
    act({ ...PROPOSAL, verdict: 'voided', payouts: [] })
    expect(engine.rows('resolution')).toMatchObject([{ verdict: 'voided', payouts: payouts('0.5000', '0.5000') }])
  })

  test('is one at a time', () => {
    const { act } = traded()
    act(PROPOSAL)
    expect(act({ ...PROPOSAL, resolution_id: 'res_2' }).error?.facts?.field).toBe('market.status')
  })
})

describe('a dispute', () => {
  test('that is upheld withdraws the resolution, and another one follows', () => {
    const { engine, act, status, decide } = traded()
    act(PROPOSAL)
    expect(act({ ...DISPUTE, dispute_id: 'dsp_1' }).data).toMatchObject({ finality: 'disputed', dispute_id: 'dsp_1' })
    expect(act({ ...DISPUTE, dispute_id: 'dsp_2' }).error?.facts?.field).toBe('resolution.finality')
    pass(engine, 2 * HOUR_MS)
    expect(act(FINALIZE).error?.facts?.field).toBe('resolution.finality')
    expect(decide(true, 'dsp_2').error?.facts?.field).toBe('dispute_id')
    expect(decide(true).data).toMatchObject({ finality: 'withdrawn' })
    expect(status()).toBe('closed')
    expect(act({ kind: 'pay_resolution', resolution_id: 'res_1', limit: 1 }).error?.facts?.field).toBe(
      'resolution.finality',
    )
    act({ ...PROPOSAL, resolution_id: 'res_2', payouts: payouts('0', '1'), dispute_window_ms: 0 })
    act({ ...FINALIZE, resolution_id: 'res_2' })
    expect(engine.rows('resolution').at(-1)).toMatchObject({
      revision: 2,
      supersedes_id: 'res_1',
      correction_reason: 'looked at',
      finality: 'final',
    })
    expect(act<PaidResolution>({ kind: 'pay_resolution', resolution_id: 'res_2', limit: 10 }).data).toMatchObject({
      paid: 2,
      done: true,
    })
    checkEngine(engine)
  })

  test('that is rejected lets it go on; another one may follow within the window', () => {
    const { engine, act, status, decide } = traded()
    act(PROPOSAL)
    act({ ...DISPUTE, dispute_id: 'dsp_1' })
    expect(decide(false).data).toMatchObject({ finality: 'proposed' })
    expect(act({ ...DISPUTE, dispute_id: 'dsp_1' }).error?.facts?.field).toBe('dispute_id')
    expect(act({ ...DISPUTE, dispute_id: 'dsp_2' }).error).toBeNull()
    decide(false, 'dsp_2')
    pass(engine, HOUR_MS)
    act(FINALIZE)
    expect(status()).toBe('resolved')
    const told = engine.rows('engine_event').filter(({ kind }) => kind === 'resolution')
    expect(told.map(({ body }) => (body as { finality: string }).finality)).toEqual([
      'proposed',
      'disputed',
      'proposed',
      'disputed',
      'proposed',
      'final',
    ])
    expect(told[2]!.body).toMatchObject({ dispute: { dispute_id: 'dsp_1', state: 'rejected', decision: 'looked at' } })
  })
})

describe('payment', () => {
  test('is made in portions, and the same act again pays nothing more', () => {
    const { engine, maker, final, pay } = traded()
    final()
    const first = maker.operate({ kind: 'pay_resolution', resolution_id: 'res_1', limit: 1 })
    expect(engine.ask<PaidResolution>(first).data).toMatchObject({ paid: 1, waiting: 0, done: false })
    expect(engine.ask<PaidResolution>(first)).toMatchObject({ replayed: true, data: { paid: 0, done: false } })
    expect(engine.rows('resolution')[0]).toMatchObject({ paid_count: 1, paid_at: null })
    expect(pay()).toMatchObject({ paid: 1, waiting: 0, done: true })
    expect(engine.rows('resolution')[0]).toMatchObject({ paid_count: 2, paid_at: engine.now })
    expect(pay()).toMatchObject({ paid: 0, waiting: 0, done: true })
    expect(engine.rows('resolution')[0]!.paid_count).toBe(2)
    expect(engine.rows('settlement').filter(({ kind }) => kind === 'resolution_payout')).toMatchObject([
      { state: 'pending', fill_id: null, resolution_id: 'res_1', fee: 0 },
      { state: 'pending', fill_id: null, resolution_id: 'res_1', fee: 0 },
    ])
    checkEngine(engine)
  })

  test.each([0, 1.5, -1])('of %s positions is refused', (limit) => {
    const { act, final } = traded()
    final()
    expect(act({ kind: 'pay_resolution', resolution_id: 'res_1', limit }).error?.facts?.field).toBe('limit')
  })

  test('waits for a trade whose settlement was taken back, until it is ended', () => {
    const { engine, act, final, pay, ids } = traded()
    const [bought] = engine.rows('fill').filter(({ side }) => side === 'BUY')
    act({
      kind: 'reverse_settlement',
      reversal_id: 'rev_1',
      settlement_id: bought!.settlement_id,
      reason_code: 'X',
      rationale: 'x',
      evidence: [],
      approved_by: 'second',
    })
    final()
    expect(pay()).toMatchObject({ paid: 1, waiting: 1, done: false })
    expect(act({ kind: 'move_market', market_id: 'mkt_1', to: 'archived' }).error?.facts?.field).toBe('status')
    const adjusting = {
      kind: 'adjust_fill',
      adjustment_type: 'bust',
      quantity_delta: null,
      notional_delta: null,
      fee_delta: null,
      reason_code: 'X',
      rationale: 'x',
      evidence: [],
      approved_by: 'second',
      supersedes_adjustment_id: null,
    } as const
    const sold = engine.rows('fill').find(({ side }) => side === 'SELL')!
    const { error } = act({ ...adjusting, adjustment_id: 'adj_1', fill_id: sold.fill_id })
    expect(error?.message).toContain('a resolution has paid it')
    expect(act({ ...adjusting, adjustment_id: 'adj_2', fill_id: bought!.fill_id }).error).toBeNull()
    expect(pay()).toMatchObject({ paid: 0, waiting: 0, done: true })
    expect(ids).toHaveLength(2)
    expect(act({ kind: 'move_market', market_id: 'mkt_1', to: 'archived' }).error).toBeNull()
    checkEngine(engine)
  })

  test('of a position that a rail takes back afterwards: its money is ended by an adjustment of money alone', () => {
    const { engine, act, final, pay } = traded()
    final()
    pay()
    const bought = engine.rows('fill').find(({ side }) => side === 'BUY')!
    act({
      kind: 'reverse_settlement',
      reversal_id: 'rev_1',
      settlement_id: bought.settlement_id,
      reason_code: 'X',
      rationale: 'x',
      evidence: [],
      approved_by: 'second',
    })
    expect(pay()).toMatchObject({ waiting: 1, done: false })
    const fee_delta = `-${(bought.fee / 1_000_000).toFixed(6)}`
    const adjusted = act({
      kind: 'adjust_fill',
      adjustment_id: 'adj_1',
      fill_id: bought.fill_id,
      adjustment_type: 'amend',
      quantity_delta: null,
      notional_delta: '-6',
      fee_delta,
      reason_code: 'X',
      rationale: 'x',
      evidence: [],
      approved_by: 'second',
      supersedes_adjustment_id: null,
    })
    expect(adjusted.error).toBeNull()
    expect(pay()).toMatchObject({ waiting: 0, done: true })
    expect(engine.state.accounts.get('acct_a')!.balances.get('asset_usd')).toMatchObject({
      total: 1_000_000_000,
      pending_settlement_debit: 0,
    })
    checkEngine(engine)
  })
})

describe('a correction', () => {
  test.each([
    [{ approved_by: 'tester' }, 'approved_by'],
    [{ supersedes_id: 'res_none' }, 'supersedes_id'],
    [{ resolution_id: 'res_1' }, 'resolution_id'],
    [{ correction_reason: '' }, 'correction_reason'],
    [{ payouts: payouts('1', '1') }, 'payouts'],
  ])('%j is refused for its %s', (change, field) => {
    const { engine, act, final } = traded()
    final()
    const before = engine.state.engine_sequence
    expect(act({ ...CORRECTION, ...change }).error?.facts?.field).toBe(field)
    expect(engine.state.engine_sequence).toBe(before)
  })

  test('is of the newest final revision, which pays nothing any more', () => {
    const { engine, act, final, pay } = traded()
    act(PROPOSAL)
    expect(act(CORRECTION).error?.facts?.field).toBe('resolution.finality')
    pass(engine, HOUR_MS)
    act(FINALIZE)
    expect(final).toBeTypeOf('function')
    pay(1)
    expect(act(CORRECTION).data).toMatchObject({ revision: 2, finality: 'final' })
    expect(act({ ...CORRECTION, resolution_id: 'res_3' }).error?.facts?.field).toBe('supersedes_id')
    expect(pay()).toMatchObject({ kind: 'pay_resolution', paid: 0, waiting: 0, done: true })
    expect(pay(1, 'res_2')).toMatchObject({ paid: 1, done: false })
    expect(pay(1, 'res_2')).toMatchObject({ paid: 1, done: true })
    checkEngine(engine)
  })

  test('made and paid in one batch pays with the next: what was paid before is not known yet', () => {
    const { engine, maker, final, pay } = traded()
    final()
    pay()
    const [, paid] = engine.submit(
      maker.operate(CORRECTION),
      maker.operate({ kind: 'pay_resolution', resolution_id: 'res_2', limit: 10 }),
    )
    expect(JSON.parse(paid!.data!)).toMatchObject({ paid: 0, done: false })
    expect(pay(10, 'res_2')).toMatchObject({ paid: 2, done: true })
    checkEngine(engine)
  })

  test('that is settled leaves no position that waits for it, whoever pays', () => {
    const { engine, act, final, pay } = traded()
    const settle = (asked: string) => {
      const rows = engine.rows('settlement').filter(({ kind }) => kind === asked)
      for (const make of [submitting, concluding]) act(make(rows.map(({ settlement_id }) => settlement_id)))
      return rows.map(({ side }) => side)
    }
    final()
    pay()
    settle('resolution_payout')
    act(CORRECTION)
    pay(10, 'res_2')
    expect(settle('resolution_correction')).toEqual(['SELL', 'BUY'])
    checkEngine(engine)
  })

  test('a payout is not reversed: its resolution is corrected', () => {
    const { engine, act, final, pay } = traded()
    final()
    pay()
    const { settlement_id } = engine.rows('settlement').find(({ kind }) => kind === 'resolution_payout')!
    act(submitting([settlement_id]))
    act(concluding([settlement_id]))
    const reversal = { reversal_id: 'rev_1', reason_code: 'X', rationale: 'x', evidence: [], approved_by: 'second' }
    expect(act({ kind: 'reverse_settlement', settlement_id, ...reversal }).error?.facts?.field).toBe('settlement.kind')
  })
})

describe('a market', () => {
  test.each(['resolving', 'resolved', 'voided'] as const)('is not moved to %s but by a resolution', (to) => {
    const { act } = traded()
    act({ kind: 'move_market', market_id: 'mkt_1', to: 'closed' })
    if (to !== 'resolving') act(PROPOSAL)
    const { error } = act({ kind: 'move_market', market_id: 'mkt_1', to })
    expect(error?.message).toContain('by a resolution alone')
  })

  test('that resolves is not closed again but by a dispute', () => {
    const { act } = traded()
    act(PROPOSAL)
    expect(act({ kind: 'move_market', market_id: 'mkt_1', to: 'closed' }).error?.message).toContain(
      'by a resolution alone',
    )
  })
})

describe('marks', () => {
  const marks = (mark: string | null, mark_observation_id: string | null = 'obs_1'): SetMarks => ({
    kind: 'set_marks',
    marks: [{ market_id: 'mkt_1', outcome_id: 'out_yes', mark, mark_observation_id }],
  })

  test('are kept where they change, with the record that they are from, and are no acts', () => {
    const { engine, act } = traded()
    const acts = engine.rows('operator_act').length
    expect(act(marks('0.61')).data).toMatchObject({ changed: 1 })
    const before = engine.state.engine_sequence
    expect(act(marks('0.61')).data).toMatchObject({ changed: 0 })
    expect(act(marks('0.61', 'obs_2')).data).toMatchObject({ changed: 1 })
    expect(act(marks(null, null)).data).toMatchObject({ changed: 1 })
    expect(engine.rows('outcome_mark').map(({ mark, mark_observation_id }) => [mark, mark_observation_id])).toEqual([
      [61_000_000, 'obs_1'],
      [61_000_000, 'obs_2'],
      [null, null],
    ])
    expect([engine.rows('operator_act').length, engine.state.engine_sequence]).toEqual([acts, before])
    checkEngine(engine)
  })

  test('of an outcome that is not listed are refused, and none of the others is taken', () => {
    const { engine, act } = traded()
    const unknown = { market_id: 'mkt_1', outcome_id: 'out_x', mark: '0.5', mark_observation_id: null }
    const asked = { ...marks('0.61'), marks: [...marks('0.61').marks, unknown] }
    expect(act(asked).error?.facts?.field).toBe('outcome_id')
    expect(engine.rows('outcome_mark')).toEqual([])
  })
})
