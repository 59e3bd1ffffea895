import { Decimal } from '../../primitives/decimal.ts'
import type { SeverityComponent } from '../../vocabulary/severity.ts'
import { TIER_WEIGHTS, type TierWeights } from '../evidence/tier.ts'

/** Parameters of a severity methodology (methodology severity-1 §12). */
export type SeverityParameters = {
  readonly weights: Readonly<Record<SeverityComponent, Decimal>>
  /** Components that are consequences; the others describe the event. */
  readonly consequences: readonly SeverityComponent[]
  /** Share of the worst consequence in the score; the rest is the weighted mean. */
  readonly worst_share: Decimal
  /** Lowest score of each level. */
  readonly cut_points: readonly Decimal[]
  readonly minimum_weight: Decimal
  /** Width of a range, in levels, at which it is too uncertain. */
  readonly range_levels_max: number
  readonly verified_zero_below: Decimal
  readonly tier_weights: TierWeights
}

const d = (text: string) => new Decimal(text)

/** Our first severity methodology. The weights are a first choice, uncalibrated until a back-test says otherwise. */
export const SEVERITY_PARAMETERS: SeverityParameters = {
  weights: {
    human: d('0.30'),
    economic: d('0.20'),
    infrastructure: d('0.15'),
    geographic: d('0.10'),
    geopolitical: d('0.15'),
    duration: d('0.10'),
  },
  consequences: ['human', 'economic', 'infrastructure', 'geopolitical'],
  worst_share: d('0.6'),
  cut_points: [d('0'), d('5'), d('20'), d('40'), d('60'), d('80')],
  minimum_weight: d('0.50'),
  range_levels_max: 3,
  verified_zero_below: d('5'),
  tier_weights: TIER_WEIGHTS,
}

/** Fraction digits of a component, a score and an index value. */
export const SEVERITY_SCALE = 2

/** Reference to this methodology in records. */
export const SEVERITY_METHODOLOGY = { methodology_id: 'mth_event_severity', version: '1.0.0' } as const
