import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import { entityTag, heldTag } from '../../../api/server/entity-tag.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { anyText } from '../../support/any-text.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader } from '../../support/fake-reader.ts'

let app: FastifyInstance
let level = '1.0000'
let freshness_ms = 0

beforeAll(async () => {
  const handlers = fakeHandlers({
    get_index_price: () => ({ data: { level }, spliced: { freshness_ms: freshness_ms++ }, max_age_ms: 1000 }),
    get_index_observation: () => ({
      data: { level: '1.0000' },
      correction_chain: level === '1.0000' ? ['iob_a'] : ['iob_a', 'iob_b'],
    }),
    list_index_prices: () => {
      throw new ServiceError('QUERY_TIMEOUT', 'too slow')
    },
    list_indexes: () => ({ data: [], next: { as_of: 5, key: [level] } }),
  })
  app = await createApiServer({ reader: fakeReader(), handlers, environment: 'test', rate_limits: 'off' })
})
afterAll(async () => {
  await app.close()
})

const get = (url: string, if_none_match?: string) =>
  app.inject({ url, ...(if_none_match !== undefined && { headers: { 'if-none-match': if_none_match } }) })

describe('entity tags', () => {
  test('a tag is of data alone: it stays while only freshness and meta change, and moves with the level', async () => {
    level = '1.0000'
    const first = await get('/v1/indexes/idx_a/price')
    const second = await get('/v1/indexes/idx_a/price')
    expect(second.body).not.toBe(first.body)
    expect(second.headers.etag).toBe(first.headers.etag)
    expect(first.headers.etag).toMatch(/^"[A-Za-z0-9_-]{22}"$/)
    level = '1.0001'
    expect((await get('/v1/indexes/idx_a/price')).headers.etag).not.toBe(first.headers.etag)
  })

  test('it is of the page and of the correction chain too', async () => {
    level = '1.0000'
    const [page, observation] = ['/v1/indexes', '/v1/indexes/idx_a/prices/iob_a']
    const before = [(await get(page)).headers.etag, (await get(observation)).headers.etag]
    level = '1.0001'
    const after = [(await get(page)).headers.etag, (await get(observation)).headers.etag]
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })

  test('If-None-Match with the tag is answered 304 without a body, with the headers of a 200', async () => {
    level = '1.0000'
    const { etag } = (await get('/v1/indexes/idx_a/price')).headers
    for (const header of [etag!, `W/${etag}`, `"x", ${etag}`, `"a,b" , W/"c",${etag}`, '*']) {
      const answer = await get('/v1/indexes/idx_a/price', header)
      expect([header, answer.statusCode, answer.body]).toEqual([header, 304, ''])
      expect(answer.headers).toMatchObject({
        etag,
        'cache-control': 'public, max-age=1',
        'svc-request-id': expect.any(String),
      })
      expect(answer.headers).not.toHaveProperty('content-length')
      expect(answer.headers).not.toHaveProperty('content-type')
    }
    for (const header of ['"x"', etag!.slice(0, -1), etag!.replaceAll('"', ''), '', 'nonsense', '""']) {
      expect([header, (await get('/v1/indexes/idx_a/price', header)).statusCode]).toEqual([header, 200])
    }
  })

  test('texts beyond ASCII are counted and sent in UTF-8, with what is spliced into them and with a page', async () => {
    for (const text of ['1.0000', 'Zürich', '€ 5', '\u{1f3d4}']) {
      level = text
      for (const url of ['/v1/indexes/idx_a/price', '/v1/indexes']) {
        const answer = await get(url)
        expect([url, +answer.headers['content-length']!]).toEqual([url, answer.rawPayload.length])
        if (url !== '/v1/indexes') expect(answer.json().data.level).toBe(text)
      }
    }
  })

  test('an error has no tag and is never kept, whatever If-None-Match says', async () => {
    const answer = await get('/v1/indexes?color=blue', '*')
    expect([answer.statusCode, answer.headers['cache-control'], answer.headers.etag]).toEqual([
      400,
      'no-store',
      undefined,
    ])
  })

  test('an export that fails before its first row is not kept either, though its rows would have been', async () => {
    const url = '/v1/indexes/idx_a/prices?as_of=2026-01-01T00:00:00Z'
    const answer = await app.inject({ url, headers: { accept: 'text/csv' } })
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([503, 'no-store'])
  })

  test('equal texts have equal tags, other texts others; a list that has the tag matches it', () => {
    const text = anyText()
    fc.assert(
      fc.property(text, text, fc.array(fc.stringMatching(/^[!#-~]{0,9}$/)), (a, b, others) => {
        expect(entityTag(a, b)).toBe(entityTag(a, b))
        if (b !== '') expect(entityTag(a, b)).not.toBe(entityTag(a, `${b}x`))
        const tag = entityTag('digest', b)
        const list = others.map((other) => `"${other}"`)
        expect(heldTag([...list, tag].join(', '), tag)).toBe(tag)
        expect(heldTag(list.join(','), tag)).toBe(list.includes(tag) ? tag : null)
      }),
    )
  })
})

test.each([
  ['/v1/indexes/idx_a/price', 'public, max-age=1'],
  ['/v1/indexes/idx_a/price?as_of=2026-01-01T00:00:00Z', 'public, max-age=3600'],
  ['/v1/indexes/idx_a/prices/iob_a', 'public, max-age=3600'],
  ['/v1/indexes/idx_a/versions/idv_a', 'public, max-age=300'],
  ['/v1/indexes/idx_a/versions/idv_a/constituents', 'public, max-age=31536000, immutable'],
  ['/v1/indexes/idx_a/versions/idv_a/constituents?expand=market', 'public, max-age=1'],
  ['/v1/indexes/idx_a/versions/idv_a/constituents?as_of=2026-01-01T00:00:00Z&expand=market', 'public, max-age=3600'],
  ['/v1/methodologies/mth_a/versions/1.0.0', 'public, max-age=31536000, immutable'],
  ['/v1/indexes', 'public, max-age=1'],
  ['/v1/time', 'no-store'],
  ['/v1/capabilities', 'public, max-age=300'],
  ['/healthz', 'no-store'],
])('%s is kept %s', async (url, expected) => {
  expect((await get(url)).headers['cache-control']).toBe(expected)
})

test('without limits there are no headers of limits', async () => {
  expect(Object.keys((await get('/v1/time')).headers).filter((name) => name.startsWith('svc-ratelimit'))).toEqual([])
})
