import type { MatchKind } from '../../vocabulary/order.ts'

/**
 * A part of a match in a complementary market: a set of both outcomes is destroyed (`merge`) or made (`mint`), or one outcome changes
 * hands (`transfer`).
 */
export type FillSegment = {
  readonly match_kind: MatchKind
  /** The outcome that changes hands; null: a set. */
  readonly outcome_id: string | null
  readonly quantity: number
}

/** Returns the segments of a match at a corrected quantity: as in its settlements, what was opened is taken off first, and added to. */
export function segmentsAfter(segments: readonly FillSegment[], quantity: number): FillSegment[] {
  let left = quantity
  const closing = segments.filter(({ match_kind }) => match_kind !== 'mint')
  const kept = closing.map((segment) => {
    const part = Math.min(segment.quantity, left)
    left -= part
    return { ...segment, quantity: part }
  })
  const minted: FillSegment = { match_kind: 'mint', outcome_id: null, quantity: left }
  return [...kept, minted].filter((segment) => segment.quantity > 0)
}
