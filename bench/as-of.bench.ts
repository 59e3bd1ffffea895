/**
 * Measures a whole-table as_of over 10 million quotes, one in twenty a correction of the quote before it: the derived interval
 * file beside the QUALIFY form that defines it and a scan without revision logic. All must give the same rows first.
 * Goals: at least 5 times as fast as the QUALIFY form, at most twice the time of the plain scan.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { invariant } from '../primitives/errors.ts'
import { type MemoryDatabase, openMemoryDatabase, readRows } from '../warehouse/duckdb/memory-database.ts'
import { createViews } from '../warehouse/read/sources-session.ts'
import {
  chainList,
  columnList,
  currentKey,
  currentRelation,
  instantLiteral,
  parquetRelation,
  sameChain,
  visibleRelation,
} from '../warehouse/read/table-relations.ts'
import type { TableSource } from '../warehouse/read/table-source.ts'
import { duckdbType, LOG_COLUMNS } from '../warehouse/schema.ts'
import { readSql } from '../warehouse/sql/read-sql.ts'
import { TABLES } from '../warehouse/tables.ts'
import type { BenchRow } from './bench-row.ts'
import { interleaved, median, rounded } from './support/rounds.ts'

const ROWS = 10_000_000
const MARKETS = 20_000
const INSTANTS = ROWS / MARKETS
const ROUNDS = 3
const START = Date.UTC(2026, 0, 1) * 1000
const MINUTE = 60_000_000
const LAST = START + (INSTANTS + 3) * MINUTE

type Connection = MemoryDatabase['connection']

export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const { connection, close } = await openMemoryDatabase({ temp_directory: join(folder, 'spill') })
  try {
    const table = join(folder, 'quotes.parquet')
    const intervals = join(folder, 'intervals.parquet')
    await connection.run(`copy (${quotesQuery()}) to '${table}' (format parquet, compression zstd, parquet_version v2)`)
    const build_started = performance.now()
    await connection.run(
      `copy (${intervalsQuery(table)}) to '${intervals}' (format parquet, compression zstd, parquet_version v2)`,
    )
    const build_seconds = (performance.now() - build_started) / 1000
    const rows = [...(await measure(connection, 'middle', START + (INSTANTS / 2) * MINUTE, table, intervals))]
    rows.push(...(await measure(connection, 'end', LAST, table, intervals)))
    rows.push({ figure: 'as_of.build', value: rounded(build_seconds), unit: 's', goal: null, details: { rows: ROWS } })
    return rows
  } finally {
    close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(
  connection: Connection,
  name: string,
  as_of: number,
  table: string,
  intervals: string,
): Promise<BenchRow[]> {
  const source = {
    table: 'market_quote',
    files: [{ path: table, rows: ROWS, published_from: START, published_to: LAST }],
  } as const
  await schemaWith(connection, 'window_form', { ...source, intervals: null }, as_of)
  await schemaWith(connection, 'interval_form', { ...source, intervals: { path: intervals, covered_to: LAST } }, as_of)
  const ask = (relation: string) => () =>
    readRows(connection, `select count(*) as n, sum(bid) as bids, max(received_at) as newest from ${relation}`)
  const [by_window, by_intervals] = [
    `window_form.${currentRelation('market_quote')}`,
    `interval_form.${currentRelation('market_quote')}`,
  ]
  await assertSameRows(connection, by_window, by_intervals)
  const taken = await interleaved(ROUNDS, {
    qualify: ask(by_window),
    intervals: ask(by_intervals),
    scan: ask(`window_form.${visibleRelation('market_quote')}`),
  })
  const [qualify, ours, scan] = [median(taken.qualify), median(taken.intervals), median(taken.scan)]
  const details = {
    rows: ROWS,
    qualify_ms: taken.qualify.map(rounded),
    intervals_ms: taken.intervals.map(rounded),
    scan_ms: taken.scan.map(rounded),
  }
  return [
    { figure: `as_of.${name}.intervals`, value: rounded(ours), unit: 'ms', goal: null, details },
    {
      figure: `as_of.${name}.qualify_over_intervals`,
      value: rounded(qualify / ours),
      unit: 'x',
      goal: { at_least: 5 },
      details,
    },
    {
      figure: `as_of.${name}.intervals_over_scan`,
      value: rounded(ours / scan),
      unit: 'x',
      goal: { at_most: 2 },
      details,
    },
  ]
}

/** Creates the views of one form in a separate schema, so that both forms can take turns. */
async function schemaWith(connection: Connection, schema: string, source: TableSource, as_of: number): Promise<void> {
  await connection.run(`drop schema if exists ${schema} cascade`)
  await connection.run(`create schema ${schema}`)
  await connection.run(`use ${schema}`)
  const named_in = `${currentRelation(source.table)} ${visibleRelation(source.table)}`
  await createViews(connection, [source], { as_of, named_in })
  await connection.run('use main')
}

/** Throws unless both relations have the same rows: equal counts, and equal sums of a hash over all columns of each row. */
async function assertSameRows(connection: Connection, a: string, b: string): Promise<void> {
  const hashed = (relation: string) => `select count(*) as n, sum(hash(q)::hugeint) as h from ${relation} as q`
  const [first, second] = [await readRows(connection, hashed(a)), await readRows(connection, hashed(b))]
  invariant(
    isDeepStrictEqual(first, second),
    `as_of: ${JSON.stringify(first)} by QUALIFY, ${JSON.stringify(second)} by intervals`,
  )
}

function intervalsQuery(table: string): string {
  return readSql(import.meta.url, '../warehouse/intervals/sql/build_intervals.sql', {
    columns: columnList('market_quote'),
    rows: parquetRelation([table]),
    covered: instantLiteral(LAST),
    chain: chainList('market_quote'),
    same_chain: sameChain('market_quote', 'c', 't'),
    oldest: currentKey('market_quote', 'asc'),
  })
}

/** 20,000 markets of 500 instants; every twentieth row arrives two minutes late and corrects the row before it. */
function quotesQuery(): string {
  const minute = (n: string) => `make_timestamptz(${START} + (${n}) * ${MINUTE})`
  const known: Record<string, string> = {
    record_id: `'obs_' || i`,
    revision: 'case when corrects then 2 else 1 end',
    supersedes_id: `case when corrects then 'obs_' || (i - 1) end`,
    correction_reason: `case when corrects then 'SOURCE_CORRECTION' end`,
    venue_id: `'polymarket'`,
    source_series_id: `case when market % 2 = 1 then 's' || (market % 10) end`,
    source_market_id: `'0x' || md5(market::varchar)`,
    market_id: `'mkt_' || md5(market::varchar)`,
    outcome_id: `'out_' || md5(market::varchar)`,
    bid: '((i * 7919) % 1000000)::decimal(18,9) * 0.000001::decimal(9,6)',
    quality_state: `'valid'`,
    is_final: 'false',
    source_at: minute('instant'),
    received_at: minute('instant + case when corrects then 3 else 1 end'),
    published_at: minute('instant + case when corrects then 3 else 1 end'),
    row_ordinal: 'market',
  }
  const columns = Object.entries({ ...TABLES.market_quote.columns, ...LOG_COLUMNS })
  const values = columns.map(([name, type]) => `(${known[name] ?? 'null'})::${duckdbType(type)} as "${name}"`)
  const rows = `select i, i // ${INSTANTS} as market, i % 20 = 19 as corrects, i % ${INSTANTS} - (i % 20 = 19)::int as instant from range(${ROWS}) t(i)`
  return `select ${values.join(', ')} from (${rows}) order by market, source_at, received_at`
}
