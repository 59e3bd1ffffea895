import type { BackfillPorts, BackfillProgress, FailedChunk } from './backfill-types.ts'

export type BackfillRunPorts = BackfillPorts & {
  /** Folder in which processes of this machine see that this one works on the backfill. */
  readonly home: string
  readonly on_progress?: (progress: BackfillProgress) => void
  /** Receives failures that are retried. */
  readonly on_problem?: (error: unknown) => void
  /** Number of markets read at once; 4 when left out. */
  readonly parallel?: number
  /** Longest time without a stored row of progress; a minute when left out. */
  readonly report_ms?: number
}

export type BackfillReport = BackfillProgress & {
  readonly records_quarantined: number
  /** Marks published of the markets' outcomes, first ones and revisions. */
  readonly marks_published: number
  /** Chunks completed by an earlier run. */
  readonly chunks_resumed: number
  /** Chunks that the venue did not answer readably; the next run reads them again. */
  readonly failed: readonly FailedChunk[]
}
