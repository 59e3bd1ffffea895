import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_GUIDE } from '../../../api/pages/error-guide.ts'
import { guidePaths } from '../../../api/pages/guide-files.ts'
import { guideGroups } from '../../../api/pages/guide-groups.ts'
import { operations } from '../../../api/pages/operations.ts'
import { recordedExamples } from '../../../api/pages/recorded-examples.ts'
import { GOVERNANCE_ROUTES } from '../../../api/routes/governance.ts'
import { NOTICE_ROUTES } from '../../../api/routes/notices.ts'
import { SEVERITY_INDEX_ROUTES } from '../../../api/routes/severity-indexes.ts'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import { firstWords } from '../../../console/site/first-words.ts'
import { contentHash } from '../../../primitives/canonical-json.ts'
import { ERROR_CODES, type ErrorCode } from '../../../primitives/error-codes.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../../../protocol/endpoints/endpoints.ts'
import { errorsOf } from '../../../protocol/endpoints/errors-of.ts'
import { PRIVATE_TOPIC_NAMES } from '../../../protocol/stream/private-topics.ts'
import { TOPIC_NAMES } from '../../../protocol/stream/topics.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader } from '../../support/fake-reader.ts'

const METHODOLOGY = { parameters: '{"mode":"chain_linked","cap.single":"0.3"}', text_sha256: 'ab'.repeat(32) }
const TEXTS = join(import.meta.dirname, '../../../docs/methodology')
const VECTORS = join(import.meta.dirname, '../../../datasets/vectors')
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

/** Every page that a visitor can reach from the first one, by address, and the links that led nowhere. */
async function crawl(): Promise<{ readonly pages: ReadonlyMap<string, string>; readonly broken: readonly string[] }> {
  const pages = new Map<string, string>()
  const broken: string[] = []
  const wanted = new Map([['/docs', 'start']])
  for (const [url, from] of wanted) {
    const answer = await app.inject({ url })
    if (answer.statusCode !== 200) broken.push(`${from}: ${url} answers ${answer.statusCode}`)
    const is_page = answer.headers['content-type'] === 'text/html; charset=utf-8'
    pages.set(url, is_page ? answer.body : '')
    if (!is_page) continue
    for (const link of linksOf(answer.body)) if (!wanted.has(link) && link !== '/') wanted.set(link, url)
  }
  return { pages, broken }
}

/** Addresses of this service that a page links to, shows or loads, without the section. */
function linksOf(body: string): readonly string[] {
  return [...body.matchAll(/ (?:href|src)="(\/[^"#]*)/g)].map(([, link]) => link!.replaceAll('&amp;', '&'))
}

describe('the site', () => {
  let pages: ReadonlyMap<string, string>
  let broken: readonly string[]
  beforeAll(async () => {
    ;({ pages, broken } = await crawl())
  })

  test('every link leads to something that is there', () => {
    expect(broken).toEqual([])
    expect(pages.size).toBeGreaterThan(CODES.length + operations().size + guidePaths().length)
  })

  test('every operation, code, topic and guide is reached from the first page', () => {
    const wanted = [
      ...[...operations().keys()].map((id) => `/docs/api/${id}`),
      ...CODES.map((code) => `/docs/errors/${code}`),
      ...[...TOPIC_NAMES, ...PRIVATE_TOPIC_NAMES].map((topic) => `/docs/stream/${topic}`),
      ...guideGroups().flatMap(({ entries }) => entries.map(({ href }) => href.split('#')[0]!)),
    ]
    expect(wanted.filter((url) => !pages.has(url))).toEqual([])
  })

  test('every link to a section leads to its heading', () => {
    const missing = [...pages].flatMap(([url, body]) =>
      [...body.matchAll(/href="(\/docs[^"#]*)?#([^"]+)"/g)]
        .filter(([, target = url, anchor]) => !pages.get(target)?.includes(`id="${anchor}"`))
        .map(([link]) => `${url}: ${link}`),
    )
    expect(missing).toEqual([])
  })

  test('no page has code or style of its own, or loads from elsewhere; ids are unique', () => {
    const own_script = '<script type="module" src="/docs/assets/site.js"></script>'
    for (const [url, body] of pages) {
      if (body === '') continue
      expect([
        url,
        body.replace(own_script, '').match(/<script| style=| on\w+="| src="(?!\/docs\/)|<link [^>]*href="(?!\/docs\/)/),
      ]).toEqual([url, null])
      const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect([url, ids.filter((id, at) => ids.indexOf(id) !== at)]).toEqual([url, []])
    }
  })

  test('every entry of the search leads to a page that is there, and to a heading of it', async () => {
    const answer = await app.inject({ url: '/docs/search.json' })
    const entries = answer.json() as readonly { readonly url: string; readonly title: string }[]
    const lost = entries.filter(({ url }) => {
      const [path, anchor] = url.split('#')
      const body = pages.get(path!)
      return body === undefined || (anchor !== undefined && !body.includes(`id="${anchor}"`))
    })
    // Guides that no page links to are found by the search alone.
    const unlinked = lost.filter(({ url }) => !url.startsWith('/docs/guides/'))
    expect(unlinked).toEqual([])
    expect(new Set(entries.map(({ url }) => url)).size).toBe(entries.length)
    expect(entries.map(({ url }) => url)).toEqual(
      expect.arrayContaining(['/docs/api/place_order', '/docs/errors/ORDER_NOT_FOUND']),
    )
  })
})

describe('pages', () => {
  test('a page that does not exist is a page for a browser, and an error object for others', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    for (const url of ['/docs/errors/NoSuch', '/docs/guides/no-such']) {
      const shown = await app.inject({ url, headers: { accept } })
      expect([shown.statusCode, shown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(shown.body).toContain('<h1>No such page</h1>')
      expect((await app.inject({ url })).json()).toMatchObject({ error: { code: 'ROUTE_NOT_FOUND' } })
    }
  })

  test('the search is bounded: a long text is cut, and few of its words are looked for', async () => {
    expect((await app.inject({ url: '/docs' })).body).toContain('<input id="search" type="search" maxlength="200"')
    expect(firstWords(' place_order  the order, the price ')).toBe('place order the price')
    expect(firstWords('a b c d e f g h i j k l m')).toBe('a b c d e f g h i j')
  })

  test.each(['/docs', '/docs/api/place_order', '/docs/guides/signing', '/docs/errors/INTERNAL_ERROR'])(
    '%s has the policy of the site',
    async (url) => {
      const answer = await app.inject({ url })
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      const policy = String(answer.headers['content-security-policy'])
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; .*require-trusted-types-for 'script'$/)
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    },
  )

  test('an operation says what it takes, answers, costs and refuses, and has a form', async () => {
    const { body } = await app.inject({ url: '/docs/api/list_index_prices' })
    for (const id of ['request', 'example', 'answer', 'limits', 'errors', 'try'])
      expect(body).toContain(`<h2 id="${id}">`)
    expect(body).toContain('/docs/errors/INDEX_NOT_FOUND')
    expect(body).toMatch(/greatest <code>limit<\/code><\/td><td>1000; 200 with <code>expand<\/code>/)
    expect(body).toContain('record_hash')
  })

  test('a host that is no host is not repeated in samples', async () => {
    const answer = await app.inject({ url: '/docs/api/list_indexes', headers: { host: 'a"><script>' } })
    expect(answer.body).not.toContain('a"><script')
    expect(answer.body).toContain('http://127.0.0.1:8080/v1/indexes')
    const known = await app.inject({ url: '/docs/api/list_indexes', headers: { host: 'api.example:8443' } })
    expect(known.body).toContain('curl &#39;http://api.example:8443/v1/indexes?')
  })

  test('the vectors can be had from the service, byte for byte, and their page leads to each', async () => {
    const { body: page } = await app.inject({ url: '/docs/guides/datasets/vectors/README' })
    for (const name of readdirSync(VECTORS).filter((one) => one.endsWith('.json'))) {
      const url = `/docs/files/datasets/vectors/${name}`
      expect(page).toContain(`href="${url}"`)
      expect((await app.inject({ url })).rawPayload.equals(readFileSync(join(VECTORS, name)))).toBe(true)
    }
  })

  test.each([
    ...['NOPE', '__proto__', 'toString'].map((code) => `/docs/errors/${code}`),
    ...['nope', '__proto__', 'constructor'].map((id) => `/docs/api/${id}`),
    ...['/docs/stream/nope', '/docs/guides/nope', '/docs/assets/nope.js', '/docs/guides/..%2f..%2fpackage'],
    ...['/docs/files/nope.png', '/docs/files/../package.json', '/docs/files/..%2fpackage.json', '/docs/files/images'],
  ])('%s is not there', async (url) => {
    const answer = await app.inject({ url })
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  })
})

describe('samples', () => {
  test.each(Object.keys(ENDPOINTS) as OperationId[])(
    'the example of %s passes the checks of its endpoint',
    async (operation_id) => {
      const answer = await app.inject({ url: recordedExamples()[operation_id]!.target })
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
