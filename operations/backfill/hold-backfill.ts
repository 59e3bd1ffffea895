import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { type HeldFile, holdFile } from '../../warehouse/store/hold-file.ts'
import { diskFull, writeFault } from '../../warehouse/store/store-error.ts'

/**
 * Does the work of a backfill while this process holds it: two runs at once would each count a part of what is stored. A process that
 * ended, also by a kill, holds nothing.
 * @throws {ServiceError} WAREHOUSE_BUSY: another process of this home runs it; WAREHOUSE_STORE_FULL: the home's disk is full
 */
export async function holdBackfill<T>(home: string, backfill_id: string, work: () => Promise<T>): Promise<T> {
  const held = await lockOf(home, backfill_id)
  if (!held.held) throw heldElsewhere(backfill_id, held.holder)
  try {
    return await work()
  } finally {
    held.release()
  }
}

/** Refuses to go on while a process of this home runs a backfill by itself. @throws {ServiceError} as `holdBackfill` */
export function requireNotHeld(home: string, backfill_id: string): Promise<void> {
  return holdBackfill(home, backfill_id, async () => undefined)
}

async function lockOf(home: string, backfill_id: string): Promise<HeldFile> {
  const folder = join(home, 'backfills')
  try {
    await mkdir(folder, { recursive: true })
    return await holdFile(join(folder, `${backfill_id}.lock`))
  } catch (error) {
    throw writeFault(error) === 'full' ? diskFull('home', home, error) : error
  }
}

function heldElsewhere(backfill_id: string, holder: number | null): ServiceError {
  const process = holder === null ? 'a process of another user' : `process ${holder}`
  return new ServiceError(
    'WAREHOUSE_BUSY',
    `backfill ${backfill_id} is run by ${process}; allowed: wait for its end, or end that process (Ctrl-C) and run the same command again`,
    { backfill_id },
  )
}
