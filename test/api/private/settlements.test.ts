import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import type { Settlement } from '../../../protocol/resources/settlement.ts'
import { SETTLEMENT_STATES } from '../../../vocabulary/settlement.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import {
  type AccountName,
  type Got,
  MARKET_ID,
  OUTCOME_ID,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'
import { attemptOf, concluding, submitting } from '../../support/trading/settling.ts'

const database = withDatabase()
let served: ServedAccounts
/** Positions at the moment when each state was the newest. */
const moments: { readonly at: string; readonly positions: unknown }[] = []
const ids: string[] = []

const get = async (operation_id: PrivateOperationId, url: string, account: AccountName = 'acct_a'): Promise<Got> => {
  const got = await served.call({ method: 'GET', url: `/v1${url}`, key: served.keys[account] })
  assertDescribed(operation_id, got)
  return got
}
const list = async (query = ''): Promise<readonly Settlement[]> =>
  (await get('list_settlements', `/settlements${query}`)).body.data
const one = async (settlement_id: string): Promise<Settlement> =>
  (await get('get_settlement', `/settlements/${settlement_id}`)).body.data
const place = async (account: AccountName, wanted: Parameters<ServedAccounts['order']>[0]) => {
  const body = await served.order(wanted, account)
  const got = await served.call({ method: 'POST', url: '/v1/orders', body, key: served.keys[account] })
  expect(got.status, got.text).toBe(201)
}
const stable = (rows: readonly Record<string, unknown>[]) => rows.map(({ as_of: _, ...row }) => row)
const remember = async (): Promise<void> => {
  const positions = stable((await get('list_positions', '/positions')).body.data)
  moments.push({ at: formatMicros(wallClock()), positions })
  await new Promise((resolve) => setTimeout(resolve, 10))
}
const adjust = (fill_id: string, adjustment_id: string, notional_delta: string | null) =>
  served.act({
    kind: 'adjust_fill',
    adjustment_id,
    fill_id,
    adjustment_type: notional_delta === null ? 'bust' : 'amend',
    quantity_delta: null,
    notional_delta,
    fee_delta: null,
    reason_code: 'OBVIOUS_ERROR',
    rationale: 'a test',
    evidence: ['case-1'],
    approved_by: 'second',
    supersedes_adjustment_id: null,
  })

/** Six trades of 10 at 0.40: pending, submitted, failed and then confirmed, reversed, adjusted, adjusted to nothing. */
beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
  for (let n = 0; n < 6; n += 1) {
    await place('acct_b', { side: 'SELL', limit_price: '0.40', quantity: '10' })
    await place('acct_a', { limit_price: '0.40', quantity: '10' })
    const [newest] = (await get('list_fills', '/fills?limit=1')).body.data
    ids.push(newest.settlement_id)
    await remember()
  }
  const [, submitted, failed, reversed, adjusted, busted] = ids as [string, string, string, string, string, string]
  await served.act(submitting([submitted, failed, reversed]))
  await remember()
  await served.act(concluding([failed], 'failed'))
  await served.act(concluding([reversed]))
  await remember()
  await served.act(submitting([failed], 2))
  await served.act(concluding([failed], 'confirmed', 2))
  await remember()
  await served.act({
    kind: 'reverse_settlement',
    reversal_id: 'rev_1',
    settlement_id: reversed,
    reason_code: 'RAIL_RETURNED',
    rationale: 'the rail took it back',
    evidence: ['case-2'],
    approved_by: 'second',
  })
  await adjust(adjusted.replace('stl', 'fill'), 'adj_1', '-0.5')
  await adjust(busted.replace('stl', 'fill'), 'adj_2', null)
  await remember()
}, 180_000)
afterAll(() => served.close())

describe('one settlement', () => {
  test('pending: of its fill, with what it comes to, and no attempt', async () => {
    const found = await one(ids[0]!)
    expect(found).toMatchObject({
      state: 'pending',
      kind: 'trade_settlement',
      fill_ids: [ids[0]!.replace('stl', 'fill')],
      side: 'BUY',
      quantity: '10.00',
      amount: '4.000000',
      // 0.02 x 0.40 x 10
      fee: '0.080000',
      net_amount: '-4.080000',
      rail: null,
      attempts: [],
      confirmed_at: null,
      reversal: null,
      redemption_id: null,
      projection_version: 1,
    })
    expect(found.transitions).toEqual([
      {
        from_state: null,
        state: 'pending',
        attempt_id: null,
        actor: 'engine',
        reason: 'matched',
        engine_sequence: found.engine_sequence,
        at: found.created_at,
      },
    ])
  })

  test('the other side receives: the amount without a fee, for its order rested', async () => {
    const { data } = (await get('list_settlements', '/settlements', 'acct_b')).body
    expect(data.at(-1)).toMatchObject({ side: 'SELL', amount: '4.000000', fee: '0.000000', net_amount: '4.000000' })
  })

  test('failed, then confirmed by a second attempt: both are kept', async () => {
    const id = ids[2]!
    const found = await one(id)
    expect(found.state).toBe('confirmed')
    expect(found.attempts.map(({ attempt_id, attempt_number, state }) => [attempt_id, attempt_number, state])).toEqual([
      [attemptOf(id, 1), 1, 'failed'],
      [attemptOf(id, 2), 2, 'confirmed'],
    ])
    expect(found.attempts[0]).toMatchObject({
      failure_code: 'SETTLEMENT_RAIL_UNAVAILABLE',
      retryable: true,
      next_action: 'retry',
      rail: 'test',
      chain_id: null,
    })
    expect(found.transitions.map(({ from_state, state }) => [from_state, state])).toEqual([
      [null, 'pending'],
      ['pending', 'submitted'],
      ['submitted', 'failed'],
      ['failed', 'submitted'],
      ['submitted', 'confirmed'],
    ])
    expect(found.transitions.at(-1)).toMatchObject({ actor: 'tester', reason: 'test', at: found.confirmed_at })
    expect([found.rail, found.projection_version, found.engine_sequence]).toEqual([
      'test',
      5,
      found.transitions.at(-1)!.engine_sequence,
    ])
  })

  test('reversed: by whom and why', async () => {
    const found = await one(ids[3]!)
    expect([found.state, found.reversal_id]).toEqual(['reversed', 'rev_1'])
    expect(found.reversal).toMatchObject({
      settlement_id: ids[3],
      reason_code: 'RAIL_RETURNED',
      evidence: ['case-2'],
      actor: 'tester',
      approved_by: 'second',
    })
  })

  test('adjusted: its amount is as adjusted, and it says by what', async () => {
    expect(await one(ids[4]!)).toMatchObject({ amount: '3.500000', adjustment_ids: ['adj_1'], state: 'pending' })
    expect(await one(ids[5]!)).toMatchObject({ amount: '0.000000', quantity: '0.00', adjustment_ids: ['adj_2'] })
  })

  test('none, and one of another account: the same answer', async () => {
    const absent = await get('get_settlement', '/settlements/stl_absent')
    const foreign = await get('get_settlement', `/settlements/${ids[0]}`, 'acct_b')
    assertRefused('get_settlement', absent, 'SETTLEMENT_NOT_FOUND')
    assertRefused('get_settlement', foreign, 'SETTLEMENT_NOT_FOUND')
    expect(foreign.body.error.message.replace(ids[0]!, 'X')).toBe(absent.body.error.message.replace('stl_absent', 'X'))
  })
})

describe('the list', () => {
  test('the one that moved last first; ids decide between equals', async () => {
    const all = await list()
    const sorted = all.toSorted((x, y) =>
      x.updated_at === y.updated_at
        ? x.settlement_id < y.settlement_id
          ? 1
          : -1
        : x.updated_at < y.updated_at
          ? 1
          : -1,
    )
    expect([all.length, all]).toEqual([6, sorted])
    for (const settlement of all) expect(settlement).toEqual(await one(settlement.settlement_id))
  })

  test('every filter says what it says', async () => {
    const all = await list()
    const [newest] = all
    const queries: readonly [string, (settlement: Settlement) => boolean][] = [
      ...SETTLEMENT_STATES.map(
        (state) => [`state=${state}`, (found: Settlement) => found.state === state] satisfies [string, unknown],
      ),
      ['kind=trade_settlement', () => true],
      ['kind=resolution_payout', () => false],
      [`market_id=${MARKET_ID}`, () => true],
      ['market_id=mkt_other', () => false],
      [`fill_id=${ids[1]!.replace('stl', 'fill')}`, ({ settlement_id }) => settlement_id === ids[1]],
      ['asset_id=asset_usd', () => true],
      ['asset_id=asset_other', () => false],
      [`created_after=${all[2]!.created_at}`, ({ created_at }) => created_at >= all[2]!.created_at],
      [`updated_after=${newest!.updated_at}`, ({ updated_at }) => updated_at >= newest!.updated_at],
      [`created_before=${all[1]!.created_at}`, ({ created_at }) => created_at < all[1]!.created_at],
      [`updated_before=${newest!.updated_at}`, ({ updated_at }) => updated_at < newest!.updated_at],
      [`state=confirmed&fill_id=${ids[2]!.replace('stl', 'fill')}`, ({ settlement_id }) => settlement_id === ids[2]],
    ]
    for (const [query, fits] of queries) expect([query, await list(`?${query}`)]).toEqual([query, all.filter(fits)])
  })

  test('an unknown state and an unknown filter are refused', async () => {
    assertRefused(
      'list_settlements',
      await get('list_settlements', '/settlements?state=done'),
      'VALIDATION_PARAMETER_INVALID',
    )
    assertRefused(
      'list_settlements',
      await get('list_settlements', '/settlements?outcome_id=out_a'),
      'VALIDATION_PARAMETER_UNKNOWN',
    )
  })

  test('pages put together are the list', async () => {
    const found: Settlement[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { body } = await get('list_settlements', `/settlements?limit=2${from}`)
      found.push(...body.data)
      cursor = body.page.next_cursor
    }
    expect(found).toEqual(await list())
  })
})

describe('what settlements mean for fills and positions', () => {
  test('a fill shows the state of its settlement, and stays as it was otherwise', async () => {
    for (const settlement_id of ids) {
      const fill = (await get('get_fill', `/fills/${settlement_id.replace('stl', 'fill')}`)).body.data
      const { state } = await one(settlement_id)
      expect(fill).toMatchObject({ settlement_id, settlement_state: state, quantity: '10.00', notional: '4.000000' })
    }
    for (const state of ['pending', 'submitted', 'confirmed', 'reversed']) {
      const fills = (await get('list_fills', `/fills?settlement_state=${state}`)).body.data as {
        settlement_id: string
      }[]
      expect(fills.map(({ settlement_id }) => settlement_id).sort()).toEqual(
        (await list(`?state=${state}`)).map(({ settlement_id }) => settlement_id).sort(),
      )
    }
  })

  test('a position waits for what is pending, submitted or failed, unless it was adjusted to nothing', async () => {
    const [position] = (await get('list_positions', '/positions')).body.data
    expect(position.pending_settlement_ids).toEqual([ids[0], ids[1], ids[4]])
    for (const [state, count] of [
      ['pending', 1],
      ['submitted', 1],
      ['confirmed', 1],
      ['reversed', 1],
      ['failed', 0],
    ] as const) {
      const found = (await get('list_positions', `/positions?outcome_id=${OUTCOME_ID}&settlement_state=${state}`)).body
        .data
      expect([state, found.length]).toEqual([state, count])
    }
  })

  test('as of every moment a position waits for what it waited for then', async () => {
    const seen = new Set<string>()
    for (const { at, positions } of moments) {
      const then = stable((await get('list_positions', `/positions?as_of=${at}`)).body.data)
      expect(then).toEqual(positions)
      seen.add(JSON.stringify(positions))
    }
    expect(seen.size).toBeGreaterThan(7)
  })

  test('redemption is no route', async () => {
    const got = await served.call({ method: 'POST', url: `/v1/settlements/${ids[0]}/redeem`, body: {} })
    expect(got.status).toBe(404)
  })
})
