import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { openSharedDatabase, readRows as rowsOfQuery } from '../duckdb/memory-database.ts'
import { columnList, dataRelation, instantLiteral } from '../read/table-relations.ts'
import type { Row } from '../schema.ts'
import type { TableName } from '../tables.ts'
import type { Warehouse } from '../warehouse.ts'
import { logCorrupt } from './log-corrupt.ts'
import type { TablePlan } from './plan-batch.ts'

/** Row of a table of the warehouse. */
export type PublishedRow = { readonly table: TableName; readonly row: Row }

/**
 * Reads the rows that a plan takes from a table, in the order of publication. They are found by their stamps, because merged files
 * replace those of the commits.
 * @throws {ServiceError} LOG_CORRUPT: there are not as many as the table's log says; WAREHOUSE_CORRUPT
 */
export async function readPublished(warehouse: Warehouse, plan: TablePlan): Promise<readonly PublishedRow[]> {
  const { table, after, through, rows: expected } = plan
  if (expected === 0 || through === null) return []
  const rows = await readRows(warehouse, table, after, through)
  if (rows.length !== expected) {
    const range = `stamped after ${after === null ? 'the beginning' : formatMicros(after)} through ${formatMicros(through)}`
    throw logCorrupt(`the batch of ${table}`, `the table has ${rows.length} rows ${range}, its log says ${expected}`)
  }
  return rows.map((row) => ({ table, row }))
}

/** Returns the rows of a table stamped in (after, through], in the order of publication. @throws {ServiceError} WAREHOUSE_CORRUPT */
export async function readRows(
  warehouse: Warehouse,
  table: TableName,
  after: Micros | null,
  through: Micros,
): Promise<readonly Row[]> {
  const log = warehouse.log(table)
  const { files } = await log.snapshot()
  const wanted = files.filter(
    ({ stamp_min, stamp_max }) => stamp_min <= through && (after === null || stamp_max > after),
  )
  const paths = await log.ensureVerified(wanted)
  return paths.length === 0 ? [] : rowsOf(table, paths, after, through)
}

async function rowsOf(
  table: TableName,
  paths: readonly string[],
  after: Micros | null,
  through: Micros,
): Promise<Row[]> {
  const { connection, close } = await openSharedDatabase()
  const later = after === null ? '' : ` and published_at > ${instantLiteral(after)}`
  const filter = `published_at <= ${instantLiteral(through)}${later}`
  try {
    const select = `select ${columnList(table)} from ${dataRelation(table, paths)} where ${filter}`
    return await rowsOfQuery(connection, `${select} order by published_at, row_ordinal`)
  } finally {
    await close(true)
  }
}
