import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { ServiceError } from '../../primitives/errors.ts'
import type { Endpoint } from '../../protocol/endpoints/endpoint.ts'
import { EXPORTS } from '../../protocol/limits.ts'
import { contentCoding } from '../server/content-coding.ts'
import type { Exchange, ExchangeContext } from '../server/exchange.ts'
import type { CursorState, RouteAnswer } from '../server/handler.ts'
import { type AnswerFormat, MEDIA_TYPES } from './answer-format.ts'
import { type ParquetColumn, parquetWriter } from './parquet-writer.ts'
import { cellsOf, csvLine, tableColumns } from './table-columns.ts'

type TableFormat = Exclude<AnswerFormat, 'json'>
type Resource = Readonly<Record<string, unknown>>

/** Records of one page, and the state of the cursor after it. */
type TablePage = Pick<RouteAnswer, 'data' | 'next'>

/** A history that is answered as a table. */
export type HistoryExport = {
  readonly endpoint: Endpoint
  readonly format: TableFormat
  /** Reads the first page, and returns how the others of the same instant are read. */
  readonly open: () => Promise<{
    readonly first: TablePage
    readonly after: (cursor: CursorState) => Promise<TablePage>
  }>
  /** Optional fields that the request asks for. */
  readonly expand: readonly string[]
  /** Caller that the export is counted by. */
  readonly turn: string
  /** Whether the request names a page; otherwise every record is written, from its cursor on. */
  readonly one_page: boolean
  /** Takes the tokens of a further page; a wait in milliseconds if there are too few. */
  readonly spend: () => number
  /** Writes the cursor of the next page. */
  readonly cursorText: (next: CursorState) => string
}

/** Tables that are being written, by caller. */
const running = new Map<string, number>()

/**
 * Answers with the records of a history as a table. Pages are read one after the other, each when the client has taken the one before
 * and the caller has tokens for it, so neither memory nor the share of the service grows with the range. All show one instant.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: too many tables are being written; RATE_LIMIT_EXCEEDED: too many of this caller are; and
 *   the errors of the first page
 */
export async function streamHistory(context: ExchangeContext, exchange: Exchange, asked: HistoryExport): Promise<void> {
  const { turn } = asked
  const of_caller = running.get(turn) ?? 0
  refuseMore(of_caller)
  running.set(turn, of_caller + 1)
  try {
    await write(context, exchange, asked, await asked.open())
  } finally {
    const left = running.get(turn)! - 1
    if (left === 0) running.delete(turn)
    else running.set(turn, left)
  }
}

function refuseMore(of_caller: number): void {
  const retry_after_ms = String(RETRY_AFTER_MS)
  if (of_caller >= EXPORTS.of_caller_max) {
    const message = `${of_caller} exports of this caller are running, the maximum; try again when one has ended`
    throw new ServiceError('RATE_LIMIT_EXCEEDED', message, { retry_after_ms })
  }
  const all = [...running.values()].reduce((sum, count) => sum + count, 0)
  if (all < EXPORTS.at_once_max) return
  const message = `${all} exports are running, the maximum; try again later`
  throw new ServiceError('SERVICE_UNAVAILABLE', message, { phase: 'exports', retry_after_ms })
}

/** Time after which an export may have ended. */
const RETRY_AFTER_MS = 5000

type Opened = Awaited<ReturnType<HistoryExport['open']>>

async function write(
  context: ExchangeContext,
  exchange: Exchange,
  asked: HistoryExport,
  opened: Opened,
): Promise<void> {
  const { first } = opened
  const { reply, headers, request } = exchange
  const { endpoint, format, one_page } = asked
  const coding = format === 'csv' ? contentCoding(request.raw.headers['accept-encoding'] as string | undefined) : null
  const type = format === 'csv' ? `${MEDIA_TYPES.csv}; charset=utf-8; header=present` : MEDIA_TYPES.parquet
  headers.push('content-type', type, 'vary', 'accept, accept-encoding')
  headers.push('content-disposition', `attachment; filename="${endpoint.operation_id}.${format}"`)
  if (coding !== null) headers.push('content-encoding', coding)
  if (one_page && first.next != null) headers.push('svc-next-cursor', asked.cursorText(first.next))
  context.observe?.(exchange.operation, 200, (performance.now() - exchange.started_ms) / 1000)
  reply.hijack()
  reply.raw.writeHead(200, headers)
  if (request.raw.method === 'HEAD') {
    reply.raw.end()
    return
  }
  const pieces = Readable.from(piecesOf(asked, opened))
  const compress =
    coding === 'br' ? createBrotliCompress(FAST_BROTLI) : coding === 'gzip' ? createGzip({ level: 5 }) : null
  try {
    await (compress === null ? pipeline(pieces, reply.raw) : pipeline(pieces, compress, reply.raw))
  } catch (error) {
    // The status is sent: only an end without its last chunk tells the client that records are missing.
    context.logger?.error(
      { request_id: exchange.request_id, operation: exchange.operation, error },
      'a table ended early',
    )
    reply.raw.destroy()
  }
}

const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

async function* piecesOf(asked: HistoryExport, opened: Opened): AsyncGenerator<Buffer> {
  const columns = tableColumns(asked.endpoint.data, asked.expand)
  const pages = asked.one_page ? onePage(opened.first) : allPages(asked, opened)
  yield* asked.format === 'csv' ? csvPieces(columns, pages) : parquetPieces(columns, pages)
}

async function* onePage({ data }: TablePage): AsyncGenerator<readonly Resource[]> {
  yield data as readonly Resource[]
}

async function* allPages(asked: HistoryExport, { first, after }: Opened): AsyncGenerator<readonly Resource[]> {
  let page = first
  for (;;) {
    yield page.data as readonly Resource[]
    if (page.next == null) return
    for (let wait = asked.spend(); wait > 0; wait = asked.spend()) await sleep(wait)
    page = await after(page.next)
  }
}

async function* csvPieces(
  columns: readonly ParquetColumn[],
  pages: AsyncGenerator<readonly Resource[]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(csvLine(columns.map(({ name }) => name)))
  for await (const page of pages) {
    if (page.length > 0) yield Buffer.from(page.map((resource) => csvLine(cellsOf(columns, resource))).join(''))
  }
}

async function* parquetPieces(
  columns: readonly ParquetColumn[],
  pages: AsyncGenerator<readonly Resource[]>,
): AsyncGenerator<Buffer> {
  const writer = parquetWriter(columns)
  yield writer.head()
  for await (const page of pages) {
    if (page.length > 0) yield await writer.rowGroup(page.map((resource) => cellsOf(columns, resource)))
  }
  yield writer.foot()
}
