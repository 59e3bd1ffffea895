import { describe, expect, test } from 'vitest'
import type { Api, Query } from '../../console/data/api-client.ts'
import { multiplyDecimals, roundUp } from '../../console/data/decimal-text.ts'
import { enteredAccount } from '../../console/trading/account/account.ts'
import { readReadyFile } from '../../console/trading/account/ready-file.ts'
import {
  endedOrders,
  NO_RECORDS,
  rebased,
  withAdjustment,
  withUpdate,
  workingOrders,
} from '../../console/trading/data/account-records.ts'
import { bookAfter, deepLevels, withChanges } from '../../console/trading/data/book.ts'
import { complaintsOf, emptyDraft, termsOf, usualCaps } from '../../console/trading/data/order-draft.ts'
import { createPrivateApi, type Repeat } from '../../console/trading/data/private-api.ts'
import { readLastTrades, tapeAfter } from '../../console/trading/data/tape.ts'
import type { AccountPolicy } from '../../protocol/resources/account-policy.ts'
import type { Fill } from '../../protocol/resources/fill.ts'
import type { Order } from '../../protocol/resources/order.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { Position } from '../../protocol/resources/position.ts'
import type { Trade } from '../../protocol/resources/trade.ts'

const order = (order_id: string, version: number, status: Order['status'], engine_sequence = version): Order =>
  ({ order_id, version, status, engine_sequence }) as Order

describe('records of an account', () => {
  test('what is older than what is known changes nothing, in whichever order it comes', () => {
    const told = [order('a', 2, 'partially_filled'), order('a', 3, 'filled'), order('a', 1, 'open')]
    for (const records of [told, told.toReversed(), [told[1]!, told[0]!, told[2]!]]) {
      const known = records.reduce((before, one) => withUpdate(before, { kind: 'orders', records: [one] }), NO_RECORDS)
      expect(known.orders.get('a')).toMatchObject({ version: 3, status: 'filled' })
      expect([workingOrders(known).length, endedOrders(known).length]).toEqual([0, 1])
    }
  })

  test('a new read removes records that it lacks, except those that arrived after its position', () => {
    const known = withUpdate(NO_RECORDS, {
      kind: 'orders',
      records: [order('gone', 1, 'open', 5), order('new', 1, 'open', 9)],
    })
    const read = withUpdate(NO_RECORDS, { kind: 'orders', records: [order('kept', 1, 'open', 4)] })
    expect([...rebased(read, known, 7).orders.keys()]).toEqual(['kept', 'new'])
  })

  test('an adjustment is added to its fill once; positions go by projection_version', () => {
    const fill = { fill_id: 'f', adjustment_ids: [] as string[], engine_sequence: 1 } as unknown as Fill
    const known = withUpdate(NO_RECORDS, { kind: 'fills', records: [fill] })
    const adjustment = { fill_id: 'f', adjustment_id: 'adj' } as Parameters<typeof withAdjustment>[1]
    const adjusted = withAdjustment(withAdjustment(known, adjustment), adjustment)
    expect(adjusted.fills.get('f')?.adjustment_ids).toEqual(['adj'])
    const position = (projection_version: number, net_quantity: string) =>
      ({ outcome_id: 'o', projection_version, net_quantity }) as Position
    const later = withUpdate(NO_RECORDS, { kind: 'positions', records: [position(8, '5'), position(7, '1')] })
    expect(later.positions.get('o')?.net_quantity).toBe('5')
  })
})

describe('a tape', () => {
  const trade = (source_sequence: number, correction: Trade['correction'] = null): Trade =>
    ({ trade_id: `t${source_sequence}`, source_sequence, published_at: '2026-01-01T00:00:00Z', correction }) as Trade
  const ids = (tape: readonly Trade[]) => tape.map(({ trade_id }) => trade_id)

  test('is the same whichever of what is read and told comes first, newest first and each once', () => {
    const [read, told] = [
      [trade(1), trade(2), trade(3)],
      [trade(3), trade(4)],
    ]
    const first_read = told.reduce((tape, one) => tapeAfter(tape, [one], 3), tapeAfter([], read, 3))
    const first_told = tapeAfter(
      told.reduce<readonly Trade[]>((tape, one) => tapeAfter(tape, [one], 3), []),
      read,
      3,
    )
    expect(ids(first_read)).toEqual(['t4', 't3', 't2'])
    expect(first_told).toEqual(first_read)
  })

  test('has no trade that was taken back, and a correction in the place of what it corrects', () => {
    const tape = tapeAfter([], [trade(1), trade(2)], 5)
    expect(ids(tapeAfter(tape, [trade(3, { kind: 'void', supersedes_trade_id: 't2' })], 5))).toEqual(['t1'])
    expect(ids(tapeAfter(tape, [trade(3, { kind: 'correction', supersedes_trade_id: 't1' })], 5))).toEqual(['t3', 't2'])
  })

  test('the shortest time that has enough is read, to its end', async () => {
    const now = Date.parse('2026-02-01T00:00:00Z')
    const asked: unknown[] = []
    const all = Array.from({ length: 5 }, (_, n) => ({ ...trade(n), at: now - [7.2e6, 6e6, 3e6, 2e6, 1e6][n]! }))
    const get = (async (_path: string, query: Query) => {
      asked.push([query.start_time, query.cursor])
      const found = all.filter(({ at }) => at >= Date.parse(String(query.start_time)))
      const from = Number(query.cursor ?? 0)
      const next_cursor = from + 2 < found.length ? String(from + 2) : null
      return { data: found.slice(from, from + 2), meta: {}, page: { next_cursor, has_more: next_cursor !== null } }
    }) as unknown as Api['get']
    const read = await readLastTrades({ as_of: null, get }, 'm', 3, now, new AbortController().signal)
    expect(ids(read)).toEqual(['t2', 't3', 't4'])
    expect(asked).toEqual([
      ['2026-01-31T23:59:00Z', undefined],
      ['2026-01-31T23:00:00Z', undefined],
      ['2026-01-31T23:00:00Z', '2'],
    ])
  })
})

describe('a book', () => {
  const level = (price: string, quantity: string) => {
    return { price, quantity, order_count: null, derived: false, parts: [] }
  }
  const book = (bids: OrderBook['bids'], asks: OrderBook['asks'], sequence = 1) =>
    ({ bids, asks, sequence }) as OrderBook

  test('takes whole sizes, removes at zero, and stays best first however prices are written', () => {
    const before = book([level('0.50', '10'), level('0.40', '5')], [level('0.60', '1')])
    const after = withChanges(before, book([level('0.45', '7'), level('0.50', '0.00')], [level('0.59', '2')], 2))
    expect(after.bids).toEqual([level('0.45', '7'), level('0.40', '5')])
    expect(after.asks).toEqual([level('0.59', '2'), level('0.60', '1')])
    expect(after.sequence).toBe(2)
    expect(bookAfter(null, after, 'delta')).toBeNull()
    expect(bookAfter(after, before, 'delta')).toBe(after)
    expect(bookAfter(after, before, 'read')).toBe(after)
    expect(bookAfter(after, before, 'snapshot')).toBe(before)
    expect(deepLevels(after.asks, 5).map(({ depth }) => depth)).toEqual(['2', '3'])
  })
})

describe('a ticket', () => {
  const draft = { ...emptyDraft('out_yes'), limit_price: '0.62', quantity: '100.00' }
  const place = { market_id: 'mkt_a', settlement_asset_id: 'asset_usd' }
  const policy = { account_id: 'acct_a', default_self_trade_prevention: 'cancel_maker' } as AccountPolicy

  test('has caps above what can be charged: the whole notional, and 5 % of the lesser side, rounded up', () => {
    expect(usualCaps(draft)).toEqual({ maximum_notional: '62', maximum_fee: '2.5' })
    expect(usualCaps({ ...draft, side: 'SELL' })).toEqual({ maximum_notional: '62', maximum_fee: '1.9' })
    expect(usualCaps({ ...draft, limit_price: '0.01', quantity: '0.01' })?.maximum_fee).toBe('0.000005')
    expect(usualCaps({ ...draft, limit_price: '0.333', quantity: '0.0007' })?.maximum_fee).toBe('0.000012')
    expect(usualCaps({ ...draft, quantity: '' })).toBeNull()
    expect([multiplyDecimals('0.333', '0.0007'), roundUp('0.0000116550', 6)]).toEqual(['0.0002331', '0.000012'])
  })

  test('signs decimals as they were typed, with a nonce and an id of its own', () => {
    const [one, other] = [termsOf(draft, place, policy), termsOf(draft, place, policy)]
    expect(one).toMatchObject({ ...place, limit_price: '0.62', quantity: '100.00', expires_at: null })
    expect(one).toMatchObject({ account_id: 'acct_a', self_trade_prevention: 'cancel_maker' })
    const chosen = termsOf({ ...draft, self_trade_prevention: 'cancel_both' }, place, policy)
    expect(chosen.self_trade_prevention).toBe('cancel_both')
    expect(one.order_nonce).not.toBe(other.order_nonce)
    expect(one.client_order_id).not.toBe(other.client_order_id)
    expect(one.client_order_id).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  })

  test('says field, value and what is allowed', () => {
    const wrong = { ...draft, limit_price: '.5', quantity: '-1', time_in_force: 'GTD', expires_at: 'soon' } as const
    expect(complaintsOf(wrong).map(({ field }) => field)).toEqual(['limit_price', 'quantity', 'expires_at'])
    expect(complaintsOf(wrong)[0]!.message).toContain('limit_price is ".5"; allowed: a decimal')
    expect(complaintsOf({ ...draft, time_in_force: 'GTD', expires_at: '2030-01-17 12:00' })).toEqual([])
    expect(complaintsOf({ ...draft, time_in_force: 'GTD', expires_at: '2030-01-17 12:00:00.5' })).toHaveLength(1)
  })
})

describe('an account', () => {
  const account = {
    account_id: 'acct_a',
    key_id: 'key_a',
    secret: 'a'.repeat(64),
    owner_private_key: `0x${'b'.repeat(64)}`,
  }
  const file = (environment: string, accounts: unknown) => JSON.stringify({ environment, sandbox_accounts: accounts })

  test('of a ready file is read for its own environment alone, and never in production', () => {
    expect(readReadyFile(file('sandbox', [account, { key_id: 1 }]), 'sandbox')).toEqual({
      accounts: [expect.objectContaining({ account_id: 'acct_a', signer_private_key: account.owner_private_key })],
    })
    const complaint = (text: string, environment: string) => readReadyFile(text, environment) as { complaint: string }
    expect(complaint('{', 'sandbox').complaint).toContain('not JSON')
    expect(complaint(file('sandbox', []), 'sandbox').complaint).toContain('no sandbox_accounts')
    expect(complaint(file('sandbox', [account]), 'other').complaint).toContain('this service is "other"')
    expect(complaint(file('production', [account]), 'production').complaint).toContain(
      'Private keys are not accepted in production',
    )
  })

  test('that is typed is refused without its secrets in the sentence', () => {
    const entered = enteredAccount('production', {
      key_id: 'mine',
      secret: 'hunter2',
      private_key: `0x${'c'.repeat(64)}`,
    })
    const { complaints } = entered as { complaints: readonly string[] }
    expect(complaints).toHaveLength(3)
    expect(complaints.join()).not.toMatch(/hunter2|cccc/)
  })
})

describe('signed requests', () => {
  type Sent = { readonly url: string; readonly headers: Record<string, string>; readonly body: string }
  function world(...answers: readonly (readonly [status: number, body: unknown] | Error)[]) {
    const sent: Sent[] = []
    const waits: number[] = []
    const key = { key_id: 'key_0123456789abcdef', secret: 'a'.repeat(64), environment: 'sandbox' }
    const api = createPrivateApi(key, {
      fetch: async (url, { headers, body }) => {
        const answer =
          answers[sent.push({ url, headers: headers as Record<string, string>, body: String(body ?? '') }) - 1]!
        if (answer instanceof Error) throw answer
        return new Response(JSON.stringify(answer[1]), { status: answer[0] })
      },
      wait: async (millis) => void waits.push(millis),
      now: () => 1_790_000_000_000,
      random: () => 0.5,
    })
    return { api, sent, waits }
  }
  const failure = (status: number, code: string, more = {}) =>
    [status, { error: { code, message: 'why', retryable: true, request_id: 'req', ...more } }] as const
  const done = [201, { data: { order_id: 'ord_1' }, meta: {} }] as const

  test('a lost answer, an unknown outcome and a busy service are asked again, each time with another nonce, under one key', async () => {
    const { api, sent, waits } = world(
      new TypeError('lost'),
      failure(504, 'OUTCOME_UNKNOWN'),
      failure(429, 'RATE', { retry_after_ms: 70 }),
      done,
    )
    const repeats: Repeat[] = []
    const { data } = await api.write<Order>({ path: '/orders', body: { a: 1 } }, (repeat) => repeats.push(repeat))
    expect(data.order_id).toBe('ord_1')
    expect(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1)
    expect(new Set(sent.map(({ headers }) => headers['SVC-Access-Nonce'])).size).toBe(4)
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
    expect(repeats.map(({ error, attempt }) => [error.code, attempt])).toEqual([
      ['UNREACHABLE', 1],
      ['OUTCOME_UNKNOWN', 2],
      ['RATE', 3],
    ])
    expect(waits[2]).toBe(70)
  })

  test('a clock that is off is put right by what the service says', async () => {
    const server_time_ms = 1_790_000_055_000
    const { api, sent } = world(failure(401, 'AUTH_TIMESTAMP_OUT_OF_WINDOW', { server_time_ms }), done)
    await api.get('/orders', { limit: 1 }, new AbortController().signal)
    expect(sent.map(({ headers }) => headers['SVC-Access-Timestamp'])).toEqual([
      '1790000000000',
      String(server_time_ms),
    ])
    expect(api.now()).toBe(server_time_ms)
  })

  test('a refusal is not repeated, and keeps what it carries', async () => {
    const { api, sent } = world([
      422,
      { ...failure(422, 'BALANCE_INSUFFICIENT_COLLATERAL')[1], data: { order_id: 'ord_2' } },
    ])
    const error = await api.write({ path: '/orders', body: {} }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'BALANCE_INSUFFICIENT_COLLATERAL', data: { order_id: 'ord_2' } })
    expect(sent.length).toBe(1)
  })
})
