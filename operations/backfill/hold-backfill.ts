import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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
  if (!held.held)
    throw heldElsewhere(
      backfill_id,
      held.holder,
      'wait for its end, or end that process (Ctrl-C) and run the same command again',
    )
  try {
    return await work()
  } finally {
    held.release()
  }
}

/** Refuses to cancel a backfill that another process of this home runs by itself. @throws {ServiceError} WAREHOUSE_BUSY */
export async function requireNotHeld(home: string, backfill_id: string): Promise<void> {
  if (!existsSync(lockFile(home, backfill_id))) return
  const held = await lockOf(home, backfill_id)
  if (!held.held) throw heldElsewhere(backfill_id, held.holder, 'end that process (Ctrl-C or SIGTERM)')
  held.release()
}

async function lockOf(home: string, backfill_id: string): Promise<HeldFile> {
  const file = lockFile(home, backfill_id)
  try {
    await mkdir(dirname(file), { recursive: true })
    return await holdFile(file)
  } catch (error) {
    throw writeFault(error) === 'full' ? diskFull('home', home, error) : error
  }
}

function lockFile(home: string, backfill_id: string): string {
  return join(home, 'backfills', `${backfill_id}.lock`)
}

function heldElsewhere(backfill_id: string, holder: number | null, allowed: string): ServiceError {
  const process = holder === null ? 'a process of another user' : `process ${holder}`
  return new ServiceError('WAREHOUSE_BUSY', `backfill ${backfill_id} is run by ${process}; allowed: ${allowed}`, {
    backfill_id,
  })
}
