import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { escapeHtml } from '../../primitives/escape-html.ts'
import { once } from '../../primitives/once.ts'
import { asyncApiDocument } from '../../protocol/documents/asyncapi.ts'
import { openApiDocument } from '../../protocol/documents/openapi.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import { siteAsset } from '../console/bundle-site.ts'
import { PAGE_POLICY } from '../console/page-policy.ts'
import { FIVE_MINUTES } from '../server/cache-control.ts'
import { type Exchange, type ExchangeContext, finish, finishBytes } from '../server/exchange.ts'
import { addPublicFile, isHeld, spendOnPage } from '../server/public-file.ts'
import { apiIndexPage } from './api-index-page.ts'
import { errorIndexPage, errorPage, readErrorTexts } from './error-pages.ts'
import { readDocument, readGuideFile } from './guide-files.ts'
import { guidePage } from './guides.ts'
import { homePage } from './home-page.ts'
import { page } from './html.ts'
import { type MethodologyPath, methodologyDocument, methodologyText } from './methodology-texts.ts'
import { operationPage } from './operation-page.ts'
import { searchEntries } from './search-index.ts'
import { streamPage, topicPage } from './stream-page.ts'

const HTML = 'text/html; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const SVG = 'image/svg+xml'
const SCRIPT = 'text/javascript; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'

const PAGE_HEADERS = ['content-security-policy', PAGE_POLICY, 'referrer-policy', 'no-referrer'] as const

const STYLE_FILE = new URL('./site.css', import.meta.url)
const ICON_FILE = new URL('../../console/icon.svg', import.meta.url)

/** Host of the samples in a page that is rendered once; each request puts its own in its place. */
const ANY_HOST = 'host.invalid'

// Made when they are first asked for: the document of all endpoints takes longer than everything else of a server's start.
const openApi = once(() => JSON.stringify(openApiDocument()))
const asyncApi = once(() => JSON.stringify(asyncApiDocument()))
const errorTexts = once(() => readErrorTexts(readDocument('docs/errors.md')))
const searchIndex = once(() => JSON.stringify(searchEntries(errorTexts())))

/** Content of a page: media type and text, or bytes. */
type Shown = { readonly type: string; readonly text: string | Buffer }
type Show = (request: FastifyRequest) => Shown | Promise<Shown>

/** Serves the documents and the site made of them: /openapi.json, /asyncapi.json, and /docs with its subpages. */
export function servePages(app: FastifyInstance, context: ExchangeContext & { readonly reader: Reader }): void {
  const { reader } = context
  const routes: Readonly<Record<string, Show>> = {
    '/openapi.json': fixed(JSON_TYPE, openApi),
    '/asyncapi.json': fixed(JSON_TYPE, asyncApi),
    '/docs': fixed(HTML, once(homePage)),
    '/docs/api': fixed(HTML, once(apiIndexPage)),
    '/docs/api/:name': named((name, base_url) => operationPage(name, errorTexts(), base_url), '/docs/api'),
    '/docs/stream': renderedOnce(streamPage),
    '/docs/stream/:name': named(topicPage, '/docs/stream'),
    '/docs/errors': fixed(
      HTML,
      once(() => errorIndexPage(errorTexts())),
    ),
    '/docs/errors/:name': named((name, base_url) => errorPage(name, errorTexts(), base_url), '/docs/errors'),
    '/docs/guides/*': named(guidePage, '/docs'),
    '/docs/files/*': fileOf,
    '/docs/style.css': fixed(
      CSS,
      once(() => readFileSync(STYLE_FILE, 'utf8')),
    ),
    '/docs/icon.svg': fixed(
      SVG,
      once(() => readFileSync(ICON_FILE, 'utf8')),
    ),
    '/docs/search.json': fixed(JSON_TYPE, searchIndex),
    '/docs/assets/:name': scriptOf,
    '/docs/methodologies/:methodology_id/:version': ({ params }) => ({
      type: JSON_TYPE,
      text: methodologyDocument(params as MethodologyPath, reader),
    }),
    '/docs/methodologies/:methodology_id/:version/text': ({ params }) => ({
      type: MARKDOWN,
      text: methodologyText(params as MethodologyPath, reader),
    }),
  }
  for (const [url, show] of Object.entries(routes)) {
    addPublicFile(app, context, url, spendOnPage, async (exchange, request) => {
      try {
        answer(context, exchange, await show(request))
      } catch (error) {
        if (!isServiceError(error) || error.code !== 'ROUTE_NOT_FOUND' || !isBrowser(request)) throw error
        answerMissing(context, exchange, error.message)
      }
    })
  }
}

/** Reports whether a person reads the answer: a browser asks for HTML by name. */
function isBrowser({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '')
}

function answerMissing(context: ExchangeContext, exchange: Exchange, message: string): void {
  exchange.headers.push(...PAGE_HEADERS, 'cache-control', 'no-store')
  const links = '<a href="/docs">All documents</a> · <a href="/docs/errors">All errors</a>'
  finish(
    context,
    exchange,
    404,
    page('No such page', `<p>${escapeHtml(message)}.</p><p>${links}</p>`, { at: '' }),
    HTML,
  )
}

function answer(context: ExchangeContext, exchange: Exchange, { type, text }: Shown): void {
  const is_held = isHeld(exchange, text, FIVE_MINUTES)
  if (type === HTML) exchange.headers.push(...PAGE_HEADERS)
  if (is_held) finish(context, exchange, 304, null)
  else if (typeof text === 'string') finish(context, exchange, 200, text, type)
  else finishBytes(context, exchange, text, type)
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

/**
 * Shows one page of many, by the last part of its path. @param list  page that lists them
 * @throws {ServiceError} ROUTE_NOT_FOUND
 */
function named(render: (name: string, base_url: string) => string | null, list: string): Show {
  return (request) => {
    const text = render(nameOf(request), baseUrl(request))
    if (text === null) throw noPage(`no page of this name; ${list} lists them`)
    return { type: HTML, text }
  }
}

function nameOf({ params }: FastifyRequest): string {
  const { name, '*': rest } = params as { readonly name?: string; readonly '*'?: string }
  return name ?? rest ?? ''
}

/** @throws {ServiceError} ROUTE_NOT_FOUND */
function fileOf(request: FastifyRequest): Shown {
  const file = readGuideFile(nameOf(request))
  if (file === null) throw noPage('no file of this name; guides name the files that there are')
  return { type: file.type, text: file.content }
}

/** @throws {ServiceError} ROUTE_NOT_FOUND */
async function scriptOf(request: FastifyRequest): Promise<Shown> {
  const content = await siteAsset(nameOf(request))
  if (content === null) throw noPage('no script of this name; pages name the scripts that there are')
  return { type: SCRIPT, text: content }
}

function noPage(message: string): ServiceError {
  return new ServiceError('ROUTE_NOT_FOUND', message, { field: 'path' })
}
