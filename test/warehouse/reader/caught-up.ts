import { setTimeout as sleep } from 'node:timers/promises'
import type { Micros } from '../../../primitives/instants.ts'
import { FOLLOWED_TABLES } from '../../../warehouse/reader/followed-tables.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'

/** Waits until a reader has loaded every commit of a warehouse: an answer as of an instant waits a second at most. */
export async function caughtUp(reader: Reader, warehouse: Warehouse): Promise<void> {
  for (const table of FOLLOWED_TABLES) {
    const { version } = await warehouse.log(table).snapshot()
    while ((reader.status().versions[table] ?? -1) < version) await sleep(20)
  }
}

/** Makes answers as of an instant final, in every table that a reader follows. */
export async function sealAll(reader: Reader, warehouse: Warehouse, as_of: Micros): Promise<void> {
  for (const table of FOLLOWED_TABLES) await warehouse.log(table).seal(as_of)
  await caughtUp(reader, warehouse)
}
