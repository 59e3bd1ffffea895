import type { Finality } from '../../vocabulary/market.ts'
import type { DisputeState } from '../../vocabulary/review.ts'

export type Verdict = 'resolved' | 'voided'

/**
 * Closed table of resolution moves. A rejected dispute returns to the former state; an upheld one withdraws the resolution and
 * closes the market again. A final resolution stays and is corrected by a new revision.
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

/** Last dispute of a resolution, with published instants. */
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
