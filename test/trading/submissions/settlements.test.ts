import { describe, expect, test } from 'vitest'
import type {
  ConcludedSettlements,
  ReverseSettlement,
  SubmittedSettlements,
} from '../../../trading/engine/settlement-commands.ts'
import type { AdjustFill, OperatorCommand } from '../../../trading/engine/submission.ts'
import { attemptOf, concluding, SILENT, submitting } from '../../support/trading/settling.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from '../support/check-invariants.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

const usd = (text: string) => Math.round(Number(text) * 1_000_000)

/** acct_a buys 10 at 0.60 from acct_b, who is short by it then. */
function traded() {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b'], '1000'))
  engine.ask(maker.place('acct_b', { side: 'SELL', quantity: '10', limit_price: '0.60' }))
  engine.ask(maker.place('acct_a', { quantity: '10', limit_price: '0.60' }))
  const fills = engine.rows('fill')
  const [bought, sold] = ['BUY', 'SELL'].map((side) => fills.find((fill) => fill.side === side)!) as [
    (typeof fills)[0],
    (typeof fills)[0],
  ]
  const act = <D = Record<string, unknown>>(command: OperatorCommand) => engine.ask<D>(maker.operate(command))
  const ids = [bought.settlement_id, sold.settlement_id]
  const row = (settlement_id: string) => engine.rows('settlement').find((one) => one.settlement_id === settlement_id)!
  const states = () => ids.map((id) => row(id).state)
  const settle = () => [act(submitting(ids)), act(concluding(ids))]
  return { engine, maker, act, bought, sold, ids, row, states, settle }
}

const money = (engine: MemoryEngine, account_id: string) =>
  engine.state.accounts.get(account_id)!.balances.get('asset_usd')!

const REVERSAL: Omit<ReverseSettlement, 'settlement_id'> = {
  kind: 'reverse_settlement',
  reversal_id: 'rev_1',
  reason_code: 'SETTLEMENT_REVERSED',
  rationale: 'the rail took it back',
  evidence: [],
  approved_by: 'second',
}

describe('attempts', () => {
  test('tell the rail amounts and number; the same one again is told again, another one is refused', () => {
    const { act, ids, bought, engine, states } = traded()
    const first = act<SubmittedSettlements>(submitting(ids)).data.attempts
    expect(first[0]).toEqual({
      result: 'submitted',
      instruction: {
        settlement_id: ids[0],
        attempt_id: attemptOf(ids[0]!, 1),
        attempt_number: 1,
        account_id: 'acct_a',
        market_id: 'mkt_1',
        outcome_id: 'out_yes',
        asset_id: 'asset_usd',
        side: 'BUY',
        quantity: 1000,
        notional: usd('6'),
        fee: bought.fee,
      },
    })
    expect(states()).toEqual(['submitted', 'submitted'])
    expect(act<SubmittedSettlements>(submitting(ids)).data.attempts).toEqual(first)
    expect(engine.rows('settlement_transition')).toHaveLength(2)
    expect(act<SubmittedSettlements>(submitting(ids, 2)).data.attempts[1]).toEqual({
      result: 'refused',
      settlement_id: ids[1],
      attempt_id: attemptOf(ids[1]!, 2),
      state: 'submitted',
    })
    checkEngine(engine)
  })

  test('that come with their confirmation begin and end in one: two moves, one effect, and the same again tells it again', () => {
    const { act, ids, row, engine, states } = traded()
    const { attempts, ...submit } = submitting(ids)
    const confirmation = { ...SILENT, external_reference: 'book/1' }
    const command = { ...submit, attempts: attempts.map((attempt) => ({ ...attempt, confirmation })) }
    const told = ids.map((settlement_id) => ({
      result: 'confirmed',
      settlement_id,
      attempt_id: attemptOf(settlement_id, 1),
    }))
    for (const _ of [1, 2]) expect(act<SubmittedSettlements>(command).data.attempts).toEqual(told)
    expect(states()).toEqual(['confirmed', 'confirmed'])
    const moves = engine.rows('settlement_transition').map(({ from_state, state }) => [from_state, state])
    expect(moves).toEqual(
      [1, 2].flatMap(() => [
        ['pending', 'submitted'],
        ['submitted', 'confirmed'],
      ]),
    )
    const [attempt] = engine.rows('settlement_attempt')
    expect(attempt).toMatchObject({
      state: 'confirmed',
      external_reference: 'book/1',
      concluded_at: attempt!.submitted_at,
    })
    expect(row(ids[0]!)).toMatchObject({ attempt_count: 1, projection_version: 3, confirmed_at: attempt!.submitted_at })
    expect(money(engine, 'acct_a').pending_settlement_debit).toBe(0)
    checkEngine(engine)
  })

  test('under way already are not confirmed by the same attempt that comes with a confirmation', () => {
    const { act, ids, states } = traded()
    const { attempts, ...submit } = submitting(ids)
    act(submitting(ids))
    const command = { ...submit, attempts: attempts.map((attempt) => ({ ...attempt, confirmation: SILENT })) }
    const told = act<SubmittedSettlements>(command).data.attempts
    expect(told.map(({ result }) => result)).toEqual(['submitted', 'submitted'])
    expect(states()).toEqual(['submitted', 'submitted'])
  })

  test('of what is not known, and under the id of another settlement’s, are refused; the others begin', () => {
    const { act, ids, states } = traded()
    act(submitting([ids[0]!]))
    const attempts = [
      { settlement_id: 'stl_none', attempt_id: 'att_x' },
      { settlement_id: ids[1]!, attempt_id: attemptOf(ids[0]!, 1) },
      { settlement_id: ids[1]!, attempt_id: 'att_y' },
    ]
    const { data } = act<SubmittedSettlements>({ kind: 'submit_settlements', rail: 'test', attempts })
    expect(data.attempts.map((one) => (one.result === 'refused' ? one.state : one.result))).toEqual([
      null,
      'pending',
      'submitted',
    ])
    expect(states()).toEqual(['submitted', 'submitted'])
  })

  test('the same act again begins and ends nothing, and is answered as things are', () => {
    const { engine, maker, ids } = traded()
    const submit = maker.operate(submitting(ids))
    const first = engine.ask<SubmittedSettlements>(submit)
    const again = engine.ask<SubmittedSettlements>(submit)
    expect(again).toMatchObject({ replayed: true, data: { attempts: first.data.attempts } })
    const conclude = maker.operate(concluding(ids))
    expect(engine.ask<ConcludedSettlements>(conclude).data.settlements[0]).toMatchObject({ applied: true })
    const entries = engine.rows('ledger_entry').length
    expect(engine.ask<ConcludedSettlements>(conclude)).toMatchObject({
      replayed: true,
      data: { settlements: [{ state: 'confirmed', applied: false }, { state: 'confirmed' }] },
    })
    expect(engine.rows('ledger_entry')).toHaveLength(entries)
  })

  test('move money once, however often they are concluded, and however', () => {
    const { engine, act, ids, states } = traded()
    act(submitting(ids))
    const twice = { kind: 'conclude_settlements', results: [0, 0].flatMap(() => concluding(ids).results) } as const
    expect(act<ConcludedSettlements>(twice).data.settlements.map(({ applied }) => applied)).toEqual([
      true,
      true,
      false,
      false,
    ])
    const total = money(engine, 'acct_a').total
    expect(act<ConcludedSettlements>(concluding(ids, 'failed')).data.settlements[0]).toMatchObject({
      state: 'confirmed',
      applied: false,
    })
    expect(states()).toEqual(['confirmed', 'confirmed'])
    expect(money(engine, 'acct_a').total).toBe(total)
    checkEngine(engine)
  })

  test('that failed stay failed: a late confirmation moves nothing, a new attempt does', () => {
    const { engine, act, ids, row, states } = traded()
    act(submitting(ids))
    act(concluding(ids, 'failed'))
    expect(states()).toEqual(['failed', 'failed'])
    expect(act<ConcludedSettlements>(concluding(ids)).data.settlements[0]).toMatchObject({
      state: 'failed',
      applied: false,
    })
    expect(act<SubmittedSettlements>(submitting(ids)).data.attempts[0]).toMatchObject({ result: 'refused' })
    act(submitting(ids, 2))
    // What the rail says of the first attempt is not of the one that is under way.
    expect(act<ConcludedSettlements>(concluding(ids)).data.settlements[0]).toMatchObject({ applied: false })
    act(concluding(ids, 'confirmed', 2))
    expect(row(ids[0]!)).toMatchObject({ state: 'confirmed', attempt_count: 2, attempt_id: attemptOf(ids[0]!, 2) })
    const moves = engine.rows('settlement_transition').filter(({ settlement_id }) => settlement_id === ids[0])
    expect(moves.map(({ from_state, state }) => `${from_state} ${state}`)).toEqual([
      'pending submitted',
      'submitted failed',
      'failed submitted',
      'submitted confirmed',
    ])
    expect(moves[0]).toMatchObject({ actor: 'tester', reason: 'test', attempt_id: attemptOf(ids[0]!, 1) })
    const events = engine.rows('engine_event').filter(({ kind }) => kind === 'settlement')
    expect(events.at(2)!.body).toMatchObject({
      state: 'failed',
      attempt_number: 1,
      failure_code: 'SETTLEMENT_RAIL_UNAVAILABLE',
    })
    expect(engine.rows('settlement_attempt').filter(({ settlement_id }) => settlement_id === ids[0])).toMatchObject([
      { attempt_number: 1, state: 'failed', retryable: true, next_action: 'retry' },
      { attempt_number: 2, state: 'confirmed', failure_code: null },
    ])
    checkEngine(engine)
  })

  test.each([
    ['a failure without a code', { result: 'failed', failure_code: null }],
    ['a confirmation with one', { result: 'confirmed', failure_code: 'SETTLEMENT_REVERSED' }],
  ] as const)('%s is refused, and nothing of its command happens', (_, change) => {
    const { engine, act, ids, states } = traded()
    act(submitting(ids))
    const before = engine.state.engine_sequence
    const results = concluding(ids).results.map((one, n) => (n === 1 ? { ...one, ...change } : one))
    expect(act({ kind: 'conclude_settlements', results }).error?.facts?.field).toBe('failure_code')
    expect([states(), engine.state.engine_sequence]).toEqual([['submitted', 'submitted'], before])
  })

  test('conclude their own settlement alone', () => {
    const { act, ids, states } = traded()
    act(submitting(ids))
    const results = concluding([ids[0]!]).results.map((one) => ({ ...one, settlement_id: ids[1]! }))
    expect(act<ConcludedSettlements>({ kind: 'conclude_settlements', results }).data.settlements[0]).toMatchObject({
      applied: false,
    })
    expect(states()).toEqual(['submitted', 'submitted'])
  })

  test('what was not known before is told so', () => {
    const { act } = traded()
    const { data } = act<ConcludedSettlements>(concluding(['stl_none']))
    expect(data.settlements).toEqual([
      { settlement_id: 'stl_none', attempt_id: attemptOf('stl_none', 1), state: 'unknown', applied: false },
    ])
  })
})

describe('reversals', () => {
  test.each([
    [{ approved_by: 'tester' }, 'approved_by'],
    [{ approved_by: '' }, 'approved_by'],
    [{ settlement_id: 'stl_none' }, 'settlement_id'],
    [{ reversal_id: '' }, 'reversal_id'],
  ])('%j is refused for its %s', (change, field) => {
    const { engine, act, ids, settle } = traded()
    settle()
    const before = engine.state.engine_sequence
    expect(act({ ...REVERSAL, settlement_id: ids[0]!, ...change }).error?.facts?.field).toBe(field)
    expect(engine.state.engine_sequence).toBe(before)
  })

  test('are of confirmed settlements alone, once, each under an id of its own', () => {
    const { engine, act, ids, settle, row } = traded()
    expect(act({ ...REVERSAL, settlement_id: ids[0]! }).error?.facts?.field).toBe('settlement.state')
    settle()
    expect(act({ ...REVERSAL, settlement_id: ids[0]! }).data).toMatchObject({ state: 'reversed' })
    expect(act({ ...REVERSAL, settlement_id: ids[0]! }).error?.facts?.field).toBe('settlement.state')
    expect(act({ ...REVERSAL, settlement_id: ids[1]! }).error?.facts?.field).toBe('reversal_id')
    expect(act<SubmittedSettlements>(submitting(ids, 2)).data.attempts[0]).toMatchObject({ state: 'reversed' })
    expect(row(ids[0]!)).toMatchObject({ state: 'reversed', reversal_id: 'rev_1' })
    expect(engine.rows('settlement_reversal')).toMatchObject([{ settlement_id: ids[0], shortfall: 0 }])
    checkEngine(engine)
  })
})

describe('adjustments and settlements', () => {
  const adjusting = (fill_id: string, change: Partial<AdjustFill> = {}): AdjustFill => ({
    kind: 'adjust_fill',
    adjustment_id: `adj_${fill_id}_${JSON.stringify(change).length}`,
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

  test('an adjustment waits until the attempt has been concluded', () => {
    const { engine, act, ids, bought, row } = traded()
    act(submitting(ids))
    expect(act(adjusting(bought.fill_id)).error?.facts?.field).toBe('settlement.state')
    act(concluding(ids, 'failed'))
    expect(act(adjusting(bought.fill_id)).error).toBeNull()
    expect(row(ids[0]!)).toMatchObject({ state: 'failed', quantity: 0, notional: 0, fee: 0 })
    expect(engine.state.accounts.get('acct_a')!.positions.get('out_yes')!.open_settlements).toBe(0)
    checkEngine(engine)
  })

  test('what was adjusted to nothing may still be confirmed, and moves nothing', () => {
    const { engine, act, ids, bought, row } = traded()
    act(adjusting(bought.fill_id))
    const entries = engine.rows('ledger_entry').length
    act(submitting([ids[0]!]))
    act(concluding([ids[0]!]))
    expect(row(ids[0]!).state).toBe('confirmed')
    expect(engine.rows('ledger_entry')).toHaveLength(entries)
    expect(act({ ...REVERSAL, settlement_id: ids[0]! }).error?.facts?.field).toBe('settlement.notional')
    checkEngine(engine)
  })

  test('what was adjusted after its confirmation is taken back as it came to be', () => {
    const { engine, act, ids, bought, sold, settle, row } = traded()
    settle()
    const change = { adjustment_type: 'amend', notional_delta: '-0.5', fee_delta: '-0.01' } as const
    act(adjusting(bought.fill_id, change))
    act(adjusting(sold.fill_id, change))
    expect(row(ids[0]!)).toMatchObject({ state: 'confirmed', notional: usd('5.5'), fee: bought.fee - usd('0.01') })
    for (const [n, settlement_id] of ids.entries()) act({ ...REVERSAL, reversal_id: `rev_${n}`, settlement_id })
    checkEngine(engine)
    expect(money(engine, 'acct_a')).toMatchObject({
      total: usd('1000'),
      pending_settlement_debit: usd('5.5') + bought.fee - usd('0.01'),
    })
    expect(money(engine, 'acct_b').total).toBe(usd('1000'))
    act(adjusting(bought.fill_id))
    act(adjusting(sold.fill_id))
    checkEngine(engine)
    for (const account_id of ['acct_a', 'acct_b']) {
      expect(money(engine, account_id)).toMatchObject({
        total: usd('1000'),
        reserved: 0,
        pending_settlement_debit: 0,
        pending_settlement_credit: 0,
      })
    }
  })
})
