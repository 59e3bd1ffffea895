import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the server's own lock file says: its process, and whether it takes connections. */
export type Postmaster = { readonly pid: number; readonly is_ready: boolean }

/** The server that runs on a data folder; null where none does, whatever a file of an earlier one says. */
export function runningPostmaster(data: string): Postmaster | null {
  const lines = linesOf(join(data, 'postmaster.pid'))
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (!Number.isSafeInteger(pid) || !isAlive(pid) || !isServerOf(pid, data)) return null
  // Line 8 is the state, padded with spaces.
  return { pid, is_ready: lines[7]?.trim() === 'ready' }
}

/** Whether a process runs; one of another user does too, one that has ended and that nobody has asked for does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isEnded(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Where /proc tells: the state follows the name, which may hold anything, in brackets. */
function isEnded(pid: number): boolean {
  return /.*\) Z/s.test(linesOf(`/proc/${pid}/stat`).join('\n'))
}

/** The number of a process that ended is given out again: where /proc tells, it must be a server of this folder. */
function isServerOf(pid: number, data: string): boolean {
  const words = linesOf(`/proc/${pid}/cmdline`).join('\n').split('\0')
  if (words.length < 2) return linesOf('/proc/self/cmdline').length === 0
  return words.includes(data)
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}
