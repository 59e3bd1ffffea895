import { setTimeout as sleep } from 'node:timers/promises'
import { FOLLOWED_TABLES } from '../../../warehouse/reader/followed-tables.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'

/** Waits until a reader has loaded every commit of a warehouse: a pin of the newest instant waits a second at most. */
export async function caughtUp(reader: Reader, warehouse: Warehouse): Promise<void> {
  for (const table of FOLLOWED_TABLES) {
    const { version } = await warehouse.log(table).snapshot()
    while ((reader.status().versions[table] ?? -1) < version) await sleep(20)
  }
}
