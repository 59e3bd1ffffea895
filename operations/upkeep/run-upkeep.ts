import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import { TABLE_NAMES } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { waitFor } from '../live/wait-for.ts'
import { openPauses } from '../pause/pauses.ts'
import { limitFiles } from './limit-files.ts'

export type UpkeepOptions = {
  readonly warehouse: Warehouse
  /** The longest between two looks for small files; where they become many it is done at once. */
  readonly every_ms: number
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
}

/** Interval between two counts of files, and the number of files in a table's last day that starts a turn. */
const CHECK_MS = 15_000
const FILES_MAX = 150

/**
 * Merges the small files of tables that have many and removes old ones, at once and then repeatedly until the signal is aborted: a
 * commit every few seconds makes thousands of files a day, and every read opens them all.
 */
export async function runUpkeep({ warehouse, every_ms, signal, on_problem }: UpkeepOptions): Promise<void> {
  const pauses = openPauses(warehouse)
  const isPaused = async () => (await pauses.of(SCHEDULE_IDS.merge_files)) !== null
  while (!signal.aborted) {
    if (!(await isPaused().catch(() => false))) await limitFiles(warehouse, signal, on_problem)
    for (let waited_ms = 0; waited_ms < every_ms && !signal.aborted; waited_ms += CHECK_MS) {
      await waitFor(Math.min(CHECK_MS, every_ms), signal)
      const files = await mostFiles(warehouse).catch(on_problem)
      if (files !== undefined && files > FILES_MAX) break
    }
  }
}

/** Files of the table that has most of them on its last day. */
async function mostFiles(warehouse: Warehouse): Promise<number> {
  let most = 0
  for (const table of TABLE_NAMES) {
    const { files } = await warehouse.log(table).snapshot()
    const last_day = files
      .map(({ published_date }) => published_date)
      .toSorted()
      .at(-1)
    most = Math.max(most, files.filter(({ published_date }) => published_date === last_day).length)
  }
  return most
}
