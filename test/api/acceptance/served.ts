import { afterAll } from 'vitest'
import { type ServedApi, serveApi } from '../../../api/serve.ts'
import { type Micros, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { tablesOfView } from '../../../warehouse/read/views.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'

/** An answer of a served API: parsed, and the bytes of its `data` as they came. */
export type Answer = {
  readonly status: number
  readonly etag: string | null
  readonly body: AnswerBody
  readonly data_text: string
}
export type AnswerBody = {
  readonly data: unknown
  readonly page?: { readonly next_cursor: string | null; readonly has_more: boolean }
  readonly meta: { readonly correction_chain?: readonly string[] }
  readonly error?: { readonly code: string }
}

/** The one resource, or the resources, of an answer. */
export const rowOf = ({ body }: Answer): Row => body.data as Row
export const rowsOf = ({ body }: Answer): Row[] => body.data as Row[]

/** Every process that serves cursors of the others shares their secret. */
const CURSOR_SECRET = Buffer.alloc(32, 7)

/** One API process over a warehouse, without rate limits; closed after the tests of the file. */
export async function serve(root: string): Promise<ServedApi & { get(path: string): Promise<Answer> }> {
  const api = await serveApi({
    warehouse_root: root,
    host: '127.0.0.1',
    port: 0,
    environment: 'test',
    rate_limits: 'off',
    cursor_secret: CURSOR_SECRET,
    query_limits: PATIENT_QUERIES,
  })
  let closed = false
  const close = async () => {
    if (!closed) await api.close()
    closed = true
  }
  afterAll(close)
  return { ...api, close, get: (path) => get(api.base_url, path) }
}

async function get(base_url: string, path: string): Promise<Answer> {
  const response = await fetch(`${base_url}/v1${path}`)
  const text = await response.text()
  const body = JSON.parse(text) as AnswerBody
  return { status: response.status, etag: response.headers.get('etag'), body, data_text: dataText(text) }
}

/** The envelope is data first, then page and meta; no text of those two contains a quote. */
function dataText(text: string): string {
  const end = text.lastIndexOf(',"page":') < 0 ? text.lastIndexOf(',"meta":') : text.lastIndexOf(',"page":')
  return text.slice('{"data":'.length, end)
}

/** Rows of a SELECT over the views as of an instant: what `tidemark sql --as-of` prints. */
export async function sql(warehouse: Warehouse, query: string, as_of: string | null = null): Promise<Row[]> {
  const tables = [...new Set(query.match(/\w+/g)?.flatMap((name) => tablesOfView(name) ?? []))]
  const session = await openReadSession(warehouse, { as_of: as_of === null ? null : toMicros(as_of), tables })
  try {
    return await session.query(query)
  } finally {
    await session.close()
  }
}

/** Every item of a collection, page by page of `limit`; `between` runs after each page. */
export async function walk(
  get: (path: string) => Promise<Answer>,
  path: string,
  limit: number,
  between: () => Promise<void> = async () => undefined,
): Promise<Row[]> {
  const items: Row[] = []
  const url = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await get(cursor === '' ? url : `${url}&cursor=${cursor}`)
    if (status !== 200) throw new TypeError(`${url}: ${JSON.stringify(body)}`)
    items.push(...(body.data as Row[]))
    cursor = body.page!.next_cursor
    await between()
  }
  return items
}

/** An instant, the one before it and the one after it. */
export function around(at: Micros): readonly Micros[] {
  return [at - 1, at, at + 1]
}
