import { describe, expect, test } from 'vitest'
import { CONTRACT_VERSION } from '../../../client/contract/operations.ts'
import { isNewer } from '../../../client/http/contract-notice.ts'
import { createPublicClient } from '../../../client/http/public-client.ts'
import type { Exchange, Fetch, SentRequest } from '../../../client/http/transport.ts'
import { isTidemarkError } from '../../../client/tidemark-error.ts'
import { createTradingClient } from '../../../client/trading/trading-client.ts'
import { isServiceError } from '../../../primitives/errors.ts'

const BASE = 'http://service.example'
const SECRET = '5e'.repeat(32)
const SIGNER = `0x${'01'.repeat(32)}`
const ACCOUNT = {
  ...{ base_url: BASE, account_id: 'acct_a', environment: 'test', key_id: `key_${'a'.repeat(16)}` },
  ...{ secret: SECRET, signer_private_key: SIGNER },
}
type Reply = readonly [status: number, body: unknown, headers?: Record<string, string>]

/** A fetch that gives these replies one after the other, the last one for ever; and the requests it was given. */
function replying(...replies: readonly Reply[]) {
  const sent: (SentRequest & { readonly url: string })[] = []
  const fetch: Fetch = async (url, request) => {
    const [status, body, headers = {}] = replies[Math.min(sent.length, replies.length - 1)]!
    sent.push({ url, ...request })
    return new Response(JSON.stringify(body), { status, headers })
  }
  return { fetch, sent }
}

const refusal = (code: string, retryable: boolean, more = {}) => ({
  error: { code, message: code, retryable, request_id: 'req_1', ...more },
})

describe('an error of the client', () => {
  test('has the code, status, request, stage and fields of the refusal, for reads and for writes', async () => {
    const field_violations = [{ field: 'limit', code: 'X', message: 'limit is 0', value: '0' }]
    const facts = { status: 400, retryable: false, request_id: 'req_1', stage: 5, field_violations }
    const { fetch } = replying([400, refusal('VALIDATION_PARAMETER_INVALID', false, { field_violations })])
    const failures = [
      createPublicClient(BASE, { fetch }).getTime(),
      createTradingClient({ ...ACCOUNT, fetch }).policy(),
    ].map((call) => call.catch((error: unknown) => error))
    for (const error of await Promise.all(failures)) {
      expect(error).toMatchObject({ name: 'TidemarkError', code: 'VALIDATION_PARAMETER_INVALID', ...facts })
      expect(isTidemarkError(error, 'VALIDATION_PARAMETER_INVALID') && isServiceError(error)).toBe(true)
      expect((error as { exit_code: number }).exit_code).toBe(2)
    }
  })

  test('of a later service keeps its code', async () => {
    const { fetch } = replying([422, refusal('LATER_CODE', false)])
    await expect(createPublicClient(BASE, { fetch }).getTime()).rejects.toMatchObject({
      ...{ code: 'LATER_CODE', status: 422, stage: null, exit_code: 2 },
    })
  })
})

describe('retries', () => {
  test('wait as long as Retry-After says when something in front of the service answers', async () => {
    const waits: number[] = []
    const { fetch, sent } = replying([503, '<html>', { 'retry-after': '0.001' }], [200, { data: { n: 1 } }])
    const client = createPublicClient(BASE, { fetch, on_wait: (wait_ms) => waits.push(wait_ms) })
    expect(await client.getTime()).toEqual({ n: 1 })
    expect([waits, sent.length]).toEqual([[50], 2])
  })

  test('repeat a read that nothing answers, and never a complaint', async () => {
    let count = 0
    const fetch: Fetch = async () => {
      count += 1
      throw new TypeError('fetch failed')
    }
    const client = createPublicClient(BASE, { fetch })
    const complaint = { subject_kind: 'other', subject_id: null, text: 'Wrong.' } as const
    await expect(client.fileComplaint(complaint)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: null })
    expect(count).toBe(1)
    await expect(client.getTime()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true })
    expect(count).toBe(4)
  })
})

describe('a signal', () => {
  const busy: Reply = [503, refusal('SERVICE_UNAVAILABLE', true, { retry_after_ms: 100_000 })]
  const reason = new Error('given up')
  type Clients = {
    readonly reads: ReturnType<typeof createPublicClient>
    readonly trades: ReturnType<typeof createTradingClient>
  }

  test.each<[string, (clients: Clients, signal: AbortSignal) => Promise<unknown>]>([
    ['a read', ({ reads }, signal) => reads.getTime({}, { signal })],
    ['a list', ({ reads }, signal) => reads.listIndexes({}, { signal }).next()],
    ['a file of the log', ({ reads }, signal) => reads.getLogCheckpoint({ signal })],
    ['a read of the account', ({ trades }, signal) => trades.policy({ signal })],
    ['a list of the account', ({ trades }, signal) => trades.fills({}, { signal }).next()],
    ['a cancel', ({ trades }, signal) => trades.cancelOrder('ord_a', { signal })],
  ])('ends %s that waits for a retry', async (_name, call) => {
    const { fetch, sent } = replying(busy)
    const retry = { attempts_max: 9, within_ms: 100_000_000 }
    const controller = new AbortController()
    const watched: Fetch = async (url, request) => {
      const answer = await fetch(url, request)
      return { ...answer, status: answer.status, headers: answer.headers, arrayBuffer: read, text: read }
      async function read(): Promise<never> {
        queueMicrotask(() => controller.abort(reason))
        return (await answer.text()) as never
      }
    }
    const clients = {
      reads: createPublicClient(BASE, { fetch: watched }),
      trades: createTradingClient({ ...ACCOUNT, fetch: watched, retry }),
    }
    await expect(call(clients, controller.signal)).rejects.toBe(reason)
    expect(sent).toHaveLength(1)
    expect(sent[0]!.body ?? '').not.toContain('signal')
  })
})

test('the hook sees each attempt, and no secret, header or body', async () => {
  const seen: Exchange[] = []
  const { fetch, sent } = replying(
    [503, refusal('SERVICE_UNAVAILABLE', true, { retry_after_ms: 1 })],
    [201, { data: { secret: SECRET } }, { 'svc-request-id': 'req_2' }],
  )
  const on_exchange = (exchange: Exchange) => {
    seen.push(exchange)
    throw new Error('a fault of the hook')
  }
  const client = createTradingClient({ ...ACCOUNT, fetch, on_exchange })
  await client.webhooks.rotateSecret('whk_a', 0)
  expect(seen.map(({ duration_ms: _, ...facts }) => facts)).toEqual([
    { method: 'POST', target: '/v1/webhooks/whk_a/rotate-secret', status: 503, request_id: null },
    { method: 'POST', target: '/v1/webhooks/whk_a/rotate-secret', status: 201, request_id: 'req_2' },
  ])
  const secrets = [SECRET, SIGNER, ...sent.map(({ headers }) => headers['SVC-Access-Signature']!)]
  for (const secret of secrets) expect(JSON.stringify(seen)).not.toContain(secret)
})

describe('the contract', () => {
  const [major] = CONTRACT_VERSION.split('.')
  test('of a newer service is warned of once, by either client', async () => {
    const { fetch } = replying([200, { data: {}, meta: { schema_version: `${major}.999` } }])
    const warnings: string[] = []
    const options = { fetch, on_warning: (warning: string) => warnings.push(warning) }
    const reads = createPublicClient(BASE, options)
    const trades = createTradingClient({ ...ACCOUNT, ...options })
    for (const call of [reads.getTime, reads.getTime, trades.policy, trades.policy]) await call()
    expect(warnings).toEqual(
      Array(2).fill(expect.stringContaining(`contract ${major}.999, this client ${CONTRACT_VERSION}`)),
    )
  })

  test.each([
    ['1.0', '1.0', false],
    ['1.1', '1.0', true],
    ['1.10', '1.9', true],
    ['2.0', '1.9', true],
    ['0.9', '1.0', false],
    ['1.0.1', '1.0', true],
    ['later', '1.0', false],
    [undefined, '1.0', false],
  ])('%s is newer than %s: %s', (version, than, expected) => expect(isNewer(version, than)).toBe(expected))
})
