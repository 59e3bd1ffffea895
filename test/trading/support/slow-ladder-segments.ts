import { type LadderSegment, NO, YES } from './slow-ladder-records.ts'
import { max, min } from './slow-records.ts'

/** Both sides close first: what both close is destroyed, what one closes passes to the other, what both open is made. */
export function segmentsOf(quantity: bigint, by_bid: bigint, by_ask: bigint): LadderSegment[] {
  const passes = max(by_bid, by_ask) - min(by_bid, by_ask)
  const segments: LadderSegment[] = [
    { match_kind: 'merge', outcome_id: null, quantity: min(by_bid, by_ask) },
    { match_kind: 'transfer', outcome_id: by_bid > by_ask ? NO : YES, quantity: passes },
    { match_kind: 'mint', outcome_id: null, quantity: quantity - max(by_bid, by_ask) },
  ]
  return segments.filter((segment) => segment.quantity > 0n)
}
