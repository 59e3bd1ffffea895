import Type, { type Static } from 'typebox'
import { RATING_BANDS, RATING_COMPONENTS } from '../../vocabulary/rating.ts'
import { closed, Decimal, Id, Instant, orNull, Text, texts } from '../scalars.ts'
import {
  METHODOLOGY_DOCUMENT,
  METHODOLOGY_OF_RECORDS,
  REASONED,
  REVIEWED,
  REVISED_OR_NONE,
  scoresOf,
} from './review.ts'

/**
 * How good a market is as a source of prices. Where no record is in force the answer is band NR with its reason, and everything
 * that a record would say is null: rating_id too, for there is none.
 */
export const MarketRating = Type.Object(
  {
    rating_id: orNull(Id),
    ...REVISED_OR_NONE,
    market_id: Id,
    band: texts(RATING_BANDS, 'MR1 strongest to MR5 unacceptable for an index; NR not rated'),
    score: orNull(Decimal),
    component_scores: scoresOf(RATING_COMPONENTS, 'RatingComponentScores'),
    outlook: orNull(Text),
    watch_status: orNull(Text),
    ...REASONED,
    observation_cutoff_at: orNull(Instant),
    ...REVIEWED,
    previous_band: orNull(texts(RATING_BANDS)),
    previous_score: orNull(Decimal),
  },
  { ...closed, title: 'MarketRating' },
)
export type MarketRating = Static<typeof MarketRating>

const ComponentDefinition = Type.Object(
  {
    name: Text,
    minimum: Decimal,
    maximum: Decimal,
    higher_is_better: Type.Boolean(),
    weight: Decimal,
    required: Type.Boolean({ description: 'without it a market is not rated' }),
  },
  { ...closed, title: 'RatingComponentDefinition' },
)

const MissingEvidencePolicy = Type.Object(
  {
    required_components: Type.Array(Text, { description: 'missing: NR' }),
    minimum_weight: Type.String({ description: 'NR where the present components weigh less' }),
    evidence_age_max_days: Type.String({ description: 'NR where a present component has no evidence as young' }),
    best_band_when_missing: texts(RATING_BANDS, 'the best band where any component is missing'),
    missing_is_zero: Type.Boolean({ description: 'false: a missing component is left out, never scored as zero' }),
  },
  { ...closed, title: 'MissingEvidencePolicy' },
)

/** One version of a rating methodology, with its parameters and its whole text. */
export const RatingMethodology = Type.Object(
  {
    ...METHODOLOGY_OF_RECORDS,
    scale: Type.Array(texts(RATING_BANDS)),
    component_definitions: Type.Array(ComponentDefinition),
    band_thresholds: Type.Record(Type.String(), Decimal, { description: 'band to the lowest score of it' }),
    missing_evidence_policy: MissingEvidencePolicy,
    ...METHODOLOGY_DOCUMENT,
  },
  { ...closed, title: 'RatingMethodology' },
)
export type RatingMethodology = Static<typeof RatingMethodology>
