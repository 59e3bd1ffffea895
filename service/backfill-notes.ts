import type { BackfillProgress } from '../operations/backfill/backfill-types.ts'
import { count } from '../report/number-text.ts'

/** Returns the sentence about a cancelled backfill: what it stored, and the command that continues it. Pure. */
export function cancelledNote(
  progress: Pick<BackfillProgress, 'chunks_total' | 'chunks_done' | 'records_new'>,
  command = 'the same command',
): string {
  const { chunks_total, chunks_done, records_new } = progress
  const when =
    chunks_total === 0
      ? 'before its chunks were planned'
      : `after ${count(chunks_done)} of ${count(chunks_total)} chunks`
  const stored = chunks_total === 0 && records_new === 0 ? '' : `, with ${count(records_new)} new records stored`
  return `the backfill was cancelled ${when}${stored}; ${command} continues it`
}

/** Returns the command that cancels a backfill through Temporal. */
export function cancelCommandOf(backfill_id: string): string {
  return `tidemark backfill cancel ${backfill_id}`
}
