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
 * Quality of a market as a source of prices. If no record is in force, band is NR with its reason, and every field of a record,
 * rating_id included, is null.
 */
export const MarketRating = Type.Object(
  {
    rating_id: orNull(Id),
    ...REVISED_OR_NONE,
    market_id: Id,
    band: texts(RATING_BANDS, 'MR1 (strongest) to MR5 (unacceptable for an index); NR: not rated'),
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
    required: Type.Boolean({ description: 'true: without it a market is not rated' }),
  },
  { ...closed, title: 'RatingComponentDefinition' },
)

const MissingEvidencePolicy = Type.Object(
  {
    required_components: Type.Array(Text, { description: 'components without which the band is NR' }),
    minimum_weight: Type.String({
      description: 'least total weight of the present components; below it the band is NR',
    }),
    evidence_age_max_days: Type.String({
      description: 'oldest evidence that counts; the band is NR if a present component has none as recent',
    }),
    best_band_when_missing: texts(RATING_BANDS, 'best band if any component is missing'),
    missing_is_zero: Type.Boolean({ description: 'false: a missing component is omitted, never scored as zero' }),
  },
  { ...closed, title: 'MissingEvidencePolicy' },
)

/** One version of a rating methodology, with its parameters and full text. */
export const RatingMethodology = Type.Object(
  {
    ...METHODOLOGY_OF_RECORDS,
    scale: Type.Array(texts(RATING_BANDS)),
    component_definitions: Type.Array(ComponentDefinition),
    band_thresholds: Type.Record(Type.String(), Decimal, { description: 'lowest score of each band' }),
    missing_evidence_policy: MissingEvidencePolicy,
    ...METHODOLOGY_DOCUMENT,
  },
  { ...closed, title: 'RatingMethodology' },
)
export type RatingMethodology = Static<typeof RatingMethodology>
