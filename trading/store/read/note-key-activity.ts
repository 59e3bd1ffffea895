import { formatMicros } from '../../../primitives/instants.ts'
import { type KeyActivity, KeyActivityCounters, type KeyUse } from '../../auth/key-activity.ts'
import type { Pool } from '../create-pool.ts'
import { queryOnce } from './snapshot.ts'

/** Delay after which the counted requests are written together. */
const GATHERED_MS = 5_000

/** Counts requests with keys, and writes the counts from time to time. A failed write, or an end of the process, loses some seconds. */
export function noteKeyActivity(pool: Pool): (use: KeyUse) => void {
  const counters = new KeyActivityCounters()
  const write = async (): Promise<void> => {
    await queryOnce(pool, 'note_key_activity', valuesOf(counters.take())).catch(() => undefined)
  }
  return (use) => {
    if (counters.size === 0) setTimeout(() => void write(), GATHERED_MS).unref()
    counters.note(use)
  }
}

function valuesOf(rows: readonly KeyActivity[]): readonly unknown[] {
  return [
    rows.map(({ key_id }) => key_id),
    rows.map(({ minute }) => formatMicros(minute)),
    rows.map(({ outcome }) => outcome),
    rows.map(({ ip }) => ip),
    rows.map(({ count }) => count),
    rows.map(({ last_at }) => formatMicros(last_at)),
  ]
}
