import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseTilePath, TILE_WIDTH } from '../../pipelines/transparency/tiles.ts'
import { refusedValue, type ServiceError } from '../../primitives/errors.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { LogReader } from '../../warehouse/transparency/log-reader.ts'
import { type ExchangeContext, finishBytes } from '../server/exchange.ts'
import { addPublicFile, marketData } from '../server/public-file.ts'
import { rawQueryOf } from '../server/raw-query-of.ts'
import { requireReady } from '../server/serve-endpoint.ts'

const TEXT = 'text/plain; charset=utf-8'
const BYTES = 'application/octet-stream'

/** A new checkpoint is signed about once a minute; a cache may keep one for some seconds. */
const SOME_SECONDS = 'public, max-age=5'
const AN_HOUR = 'public, max-age=3600'
const NEVER_CHANGES = 'public, max-age=31536000, immutable'

type Served = { readonly bytes: Uint8Array; readonly type: string; readonly cache: string }

type LogContext = ExchangeContext & { readonly log: LogReader | null; readonly reader: Reader }

/** Serves the files of the log below /log/, in the layout of c2sp.org/tlog-tiles. */
export function serveLog(app: FastifyInstance, context: LogContext): void {
  const { log, reader } = context
  /** A service that starts may have a log that it does not know yet. */
  const textOf = (name: string, text: string | null | undefined, cache: string): Served => {
    if (text != null) return { bytes: Buffer.from(text), type: TEXT, cache }
    requireReady(reader)
    throw notFound(name, 'a log, which this deployment does not have yet')
  }
  const routes: Readonly<Record<string, (request: FastifyRequest) => Promise<Served>>> = {
    '/log/checkpoint': async () => textOf('checkpoint', (await log?.checkpoint())?.text, SOME_SECONDS),
    '/log/vkey': async () => textOf('vkey', withLineFeed(await log?.vkey()), AN_HOUR),
    '/log/tile/*': async (request) => tileOf(log, `tile/${(request.params as { '*': string })['*']}`),
  }
  for (const [url, show] of Object.entries(routes)) {
    addPublicFile(app, context, url, marketData(1), async (exchange, request) => {
      refuseQuery(rawQueryOf(request.raw.url!))
      const { bytes, type, cache } = await show(request)
      exchange.headers.push('cache-control', cache)
      finishBytes(context, exchange, bytes, type)
    })
  }
}

function withLineFeed(text: string | null | undefined): string | null {
  return text == null ? null : `${text}\n`
}

async function tileOf(log: LogReader | null, path: string): Promise<Served> {
  const address = parseTilePath(path)
  const bytes = address === null ? null : ((await log?.tile(address)) ?? null)
  if (address === null || bytes === null) throw notFound(path, 'a tile that the latest checkpoint covers')
  return { bytes, type: BYTES, cache: address.width === TILE_WIDTH ? NEVER_CHANGES : AN_HOUR }
}

function notFound(path: string, allowed: string): ServiceError {
  return refusedValue('LOG_NOT_FOUND', 'path', `/log/${path}`, allowed)
}

function refuseQuery(query: string): void {
  if (query === '') return
  throw refusedValue('VALIDATION_PARAMETER_UNKNOWN', 'query', query.slice(0, 100), 'no parameters')
}
