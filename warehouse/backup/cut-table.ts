import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Commit } from '../log/commit-text.ts'
import { type LiveFile, liveFile, type Snapshot } from '../log/log-state.ts'
import { TABLE_NAMES, type TableName } from '../tables.ts'
import type { Warehouse } from '../warehouse.ts'

/** One table up to an instant: its last version whose rows were all published by then. */
export type TableCut = {
  readonly table: TableName
  readonly table_id: string
  readonly version: number
  readonly commit_sha256: string
  /** First version whose commit file is in the log; earlier ones are in its archive. */
  readonly log_start: number
  readonly rows: number
  /** Data files of that version. */
  readonly files: readonly LiveFile[]
}

/** Versions of all tables before an instant, from which their cuts at the instant are found. */
export type OpenedCut = {
  /** Everything published through this instant is in the cut, and nothing later. */
  readonly through: Micros
  /** Returns the cut of a table; null: the table has no version yet. */
  table(table: TableName): Promise<TableCut | null>
}

/** Longest wait until the clock has passed the last stamps; a writer's stamps may be ahead by the accepted skew of clocks. */
const AHEAD_MS = 2_000
const POLL_MS = 20

/**
 * Chooses the instant of a cut through all tables, and seals them through it. There is no commit across tables, but stamps follow the clock, and a record is
 * committed after those that it refers to: so what is published through one instant is complete in itself.
 * @throws {ServiceError} WAREHOUSE_CLOCK_SKEW: a table's last stamp stays ahead of the clock
 */
export async function openCut(warehouse: Warehouse): Promise<OpenedCut> {
  const before = new Map<TableName, Snapshot>()
  for (const table of TABLE_NAMES) before.set(table, await warehouse.log(table).snapshot())
  const last = Math.max(...[...before.values()].map(({ head_stamp }) => head_stamp ?? 0))
  const through = await passed(warehouse, last)
  // At once: each seal waits for the disk.
  const used = TABLE_NAMES.filter((table) => before.get(table)!.version >= 0)
  await Promise.all(used.map((table) => warehouse.log(table).sealForRead(through)))
  return { through, table: (table) => cutTable(warehouse, before.get(table)!, through) }
}

/** Waits until the warehouse's clock is past a stamp. @returns the clock then */
async function passed(warehouse: Warehouse, stamp: Micros): Promise<Micros> {
  for (let waited_ms = 0; ; waited_ms += POLL_MS) {
    const now = await warehouse.now()
    if (now > stamp) return now
    if (waited_ms >= AHEAD_MS) {
      const message = `the last record is stamped ${formatMicros(stamp)}, the clock of the warehouse is ${formatMicros(now)}; allowed: a clock after it`
      throw new ServiceError('WAREHOUSE_CLOCK_SKEW', message)
    }
    await sleep(POLL_MS)
  }
}

async function cutTable(warehouse: Warehouse, before: Snapshot, through: Micros): Promise<TableCut | null> {
  const log = warehouse.log(before.table)
  if (before.version < 0) return null
  const { version: head } = await log.snapshot()
  let last = (await log.commit(before.version))!
  const files = new Map(before.files.map((file) => [file.path, file]))
  for (let version = before.version + 1; version <= head; version++) {
    const next = (await log.commit(version))!
    if ((next.clock.head_stamp ?? 0) > through) break
    apply(before.table, next, files)
    last = next
  }
  const live = [...files.values()]
  return {
    table: before.table,
    table_id: before.table_id!,
    version: last.version,
    commit_sha256: last.clock.commit_sha256,
    log_start: last.clock.log_start ?? 0,
    rows: live.reduce((sum, { rows }) => sum + rows, 0),
    files: live,
  }
}

function apply(table: TableName, commit: Commit, files: Map<string, LiveFile>): void {
  for (const action of commit.actions) {
    if ('add' in action) files.set(action.add.path, liveFile(table, action.add))
    else if ('remove' in action) files.delete(action.remove.path)
  }
}
