import type { Finality } from '../../vocabulary/market.ts'
import type { DisputeState } from '../../vocabulary/review.ts'

export type Verdict = 'resolved' | 'voided'

/**
 * The closed table of what becomes of a resolution. A rejected dispute leads back to where it was; an upheld one withdraws it and the
 * market is closed again. A final one is corrected by a new revision, and stays as it is.
 */
export const RESOLUTION_MOVES: Readonly<Record<Finality, readonly Finality[]>> = {
  proposed: ['disputed', 'final'],
  disputed: ['proposed', 'withdrawn'],
  final: [],
  withdrawn: [],
}

/** Whether the table has the move. */
export function mayResolve(from: string, to: Finality): boolean {
  return RESOLUTION_MOVES[from as Finality].includes(to)
}

/** The last dispute of a resolution. Instants as they are told. */
export type Dispute = {
  readonly dispute_id: string
  readonly state: DisputeState
  readonly filer: string
  readonly basis: string
  /** null: not decided yet. */
  readonly decision: string | null
  readonly filed_at: string
  readonly decided_at: string | null
}
