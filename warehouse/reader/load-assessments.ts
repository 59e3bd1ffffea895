import { toMicros } from '../../primitives/instants.ts'
import { readRows } from '../duckdb/memory-database.ts'
import { columnList, dataRelation, instantLiteral } from '../read/table-relations.ts'
import type { Row } from '../schema.ts'
import { quoteName, quoteText, readSql } from '../sql/read-sql.ts'
import { MODEL_RECORDS_KEPT } from './assessment-rows.ts'
import { type AssessmentTableName, SERIES_OF } from './followed-tables.ts'
import { type LoadBase, type LoadContext, seqOfRow } from './load-context.ts'
import { keyText } from './placed-row.ts'
import type { Placed } from './reader.ts'
import type { TableMemory } from './table-memory.ts'

/** Fills an empty memory with the records that are or may become in force at the base version. */
export async function loadAssessments(
  memory: TableMemory,
  table: AssessmentTableName,
  paths: readonly string[],
  base: LoadBase,
  context: LoadContext,
): Promise<void> {
  const { connection, versions } = context
  const rows = dataRelation(table, paths)
  const series = SERIES_OF[table].map(quoteName).join(', ')
  const known = `published_at <= ${instantLiteral(base.stamp)}`
  const order = "{'published_at': published_at, 'row_ordinal': row_ordinal}"
  const seen = await readRows(
    connection,
    readSql(import.meta.url, 'sql/newest_row_addresses.sql', {
      key: series,
      order,
      rows,
      shown: 'true',
      as_of: instantLiteral(base.stamp),
    }),
  )
  for (const one of seen) {
    const last = one.last_order as Row
    memory.assessments!.seen(one, toMicros(one.first_published_at), toMicros(last.published_at))
    memory.setLast(one, await seqOfRow(last, base.version, versions))
  }
  for (const { row, seq } of await readHeads(table, paths, known, base, context)) memory.assessments!.add(row, seq)
}

/**
 * Reads series again that lose a record (AssessmentRows.losing).
 * @param base version and stamp to read up to
 * @returns a function that replaces them in memory, synchronously
 */
export async function rereadAssessments(
  memory: TableMemory,
  keys: readonly Row[],
  paths: readonly string[],
  base: LoadBase,
  context: Pick<LoadContext, 'connection' | 'versions'>,
): Promise<() => void> {
  const rows = memory.assessments
  if (rows === null || keys.length === 0) return () => undefined
  const table = memory.table as AssessmentTableName
  const columns = SERIES_OF[table]
  const equal = (key: Row) => columns.map((column) => `${quoteName(column)} = ${quoteText(String(key[column]))}`)
  const asked = keys.map((key) => `(${equal(key).join(' and ')})`).join(' or ')
  const known = `published_at <= ${instantLiteral(base.stamp)} and (${asked})`
  const placed = await readHeads(table, paths, known, base, context)
  return () => {
    for (const key of keys) {
      const name = keyText(key, columns)
      rows.refill(
        key,
        placed.filter(({ row }) => keyText(row, columns) === name),
      )
    }
  }
}

/** Reads the records of each series that may be in force, in the order of publication. @param known condition on the rows */
async function readHeads(
  table: AssessmentTableName,
  paths: readonly string[],
  known: string,
  base: LoadBase,
  { connection, versions }: Pick<LoadContext, 'connection' | 'versions'>,
): Promise<readonly Placed[]> {
  const rows = dataRelation(table, paths)
  const series = SERIES_OF[table].map(quoteName).join(', ')
  // One more than memory keeps, so that it sees that records were dropped.
  const heads = await readRows(
    connection,
    readSql(import.meta.url, 'sql/assessment_heads.sql', { series, rows, known, kept: String(MODEL_RECORDS_KEPT + 1) }),
  )
  const found = await readRows(
    connection,
    readSql(import.meta.url, 'sql/rows_by_address.sql', { columns: columnList(table), rows, known }),
    {
      stamps: heads.map(({ published_at }) => String(published_at)),
      ordinals: heads.map(({ row_ordinal }) => String(row_ordinal)),
    },
  )
  const placed: Placed[] = []
  for (const row of found) placed.push({ row, seq: await seqOfRow(row, base.version, versions) })
  return placed
}
