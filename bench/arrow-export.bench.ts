/**
 * Measures the export of a query result as Arrow IPC made from DuckDB's vectors, beside JSON row objects; both end as bytes and
 * read a table in memory, so that reading Parquet is not measured. `limit` copies the vectors out and formats nothing.
 * Goal: at least 20 times the rate of the JSON rows.
 */

import { isDeepStrictEqual } from 'node:util'
import { type Table, tableFromIPC, type Vector } from 'apache-arrow'
import { invariant } from '../primitives/errors.ts'
import { fromScaled } from '../primitives/scaled.ts'
import { type MemoryDatabase, openMemoryDatabase, readRows } from '../warehouse/duckdb/memory-database.ts'
import { rawData, rawVector } from '../warehouse/duckdb/read/raw-vectors.ts'
import { arrowFile } from '../warehouse/export/arrow-file.ts'
import type { Pieces, RowCounter } from '../warehouse/export/format.ts'
import { jsonArray } from '../warehouse/export/write-result.ts'
import type { BenchRow } from './bench-row.ts'
import { interleaved, median, rounded } from './support/rounds.ts'

const ROWS = 3_000_000
const JSON_ROWS = 150_000
const ROUNDS = 3
const FIXED = 'source_at, received_at, bid, ask, source_sequence'
const MIXED = `market_id, ${FIXED}`

type Connection = MemoryDatabase['connection']

export async function run(): Promise<BenchRow[]> {
  const { connection, close } = await openMemoryDatabase()
  try {
    await connection.run(`create table quotes as ${quotesQuery()}`)
    await assertSameRows(connection)
    return [...(await measure(connection, 'fixed', FIXED)), ...(await measure(connection, 'mixed', MIXED))]
  } finally {
    close()
  }
}

async function measure(connection: Connection, name: string, columns: string): Promise<BenchRow[]> {
  const bytes = { arrow: 0, json: 0 }
  const taken = await interleaved(ROUNDS, {
    arrow: async () => {
      bytes.arrow = await sizeOf(connection, columns, ROWS, arrowFile)
    },
    json: async () => {
      bytes.json = await sizeOf(connection, columns, JSON_ROWS, jsonArray)
    },
    limit: () => copyVectors(connection, columns),
  })
  const rate = (rows: number, ms: readonly number[]) => (rows * 1000) / median(ms)
  const [arrow, json, limit] = [rate(ROWS, taken.arrow), rate(JSON_ROWS, taken.json), rate(ROWS, taken.limit)]
  const details = {
    columns,
    arrow_rows: ROWS,
    json_rows: JSON_ROWS,
    arrow_bytes_a_row: rounded(bytes.arrow / ROWS),
    json_bytes_a_row: rounded(bytes.json / JSON_ROWS),
    arrow_ms: taken.arrow.map(rounded),
    json_ms: taken.json.map(rounded),
    limit_ms: taken.limit.map(rounded),
  }
  return [
    { figure: `arrow_export.${name}.rows`, value: rounded(arrow), unit: 'rows/s', goal: null, details },
    {
      figure: `arrow_export.${name}.over_json`,
      value: rounded(arrow / json),
      unit: 'x',
      goal: { at_least: 20 },
      details,
    },
    { figure: `arrow_export.${name}.of_limit`, value: rounded(arrow / limit), unit: 'x', goal: null, details },
  ]
}

type Writer = (result: Awaited<ReturnType<Connection['stream']>>, counter: RowCounter) => Pieces

async function sizeOf(connection: Connection, columns: string, rows: number, write: Writer): Promise<number> {
  const counter = { rows: 0 }
  let bytes = 0
  for await (const piece of write(await connection.stream(`select ${columns} from quotes limit ${rows}`), counter)) {
    bytes += piece.length
  }
  invariant(counter.rows === rows, `export: ${counter.rows} rows of ${rows}`)
  return bytes
}

async function copyVectors(connection: Connection, columns: string): Promise<void> {
  const result = await connection.stream(`select ${columns} from quotes limit ${ROWS}`)
  const widths = columns.split(', ').map((name) => (name === 'market_id' ? 16 : 8))
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const [column, width] of widths.entries()) rawData(rawVector(chunk, column), chunk.rowCount, width)
  }
}

/** Checks that the Arrow library reads the same rows from a sample's Arrow file as the row reader returns. */
async function assertSameRows(connection: Connection): Promise<void> {
  const sql = `select ${MIXED} from quotes limit 20000`
  const pieces: Uint8Array[] = []
  for await (const piece of arrowFile(await connection.stream(sql), { rows: 0 })) pieces.push(piece as Uint8Array)
  const read = rowsOf(tableFromIPC(Buffer.concat(pieces)))
  const epoch = MIXED.replace(/(\w+_at)/g, 'epoch_us($1) as $1')
  invariant(
    isDeepStrictEqual(read, await readRows(connection, epoch === '' ? sql : sql.replace(MIXED, epoch))),
    'arrow export: rows differ',
  )
}

function rowsOf(table: Table): Record<string, unknown>[] {
  const columns = table.schema.fields.map((field) => [field.name, table.getChild(field.name)!] as const)
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(columns.map(([name, vector]) => [name, plainValue(name, vector, row)])),
  )
}

function plainValue(name: string, vector: Vector, row: number): unknown {
  const value: unknown = vector.get(row)
  if (value === null || typeof value === 'string') return value
  if (name === 'bid' || name === 'ask') return fromScaled(decimalOf(value as Uint32Array), 9)
  return name.endsWith('_at') ? Math.round((value as number) * 1000) : Number(value)
}

function decimalOf(words: Uint32Array): bigint {
  const unsigned = words.reduceRight((sum, word) => (sum << 32n) + BigInt(word), 0n)
  return BigInt.asIntN(128, unsigned)
}

function quotesQuery(): string {
  const at = (offset: number) => `make_timestamptz(1767225600000000 + i * 1000000 + ${offset})`
  return `select 'mkt_' || md5((i // 1500)::varchar) as market_id, ${at(0)} as source_at, ${at(123456)} as received_at,
    case when i % 10 = 0 then null else ((i * 7919) % 1000000)::decimal(18,9) * 0.000001::decimal(9,6) end::decimal(18,9) as bid,
    -(((i * 104729) % 1000000)::decimal(18,9) * 0.000001::decimal(9,6))::decimal(18,9) as ask, i as source_sequence
    from range(${ROWS}) t(i)`
}
