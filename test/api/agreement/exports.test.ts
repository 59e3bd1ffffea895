import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../protocol/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../../protocol/endpoints/endpoints.ts'
import { openMemoryDatabase, readRows } from '../../../warehouse/duckdb/memory-database.ts'
import { asTexts, parseCsv } from '../../support/csv-table.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { HARBOR_RANGE, harborWarehouse } from '../acceptance/harbor.ts'
import { marketOf, outcomeOf } from '../acceptance/harbor-rows.ts'
import { serve, walk } from '../acceptance/served.ts'

/** Histories as CSV and Parquet, and compressed answers: the same records as JSON, character by character. */
const folder = tempFolder()
let api: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  api = await serve(await harborWarehouse(folder))
}, 240_000)

const MARKET = `/markets/${marketOf('v', 'A')}`
const OUTCOME = outcomeOf('v', 'A')
const RANGE = `start_time=${HARBOR_RANGE.from}&end_time=${HARBOR_RANGE.to}`
const HISTORIES = [
  ['list_index_prices', '/indexes/idx_harbor/prices?include_corrections=true'],
  ['list_index_candles', `/indexes/idx_harbor/candles?${RANGE}&interval=PT1H`],
  ['list_market_prices', `${MARKET}/prices?time_domain=source`],
  ['list_market_candles', `${MARKET}/candles?${RANGE}&interval=PT15M&outcome_id=${OUTCOME}&field=bid`],
  ['list_trades', `/markets/${marketOf('v', 'F')}/trades`],
] as const

describe('tables', () => {
  test.each(HISTORIES)('%s as CSV has the records of JSON', async (_operation, path) => {
    const records = await walk(api.get, path, 1000)
    expect(records.length).toBeGreaterThan(0)
    const { headers, body } = await bytesOf(path, { accept: 'text/csv' })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(headers.vary).toBe('accept, accept-encoding')
    const [names, ...rows] = parseCsv(body.toString('utf8'))
    expect(rows.map((cells) => Object.fromEntries(cells.map((cell, n) => [names![n]!, cell])))).toEqual(
      records.map(asTexts),
    )
  })

  test.each(HISTORIES)('%s as Parquet has the records of JSON', async (operation, path) => {
    const records = await walk(api.get, path, 1000)
    const { body } = await bytesOf(path, { accept: 'application/vnd.apache.parquet' })
    const file = join(folder, `${operation}.parquet`)
    writeFileSync(file, body)
    const { connection, close } = await openMemoryDatabase()
    const rows = await readRows(connection, `select * from read_parquet('${file}')`)
    close()
    expect(rows.map(asTexts)).toEqual(records.map(asTexts))
  })

  test('many pages are one table, as of one instant', async () => {
    const path = `${MARKET}/prices?as_of=${HARBOR_RANGE.to}`
    const records = await walk(api.get, path, 1000)
    const [, ...rows] = parseCsv((await bytesOf(path, { accept: 'text/csv' })).body.toString('utf8'))
    expect(rows.length).toBe(records.length)
  })

  test('with a limit it is that page, and the header has the cursor of the next', async () => {
    const path = `${MARKET}/prices`
    const first = await bytesOf(`${path}?limit=3`, { accept: 'text/csv' })
    const cursor = first.headers['svc-next-cursor']
    const second = await bytesOf(`${path}?limit=3&cursor=${cursor}`, { accept: 'text/csv' })
    const ids = [first, second].flatMap(({ body }) =>
      parseCsv(body.toString('utf8'))
        .slice(1)
        .map(([id]) => id),
    )
    expect(ids).toEqual((await walk(api.get, path, 6)).slice(0, 6).map(({ observation_id }) => observation_id))
  })

  test('an error before the first record is an ordinary one', async () => {
    const { status, body } = await bytesOf('/markets/mkt_none/prices', { accept: 'text/csv' })
    expect([status, JSON.parse(body.toString('utf8')).error.code]).toEqual([404, 'MARKET_NOT_FOUND'])
  })

  test('every history offers them, and no other endpoint; another type is refused', async () => {
    const histories = Object.values<Endpoint>(ENDPOINTS).filter(({ is_history }) => is_history === true)
    expect(histories.map(({ operation_id }) => operation_id).sort()).toEqual([
      'list_event_severity',
      'list_index_candles',
      'list_index_prices',
      'list_market_candles',
      'list_market_prices',
      'list_market_ratings',
      'list_ratings',
      'list_severity_assessments',
      'list_severity_index_values',
      'list_trades',
    ])
    const refused = [
      ['/indexes', 'text/csv'],
      [`${MARKET}/prices`, 'application/xml'],
      [`${MARKET}/prices`, 'application/json;q=0, text/csv;q=0'],
      ['/time', 'text/html'],
    ] as const
    for (const [path, accept] of refused) {
      const { status, body } = await bytesOf(path, { accept })
      expect([path, status, JSON.parse(body.toString('utf8')).error.code]).toEqual([
        path,
        406,
        'VALIDATION_ACCEPT_UNSUPPORTED',
      ])
    }
    const accepted = ['*/*', 'application/*', 'text/html, */*;q=0.1', 'application/json;q=0.5, text/csv;q=0.4']
    for (const accept of accepted)
      expect((await bytesOf(`${MARKET}/prices`, { accept })).headers['content-type']).toContain('application/json')
  })
})

describe('content coding', () => {
  const LARGE = `${MARKET}/prices?limit=1000&as_of=${HARBOR_RANGE.to}`
  const dataOf = (body: Buffer) => (JSON.parse(body.toString('utf8')) as { data: unknown }).data

  test('a large answer is compressed as the client prefers, with an entity tag of its own', async () => {
    const plain = await bytesOf(LARGE, {})
    expect(plain.body.length).toBeGreaterThan(16 * 1024)
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept, accept-encoding'])
    const gzip = await bytesOf(LARGE, { 'accept-encoding': 'gzip, deflate' })
    const br = await bytesOf(LARGE, { 'accept-encoding': 'gzip;q=0.8, br' })
    expect([gzip.headers['content-encoding'], br.headers['content-encoding']]).toEqual(['gzip', 'br'])
    expect(dataOf(gunzipSync(gzip.body))).toEqual(dataOf(plain.body))
    expect(dataOf(brotliDecompressSync(br.body))).toEqual(dataOf(plain.body))
    expect(gzip.body.length * 4).toBeLessThan(plain.body.length)
    expect(gzip.headers['content-length']).toBe(String(gzip.body.length))
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3)
    for (const { headers } of [plain, gzip, br]) {
      const again = await bytesOf(LARGE, { 'accept-encoding': 'gzip, br', 'if-none-match': headers.etag! })
      expect([again.status, again.headers.etag, again.body.length]).toEqual([304, headers.etag, 0])
    }
  })

  test('a small answer, or one that the client wants plain, is not', async () => {
    const small = await bytesOf('/indexes/idx_harbor/price', { 'accept-encoding': 'gzip, br' })
    expect([small.headers['content-encoding'], small.headers.vary]).toEqual([undefined, undefined])
    for (const refused of ['identity', 'gzip;q=0, br;q=0', 'zstd', '*;q=0'])
      expect((await bytesOf(LARGE, { 'accept-encoding': refused })).headers['content-encoding']).toBeUndefined()
    expect((await bytesOf(LARGE, { 'accept-encoding': '*' })).headers['content-encoding']).toBe('br')
  })

  test('a table is compressed while it is streamed', async () => {
    const headers = { accept: 'text/csv', 'accept-encoding': 'gzip' }
    const { headers: answered, body } = await bytesOf(`${MARKET}/prices`, headers)
    expect(answered['content-encoding']).toBe('gzip')
    const plain = await bytesOf(`${MARKET}/prices`, { accept: 'text/csv' })
    expect(gunzipSync(body).equals(plain.body)).toBe(true)
  })
})

type Bytes = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** The bytes of an answer as they came. */
function bytesOf(path: string, headers: Readonly<Record<string, string>>): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const asked = request(`${api.base_url}/v1${path}`, { headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Bytes['headers'],
          body: Buffer.concat(pieces),
        }),
      )
    })
    asked.on('error', reject).end()
  })
}
