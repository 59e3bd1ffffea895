import type { Micros } from '../../primitives/instants.ts'
import { refuseLaterFormat } from '../../primitives/later-format.ts'
import { logCorrupt } from './log-corrupt.ts'
import type { LogDisk } from './log-disk.ts'
import { STATE } from './log-layout.ts'

/** Place up to which the rows of a table are in the log: a commit of its own log, and the last stamp up to it. */
export type TableCursor = {
  readonly version: number
  readonly commit_sha256: string | null
  readonly stamp: Micros | null
  /** Instant through which its rows are in the log. */
  readonly sealed_through: Micros | null
}

/** Head of a log, replaced as a whole by each batch. */
export type LogState = {
  readonly format: 1
  readonly origin: string
  readonly size: number
  /** Base64. */
  readonly root: string
  /** Base64 roots of the complete subtrees: the second way to the root continues from them. */
  readonly subtrees: readonly string[]
  readonly seals: number
  readonly last_seal: number | null
  readonly tables: Readonly<Record<string, TableCursor>>
  /** Signed checkpoint of this head; empty before the first. */
  readonly checkpoint: string
}

/** Reads the head of a log; null: it has none yet. @throws {ServiceError} LOG_CORRUPT */
export async function readLogState(disk: LogDisk): Promise<LogState | null> {
  const bytes = await disk.read(STATE)
  if (bytes === null) return null
  try {
    const state = JSON.parse(bytes.toString()) as LogState
    if (state.format === 1 && Number.isSafeInteger(state.size)) return state
  } catch {
    // Refused below.
  }
  refuseLaterFormat(bytes.toString(), `${STATE} of the log`, 1, 'WAREHOUSE_SCHEMA_CHANGED')
  throw logCorrupt(STATE, 'it is not a head of format 1')
}

/** Returns the bytes of a head. */
export function stateBytes(state: LogState): Uint8Array {
  return Buffer.from(`${JSON.stringify(state, null, 1)}\n`)
}
