import { Decimal } from '../../primitives/decimal.ts'

/** Quality of a piece of evidence: A official or instrumental, B an agency or several independent wires, C one outlet, D unverified. */
export const EVIDENCE_TIERS = ['A', 'B', 'C', 'D'] as const
export type EvidenceTier = (typeof EVIDENCE_TIERS)[number]
export type TierWeights = Readonly<Record<EvidenceTier, Decimal>>

/** Weight of each tier in a confidence. */
export const TIER_WEIGHTS: TierWeights = {
  A: new Decimal('1'),
  B: new Decimal('0.8'),
  C: new Decimal('0.5'),
  D: new Decimal('0.2'),
}
