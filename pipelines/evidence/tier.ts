import { Decimal } from '../../primitives/decimal.ts'
import type { EvidenceTier } from '../../vocabulary/review.ts'

export type TierWeights = Readonly<Record<EvidenceTier, Decimal>>

/** Weight of each tier in a confidence. */
export const TIER_WEIGHTS: TierWeights = {
  A: new Decimal('1'),
  B: new Decimal('0.8'),
  C: new Decimal('0.5'),
  D: new Decimal('0.2'),
}
