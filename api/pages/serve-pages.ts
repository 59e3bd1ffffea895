import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { once } from '../../primitives/once.ts'
import { asyncApiDocument } from '../../protocol/documents/asyncapi.ts'
import { openApiDocument } from '../../protocol/documents/openapi.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { digestOf, entityTag, heldTag } from '../server/entity-tag.ts'
import { beginExchange, type Exchange, type ExchangeContext, fail, finish, spendTokens } from '../server/exchange.ts'
import { errorIndexPage, errorPage, readErrorTexts } from './error-pages.ts'
import { STYLE } from './html.ts'
import { referencePage } from './reference-page.ts'
import { streamPage } from './stream-page.ts'

const HTML = 'text/html; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Pages have no script and load nothing from other hosts. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const MARKDOWN = 'text/markdown; charset=utf-8'

/** Normative texts of the methodologies that this version of the software publishes. */
const METHODOLOGY_TEXTS = new URL('../../docs/methodology/', import.meta.url)
const ERRORS_FILE = new URL('../../docs/errors.md', import.meta.url)

/** Tokens of a page: most of its cost is its compression. */
const PAGE_COST = 2
/** Host of the samples in a page that is rendered once; each request puts its own in its place. */
const ANY_HOST = 'host.invalid'

// Made when they are first asked for: the document of all endpoints takes longer than everything else of a server's start.
const openApi = once(() => JSON.stringify(openApiDocument()))
const asyncApi = once(() => JSON.stringify(asyncApiDocument()))
const errorTexts = once(() => readErrorTexts(readFileSync(ERRORS_FILE, 'utf8')))
const errorIndex = once(() => errorIndexPage(errorTexts()))

/** Content of a page: media type and text. */
type Shown = { readonly type: string; readonly text: string }
type Show = (request: FastifyRequest) => Shown

/** Serves the documents and their pages: /openapi.json, /asyncapi.json, and /docs with its subpages. */
export function servePages(app: FastifyInstance, context: ExchangeContext & { readonly reader: Reader }): void {
  const routes: Readonly<Record<string, Show>> = {
    '/openapi.json': fixed(JSON_TYPE, openApi),
    '/asyncapi.json': fixed(JSON_TYPE, asyncApi),
    '/docs': renderedOnce(referencePage),
    '/docs/stream': renderedOnce(streamPage),
    '/docs/style.css': fixed(CSS, () => STYLE),
    '/docs/errors': fixed(HTML, errorIndex),
    '/docs/errors/:code': (request) => ({ type: HTML, text: errorPageOf(request) }),
    '/docs/methodologies/:methodology_id/:version': (request) =>
      methodologyDocument(requireMethodology(request, context.reader)),
    '/docs/methodologies/:methodology_id/:version/text': (request) =>
      methodologyText(requireMethodology(request, context.reader)),
  }
  for (const [url, show] of Object.entries(routes)) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => {
        const exchange = beginExchange(context, url, request, reply)
        try {
          spendTokens(context, exchange, 'market_data', PAGE_COST)
          answer(context, exchange, show(request))
        } catch (error) {
          fail(context, exchange, error)
        }
      },
    })
  }
}

function answer(context: ExchangeContext, exchange: Exchange, { type, text }: Shown): void {
  const tag = entityTag(digestOf(text), '')
  const if_none_match = exchange.request.headers['if-none-match']
  const held = if_none_match === undefined ? null : heldTag(if_none_match, tag)
  exchange.headers.push('etag', held ?? tag, 'cache-control', 'public, max-age=300')
  if (type === HTML) exchange.headers.push('content-security-policy', PAGE_POLICY, 'referrer-policy', 'no-referrer')
  if (held !== null) finish(context, exchange, 304, null)
  else finish(context, exchange, 200, text, type)
}

function fixed(type: string, text: () => string): Show {
  return () => ({ type, text: text() })
}

/** Shows a long page: it is rendered once for each scheme, because rendering takes longer than any other answer. */
function renderedOnce(render: (base_url: string) => string): Show {
  const rendered = new Map<string, string>()
  return (request) => {
    const [scheme = '', host = ''] = baseUrl(request).split('://')
    const text = rendered.get(scheme) ?? render(`${scheme}://${ANY_HOST}`)
    rendered.set(scheme, text)
    return { type: HTML, text: text.replaceAll(ANY_HOST, host) }
  }
}

/** Returns the base URL of samples: the Host of the request, if it is well-formed. */
function baseUrl({ headers, protocol }: FastifyRequest): string {
  const host = headers.host ?? ''
  return /^[a-zA-Z0-9.-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/.test(host)
    ? `${protocol}://${host}`
    : 'http://127.0.0.1:8080'
}

/** @throws {ServiceError} ROUTE_NOT_FOUND */
function errorPageOf(request: FastifyRequest): string {
  const { code } = request.params as { readonly code: string }
  const text = errorPage(code, errorTexts(), baseUrl(request))
  if (text !== null) return text
  throw new ServiceError('ROUTE_NOT_FOUND', 'no page for this code; /docs/errors lists the codes', {
    field: 'path',
  })
}

/** Returns the published methodology that a path names, of indexes, ratings or severity. @throws {ServiceError} METHODOLOGY_NOT_FOUND */
function requireMethodology({ params }: FastifyRequest, reader: Reader): Row {
  const { methodology_id, version } = params as { readonly methodology_id: string; readonly version: string }
  const catalog = reader.catalog(null)
  const row =
    catalog.methodology(methodology_id, version) ??
    catalog.assessmentMethodology('market_rating', methodology_id, version) ??
    catalog.assessmentMethodology('severity_assessment', methodology_id, version)
  if (row !== null) return row
  throw new ServiceError(
    'METHODOLOGY_NOT_FOUND',
    'there is no methodology of this id and version; index versions, ratings and assessments name both',
    { field: 'methodology_id', value: methodology_id },
  )
}

/** Answers with the document of a methodology: the RFC 8785 form of {parameters, text_sha256}, whose SHA-256 is its content_hash. */
function methodologyDocument(row: Row): Shown {
  const parameters = JSON.parse(row.parameters as string) as unknown
  return { type: JSON_TYPE, text: canonicalJson({ parameters, text_sha256: row.text_sha256 }) }
}

/**
 * Answers with the normative text of a methodology, whose SHA-256 is its text_sha256. Records of index methodologies do not hold it:
 * it is served while this version of the software has it.
 * @throws {ServiceError} METHODOLOGY_NOT_FOUND
 */
function methodologyText(row: Row): Shown {
  const text = typeof row.document === 'string' ? row.document : normativeTexts().get(String(row.text_sha256))
  if (text !== undefined) return { type: MARKDOWN, text }
  throw new ServiceError(
    'METHODOLOGY_NOT_FOUND',
    'this version of the software does not have the text of the methodology',
    {
      field: 'version',
      value: String(row.version),
    },
  )
}

/** Every normative text by its SHA-256. */
const normativeTexts = once((): ReadonlyMap<string, string> => {
  const files = readdirSync(METHODOLOGY_TEXTS).filter((name) => name.endsWith('.md') && name !== 'README.md')
  const texts = files.map((name) => readFileSync(new URL(name, METHODOLOGY_TEXTS), 'utf8'))
  return new Map(texts.map((text) => [sha256Hex(text), text]))
})
