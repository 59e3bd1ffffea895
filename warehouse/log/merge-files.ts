import { invariant } from '../../primitives/errors.ts'
import { toScaled } from '../../primitives/scaled.ts'
import { type ColumnStatistics, jsonOf, TEXT_LENGTH_MAX } from '../duckdb/write/column-bounds.ts'
import { fileStatistics } from '../parquet/file-statistics.ts'
import { PARQUET_OPTIONS, type ParquetEngine } from '../parquet/parquet-engine.ts'
import { type ColumnType, duckdbType, LOG_COLUMNS, type TableSchema } from '../schema.ts'
import { quoteText } from '../sql/read-sql.ts'
import type { LogContext } from './log-context.ts'

/**
 * Writes the rows of several data files into one, sorted by the table's key, and checks that it has exactly the same rows:
 * equal counts, and no row of the old files that the new one lacks (multisets compared whole, nested values too).
 * @param sources  local paths, already checked against their hashes
 * @returns the number of rows and Delta statistics of the new file
 */
export async function mergeFiles(
  context: Pick<LogContext, 'engine' | 'schema' | 'table'>,
  sources: readonly string[],
  target: string,
): Promise<{ readonly rows: number; readonly stats: string }> {
  const { engine, schema, table } = context
  const columns = Object.keys({ ...schema.columns, ...LOG_COLUMNS }).map((name) => `"${name}"`)
  const old_rows = `SELECT ${columns.join(', ')} FROM ${readFiles(schema, sources)}`
  const new_rows = `SELECT ${columns.join(', ')} FROM read_parquet(${quoteText(target)})`
  const order = [...schema.sort, 'published_at', 'row_ordinal'].map((name) => `"${name}"`)
  await engine.query(`COPY (${old_rows} ORDER BY ${order.join(', ')}) TO ${quoteText(target)} ${PARQUET_OPTIONS}`)
  const before = await countOf(engine, old_rows)
  const after = await countOf(engine, new_rows)
  const lost = await countOf(engine, `${old_rows} EXCEPT ALL ${new_rows}`)
  invariant(
    before === after && lost === 0,
    `merge of ${table}: ${before} rows became ${after}, ${lost} are not the same`,
  )
  return { rows: after, stats: await statisticsOf(engine, schema, target, after) }
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

async function statisticsOf(engine: ParquetEngine, schema: TableSchema, path: string, rows: number): Promise<string> {
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
