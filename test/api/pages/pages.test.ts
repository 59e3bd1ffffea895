import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_GUIDE } from '../../../api/pages/error-guide.ts'
import { sampleOf } from '../../../api/pages/reference-page.ts'
import { GOVERNANCE_ROUTES } from '../../../api/routes/governance.ts'
import { NOTICE_ROUTES } from '../../../api/routes/notices.ts'
import { SEVERITY_INDEX_ROUTES } from '../../../api/routes/severity-indexes.ts'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import { contentHash } from '../../../primitives/canonical-json.ts'
import { ERROR_CODES, type ErrorCode } from '../../../primitives/error-codes.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../../../protocol/endpoints/endpoints.ts'
import { errorsOf } from '../../../protocol/endpoints/errors-of.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader } from '../../support/fake-reader.ts'

const METHODOLOGY = { parameters: '{"mode":"chain_linked","cap.single":"0.3"}', text_sha256: 'ab'.repeat(32) }
const TEXTS = join(import.meta.dirname, '../../../docs/methodology')
/** Every normative text, by the id of a methodology that has it. */
const NORMATIVE = new Map(
  readdirSync(TEXTS)
    .filter((name) => name !== 'README.md')
    .map((name) => [`mth_${name.replace('.md', '')}`, readFileSync(join(TEXTS, name), 'utf8')]),
)
const CODES = Object.keys(ERROR_CODES) as ErrorCode[]
const missing = (code: ErrorCode) => () => {
  throw new ServiceError(code, 'there is no such record')
}
let app: FastifyInstance

beforeAll(async () => {
  const methodology = (id: string, version: string) => {
    if (id === 'mth_a') return METHODOLOGY
    const text = NORMATIVE.get(id)
    return text === undefined ? null : { version, parameters: '{}', text_sha256: sha256Hex(text) }
  }
  app = await createApiServer({
    reader: fakeReader({ catalog: { methodology } }),
    handlers: fakeHandlers({
      get_index: missing('INDEX_NOT_FOUND'),
      get_methodology: missing('METHODOLOGY_NOT_FOUND'),
      get_event: missing('EVENT_NOT_FOUND'),
      get_market: missing('MARKET_NOT_FOUND'),
      get_rating: missing('RATING_NOT_FOUND'),
      get_severity_assessment: missing('ASSESSMENT_NOT_FOUND'),
      ...SEVERITY_INDEX_ROUTES,
      ...GOVERNANCE_ROUTES,
      ...NOTICE_ROUTES,
    }),
    environment: 'test',
    rate_limits: 'off',
  })
})
afterAll(async () => {
  await app.close()
})

describe('documents', () => {
  test.each([
    ['/openapi.json', 'openapi', '3.1.0'],
    ['/asyncapi.json', 'asyncapi', '3.0.0'],
  ])('%s is served, and unchanged it is not sent again', async (url, field, version) => {
    const answer = await app.inject({ url })
    expect(answer.json()[field]).toBe(version)
    const again = await app.inject({ url, headers: { 'if-none-match': answer.headers.etag! } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('the document of a methodology is what its content_hash is of', async () => {
    const answer = await app.inject({ url: '/docs/methodologies/mth_a/1.0.0' })
    const { text_sha256, parameters } = METHODOLOGY
    expect(contentHash(answer.json())).toBe(contentHash({ parameters: JSON.parse(parameters), text_sha256 }))
    expect(answer.body).toBe(`{"parameters":{"cap.single":"0.3","mode":"chain_linked"},"text_sha256":"${text_sha256}"}`)
    expect((await app.inject({ url: '/docs/methodologies/mth_b/1.0.0' })).statusCode).toBe(404)
  })

  test('the text of every methodology of docs/methodology is served as it was hashed', async () => {
    expect(NORMATIVE.size).toBeGreaterThanOrEqual(4)
    for (const [id, text] of NORMATIVE) {
      const answer = await app.inject({ url: `/docs/methodologies/${id}/1.0.0/text` })
      expect([id, answer.statusCode, answer.body]).toEqual([id, 200, text])
    }
    expect((await app.inject({ url: '/docs/methodologies/mth_a/1.0.0/text' })).statusCode).toBe(404)
  })
})

describe('pages', () => {
  test.each(['/docs', '/docs/stream', '/docs/errors', '/docs/errors/INTERNAL_ERROR'])(
    '%s is safe HTML',
    async (url) => {
      const answer = await app.inject({ url })
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      expect(answer.body).not.toMatch(/<script|style=|https?:\/\/(?!127|localhost)/)
    },
  )

  test('every link leads to something that is there', async () => {
    const pages = await Promise.all(['/docs', '/docs/stream', '/docs/errors'].map((url) => app.inject({ url })))
    const links = new Set(pages.flatMap(({ body }) => [...body.matchAll(/href="(\/[^"#]+)/g)].map(([, href]) => href!)))
    expect(links.size).toBeGreaterThan(CODES.length)
    for (const url of links) expect([url, (await app.inject({ url })).statusCode]).toEqual([url, 200])
  })

  test('a host that is no host is not repeated in samples', async () => {
    const answer = await app.inject({ url: '/docs', headers: { host: 'a"><script>' } })
    expect(answer.body).not.toContain('<script')
    const known = await app.inject({ url: '/docs', headers: { host: 'api.example:8443' } })
    expect(known.body).toContain('curl &#39;http://api.example:8443/v1/indexes&#39;')
  })

  test('there is no page of an unknown code', async () => {
    for (const code of ['NOPE', '__proto__', 'toString']) {
      expect((await app.inject({ url: `/docs/errors/${code}` })).statusCode).toBe(404)
    }
  })
})

describe('samples', () => {
  test.each(Object.keys(ENDPOINTS) as OperationId[])(
    'the sample of %s passes the checks of its endpoint',
    async (operation_id) => {
      const url = sampleOf(endpointOf(operation_id), '').replace(/^curl '(.*)'$/, '$1')
      const answer = await app.inject({ url })
      expect([200, 404]).toContain(answer.statusCode)
      expect(answer.body).not.toContain('ROUTE_NOT_FOUND')
    },
  )

  const reproducible = CODES.filter((code) => ERROR_GUIDE[code].where === 'http' && ERROR_GUIDE[code].needs === null)
  test.each(reproducible)('the sample of %s is answered with it', async (code) => {
    const answer = await app.inject(requestOf(ERROR_GUIDE[code].sample))
    expect([answer.statusCode, answer.json().error.code]).toEqual([ERROR_CODES[code].status, code])
  })

  test('a code that an endpoint may answer with has a sample over HTTP and a stage', () => {
    const codes = new Set((Object.keys(ENDPOINTS) as OperationId[]).flatMap((id) => errorsOf(endpointOf(id))))
    // A public endpoint takes a key as well, and then answers with what is wrong with it.
    const over_http: readonly string[] = ['http', 'signed http']
    const lacking = [...codes].filter((code) => {
      const { where, stage } = ERROR_GUIDE[code]
      return !over_http.includes(where) || stage === null
    })
    expect(lacking).toEqual([])
    expect(reproducible.length).toBeGreaterThan(15)
  })
})

/** The request that `curl SAMPLE` sends. */
function requestOf(sample: string) {
  const headers = Object.fromEntries(
    [...sample.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name, value]) => [name!, value!]),
  )
  const body = /-d '([^']*)'/.exec(sample)?.[1]
  const method = (/-X (\w+)/.exec(sample)?.[1] ?? 'GET') as 'GET' | 'DELETE'
  return { method, url: /'(\/[^']*)'$/.exec(sample)![1]!, headers, ...(body !== undefined && { payload: body }) }
}
