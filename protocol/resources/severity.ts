import Type, { type Static } from 'typebox'
import { ASSESSMENT_TYPES, SEVERITY_COMPONENTS, SEVERITY_LEVELS } from '../../vocabulary/severity.ts'
import { closed, Decimal, Id, Instant, orNull, Text, texts } from '../scalars.ts'
import {
  METHODOLOGY_DOCUMENT,
  METHODOLOGY_OF_RECORDS,
  REASONED,
  REVIEWED,
  REVISED_OR_NONE,
  scoresOf,
} from './review.ts'

const ScoreRange = Type.Object({ low: Decimal, high: Decimal }, { ...closed, title: 'ScoreRange' })
const TimeWindow = Type.Object({ start: Instant, end: orNull(Instant) }, { ...closed, title: 'EventTimeWindow' })
const Exceedance = Type.Object(
  { level: texts(SEVERITY_LEVELS), probability: Decimal },
  { ...closed, title: 'Exceedance' },
)
const Scenario = Type.Object({ probability: Decimal, score: orNull(Decimal) }, { ...closed, title: 'Scenario' })

/**
 * How hard an event in the world hit, or is forecast to. Where no record is in force the answer is UNKNOWN with its reason, and
 * everything that a record would say is null: assessment_id too, for there is none.
 */
export const SeverityAssessment = Type.Object(
  {
    assessment_id: orNull(Id),
    ...REVISED_OR_NONE,
    event_id: Id,
    assessment_type: texts(ASSESSMENT_TYPES),
    level: texts(SEVERITY_LEVELS, 'UNKNOWN is not SEV-0'),
    score: orNull(Decimal),
    score_range: orNull(ScoreRange),
    component_scores: scoresOf(SEVERITY_COMPONENTS, 'SeverityComponentScores'),
    ...REASONED,
    event_time_window: orNull(TimeWindow),
    observation_cutoff_at: orNull(Instant),
    forecast_horizon_end: orNull(Instant),
    ...REVIEWED,
    previous_level: orNull(texts(SEVERITY_LEVELS)),
    previous_score: orNull(Decimal),
    exceedance: orNull(
      Type.Array(Exceedance, { description: 'of a forecast: the probability of each level or worse' }),
    ),
    scenarios: orNull(Type.Array(Scenario, { description: 'of a forecast: what its score is the mean of' })),
  },
  { ...closed, title: 'SeverityAssessment' },
)
export type SeverityAssessment = Static<typeof SeverityAssessment>

const ComponentDefinition = Type.Object(
  {
    name: Text,
    minimum: Decimal,
    maximum: Decimal,
    weight: Decimal,
    is_consequence: Type.Boolean({ description: 'says what happened to people and things' }),
  },
  { ...closed, title: 'SeverityComponentDefinition' },
)

/** One version of a severity methodology, with its parameters and its whole text, which has the rules in words. */
export const SeverityMethodology = Type.Object(
  {
    ...METHODOLOGY_OF_RECORDS,
    scale: Type.Array(texts(SEVERITY_LEVELS)),
    component_definitions: Type.Array(ComponentDefinition),
    level_thresholds: Type.Record(Type.String(), Decimal, { description: 'level to the lowest score of it' }),
    minimum_coverage: Type.String({ description: 'UNKNOWN where the present components weigh less' }),
    range_levels_max: Type.String({ description: 'UNKNOWN where low and high are so many levels apart' }),
    evidence_hierarchy: Type.Record(Type.String(), Decimal, { description: 'tier of evidence to its weight' }),
    ...METHODOLOGY_DOCUMENT,
  },
  { ...closed, title: 'SeverityMethodology' },
)
export type SeverityMethodology = Static<typeof SeverityMethodology>
