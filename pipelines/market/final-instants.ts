import type { Micros } from '../../primitives/instants.ts'
import type { Finality } from '../../vocabulary/market.ts'

/** The part of a resolution's revision that decides when its market became final. */
export type FinalityPoint = {
  /** Revisions about one source instant are one chain. */
  readonly source_at: Micros
  readonly received_at: Micros
  readonly revision: number
  readonly finality: Finality
}

/**
 * Adds to every final revision the instant at which its chain became final: the receipt of the first revision in the unbroken run
 * of final ones that it belongs to (methodology index-2 §4). A corrected payout keeps the instant; a withdrawal or a dispute ends
 * the run, and the next final revision begins another. The venue's own clock does not count: it may name the proposal.
 * @param revisions of one market and series, in any order
 * @returns the same revisions in the same order; final_at is null where a revision is not final
 */
export function withFinalInstants<T extends FinalityPoint>(
  revisions: readonly T[],
): (T & { readonly final_at: Micros | null })[] {
  const known = new Map<T, Micros | null>()
  const run = new Map<Micros, Micros | null>()
  const sorted = [...revisions].sort((a, b) => a.received_at - b.received_at || a.revision - b.revision)
  for (const revision of sorted) {
    const final_at = revision.finality === 'final' ? (run.get(revision.source_at) ?? revision.received_at) : null
    run.set(revision.source_at, final_at)
    known.set(revision, final_at)
  }
  return revisions.map((revision) => ({ ...revision, final_at: known.get(revision)! }))
}
