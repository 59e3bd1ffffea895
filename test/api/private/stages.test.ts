import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../primitives/error-codes.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { PRIVATE_ENDPOINTS, type PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import { boundNonce } from '../../../protocol/signing/canonical-request.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { comparable, NOBODY, REQUESTS } from '../../support/trading/private-requests.ts'
import {
  type AccountName,
  type Call,
  type Got,
  MARKET_ID,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'

const database = withDatabase()
let served: ServedAccounts
beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
}, 180_000)
afterAll(() => served.close())

const OPERATIONS = Object.keys(PRIVATE_ENDPOINTS) as PrivateOperationId[]
const WITH_BODY = OPERATIONS.filter((id) => PRIVATE_ENDPOINTS[id].body !== null)

/** States that an account may be in; an answer of a failed earlier stage must not reveal which. */
const STATES: readonly (() => Promise<unknown>)[] = [
  async () => undefined,
  () => served.act({ kind: 'block_account', account_id: 'acct_a', blocked: true }),
  () => served.act({ kind: 'move_market', market_id: MARKET_ID, to: 'paused' }),
  () =>
    served.act({
      kind: 'withdraw',
      transfer_id: 'tr_all',
      account_id: 'acct_a',
      asset_id: 'asset_usd',
      amount: '99999',
    }),
]

/** Ways to fail at an earlier stage, each with the expected error code. */
const FAILURES: Readonly<Record<string, { readonly code: ErrorCode; readonly break: (call: Call) => Call }>> = {
  'no JSON': { code: 'VALIDATION_BODY_INVALID', break: (call) => ({ ...call, body: '{"account_id":' }) },
  'an unknown field': {
    code: 'VALIDATION_BODY_INVALID',
    break: (call) => ({ ...call, body: { ...(call.body as object), color: 'red' } }),
  },
  'no headers': { code: 'AUTH_CREDENTIALS_INVALID', break: (call) => ({ ...call, key: null }) },
  'a wrong signature': {
    code: 'AUTH_CREDENTIALS_INVALID',
    break: (call) => ({ ...call, headers: { 'SVC-Access-Signature': '00'.repeat(32) } }),
  },
  'an old timestamp': {
    code: 'AUTH_TIMESTAMP_OUT_OF_WINDOW',
    break: (call) => ({ ...call, timestamp_ms: 1_600_000_000_000 }),
  },
  'no Idempotency-Key': { code: 'IDEMPOTENCY_KEY_REQUIRED', break: (call) => ({ ...call, idempotency_key: null }) },
  'an Idempotency-Key other than that of the nonce': {
    code: 'IDEMPOTENCY_KEY_REQUIRED',
    break: (call) => ({
      ...call,
      idempotency_key: 'another',
      nonce: boundNonce(sha256Hex('mine'), randomBytes(13).toString('hex')),
    }),
  },
}
const FAILED = Object.keys(FAILURES)

test('an earlier stage that fails is answered alike in every state of the account, for ids that are there or not', async () => {
  const body = await served.order({ client_order_id: 'of-a' })
  const made = await served.call({ method: 'POST', url: '/v1/orders', body })
  const real = { ...NOBODY, order_id: made.body.data.order_id }
  const seen = new Map<string, Set<string>>()
  for (const enter of STATES) {
    await enter()
    for (const operation_id of [
      'place_order',
      'cancel_order',
      'amend_order',
      'cancel_all_orders',
      'revoke_api_key',
    ] as const) {
      for (const named of [real, NOBODY]) {
        const request = { ...(await REQUESTS[operation_id](served, 'acct_a', named)) }
        for (const failure of FAILED) {
          const { code, break: fail } = FAILURES[failure]!
          const got = await served.call(fail({ ...request, key: served.keys.acct_a }))
          assertRefused(operation_id, got, code)
          const name = `${operation_id} ${failure}`
          seen.set(name, (seen.get(name) ?? new Set()).add(comparable(got.text)))
        }
      }
    }
  }
  expect([...seen].filter(([, texts]) => texts.size !== 1)).toEqual([])
  await served.act({ kind: 'block_account', account_id: 'acct_a', blocked: false })
})

test('stages come in their order: of two faults the earlier one is told', async () => {
  const order = await served.order()
  const call = { method: 'POST', url: '/v1/orders', body: { ...order, quantity: 1 } } as const
  assertRefused('place_order', await served.call({ ...call, key: null }), 'VALIDATION_BODY_INVALID')
  const narrow = await served.newKey({ scopes: ['orders:read'] })
  const late = { method: 'POST', url: '/v1/orders', body: order, key: narrow, timestamp_ms: 1_600_000_000_000 } as const
  assertRefused('place_order', await served.call(late), 'AUTH_SCOPE_INSUFFICIENT')
  const spent = { ...late, key: served.keys.acct_a, idempotency_key: null }
  assertRefused('place_order', await served.call(spent), 'AUTH_TIMESTAMP_OUT_OF_WINDOW')
  const got = await served.call(spent)
  expect(got.body.error.server_time_ms).toBeGreaterThan(Date.now() - 60_000)
})

describe('bodies', () => {
  const post = (body: string, headers: Record<string, string> = {}): Promise<Got> =>
    served.call({ method: 'POST', url: '/v1/orders', body, headers })

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a text', '"order"'],
    ['a byte order mark', '\ufeff{}'],
    ['a key twice', '{"side":"BUY","side":"SELL"}'],
    ['a key twice, once escaped', '{"side":"BUY","s\\u0069de":"SELL"}'],
    ['a key twice, deep down', '{"labels":{"a":"1","a":"2"}}'],
    ['21 levels', `${'{"a":'.repeat(21)}1${'}'.repeat(21)}`],
    ['a thousand levels', '['.repeat(1000)],
    ['half a surrogate pair', '{"labels":{"a":"\\ud800"}}'],
    ['a comment', '{"a":1}//'],
    ['NaN', '{"quantity":NaN}'],
  ])('%s is refused', async (_name, body) => {
    assertRefused('place_order', await post(body), 'VALIDATION_BODY_INVALID')
  })

  test('numbers where decimal strings belong are named, each with its place', async () => {
    const order = { ...(await served.order()), limit_price: 0.5, quantity: 10, post_only: 'false', signer: null }
    const got = await post(JSON.stringify(order))
    assertRefused('place_order', got, 'VALIDATION_BODY_INVALID')
    const fields = got.body.error.field_violations.map(({ field }: { field: string }) => field)
    expect(fields.sort()).toEqual(['limit_price', 'post_only', 'quantity', 'signer'])
    expect(got.body.error.field_violations[0].message).toContain('a string')
  })

  test('media types and codings that are not ours: 415; too much: 413', async () => {
    const body = JSON.stringify(await served.order())
    for (const type of [
      'text/plain',
      'application/jsonp',
      'application/json; charset=latin1',
      'application/x-www-form-urlencoded',
      ';;',
    ]) {
      assertRefused('place_order', await post(body, { 'content-type': type }), 'VALIDATION_MEDIA_TYPE_UNSUPPORTED')
    }
    assertRefused('place_order', await post(body, { 'content-encoding': 'gzip' }), 'VALIDATION_MEDIA_TYPE_UNSUPPORTED')
    expect((await post(body, { 'content-type': 'application/json;charset=UTF-8' })).body.error?.code).not.toContain(
      'VALIDATION',
    )
    assertRefused('place_order', await post(`{"a":"${'x'.repeat(262_144)}"}`), 'VALIDATION_BODY_TOO_LARGE')
  })

  test('a method that a path does not have: 405 with what it has', async () => {
    for (const [method, url, allow] of [
      ['PUT', '/v1/orders', 'GET, HEAD, POST, OPTIONS'],
      ['GET', '/v1/account/cancel-after', 'PUT, OPTIONS'],
    ] as const) {
      const got = await served.call({ method, url, key: null })
      expect([got.status, got.headers.allow]).toEqual([405, allow])
    }
    expect((await served.call({ method: 'POST', url: '/v1/settlements/stl_a/redeem', body: {} })).status).toBe(404)
  })

  test('whatever is sent, the answer is one that the endpoint describes, and never a 5xx', async () => {
    const json = fc.jsonValue({ maxDepth: 4 })
    let refused = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...WITH_BODY),
        fc.infiniteStream(json),
        fc.nat(),
        async (operation_id, values, seed) => {
          const account: AccountName = 'acct_b'
          const request = await REQUESTS[operation_id](served, account, NOBODY)
          const fields = Object.entries(request.body as Record<string, unknown>)
          const place = seed % (fields.length + 1)
          const [name, value] = fields[place] ?? [`f${seed}`, 0]
          const mutated = { ...Object.fromEntries(fields), [name]: seed % 3 === 0 ? value : values.next().value }
          const got = await served.call({ ...request, body: mutated, key: served.keys.acct_b })
          expect(got.status, got.text).toBeLessThan(500)
          assertDescribed(operation_id, got)
          if (got.status >= 400) refused += 1
        },
      ),
      { numRuns: 300 },
    )
    expect(refused).toBeGreaterThan(100)
  })
})
