import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { invariant } from '../../primitives/errors.ts'
import { toScaled } from '../../primitives/scaled.ts'
import { type ColumnStatistics, jsonOf, TEXT_LENGTH_MAX } from '../duckdb/write/column-bounds.ts'
import { fileStatistics } from '../parquet/file-statistics.ts'
import { PARQUET_OPTIONS, type ParquetEngine } from '../parquet/parquet-engine.ts'
import { type ColumnType, duckdbType, LOG_COLUMNS, type TableSchema } from '../schema.ts'
import { quoteText } from '../sql/read-sql.ts'
import type { LogContext } from './log-context.ts'

/** Writes a file and returns its Delta statistics. */
export type Produce = (target: string) => Promise<string>
/** Stores a produced file; false: it is larger than a data file may be, and was removed. */
export type PutFile = (produce: Produce) => Promise<boolean>

type Engine = Pick<LogContext, 'engine' | 'schema' | 'table'>

/** Part of the largest file size that a piece is to have, because rows differ in size. */
const FILLED = 0.75

/** Returns the number of files that bytes need, given the largest size of a file. */
export function piecesOf(bytes: number, file_bytes_max: number): number {
  return Math.max(1, Math.ceil(bytes / (file_bytes_max * FILLED)))
}

/**
 * Writes the rows of several data files into one, sorted by the table's key, and checks that it has exactly the same rows:
 * equal counts, and no row of the old files that the new one lacks (multisets compared whole, nested values too).
 * @param sources  local paths, already checked against their hashes
 * @param rows     of all of them, as the log says
 * @returns Delta statistics of the new file
 */
export async function mergeFiles(
  context: Engine,
  sources: readonly string[],
  rows: number,
  target: string,
): Promise<string> {
  const { schema } = context
  const old_rows = `SELECT ${columnsOf(schema)} FROM ${readFiles(schema, sources)}`
  const order = [...schema.sort, 'published_at', 'row_ordinal'].map((name) => `"${name}"`)
  await writeChecked(context, old_rows, ` ORDER BY ${order.join(', ')}`, rows, target)
  return statisticsOf(context, target, rows)
}

/** Does the same for rows that are too many for one file: each piece has a range of the table's key. */
export async function putPieces(
  context: Engine,
  sources: readonly string[],
  rows: number,
  file_bytes_max: number,
  put: PutFile,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-merge-'))
  try {
    const merged = join(folder, 'merged.parquet')
    await mergeFiles(context, sources, rows, merged)
    const pieces = piecesOf((await stat(merged)).size, file_bytes_max)
    const bound = (n: number) => Math.floor((n * rows) / pieces)
    const putRange = async (from: number, to: number): Promise<void> => {
      const range = `file_row_number >= ${from} AND file_row_number < ${to}`
      const of_range = `SELECT ${columnsOf(context.schema)} FROM read_parquet(${quoteText(merged)}, file_row_number = true) WHERE ${range}`
      const fits = await put(async (target) => {
        await writeChecked(context, of_range, '', to - from, target)
        return statisticsOf(context, target, to - from)
      })
      if (fits) return
      const middle = Math.floor((from + to) / 2)
      invariant(middle > from, `merge of ${context.table}: one row is larger than ${file_bytes_max} bytes`)
      await putRange(from, middle)
      await putRange(middle, to)
    }
    for (let n = 0; n < pieces; n++) await putRange(bound(n), bound(n + 1))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function columnsOf(schema: TableSchema): string {
  return Object.keys({ ...schema.columns, ...LOG_COLUMNS })
    .map((name) => `"${name}"`)
    .join(', ')
}

async function writeChecked(context: Engine, old_rows: string, order: string, rows: number, target: string) {
  const { engine, schema, table } = context
  const new_rows = `SELECT ${columnsOf(schema)} FROM read_parquet(${quoteText(target)})`
  await engine.query(`COPY (${old_rows}${order}) TO ${quoteText(target)} ${PARQUET_OPTIONS}`)
  const before = await countOf(engine, old_rows)
  const after = await countOf(engine, new_rows)
  const lost = await countOf(engine, `${old_rows} EXCEPT ALL ${new_rows}`)
  invariant(
    before === after && lost === 0,
    `merge of ${table}: ${before} rows became ${after}, ${lost} are not the same`,
  )
  invariant(after === rows, `merge of ${table}: ${after} rows, the log says ${rows}`)
}

/** Files written before a nullable column was added do not have it: it reads as null. */
function readFiles(schema: TableSchema, paths: readonly string[]): string {
  const columns = Object.entries({ ...schema.columns, ...LOG_COLUMNS })
  const empty = columns.map(([name, type]) => `NULL::${duckdbType(type)} AS "${name}"`)
  const files = `read_parquet([${paths.map(quoteText).join(', ')}], union_by_name = true)`
  return `(SELECT ${empty.join(', ')} WHERE false UNION ALL BY NAME SELECT * FROM ${files})`
}

async function countOf(engine: ParquetEngine, rows: string): Promise<number> {
  const [result] = await engine.query(`SELECT count(*)::INTEGER AS rows FROM (${rows})`)
  return Number(result!.rows)
}

/** Returns Delta statistics of a file that DuckDB wrote. */
export async function statisticsOf(
  { engine, schema }: Pick<LogContext, 'engine' | 'schema'>,
  path: string,
  rows: number,
): Promise<string> {
  const scalars = Object.entries<ColumnType>({ ...schema.columns, ...LOG_COLUMNS }).filter(
    ([, type]) => typeof type === 'string' || type.kind === 'decimal',
  )
  const wanted = scalars.map(([name, type], n) => {
    const bound = (of: string) => (type === 'TIMESTAMPTZ' ? `epoch_us(${of}("${name}"))` : `${of}("${name}")`)
    return `count("${name}")::INTEGER AS n${n}, ${bound('min')}::VARCHAR AS l${n}, ${bound('max')}::VARCHAR AS g${n}`
  })
  const [found] = await engine.query(`SELECT ${wanted.join(', ')} FROM read_parquet(${quoteText(path)})`)
  const columns = scalars.map(([name, type], n): ColumnStatistics => {
    const [least, greatest] = [found![`l${n}`], found![`g${n}`]]
    return { name, nulls: rows - Number(found![`n${n}`]), range: rangeOf(type, least, greatest) }
  })
  return fileStatistics(rows, columns)
}

function rangeOf(type: ColumnType, least: unknown, greatest: unknown): ColumnStatistics['range'] {
  if (typeof least !== 'string' || typeof greatest !== 'string' || type === 'BOOLEAN') return null
  if (type === 'VARCHAR' && Math.max(least.length, greatest.length) > TEXT_LENGTH_MAX) return null
  return { least: jsonOf(boundOf(type, least), type), greatest: jsonOf(boundOf(type, greatest), type) }
}

function boundOf(type: ColumnType, text: string): string | number | bigint {
  if (type === 'VARCHAR') return text
  return typeof type === 'object' && type.kind === 'decimal' ? toScaled(text, type.scale) : Number(text)
}
