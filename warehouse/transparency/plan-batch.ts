import type { Micros } from '../../primitives/instants.ts'
import type { Commit } from '../log/commit-text.ts'
import type { TableName } from '../tables.ts'
import type { Warehouse } from '../warehouse.ts'
import type { TableCursor } from './log-state.ts'

/** Rows of one table that a batch takes: those stamped in (after, through], of which the table's log says how many there are. */
export type TablePlan = {
  readonly table: TableName
  readonly after: Micros | null
  readonly through: Micros | null
  readonly rows: number
  readonly cursor: TableCursor
}

/** Batch to append at a size. Its rows are published and never change, so writing it twice writes the same bytes. */
export type BatchPlan = {
  readonly base_size: number
  readonly tables: readonly TablePlan[]
  /** Instant through which the tables are sealed. */
  readonly through: Micros
  /** Whether rows are left that are published already, for another batch. */
  readonly more: boolean
}

export type PlanOptions = {
  readonly warehouse: Warehouse
  readonly tables: readonly TableName[]
  readonly cursors: Readonly<Record<string, TableCursor>>
  readonly base_size: number
  /** Instant through which the batch seals the tables, if it takes all their rows. */
  readonly through: Micros
  /** Whether the tables were sealed through it before: a long history is logged in many batches under one seal. */
  readonly is_sealed: boolean
  /** Rows from which a batch is full. A commit is never divided. */
  readonly rows_max: number
}

/** Commit with rows that is not in the log yet. */
type Pending = { readonly version: number; readonly rows: number; readonly first: Micros; readonly last: Micros }

/** Table as a plan grows. */
type Planning = {
  readonly table: TableName
  readonly cursor: TableCursor
  /** Version that has every row published through the instant of the plan. */
  readonly head: number
  pending: Pending | null
  taken: Pending | null
  rows: number
}

const START: TableCursor = { version: -1, commit_sha256: null, stamp: null, sealed_through: null }

/**
 * Plans the next batch: commits of the tables in the order of their first stamps, so that a long history is logged in the order of its
 * publication. Each table is sealed first, so no row can be published at or before the instant of the seal afterwards.
 */
export async function planBatch(options: PlanOptions): Promise<BatchPlan> {
  const { warehouse, tables, cursors, base_size, through, is_sealed, rows_max } = options
  const planning = await Promise.all(
    tables.map(async (table) => {
      const log = warehouse.log(table)
      const { version: head } = await (is_sealed ? log.snapshot() : log.sealForRead(through))
      return begin(warehouse, table, cursors[table] ?? START, head)
    }),
  )
  let rows = 0
  for (;;) {
    const next = earliest(planning)
    if (next === null || (rows > 0 && rows + next.pending!.rows > rows_max)) break
    rows += next.pending!.rows
    next.rows += next.pending!.rows
    next.taken = next.pending
    next.pending = await nextPending(warehouse, next.table, next.pending!.version, next.head)
  }
  const planned = await Promise.all(planning.map((one) => conclude(warehouse, one, through)))
  return { base_size, tables: planned, through, more: planning.some(({ pending }) => pending !== null) }
}

async function begin(warehouse: Warehouse, table: TableName, cursor: TableCursor, head: number): Promise<Planning> {
  const pending = await nextPending(warehouse, table, cursor.version, head)
  return { table, cursor, head, pending, taken: null, rows: 0 }
}

/** Finds the next commit with rows. */
async function nextPending(
  warehouse: Warehouse,
  table: TableName,
  after: number,
  head: number,
): Promise<Pending | null> {
  for (let version = after + 1; version <= head; version += 1) {
    const pending = pendingOf((await warehouse.log(table).commit(version))!)
    if (pending !== null) return pending
  }
  return null
}

function pendingOf({ version, actions }: Commit): Pending | null {
  const adds = actions.flatMap((action) => ('add' in action && action.add.dataChange ? [action.add] : []))
  if (adds.length === 0) return null
  const rows = adds.reduce((sum, { stats }) => sum + (JSON.parse(stats) as { numRecords: number }).numRecords, 0)
  const first = Math.min(...adds.map(({ tags }) => Number(tags['tidemark.stamp_min'])))
  const last = Math.max(...adds.map(({ tags }) => Number(tags['tidemark.stamp_max'])))
  return { version, rows, first, last }
}

/** The table whose next commit was published first; of two, the one that is named first. */
function earliest(planning: readonly Planning[]): Planning | null {
  let found: Planning | null = null
  for (const one of planning) {
    if (one.pending !== null && (found === null || one.pending.first < found.pending!.first)) found = one
  }
  return found
}

async function conclude(warehouse: Warehouse, planned: Planning, through: Micros): Promise<TablePlan> {
  const { table, cursor, taken, pending, rows } = planned
  const version = pending === null ? planned.head : pending.version - 1
  const commit = version < 0 ? null : await warehouse.log(table).commit(version)
  const sealed = pending === null ? through : Math.min(through, pending.first - 1)
  return {
    table,
    after: cursor.stamp,
    through: taken?.last ?? cursor.stamp,
    rows,
    cursor: {
      version,
      commit_sha256: commit?.clock.commit_sha256 ?? null,
      stamp: taken?.last ?? cursor.stamp,
      sealed_through: Math.max(sealed, cursor.sealed_through ?? sealed),
    },
  }
}
