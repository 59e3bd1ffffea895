import { afterEach, describe, expect, test, vi } from 'vitest'
import { checkReceipt } from '../../../api/server/check-receipt.ts'
import { requestCost } from '../../../api/server/request-cost.ts'
import { createPublicClient } from '../../../client/http/public-client.ts'
import { openApiDocument } from '../../../protocol/documents/openapi.ts'
import type { Endpoint } from '../../../protocol/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../../protocol/endpoints/endpoints.ts'
import { PRIVATE_ENDPOINTS } from '../../../protocol/endpoints/trading-endpoints.ts'
import { PAGE_SIZE } from '../../../protocol/limits.ts'

afterEach(() => vi.unstubAllGlobals())

const BASE = 'http://service.example'
type Asked = { readonly method: string; readonly url: string; readonly body: string | undefined }

/** A service that answers each request with a record, or with pages of one item; and what it was asked. */
function answering(data: (url: URL) => unknown = () => ({}), pages = 1) {
  const asked: Asked[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: { method?: string; body?: string }) => {
    asked.push({ method, url: url.slice(BASE.length), body })
    const cursor = Number(new URL(url).searchParams.get('cursor') ?? 0) + 1
    const page = { next_cursor: cursor < pages ? String(cursor) : null }
    return new Response(JSON.stringify({ data: data(new URL(url)), page }), { status: 200 })
  })
  return asked
}

const camel = (id: string) => id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
/** Operations of the OpenAPI document that need no key. */
const public_ids = Object.values(openApiDocument().paths as Record<string, Record<string, { operationId: string }>>)
  .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  .filter((id) => !(id in PRIVATE_ENDPOINTS))

test('every public operation of the OpenAPI document is a method, and every method an operation', () => {
  const methods = Object.keys(createPublicClient(BASE)).filter((name) => name !== 'api')
  expect(public_ids.length).toBeGreaterThan(60)
  expect(methods.sort()).toEqual(public_ids.map(camel).sort())
})

type Read = (parameters: Record<string, unknown>) => Promise<unknown> | AsyncGenerator<unknown>

test.each(Object.values<Endpoint>(ENDPOINTS).map((endpoint) => [endpoint.operation_id, endpoint] as const))(
  '%s asks its own path for a record, or for every page',
  async (operation_id, { path, path_parameters, query, envelope }) => {
    const asked = answering(() => (envelope === 'single' ? { it: 1 } : [{ it: 1 }]), 2)
    const names = Object.keys(path_parameters)
    const given = Object.fromEntries(names.map((name) => [name, `${name}/x`]))
    const read = (createPublicClient(BASE) as unknown as Record<string, Read>)[camel(operation_id)]!
    const answer = read({ ...given, as_of: '2026-01-17T00:00:00Z' })
    const target = `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(`${name}/x`))}`
    if (envelope === 'single') expect(await answer).toEqual({ it: 1 })
    else {
      const items: unknown[] = []
      for await (const item of answer as AsyncGenerator<unknown>) items.push(item)
      expect(items).toEqual('cursor' in query ? [{ it: 1 }, { it: 1 }] : [{ it: 1 }])
    }
    for (const { method, url } of asked) {
      expect([method, url.split('?')[0]]).toEqual(['GET', target])
      expect(new URL(url, BASE).searchParams.get('as_of')).toBe('2026-01-17T00:00:00Z')
    }
  },
)

describe('parameters', () => {
  test('lists are joined by commas, absent ones are left out, and only a paged collection has a limit', async () => {
    const asked = answering(({ pathname }) => (pathname.includes('constituents') ? [] : {}))
    const client = createPublicClient(BASE)
    for await (const _ of client.listConstituents({
      index_id: 'idx_a',
      version_id: 'idv_a',
      expand: ['market', 'venue'],
    }));
    await client.getMarketEligibility({ market_id: 'mkt_a' })
    expect(asked.map(({ url }) => url)).toEqual([
      '/v1/indexes/idx_a/versions/idv_a/constituents?expand=market%2Cvenue&limit=1000',
      '/v1/eligibility/markets/mkt_a',
    ])
  })

  test('have the types of their schemas', () => {
    const client = createPublicClient(BASE)
    const calls = () => [
      client.getTime(),
      client.listGovernanceNotices({ kind: 'correction', index_id: 'idx_a' }),
      client.listGovernanceCalendar(),
      client.getExecutableBand({ index_id: 'idx_a', notional: '100' }),
      // @ts-expect-error: a notice has another kind
      client.listGovernanceNotices({ kind: 'corrected' }),
      // @ts-expect-error: notional is required
      client.getExecutableBand({ index_id: 'idx_a' }),
      // @ts-expect-error: a path has its parameter
      client.getGovernanceProposal(),
      // @ts-expect-error: the client pages by itself
      client.listComplaints({ cursor: 'x' }),
    ]
    expect(calls).toBeTypeOf('function')
  })
})

describe('pages', () => {
  const lists = Object.values<Endpoint>(ENDPOINTS).filter(({ query }) => 'limit' in query)
  const GIVEN = { expand: ['a', 'b'], receipt: true, as_of: '2026-01-17T00:00:00Z' }

  test.each([[[]], [['expand']], [['receipt', 'as_of']], [['expand', 'receipt', 'as_of']]] as const)(
    'are the largest that the service takes with %j',
    async (names) => {
      const asked = answering(() => [])
      const client = createPublicClient(BASE) as unknown as Record<string, Read>
      for (const endpoint of lists) {
        const given = Object.fromEntries(names.filter((name) => name in endpoint.query).map((n) => [n, GIVEN[n]]))
        const path = Object.fromEntries(Object.keys(endpoint.path_parameters).map((name) => [name, 'x']))
        for await (const _ of client[camel(endpoint.operation_id)]!({ ...path, ...given }) as AsyncGenerator);
        const limit = Number(new URL(asked.at(-1)!.url, BASE).searchParams.get('limit'))
        const isTaken = (records: number) => {
          const values = { ...given, limit: records } as never
          try {
            requestCost(endpoint, values, true)
            if ('receipt' in given) checkReceipt(values, true)
            return records <= PAGE_SIZE.max
          } catch {
            return false
          }
        }
        expect([endpoint.operation_id, isTaken(limit), isTaken(limit + 1)]).toEqual([
          endpoint.operation_id,
          true,
          false,
        ])
      }
      expect(asked).toHaveLength(lists.length)
    },
  )

  test('have the size that is asked for, also of a path, and a size that is none is refused', async () => {
    const asked = answering(() => [{ it: 1 }], 2)
    const client = createPublicClient(BASE)
    for await (const _ of client.listIndexes({ limit: 7 }));
    await client.api.list('/markets', { expand: 'price' })
    await client.api.list('/unknown', { expand: 'price' })
    const limits = asked.map(({ url }) => new URL(url, BASE).searchParams.get('limit'))
    expect(limits).toEqual(['7', '7', '100', '100', '1000', '1000'])
    for (const limit of [1.5, Number.NaN, 'x'])
      await expect(client.api.list('/markets', { limit })).rejects.toMatchObject({
        code: 'VALIDATION_USAGE_INVALID',
        message: expect.stringContaining('limit is '),
      })
    expect(asked).toHaveLength(6)
    // The service refuses a range that it does not allow, as for each other way to ask.
    for await (const _ of client.listIndexes({ limit: 0 }));
    expect(asked.slice(6).map(({ url }) => new URL(url, BASE).searchParams.get('limit'))).toEqual(['0', '0'])
  })
})

describe('a complaint', () => {
  const complaint = { subject_kind: 'other', subject_id: null, text: 'Wrong.' } as const

  test('is posted as JSON', async () => {
    const asked = answering(() => ({ complaint_id: 'cmp_a' }))
    expect(await createPublicClient(BASE).fileComplaint(complaint)).toEqual({ complaint_id: 'cmp_a' })
    expect(asked).toEqual([{ method: 'POST', url: '/v1/governance/complaints', body: JSON.stringify(complaint) }])
  })

  test('is sent again after a wait for its rate, and never after an answer that may hide its success', async () => {
    const errors = ['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE']
    let count = 0
    vi.stubGlobal('fetch', async () => {
      const error = { code: errors[count], message: 'm', retryable: true, retry_after_ms: 1 }
      count += 1
      return new Response(JSON.stringify({ error }), { status: 503 })
    })
    await expect(createPublicClient(BASE).fileComplaint(complaint)).rejects.toMatchObject({ code: errors[1] })
    expect(count).toBe(2)
  })
})

test('files of the log are read below /log, and one that does not exist is refused', async () => {
  const urls: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(url.slice(BASE.length))
    return url.endsWith('/vkey') ? new Response(null, { status: 404 }) : new Response('text')
  })
  const client = createPublicClient(BASE)
  expect(await client.getLogCheckpoint()).toBe('text')
  await client.getLogTile({ level: 0, index: '000.p/12' })
  await client.getLogEntries({ index: '000' })
  await expect(client.getLogVkey()).rejects.toMatchObject({ code: 'LOG_NOT_FOUND' })
  expect(urls).toEqual(['/log/checkpoint', '/log/tile/0/000.p/12', '/log/tile/entries/000', '/log/vkey'])
})
