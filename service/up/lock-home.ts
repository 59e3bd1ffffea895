import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { holdFile } from '../../warehouse/store/hold-file.ts'
import { homeError, openHome, refuseUnfinished } from '../usable-home.ts'

/** Lock file, kept by `--fresh`. */
const LOCK_FILE = 'up.lock'

/**
 * Runs work while holding the lock of a home: two `tidemark up` would publish the same levels, and `--fresh` of one would delete the data of
 * the other. The lock of an ended process is free.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the home cannot be written, another `tidemark up` runs there, or a restore has not
 *   ended; WAREHOUSE_STORE_FULL: its disk is full
 */
export async function lockHome<T>(home: string, work: () => Promise<T>): Promise<T> {
  const lock = await openHome(home, () => holdFile(join(home, LOCK_FILE)))
  if (!lock.held) throw inUse(home, lock.holder)
  try {
    refuseUnfinished(home)
    return await work()
  } catch (error) {
    throw homeError(error, home)
  } finally {
    lock.release()
  }
}

/** Reports whether a `tidemark up` runs in a home. A home without a lock file is not touched. */
export async function isHomeServed(home: string): Promise<boolean> {
  const file = join(home, LOCK_FILE)
  if (!existsSync(file)) return false
  const lock = await holdFile(file)
  if (lock.held) lock.release()
  return !lock.held
}

function inUse(home: string, holder: number | null): ServiceError {
  const process = holder === null ? '' : ` (process ${holder})`
  return new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `home is ${home}, where another \`tidemark up\`${process} runs; allowed: another --home, or stop that process first`,
    { home },
  )
}
