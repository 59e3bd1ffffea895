import { rm } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'

/** A lock file that this process holds, or who does. */
export type HeldFile =
  | { readonly held: true; release(): void }
  /** `holder`: id of the process, null where the engine does not say. */
  | { readonly held: false; readonly holder: number | null }

/**
 * Holds a file for this process alone, until it is released or the process ends, however it ends: the lock is the operating
 * system's. Node has no call for one, so the file is an empty database, which the engine locks while it has it open.
 * What is left of an earlier process is no hindrance; processes on one machine see each other.
 */
export async function holdFile(file: string): Promise<HeldFile> {
  try {
    return heldBy(await openEngine(file))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (/conflicting lock/i.test(message)) return { held: false, holder: holderIn(message) }
    if (!message.includes('not a valid DuckDB database file')) throw error
    await rm(file, { force: true }) // its maker was ended while it wrote it
    return heldBy(await openEngine(file))
  }
}

function openEngine(file: string): Promise<DuckDBInstance> {
  return DuckDBInstance.create(file, {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    threads: '1',
  })
}

function heldBy(engine: DuckDBInstance): HeldFile {
  return { held: true, release: () => engine.closeSync() }
}

function holderIn(message: string): number | null {
  const [, pid] = /\(PID (\d+)\)/.exec(message) ?? []
  return pid === undefined ? null : Number(pid)
}
