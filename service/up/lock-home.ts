import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { holdFile } from '../../warehouse/store/hold-file.ts'

/** Lock file, kept by `--fresh`. */
const LOCK_FILE = 'up.lock'

/**
 * Runs work while holding the lock of a home: two `tidemark up` would publish the same levels, and `--fresh` of one would delete the data of
 * the other. The lock of an ended process is free.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: another `tidemark up` runs there
 */
export async function lockHome<T>(home: string, work: () => Promise<T>): Promise<T> {
  await mkdir(home, { recursive: true })
  const lock = await holdFile(join(home, LOCK_FILE))
  if (!lock.held) throw inUse(home, lock.holder)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

function inUse(home: string, holder: number | null): ServiceError {
  const process = holder === null ? '' : ` (process ${holder})`
  return new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `home is ${home}, where another \`tidemark up\`${process} runs; allowed: another --home, or stop that process first`,
    { home },
  )
}
