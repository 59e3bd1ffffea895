import { TABLE_NAMES } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { waitFor } from './wait-for.ts'

export type UpkeepOptions = {
  readonly warehouse: Warehouse
  readonly every_ms: number
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
}

/**
 * Merges the small files of tables that have many, again and again until the signal is aborted: a commit every few seconds makes
 * thousands a day, and every read opens them all. No answer changes. Old files stay for their readers until `vacuum`.
 */
export async function runUpkeep({ warehouse, every_ms, signal, on_problem }: UpkeepOptions): Promise<void> {
  for (;;) {
    await waitFor(every_ms, signal)
    for (const table of TABLE_NAMES) {
      if (signal.aborted) return
      await warehouse.log(table).compact().catch(on_problem)
    }
  }
}
