import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { digestOf, entityTag, heldTag } from '../server/entity-tag.ts'
import { bundleConsole, type ConsoleBundle } from './bundle-console.ts'
import { PAGE_POLICY } from './page-policy.ts'

const COMMON_HEADERS = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' }
const PAGE_HEADERS = {
  ...COMMON_HEADERS,
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-cache',
}
const ASSET_HEADERS = { ...COMMON_HEADERS, 'cache-control': 'public, max-age=31536000, immutable' }

/**
 * Adds the console to a server, as `extra` of createApiServer: the page at `/`, its files at `/assets/…`. The bundle is built once,
 * here; every other path keeps the server's 404 and 405.
 * @param bundle  left out: made from console/
 */
export async function consoleRoutes(bundle?: ConsoleBundle): Promise<(app: FastifyInstance) => void> {
  const made = bundle ?? (await bundleOfProcess())
  const page = servedFile('text/html; charset=utf-8', Buffer.from(pageHtml(made)), PAGE_HEADERS)
  const assets = [made.script, ...made.shared, ...made.later, made.style, made.icon].map(
    ({ path, type, content }) => [path, servedFile(type, content, ASSET_HEADERS)] as const,
  )
  return (app) => {
    const method = ['GET', 'HEAD']
    app.route({ method, url: '/', handler: page })
    for (const [url, handler] of assets) app.route({ method, url, handler })
  }
}

let bundled: Promise<ConsoleBundle> | null = null

/** Bundles the console once for all servers of a process; a failed attempt is made again. */
function bundleOfProcess(): Promise<ConsoleBundle> {
  bundled ??= bundleConsole().catch((error: unknown) => {
    bundled = null
    throw error
  })
  return bundled
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Serves fixed bytes, compressed if the client accepts it. */
function servedFile(type: string, content: Buffer, headers: Readonly<Record<string, string>>): Handler {
  const compressed = gzipSync(content, { level: 9 })
  const tag = digestOf(content.toString())
  return (request, reply) => {
    const is_gzip = takesGzip(request.headers['accept-encoding'])
    const etag = entityTag(tag, is_gzip ? 'gzip' : '')
    reply.headers({ ...headers, etag, vary: 'accept-encoding' })
    const if_none_match = request.headers['if-none-match']
    if (if_none_match !== undefined && heldTag(if_none_match, etag) !== null) return reply.code(304).send()
    if (is_gzip) reply.header('content-encoding', 'gzip')
    return reply.type(type).send(is_gzip ? compressed : content)
  }
}

function takesGzip(header: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(header ?? ''))
}

/** Returns the console's only HTML document; its script renders everything in it. */
function pageHtml({ script, shared, style, icon }: ConsoleBundle): string {
  const preloads = shared.map(
    ({ path, integrity }) => `<link rel="modulepreload" href="${path}" integrity="${integrity}">`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Indexes made from prediction markets, now and as they were known at any instant.">
<title>Tidemark</title>
<link rel="icon" href="${icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${style.path}" integrity="${style.integrity}">
${preloads.join('\n')}
<script type="module" src="${script.path}" integrity="${script.integrity}"></script>
</head>
<body>
<div id="app"><noscript><p>This page needs JavaScript. The same numbers are answered by <a href="/v1/indexes">/v1/indexes</a>.</p></noscript></div>
</body>
</html>
`
}
