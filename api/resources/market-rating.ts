import type { MarketRating, RatingMethodology } from '../../protocol/resources/market-rating.ts'
import { RATING_BANDS, RATING_COMPONENTS } from '../../vocabulary/rating.ts'
import type { Row } from '../../warehouse/schema.ts'
import { fieldsOf, REVISION_FIELDS, rowOrNull } from './pick.ts'
import { methodologyPartsOf, parametersBelow, reasonedOf, reviewedOf } from './review.ts'

/** Converts a row of market_rating to the resource. */
export function marketRatingOf(row: Row, measured = false): MarketRating {
  return {
    ...fieldsOf(row, ['rating_id', ...REVISION_FIELDS, 'market_id', 'band', 'score']),
    component_scores: fieldsOf(rowOrNull(row.component_scores) ?? {}, RATING_COMPONENTS),
    ...fieldsOf(row, ['outlook', 'watch_status']),
    ...reasonedOf(row, measured),
    observation_cutoff_at: row.observation_cutoff_at ?? null,
    ...reviewedOf(row),
    ...fieldsOf(row, ['previous_band', 'previous_score']),
  } as unknown as MarketRating
}

/** Returns the resource of an unrated market: no issuer is named, and every field of a record is null. */
export function notRated(market_id: string): MarketRating {
  return marketRatingOf({ market_id, band: 'NR', reason_codes: ['NO_APPROVED_RATING'], evidence: [] })
}

/** Converts a row of assessment_methodology to the resource. Components run from 0 to 100 (rating-1.md, section 3). */
export function ratingMethodologyOf(row: Row): RatingMethodology {
  const { head, parameters, document } = methodologyPartsOf(row)
  const component_definitions = RATING_COMPONENTS.map((name) => ({
    name,
    minimum: '0',
    maximum: '100',
    higher_is_better: parameters[`components.${name}.higher_is_better`] === 'true',
    weight: parameters[`components.${name}.weight`],
    required: parameters[`components.${name}.required`] === 'true',
  }))
  return {
    ...head,
    scale: [...RATING_BANDS],
    component_definitions,
    band_thresholds: parametersBelow(parameters, 'thresholds'),
    missing_evidence_policy: {
      required_components: component_definitions.filter(({ required }) => required).map(({ name }) => name),
      minimum_weight: parameters.minimum_weight,
      evidence_age_max_days: parameters.evidence_age_max_days,
      best_band_when_missing: parameters.best_when_missing,
      missing_is_zero: false,
    },
    ...document,
  } as unknown as RatingMethodology
}
