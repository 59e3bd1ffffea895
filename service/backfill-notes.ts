import type { BackfillProgress } from '../operations/backfill/backfill-types.ts'
import { count } from '../report/number-text.ts'

/** Says of a backfill that was cancelled what is stored and how to go on. Pure. */
export function cancelledNote(
  progress: Pick<BackfillProgress, 'chunks_total' | 'chunks_done' | 'records_new'>,
): string {
  const { chunks_total, chunks_done, records_new } = progress
  const so_far =
    chunks_total === 0
      ? 'before its chunks were planned'
      : `after ${count(chunks_done)} of ${count(chunks_total)} chunks, with ${count(records_new)} new records stored`
  return `the backfill was cancelled ${so_far}; the same command continues it`
}
