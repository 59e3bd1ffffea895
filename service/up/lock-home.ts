import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { holdFile } from '../../warehouse/store/hold-file.ts'

/** Stays when `--fresh` deletes what an earlier run made. */
const LOCK_FILE = 'up.lock'

/**
 * Does some work as the only `tidemark up` in a folder: two would publish the same levels side by side, and `--fresh` of one would
 * delete what the other serves. A process that ended, however it ended, holds nothing.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: another one runs there
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
    `home is ${home}, where another \`tidemark up\`${process} runs; allowed: another --home, or this one when that has ended`,
    { home },
  )
}
