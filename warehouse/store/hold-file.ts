import { rm } from 'node:fs/promises'
import { openInstance } from '../duckdb/memory-database.ts'

/** Lock on a file: held by this process, or by another one. */
export type HeldFile =
  | { readonly held: true; release(): void }
  /** `holder`: id of the process; null if DuckDB does not name it. */
  | { readonly held: false; readonly holder: number | null }

/**
 * Locks a file for this process until it is released or the process ends, however it ends: the lock is the operating system's.
 * Node has no call for file locks, so the file is an empty database, which DuckDB locks while it is open. A file left by an
 * earlier process does not block. The lock works between processes of one machine.
 */
export async function holdFile(file: string): Promise<HeldFile> {
  try {
    return await lockedFile(file)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (/conflicting lock/i.test(message)) return { held: false, holder: holderIn(message) }
    if (!message.includes('not a valid DuckDB database file')) throw error
    await rm(file, { force: true }) // its creator was killed while writing it
    return await lockedFile(file)
  }
}

async function lockedFile(file: string): Promise<HeldFile> {
  const database = await openInstance(file, { threads: '1' })
  return { held: true, release: () => database.closeSync() }
}

function holderIn(message: string): number | null {
  const [, pid] = /\(PID (\d+)\)/.exec(message) ?? []
  return pid === undefined ? null : Number(pid)
}
