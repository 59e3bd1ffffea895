import { Decimal, ZERO } from '../../primitives/decimal.ts'
import type { RatedBand, RatingComponent } from '../../vocabulary/rating.ts'
import { TIER_WEIGHTS, type TierWeights } from '../evidence/tier.ts'

export type ComponentDefinition = {
  readonly name: RatingComponent
  readonly weight: Decimal
  readonly higher_is_better: boolean
  /** Whether a market without it is not rated. */
  readonly required: boolean
}

/** Parameters of a rating methodology (methodology rating-1 §14). Decimals of scores 0 to 100, ages in days. */
export type RatingParameters = {
  readonly components: readonly ComponentDefinition[]
  /** Lowest score of each band. */
  readonly thresholds: Readonly<Record<RatedBand, Decimal>>
  /** A component below the score allows no better band than this one; strictest first. */
  readonly weak_links: readonly { readonly below: Decimal; readonly best: RatedBand }[]
  /** The best band of a market with a component missing. */
  readonly best_when_missing: RatedBand
  readonly minimum_weight: Decimal
  readonly evidence_age_max_days: number
  /** Margin above the threshold that an upgrade needs on two days. */
  readonly upgrade_margin: Decimal
  readonly watch_margin: Decimal
  /** 30-day change of the score from which watch and outlook react. */
  readonly trend: Decimal
  readonly tier_weights: TierWeights
  readonly confidence_age_days: Decimal
  readonly measure: MeasureParameters
}

/** Measurement windows, in days of 24 hours that end at the cutoff. */
export type MeasureParameters = {
  readonly window_days: number
  /** Days with books whose median costs to move form C. */
  readonly cost_days: number
  /** Distance from the midpoint, in price. */
  readonly depth_distance: Decimal
  readonly move_distance: Decimal
  /** Longest time for which a quote counts, in hours. */
  readonly quote_hours_max: number
  /** Days that health records must reach back before they count for a venue. */
  readonly health_days_min: number
  /** Window of resolutions and incidents, one year. */
  readonly year_days: number
}

const d = (text: string) => new Decimal(text)
const component = (name: RatingComponent, weight: string, required = false): ComponentDefinition => ({
  name,
  weight: d(weight),
  higher_is_better: name !== 'venue_operational_risk',
  required,
})

/** Weights and thresholds of our first rating methodology. They are a first choice, uncalibrated until a back-test says otherwise. */
export const RATING_PARAMETERS: RatingParameters = {
  components: [
    component('resolution_clarity', '0.25', true),
    component('source_reliability', '0.15'),
    component('liquidity', '0.20', true),
    component('manipulation_resistance', '0.20', true),
    component('data_quality', '0.10'),
    component('venue_operational_risk', '0.10'),
  ],
  thresholds: { MR1: d('85'), MR2: d('70'), MR3: d('55'), MR4: d('40'), MR5: ZERO },
  weak_links: [
    { below: d('20'), best: 'MR5' },
    { below: d('35'), best: 'MR4' },
    { below: d('50'), best: 'MR3' },
  ],
  best_when_missing: 'MR2',
  minimum_weight: d('0.80'),
  evidence_age_max_days: 30,
  upgrade_margin: d('2'),
  watch_margin: d('3'),
  trend: d('3'),
  tier_weights: TIER_WEIGHTS,
  confidence_age_days: d('90'),
  measure: {
    window_days: 30,
    cost_days: 7,
    depth_distance: d('0.02'),
    move_distance: d('0.05'),
    quote_hours_max: 24,
    health_days_min: 7,
    year_days: 365,
  },
}

/** Reference to this methodology in records. */
export const RATING_METHODOLOGY = { methodology_id: 'mth_market_rating', version: '1.0.0' } as const

/** Fraction digits of a component and of a score. */
export const RATING_SCALE = 2
