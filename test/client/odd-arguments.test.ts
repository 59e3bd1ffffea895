import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PUBLIC_READS, PUBLIC_WRITES } from '../../client/contract/operations.ts'
import * as decimals from '../../client/decimals.ts'
import { createPublicClient } from '../../client/http/public-client.ts'
import * as signing from '../../client/signing.ts'
import { createPublicStream } from '../../client/stream/public-stream.ts'
import { TidemarkError } from '../../client/tidemark-error.ts'
import { createAccountStream } from '../../client/trading/stream/account-stream.ts'
import { createOrderSocket } from '../../client/trading/stream/order-socket.ts'
import { createTradingClient } from '../../client/trading/trading-client.ts'
import { sized } from '../support/sized.ts'

/** Each method with odd arguments: it answers, or throws the client's own error. */
const base_url = 'http://service.example'
const CREDENTIALS = {
  ...{ account_id: 'acct_a', key_id: 'key_0123456789abcdef', secret: '5e'.repeat(32), environment: 'sandbox' },
  signer_private_key: `0x${'1'.repeat(64)}`,
}
const TERMS = {
  ...{ market_id: 'mkt_a', outcome_id: 'out_a', side: 'BUY', limit_price: '0.5', quantity: '1', maximum_fee: '1' },
}
const fetch = async () => new Response(JSON.stringify({ data: [], page: { next_cursor: null }, meta: {} }))
const open = () => ({ send: () => undefined, close: () => undefined, addEventListener: () => undefined })
const clients = {
  public: createPublicClient(base_url, { fetch }),
  trading: createTradingClient({ ...CREDENTIALS, base_url, fetch }),
}

const circular: { self?: object } = {}
circular.self = circular
const ODD: readonly unknown[] = [
  ...[undefined, null, true, false, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 7n, Symbol('s')],
  ...['', 'x', 'a/b?c', '\ud800', '0.5', '-1', '1e3', 'x'.repeat(300)],
  ...[[], [undefined], ['a'], [{}], {}, circular, Object.create(null), new Map(), new Date(Number.NaN), () => 1],
  ...[{ signal: 1 }, { timeout_ms: -1 }, { timeout_ms: 'x' }, { idempotency_key: '' }, { idempotency_key: 5 }],
  ...[TERMS, { ...TERMS, side: 'UP' }, { ...TERMS, limit_price: 0.5 }, { ...TERMS, quantity: '-1' }, [TERMS, null]],
  ...[
    { ...TERMS, post_only: 1 },
    { ...TERMS, labels: [1] },
    { ...TERMS, order_nonce: 'x' },
    { ...TERMS, expires_at: 5 },
  ],
  ...[{ status: { a: 1 } }, { as_of: new Date(0) }, { limit: 'x' }, { market_id: 5n }, { orders: [null] }],
]
const argument = fc.oneof(
  fc.constantFrom(...ODD),
  fc.record(
    Object.fromEntries(
      ['index_id', 'orders', 'scopes', 'key_id', ...Object.keys(TERMS)].map((name) => [name, fc.constantFrom(...ODD)]),
    ),
    { requiredKeys: [] },
  ),
)

/** Functions of an object and of its groups, by name. */
function functionsOf(object: object, prefix = ''): readonly [name: string, call: (...given: unknown[]) => unknown][] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (typeof value === 'function') return [[`${prefix}${name}`, value as (...given: unknown[]) => unknown]]
    return typeof value === 'object' && value !== null ? functionsOf(value, `${prefix}${name}.`) : []
  })
}

/** Awaits what a call gives, all of an iterable. @returns the error, and whether it was thrown instead of being awaited */
async function errorOf(work: () => unknown): Promise<{ readonly error: unknown; readonly at_once: boolean } | null> {
  let given: unknown
  try {
    given = work()
  } catch (error) {
    return { error, at_once: true }
  }
  try {
    if (typeof given === 'object' && given !== null && Symbol.asyncIterator in given)
      for await (const _ of given as AsyncIterable<unknown>);
    else await given
    return null
  } catch (error) {
    return { error, at_once: false }
  }
}

const RUNS = sized(10, 400)

describe.each(Object.entries(clients))('each method of the %s client', (_, client) => {
  test.each(functionsOf(client))('%s', async (_name, call) => {
    const given = fc.array(argument, { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(given, async (args) => {
        const failure = await errorOf(() => call(...args))
        if (failure === null) return
        expect(failure.error).toBeInstanceOf(TidemarkError)
        expect(failure.at_once).toBe(false)
      }),
      { numRuns: RUNS, examples: [[[]]] },
    )
  })
})

const makers: readonly [name: string, call: (...given: never[]) => unknown][] = [
  ['createPublicClient', createPublicClient],
  ['createPublicClient with options', (options: never) => createPublicClient(base_url, options)],
  ['createTradingClient', createTradingClient],
  [
    'createTradingClient with an odd option',
    (more: object) => createTradingClient({ base_url, ...CREDENTIALS, ...more }),
  ],
  ['createAccountStream', (options: never) => createAccountStream(options).close()],
  ['createOrderSocket', createOrderSocket],
  ['createPublicStream', createPublicStream],
  [
    'follow',
    (...given: never[]) => createPublicStream({ base_url, open }).follow(...(given as unknown as ['index.price'])),
  ],
]

describe('each function', () => {
  test.each([...makers, ...functionsOf(decimals), ...functionsOf(signing)])('%s', async (_name, call) => {
    const given = fc.array(argument, { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(given, async (args) => {
        const failure = await errorOf(() => call(...(args as never[])))
        if (failure !== null) expect(failure.error).toBeInstanceOf(TidemarkError)
      }),
      { numRuns: RUNS, examples: [[[]]] },
    )
  })

  test.each([...Object.keys(CREDENTIALS), 'algorithm', 'signer', 'retry', 'smart_account_address', 'order_socket'])(
    'createTradingClient with an odd %s',
    async (name) => {
      for (const odd of ODD) {
        const failure = await errorOf(() => {
          const client = createTradingClient({ base_url, fetch, ...CREDENTIALS, [name]: odd } as never)
          return client.placeOrder(TERMS as never)
        })
        if (failure !== null) expect([odd, failure.error]).toEqual([odd, expect.any(TidemarkError)])
      }
    },
  )
})

const PUBLIC_CALLS = [
  ...Object.entries(PUBLIC_READS).map(([name, [path]]) => {
    const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => [part, 'x'])
    return [name, Object.fromEntries(parts) as object] as const
  }),
  ...Object.keys(PUBLIC_WRITES).map((name) => [name, {}] as const),
]

test.each(PUBLIC_CALLS)('%s refuses a misspelled option before it sends anything', async (name, given) => {
  let sent = 0
  const count = async () => {
    sent += 1
    return fetch()
  }
  const client = createPublicClient(base_url, { fetch: count }) as unknown as Record<
    string,
    (...given: object[]) => unknown
  >
  const failure = await errorOf(() => client[name]!(given, { timeoutMs: 5 }))
  expect(failure?.error).toMatchObject({ message: expect.stringContaining('(did you mean timeout_ms?)') })
  expect(sent).toBe(0)
})

const REQUIRED = 'market_id, outcome_id, side, limit_price, quantity, maximum_fee'

test.each([
  [undefined, 'terms is missing; allowed: an object'],
  ['x', 'terms is "x"; allowed: an object'],
  [{}, `${REQUIRED} are missing; required: ${REQUIRED}`],
  [{ ...TERMS, quantity: undefined, side: undefined }, `side, quantity are missing; required: ${REQUIRED}`],
  [{ ...TERMS, idempotency_key: 'x' }, 'pass it as an option: placeOrder(terms, { idempotency_key })'],
  [{ ...TERMS, limitPrice: '0.5' }, 'term limitPrice is unknown (did you mean limit_price?); allowed: client_order_id'],
  [{ ...TERMS, outcome_id: 5 }, 'outcome_id is number 5; allowed: a text of at least one character'],
  [{ ...TERMS, side: 'buy' }, 'side is "buy"; allowed: BUY, SELL'],
  [{ ...TERMS, limit_price: undefined }, `limit_price is missing; required: ${REQUIRED}`],
  [{ ...TERMS, quantity: 1 }, 'quantity is number 1; allowed: a decimal string'],
  [{ ...TERMS, post_only: 'yes' }, 'post_only is "yes"; allowed: true, false'],
  [{ ...TERMS, labels: { a: 1 } }, 'labels.a is number 1; allowed: a text'],
])('an order with the terms %j names the field, its value and what is accepted', async (terms, message) => {
  await expect(clients.trading.placeOrder(terms as never)).rejects.toThrow(message)
})
