import { dayBatches } from '../../pipelines/revisions/day-batches.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Row, RowValue } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { RowStamps, Stamp, Warehouse } from '../../warehouse/warehouse.ts'

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
export const COMMIT_ROWS_MAX = 20_000

/**
 * Publishes rows in the order of their stamps: under the recorded clock one commit a table and UTC day, each row at its own instant,
 * then those of the wall clock. Inside a day tables come in the order in which they refer to each other, so that an interruption leaves
 * no row without what it names. The recorded stamps are all checked before the first commit. The same rows again are the same commits:
 * nothing is added.
 * @returns the number of commits made
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED, and what Warehouse.append throws
 */
export async function writeStamped(
  warehouse: Warehouse,
  rows: readonly StampedRow[],
  options: { readonly operation: string; readonly signal?: AbortSignal | undefined },
): Promise<number> {
  await checkRecordedStamps(warehouse, rows)
  const { operation, signal } = options
  let commits = 0
  for (const { table, part, stamp } of commitsOf(rows)) {
    signal?.throwIfAborted()
    const app_id = `${operation}/${contentHash(part.map(identityOf))}`
    const { already_done } = await warehouse.append(table, part, { app_id, app_sequence: 1, stamp, operation })
    if (!already_done) commits += 1
  }
  return commits
}

type Commit = { readonly table: TableName; readonly part: readonly Row[]; readonly stamp: Stamp | RowStamps }

/** Splits rows into commits: the recorded ones by UTC day, because a data file is in the folder of its day; the wall clock's last. */
function commitsOf(rows: readonly StampedRow[]): readonly Commit[] {
  const recorded = rows.flatMap(({ table, row, stamp }) =>
    stamp.kind === 'wall' ? [] : [{ table, row, at: stamp.at }],
  )
  recorded.sort((a, b) => a.at - b.at)
  const days = dayBatches(recorded.map(({ at }) => at)).flatMap(({ from, to }) =>
    byTable(recorded.slice(from, to)).map(
      ([table, of_day]): Commit => ({
        table,
        part: of_day.map(({ row }) => row),
        stamp: { kind: 'recorded_rows', at: of_day.map(({ at }) => at) },
      }),
    ),
  )
  const wall = byTable(rows.filter(({ stamp }) => stamp.kind === 'wall')).flatMap(([table, of_table]) =>
    chunked(of_table).map((part): Commit => ({ table, part: part.map(({ row }) => row), stamp: { kind: 'wall' } })),
  )
  return [...days, ...wall]
}

/** Groups rows by table, in the order of writing; tables without rows are left out. */
function byTable<T extends { readonly table: TableName }>(rows: readonly T[]): (readonly [TableName, readonly T[]])[] {
  const groups = WRITE_ORDER.map((table) => [table, rows.filter((item) => item.table === table)] as const)
  return groups.filter(([, group]) => group.length > 0)
}

function chunked<T>(rows: readonly T[]): (readonly T[])[] {
  const parts = Math.ceil(rows.length / COMMIT_ROWS_MAX)
  return Array.from({ length: parts }, (_, n) => rows.slice(n * COMMIT_ROWS_MAX, (n + 1) * COMMIT_ROWS_MAX))
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
