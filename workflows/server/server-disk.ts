import { statfsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'

/** Free space below which the server cannot work: it writes a log of some megabytes beside its database. */
const SPACE_MIN = 8 * 2 ** 20
const LOOK_MS = 5_000

/** Next steps when there is space again: of a server that ran, and of one that did not start. */
const GOES_ON = 'free some space there, and it goes on by itself'
const NOT_STARTED = 'free some space there and start it again'

/** Returns the error of a server that did not start because the disk of its folder is full; null: it has space. */
export function diskFault(folder: string, cause: unknown): ServiceError | null {
  return faultOf(folder, NOT_STARTED, cause)
}

/** Makes the error of a folder whose disk is full; null: it has space, or cannot be asked. */
function faultOf(folder: string, advice: string, cause?: unknown): ServiceError | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize >= SPACE_MIN) return null
  } catch {
    return null
  }
  const text = `the disk of ${folder} is full, where the Temporal server keeps its database; ${advice}`
  return new ServiceError('WAREHOUSE_STORE_FULL', text, { folder }, cause)
}

/** Waits until the disk of a folder has space, or until the signal; reports that it has none. */
export async function untilSpace(
  folder: string,
  signal: AbortSignal,
  on_problem: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    const full = faultOf(folder, GOES_ON)
    if (full === null) return
    on_problem(full)
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Reports a disk that runs full while the server works; until the signal. */
export function watchDisk(folder: string, signal: AbortSignal, on_problem: (error: unknown) => void): void {
  const timer = setInterval(() => {
    const full = faultOf(folder, GOES_ON)
    if (full !== null) on_problem(full)
  }, 2 * LOOK_MS)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
