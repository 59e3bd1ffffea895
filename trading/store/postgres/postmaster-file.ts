import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Content of the server's lock file: its process id, and whether it accepts connections. */
export type Postmaster = { readonly pid: number; readonly is_ready: boolean }

/** Returns the server running on a data folder; null if none runs, whatever a stale file says. */
export function runningPostmaster(data: string): Postmaster | null {
  const lines = linesOf(join(data, 'postmaster.pid'))
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (!Number.isSafeInteger(pid) || !isAlive(pid) || !isServerOf(pid, data)) return null
  // Line 8 is the state, padded with spaces.
  return { pid, is_ready: lines[7]?.trim() === 'ready' }
}

/** Returns whether a process runs, of any user; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isEnded(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Reads the state in /proc, where it exists: it follows the name, which may contain anything, in parentheses. */
function isEnded(pid: number): boolean {
  return /.*\) Z/s.test(linesOf(`/proc/${pid}/stat`).join('\n'))
}

/** Process ids are reused: where /proc exists, the process must be a server of this folder. */
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
