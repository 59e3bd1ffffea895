import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { WOULD_FILL } from '../../../protocol/limits.ts'
import type { OrderPreview } from '../../../protocol/resources/order-preview.ts'
import { createTapeReads } from '../../../trading/store/read/tape-reads.ts'
import { listingOf, pastOutcome, previewPast } from '../../../trading/store/read/walk-past.ts'
import { bustCommand } from '../../support/trading/bust-command.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import {
  type AccountName,
  MARKET_ID,
  OUTCOME_ID,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'
import { whileHeld } from '../../support/trading/while-held.ts'

const database = withDatabase()
let served: ServedAccounts
/** Instants: before the market was listed; with bids of 6 at 0.40; after 8 were sold; after the first of these trades was undone. */
let [unlisted, rested, sold, undone]: Micros[] = []

const head = async () => (await served.trading.reads.head()).at
const place = async (account: AccountName, wanted: Parameters<ServedAccounts['order']>[0]) => {
  const body = await served.order(wanted, account)
  const got = await served.call({ method: 'POST', url: '/v1/orders', body, key: served.keys[account] })
  expect(got.status, got.text).toBe(201)
}
const ask = async (more: Record<string, unknown>, wanted: Parameters<ServedAccounts['order']>[0] = {}) => {
  const order = await served.order({ limit_price: '0.40', ...wanted }, 'acct_a')
  return served.call({ method: 'POST', url: '/v1/orders/preview', body: { ...order, ...more }, idempotency_key: null })
}
const preview = async (as_of: Micros, until: Micros, wanted: Parameters<ServedAccounts['order']>[0] = {}) => {
  const got = await ask({ as_of: formatMicros(as_of), until: formatMicros(until) }, wanted)
  expect(got.status, got.text).toBe(200)
  assertDescribed('preview_order', got)
  return got.body.data as OrderPreview
}
const asked = {
  market_id: MARKET_ID,
  outcome_id: OUTCOME_ID,
  side: 'BUY',
  limit_price: '0.40',
  quantity: '10',
  time_in_force: 'GTC',
  expires_at: null,
  post_only: false,
  settlement_asset_id: 'asset_usd',
} as const

beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
  const first = await served.pool.query<{ at: Micros }>('SELECT min(at) AS at FROM trading.engine_batch')
  unlisted = first.rows[0]!.at
  await place('acct_b', { limit_price: '0.40', quantity: '6' })
  await place('acct_b', { side: 'SELL', limit_price: '0.45', quantity: '3' })
  await place('acct_b', { side: 'SELL', limit_price: '0.60', quantity: '5' })
  rested = await head()
  await place('acct_b', { limit_price: '0.40', quantity: '9' })
  await place('acct_a', { side: 'SELL', limit_price: '0.40', quantity: '8' })
  sold = await head()
  const { rows } = await served.pool.query<{ fill_id: string; quantity: string; trade_id: string }>(
    'SELECT fill_id, quantity, trade_id FROM trading.fill ORDER BY engine_sequence',
  )
  const second_trade = rows.at(-1)!.trade_id
  for (const [nth, { fill_id }] of rows.filter(({ trade_id }) => trade_id === second_trade).entries()) {
    await served.act(bustCommand(fill_id, `adj_${nth}`))
  }
  undone = await head()
}, 180_000)
afterAll(() => served.close())

test('an order behind six fills with what is sold beyond them, and tells by when', async () => {
  const { status, would_fill, as_of, working_quantity, reserved_amount } = await preview(rested!, sold!)
  expect({ status, as_of, working_quantity, reserved_amount }).toEqual({
    status: 'accepted',
    as_of: formatMicros(rested!),
    working_quantity: '10.00',
    reserved_amount: null,
  })
  expect(would_fill!.book.bids).toEqual([{ price: '0.40', quantity: '6.00', order_count: 1 }])
  expect(would_fill!.book.asks.map(({ price }) => price)).toEqual(['0.45', '0.60'])
  expect(would_fill!.taken).toMatchObject({ quantity: '0.00', average_price: null, fee: '0.000000', levels: [] })
  expect(would_fill!.resting).toEqual({
    quantity: '10.00',
    price: '0.40',
    ahead_quantity: '6.00',
    ahead_order_count: 1,
  })
  expect(would_fill!.pessimistic).toMatchObject({
    filled_quantity: '2.00',
    remaining_quantity: '8.00',
    completed_at: null,
  })
  const [fill] = would_fill!.pessimistic.fills
  expect(fill).toMatchObject({
    quantity: '2.00',
    price: '0.40',
    cumulative_quantity: '2.00',
    trade_id: expect.stringMatching(/^trd_\d+$/),
  })
  expect(fill!.filled_at <= would_fill!.until).toBe(true)
  expect(would_fill!.optimistic).toEqual(would_fill!.pessimistic)
  expect([would_fill!.end_reason, would_fill!.ended_at]).toEqual(['until', formatMicros(sold!)])
  expect(would_fill!.assumptions.length).toBeGreaterThan(4)
})

test('what is taken at once has its levels and the exact fee; the fee schedule is named', async () => {
  const { would_fill, average_executable_price, maximum_fee_charged } = await preview(rested!, sold!, {
    limit_price: '0.60',
    quantity: '4',
  })
  // 0.02 x (0.45 x 3 + 0.40 x 1), and at most 0.02 x 0.50 x 4.
  expect(would_fill!.taken).toEqual({
    quantity: '4.00',
    average_price: '0.4875000000',
    fee: '0.035000',
    schedule_id: 'fee_1',
    schedule_version: 1,
    levels: [
      { price: '0.45', quantity: '3.00' },
      { price: '0.60', quantity: '1.00' },
    ],
  })
  expect([average_executable_price, maximum_fee_charged]).toEqual(['0.4875000000', '0.040000'])
  expect(would_fill!.resting).toBe(null)
  expect([would_fill!.end_reason, would_fill!.pessimistic.completed_at]).toEqual(['filled', formatMicros(rested!)])
})

test('nothing learned after `until` is used: a trade is undone only for those who ask about later', async () => {
  const before = await preview(rested!, sold!)
  expect(before.would_fill!.pessimistic).toMatchObject({ filled_quantity: '2.00', busted_quantity: '0.00' })
  const after = await preview(rested!, undone!)
  expect(after.would_fill!.pessimistic).toMatchObject({
    fills: [],
    filled_quantity: '0.00',
    busted_quantity: '2.00',
    remaining_quantity: '8.00',
  })
  // An order that was filled before still learns of it.
  const small = await preview(rested!, undone!, { quantity: '2' })
  expect(small.would_fill!.pessimistic).toMatchObject({
    filled_quantity: '0.00',
    busted_quantity: '2.00',
    completed_at: null,
  })
  expect(small.would_fill!.end_reason).toBe('filled')
})

test('an order that the market would have rejected is answered as by a preview of now', async () => {
  const { status, rejection, would_fill } = await preview(rested!, sold!, { limit_price: '0.405' })
  expect([status, rejection!.code, would_fill]).toEqual(['rejected', 'ORDER_TICK_SIZE_INVALID', null])
  const crossing = await preview(rested!, sold!, { limit_price: '0.45', post_only: true })
  expect(crossing.rejection!.code).toBe('ORDER_POST_ONLY_WOULD_TAKE')
})

test('without until the walk goes on for a day, or to now; nothing is placed', async () => {
  const count = async () => (await served.pool.query('SELECT FROM trading.orders')).rowCount
  const before = await count()
  const got = await ask({ as_of: formatMicros(rested!) })
  expect(got.body.data.would_fill.until > formatMicros(undone!)).toBe(true)
  expect(await count()).toBe(before)
  const now = await ask({ as_of: null })
  expect([now.status, now.body.data.would_fill]).toEqual([200, undefined])
})

describe('refused', () => {
  const at = (micros: number) => formatMicros(micros)
  test.each([
    ['a future as_of', 'VALIDATION_AS_OF_IN_FUTURE', () => ({ as_of: '2199-01-01T00:00:00Z' })],
    [
      'a past before the listing',
      'VALIDATION_AS_OF_UNAVAILABLE',
      () => ({ as_of: at(unlisted! - 1), until: at(sold!) }),
    ],
    ['until not after as_of', 'VALIDATION_RANGE_INVALID', () => ({ as_of: at(rested!), until: at(rested!) })],
    ['a future until', 'VALIDATION_RANGE_INVALID', () => ({ as_of: at(rested!), until: '2199-01-01T00:00:00Z' })],
    [
      'too long a range',
      'VALIDATION_RANGE_INVALID',
      () => ({ as_of: at(sold! - WOULD_FILL.range_ms_max * 1000 - 1), until: at(sold!) }),
    ],
    ['until alone', 'VALIDATION_BODY_INVALID', () => ({ until: at(sold!) })],
    ['an instant that is no date', 'VALIDATION_BODY_INVALID', () => ({ as_of: '2026-02-31T00:00:00Z' })],
    ['a market that is not listed', 'MARKET_NOT_FOUND', () => ({ as_of: at(rested!) }), { market_id: 'mkt_none' }],
    ['an outcome of none', 'MARKET_OUTCOME_NOT_FOUND', () => ({ as_of: at(rested!) }), { outcome_id: 'out_none' }],
  ] as const)('%s', async (_what, code, more, wanted: object = {}) => {
    assertRefused('preview_order', await ask(more(), wanted), code)
  })

  test('a signature that is not that of the order, and another account', async () => {
    const order = await served.order({ limit_price: '0.40' }, 'acct_a')
    const body = { ...order, quantity: '11', as_of: at(rested!) }
    const call = { method: 'POST', url: '/v1/orders/preview', idempotency_key: null } as const
    const got = await served.call({ ...call, body })
    expect(got.body.error.code).toMatch(/^SIGNATURE_/)
    assertDescribed('preview_order', got)
    assertRefused(
      'preview_order',
      await served.call({ ...call, body: { ...order, as_of: at(rested!) }, key: served.keys.acct_b }),
      'ACCOUNT_NOT_FOUND',
    )
  })

  test('a second walk of an account while one runs', async () => {
    const under_way = await whileHeld(served.pool, 'engine_event', async () => {
      const begun = [ask({ as_of: at(rested!) }), ask({ as_of: at(rested!) })]
      await Promise.race(begun)
      return begun
    })
    const both = await Promise.all(under_way)
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 429])
    assertRefused('preview_order', both.find(({ status }) => status === 429)!, 'RATE_LIMIT_EXCEEDED')
    expect((await ask({ as_of: at(rested!) })).status).toBe(200)
  })

  test('a range with more events than a walk reads', async () => {
    const range = { as_of: rested!, until: sold! }
    await expect(previewPast(served.trading.tape, asked, range, 1)).rejects.toMatchObject({
      code: 'VALIDATION_RANGE_INVALID',
    })
  })
})

test('pages of any length are the same tape, and each of its batches is whole', async () => {
  const range = { as_of: rested!, until: undone! }
  const whole = await previewPast(served.trading.tape, asked, range)
  const listing = await listingOf(served.trading.tape, asked)
  const [{ engine_sequence: after }, { engine_sequence: through }] = await Promise.all([
    served.trading.tape.headAt(rested!),
    served.trading.tape.headAt(undone!),
  ])
  for (const page_rows of [1, 2, 3, 5000]) {
    const reads = createTapeReads(served.pool, page_rows)
    const { result } = await previewPast(reads, asked, range)
    expect('would_fill' in result && result.would_fill).toEqual('would_fill' in whole.result && whole.result.would_fill)
    const outcome = await pastOutcome(reads, listing, asked, { as_of: rested!, after })
    const shown: string[] = []
    for await (const { trades, levels, corrections } of reads.batches(outcome, { after, through }))
      shown.push(`${trades.length} ${levels.length} ${corrections.length}`)
    // One order joins, one meets two orders at one price, and a trade is undone by an act for each of its sides.
    expect(shown).toEqual(['0 1 0', '2 1 0', '0 0 1'])
  }
})
