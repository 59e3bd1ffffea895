/**
 * Measures ingest from decoded quotes (24 columns) to a durable commit of `market_quote`, beside the same rows passed to a DuckDB
 * table in memory value by value (appender) and row by row (prepared INSERT), both not durable. `limit` only copies
 * rows that are already in a DuckDB table to Parquet. Measures the CPU time of each side's second run in a row; every side is
 * read back and compared before it counts.
 * Goal: at least 10 times the appender's rows per second.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDecimalValue,
  DuckDBTimestampTZValue,
  type DuckDBValue,
} from '@duckdb/node-api'
import { createIdentities } from '../pipelines/revisions/identities.ts'
import { quoteRow } from '../pipelines/revisions/quote-revisions.ts'
import type { QuoteRecord } from '../pipelines/venues/record.ts'
import { FIRST_REVISION } from '../primitives/append-only.ts'
import { invariant } from '../primitives/errors.ts'
import { toScaled } from '../primitives/scaled.ts'
import { openMemoryDatabase } from '../warehouse/duckdb/memory-database.ts'
import { PARQUET_OPTIONS } from '../warehouse/parquet/parquet-engine.ts'
import { openReadSession } from '../warehouse/read/session.ts'
import { type ColumnType, duckdbType, type Row, type RowValue } from '../warehouse/schema.ts'
import { quoteText } from '../warehouse/sql/read-sql.ts'
import { tableSchema } from '../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../warehouse/warehouse.ts'
import type { BenchRow } from './bench-row.ts'
import { median, rounded } from './support/rounds.ts'

const ROWS = 100_000
/** Row counts of the slow contestants: all rows would take minutes, and the time per row is the same. */
const APPENDED_ROWS = 20_000
const PREPARED_ROWS = 200
const ROUNDS = 5
const NOON = Date.UTC(2026, 0, 1, 12) * 1000
const MARKETS = 200
const { columns } = tableSchema('market_quote')
const NAMES = Object.keys(columns)

export async function run(): Promise<BenchRow[]> {
  const root = await mkdtemp(join(tmpdir(), 'tidemark-bench-'))
  const warehouse = await openWarehouse({ root: join(root, 'warehouse'), create: true })
  const memory = await openMemoryDatabase()
  try {
    const rows = quotes()
    const peers = await preparePeers(memory.connection, rows)
    const work = {
      ours: (turn: number) => commit(warehouse, rows, turn),
      appender: () => appendByValue(memory.connection, rows.slice(0, APPENDED_ROWS)),
      prepared: () => insertPrepared(memory.connection, rows.slice(0, PREPARED_ROWS)),
      limit: (turn: number) => copyToParquet(memory.connection, join(root, `limit-${turn}.parquet`)),
    }
    const taken = await cpuRounds(work, () => checkSameRows(warehouse, memory.connection, peers))
    return figures(taken)
  } finally {
    memory.close()
    await warehouse.close()
    await rm(root, { recursive: true, force: true })
  }
}

function figures(taken: Readonly<Record<Side, readonly number[]>>): BenchRow[] {
  const rate = (side: Side, rows: number) => (rows * 1000) / median(taken[side])
  const [ours, appender, limit] = [rate('ours', ROWS), rate('appender', APPENDED_ROWS), rate('limit', ROWS)]
  const details = {
    rows: ROWS,
    columns: NAMES.length,
    ours_cpu_ms: taken.ours.map(rounded),
    appender_cpu_ms: taken.appender.map(rounded),
    prepared_cpu_ms: taken.prepared.map(rounded),
    limit_cpu_ms: taken.limit.map(rounded),
    appender_rows_a_second: rounded(appender),
    prepared_rows_a_second: rounded(rate('prepared', PREPARED_ROWS)),
    limit_rows_a_second: rounded(limit),
  }
  return [
    { figure: 'ingest.rows', value: rounded(ours), unit: '1/CPU-s', goal: null, details },
    { figure: 'ingest.to_appender', value: rounded(ours / appender), unit: 'x', goal: { at_least: 10 }, details },
    { figure: 'ingest.to_limit', value: rounded(ours / limit), unit: 'x', goal: null, details },
  ]
}

type Side = 'ours' | 'appender' | 'prepared' | 'limit'

/**
 * CPU milliseconds of each side, round by round, taking turns. Each begins with a turn that is not counted: while the others run
 * for seconds, the engine of JavaScript throws away what it has compiled of this one.
 */
async function cpuRounds(
  work: Readonly<Record<Side, (turn: number) => Promise<void>>>,
  check: () => Promise<void>,
): Promise<Record<Side, number[]>> {
  const taken: Record<Side, number[]> = { ours: [], appender: [], prepared: [], limit: [] }
  const sides = Object.keys(taken) as Side[]
  let turn = 0
  for (const side of sides) await work[side](turn)
  await check()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of sides) {
      turn += 2
      await work[side](turn - 1)
      const before = process.cpuUsage()
      await work[side](turn)
      const { user, system } = process.cpuUsage(before)
      taken[side].push((user + system) / 1000)
    }
  }
  return taken
}

async function commit(warehouse: Warehouse, rows: readonly Row[], turn: number): Promise<void> {
  const step = { app_id: 'bench', app_sequence: turn + 1, operation: 'BENCH' }
  await warehouse.append('market_quote', rows, { ...step, stamp: { kind: 'wall' } })
}

const VALUE_COLUMNS = Object.entries(columns)
  .map(([name, type]) => `"${name}" ${duckdbType(type)}`)
  .join(', ')

/** The tables of the peers; what the limit copies is there before. @returns the rows as DuckDB values */
async function preparePeers(connection: DuckDBConnection, rows: readonly Row[]): Promise<number> {
  await connection.run("set threads = 1; set TimeZone = 'UTC'")
  await appendByValue(connection, rows)
  await connection.run('create table source as from appended')
  return rows.length
}

async function appendByValue(connection: DuckDBConnection, rows: readonly Row[]): Promise<void> {
  await connection.run(`create or replace table appended (${VALUE_COLUMNS})`)
  const appender = await connection.createAppender('appended')
  for (const row of rows) {
    for (const name of NAMES) appendValue(appender, name, row[name])
    appender.endRow()
  }
  appender.closeSync()
}

function appendValue(appender: DuckDBAppender, name: string, value: RowValue): void {
  const type = columns[name as keyof typeof columns]
  if (value === null || value === undefined) appender.appendNull()
  else if (type === 'VARCHAR') appender.appendVarchar(value as string)
  else if (type === 'INTEGER') appender.appendInteger(value as number)
  else if (type === 'BIGINT') appender.appendBigInt(BigInt(value as number))
  else if (type === 'BOOLEAN') appender.appendBoolean(value as boolean)
  else if (type === 'TIMESTAMPTZ') appender.appendTimestampTZ(instantOf(value))
  else appender.appendDecimal(decimalOf(value, type as { width: number; scale: number }))
}

async function insertPrepared(connection: DuckDBConnection, rows: readonly Row[]): Promise<void> {
  await connection.run(`create or replace table inserted (${VALUE_COLUMNS})`)
  const places = Object.values<ColumnType>(columns).map((type, n) => `$${n + 1}::${duckdbType(type)}`)
  const statement = await connection.prepare(`insert into inserted values (${places.join(', ')})`)
  for (const row of rows) {
    statement.bind(NAMES.map((name) => duckdbValue(name, row[name])))
    await statement.run()
  }
}

function duckdbValue(name: string, value: RowValue): DuckDBValue {
  const type = columns[name as keyof typeof columns]
  if (value === null || value === undefined) return null
  if (type === 'TIMESTAMPTZ') return instantOf(value)
  if (type === 'BIGINT') return BigInt(value as number)
  return typeof type === 'object' ? decimalOf(value, type as { width: number; scale: number }) : (value as DuckDBValue)
}

const instantOf = (value: RowValue) => new DuckDBTimestampTZValue(BigInt(value as number))
const decimalOf = (value: RowValue, { width, scale }: { width: number; scale: number }) =>
  new DuckDBDecimalValue(toScaled(value as string, scale), width, scale)

async function copyToParquet(connection: DuckDBConnection, file: string): Promise<void> {
  await connection.run(`copy source to ${quoteText(file)} ${PARQUET_OPTIONS}`)
}

/** No speed without equality: every side holds the same rows. */
async function checkSameRows(warehouse: Warehouse, connection: DuckDBConnection, rows: number): Promise<void> {
  const digest = (relation: string, limit: number) => `
    select count(*)::integer as n, sum(hash(t)::hugeint)::varchar as digest
    from (select ${NAMES.join(', ')} from ${relation} where source_sequence < ${limit}) as t`
  const session = await openReadSession(warehouse, { as_of: null, tables: ['market_quote'] })
  const of_ours = async (limit: number) => (await session.query(digest('market_quote_history', limit)))[0]
  const of_peer = async (table: string, limit: number) =>
    (await connection.runAndReadAll(digest(table, limit))).getRowObjectsJson()[0]
  const [ours, appended, inserted] = [await of_ours(rows), await of_ours(APPENDED_ROWS), await of_ours(PREPARED_ROWS)]
  await session.close()
  invariant(ours?.n === rows, `every row is stored once: ${JSON.stringify(ours)}`)
  for (const [theirs, expected] of [
    [await of_peer('appended', APPENDED_ROWS), appended],
    [await of_peer('inserted', PREPARED_ROWS), inserted],
  ]) {
    invariant(JSON.stringify(theirs) === JSON.stringify(expected), `equal rows: ${JSON.stringify([theirs, expected])}`)
  }
}

/** Rows of quotes as an import makes them: prices in ticks, one source instant each, ids derived from content. */
function quotes(): Row[] {
  const ids = createIdentities()
  return Array.from({ length: ROWS }, (_, n) => quoteRow(quote(n), FIRST_REVISION, ids))
}

function quote(n: number): QuoteRecord {
  const tick = 100 + ((n * 7919) % 800)
  const source_at = NOON + n * 50_000
  return {
    file: 'bench',
    line: n,
    venue_id: 'kalshi',
    source_series_id: null,
    source_market_id: `KXBENCH-${n % MARKETS}`,
    outcome: 'YES',
    source_at,
    received_at: source_at + 25_000 + (n % 977),
    reported_probability: null,
    raw_value: null,
    is_final: false,
    text: '',
    book: {
      bid: `0.${tick}`,
      ask: `0.${tick + 10}`,
      bid_depth: `${(n * 31) % 1000}.25`,
      ask_depth: `${(n * 37) % 1000}.5`,
      last_trade: `0.${tick + 5}`,
      last_trade_at: source_at - 1_000_000,
      source_sequence: n,
      confirmed_at: null,
    },
  }
}
