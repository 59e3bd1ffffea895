import { describe, expect, test } from 'vitest'
import type { Fetch, SentRequest } from '../../../client/http/transport.ts'
import { laneOf } from '../../../client/trading/rate-lanes.ts'
import { createTradingClient } from '../../../client/trading/trading-client.ts'
import type { PrivateEndpoint } from '../../../protocol/endpoints/private-endpoint.ts'
import { PRIVATE_ENDPOINTS } from '../../../protocol/endpoints/trading-endpoints.ts'
import { echoAnswer } from '../../support/echo-answer.ts'

const CREDENTIALS = {
  ...{ account_id: 'acct_a', key_id: 'key_0123456789abcdef', secret: '5e'.repeat(32), environment: 'sandbox' },
  signer_private_key: `0x${'1'.repeat(64)}`,
}
const TERMS = {
  ...{ market_id: 'mkt_a', outcome_id: 'out_a', limit_price: '0.5', quantity: '1', maximum_fee: '1' },
  side: 'BUY',
} as const

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
const limited = (retry_after_ms?: number) => {
  const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'm', retryable: true, request_id: 'req_1' }
  return answer(429, { error: retry_after_ms === undefined ? error : { ...error, retry_after_ms } })
}
const keyOf = ({ headers }: SentRequest) => headers['Idempotency-Key']!

function client(fetch: Fetch, retry = {}) {
  return createTradingClient({ ...CREDENTIALS, base_url: 'http://service.example', fetch, retry })
}

test('a burst of orders is repeated one at a time until all are admitted, each as the same request', async () => {
  const REFUSALS = 3
  const bodies = new Map<string, string[]>()
  const repeats = { running: 0, most: 0 }
  const trading = client(
    async (url, request) => {
      const sent = [...(bodies.get(keyOf(request)) ?? []), request.body!]
      bodies.set(keyOf(request), sent)
      if (sent.length === 1) return limited(1)
      repeats.running += 1
      repeats.most = Math.max(repeats.most, repeats.running)
      await new Promise((resolve) => setTimeout(resolve))
      repeats.running -= 1
      return sent.length <= REFUSALS ? limited(1) : echoAnswer(url, request.body)
    },
    { attempts_max: 3 },
  )
  const placed = await Promise.all(Array.from({ length: 8 }, () => trading.placeOrder(TERMS)))
  expect(placed).toMatchObject(Array.from({ length: 8 }, () => ({ order_id: 'ord_1' })))
  expect(repeats.most).toBe(1)
  for (const sent of bodies.values()) expect([sent.length, new Set(sent).size]).toEqual([REFUSALS + 1, 1])
  expect(bodies.size).toBe(8)
})

describe('a request that is refused for its rate is reported', () => {
  test.each([
    ['if its wait is longer than the rule allows', limited(2000), { within_ms: 1000 }, 1],
    ['if the rule allows one attempt', limited(1), { attempts_max: 1 }, 1],
    ['after the attempts, if it names no wait', limited(), { attempts_max: 2 }, 2],
  ])('%s', async (_, refused, retry, attempts) => {
    let count = 0
    const trading = client(async () => {
      count += 1
      return refused.clone()
    }, retry)
    await expect(trading.placeOrder(TERMS)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', status: 429 })
    expect(count).toBe(attempts)
  })
})

test('a cancel waits for no order, and a signal ends a call that waits for its turn', async () => {
  const seen = new Set<string>()
  const abort = new AbortController()
  const trading = client(async (url, request) => {
    const is_first = !seen.has(keyOf(request))
    seen.add(keyOf(request))
    if (!url.endsWith('/cancel')) return limited(20_000)
    return is_first ? limited(1) : echoAnswer(url)
  })
  const orders = Promise.allSettled([1, 2].map(() => trading.placeOrder(TERMS, { signal: abort.signal })))
  expect(await trading.cancelOrder('ord_1')).toMatchObject({ order_id: 'ord_1' })
  abort.abort(new Error('enough'))
  const ended = await orders
  expect(ended.map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
    'Error: enough',
    'Error: enough',
  ])
  expect(seen.size).toBe(3)
})

test('an answer of a proxy that names its wait is repeated after it, and another one is final', async () => {
  const answers = [answer(429, 'slow down', { 'retry-after': '0.001' }), null, answer(400, '<html>')]
  const trading = client(async (url, { body }) => answers.shift() ?? echoAnswer(url, body))
  expect(await trading.placeOrder(TERMS)).toMatchObject({ order_id: 'ord_1' })
  await expect(trading.placeOrder(TERMS)).rejects.toMatchObject({ status: 400, retryable: false })
  expect(answers).toEqual([])
})

test('the lanes are those of the rate limits of the service', () => {
  const NAMES = { account_read: 'reads', cancel: 'cancels', order_write: 'writes' } as const
  for (const { method, path, limit_class } of Object.values<PrivateEndpoint>(PRIVATE_ENDPOINTS)) {
    const target = `/v1${path.replaceAll(/\{\w+\}/g, 'x')}?a=b`
    expect([target, laneOf(method, target)]).toEqual([target, NAMES[limit_class as keyof typeof NAMES]])
  }
})
