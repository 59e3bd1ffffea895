import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { Pool } from '../create-pool.ts'
import { queryOnce } from './snapshot.ts'

/** Uses are written together, this long after the first of them. */
const GATHERED_MS = 10_000

/** Remembers when keys were last used, and writes it now and then. What cannot be written is lost: it is a hint. */
export function noteKeyUses(pool: Pool): (key_id: string, at: Micros) => void {
  let used = new Map<string, Micros>()
  const write = async (): Promise<void> => {
    const written = used
    used = new Map()
    const instants = [...written.values()].map(formatMicros)
    await queryOnce(pool, 'note_key_use', [[...written.keys()], instants]).catch(() => undefined)
  }
  return (key_id, at) => {
    if (used.size === 0) setTimeout(() => void write(), GATHERED_MS).unref()
    used.set(key_id, at)
  }
}
