import { contentHash } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Row, RowValue } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Stamp, Warehouse } from '../../warehouse/warehouse.ts'

/** A row with the table and the clock it is to be published by. */
export type StampedRow = { readonly table: TableName; readonly row: Row; readonly stamp: Stamp }

/** Tables in the order of writing: rows after those that they refer to, since no commit spans tables. */
export const WRITE_ORDER: readonly TableName[] = [
  'methodology',
  'market_mark',
  'index_definition',
  'index_pro_forma',
  'index_version',
  'index_link',
  'index_observation',
]

/** Rows of one wall-clock commit at most: keeps memory flat in a long backfill. */
const COMMIT_ROWS_MAX = 20_000

/**
 * Publishes rows, stamp by stamp in ascending order and inside a stamp table by table in the order in which they refer to
 * each other, so that an interruption leaves a prefix. The recorded stamps are all checked before the first commit. The
 * same rows again are the same commits: nothing is added.
 * @returns the number of commits made
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED, and what Warehouse.append throws
 */
export async function writeStamped(
  warehouse: Warehouse,
  rows: readonly StampedRow[],
  options: { readonly operation: string; readonly signal?: AbortSignal | undefined },
): Promise<number> {
  await checkRecordedStamps(warehouse, rows)
  let commits = 0
  for (const { stamp, tables } of byStamp(rows)) {
    for (const [table, group] of tables) {
      for (let from = 0; from < group.length; from += COMMIT_ROWS_MAX) {
        options.signal?.throwIfAborted()
        const part = group.slice(from, from + COMMIT_ROWS_MAX)
        const { already_done } = await warehouse.append(table, part, {
          app_id: `${options.operation}/${contentHash(part.map(identityOf))}`,
          app_sequence: 1,
          stamp,
          operation: options.operation,
        })
        if (!already_done) commits += 1
      }
    }
  }
  return commits
}

/** Columns that identify a row's content: an observation's hash covers its ids, and these the inputs it was made from. */
function identityOf(row: Row): RowValue {
  return row.record_hash ?? row
}

/**
 * Refuses a recorded clock that would change past answers.
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED
 */
export async function checkRecordedStamps(warehouse: Warehouse, rows: readonly StampedRow[]): Promise<void> {
  const firsts = new Map<TableName, Micros>()
  for (const { table, stamp } of rows) {
    if (stamp.kind === 'recorded') firsts.set(table, Math.min(firsts.get(table) ?? Number.POSITIVE_INFINITY, stamp.at))
  }
  for (const [table, first] of firsts) {
    const sealed_through = await warehouse.log(table).closedThrough()
    if (sealed_through === null || first > sealed_through) continue
    throw new ServiceError(
      'VALIDATION_CLOCK_REFUSED',
      `clock is recorded, but ${table} would get rows at ${formatMicros(first)}; allowed: instants after ${formatMicros(sealed_through)}, through which the table is published (--clock wall publishes them now)`,
      { field: 'clock', table },
    )
  }
}

/** Rows by stamp, ascending, the wall clock's last; inside a stamp by table in write order. */
function byStamp(
  rows: readonly StampedRow[],
): { readonly stamp: Stamp; readonly tables: readonly (readonly [TableName, readonly Row[]])[] }[] {
  const stamps = new Map<Micros, { stamp: Stamp; rows: StampedRow[] }>()
  for (const item of rows) {
    const at = item.stamp.kind === 'recorded' ? item.stamp.at : Number.POSITIVE_INFINITY
    const known = stamps.get(at)
    if (known === undefined) stamps.set(at, { stamp: item.stamp, rows: [item] })
    else known.rows.push(item)
  }
  return [...stamps.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, { stamp, rows: items }]) => ({
      stamp,
      tables: WRITE_ORDER.map(
        (table) => [table, items.filter((item) => item.table === table).map((item) => item.row)] as const,
      ),
    }))
}
