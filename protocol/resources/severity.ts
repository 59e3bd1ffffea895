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
 * Observed or forecast impact of an event in the world. If no record is in force, level is UNKNOWN with its reason, and every
 * field of a record, assessment_id included, is null.
 */
export const SeverityAssessment = Type.Object(
  {
    assessment_id: orNull(Id),
    ...REVISED_OR_NONE,
    event_id: Id,
    assessment_type: texts(ASSESSMENT_TYPES),
    level: texts(SEVERITY_LEVELS, 'UNKNOWN: too little is known; it does not mean SEV-0'),
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
    exceedance: orNull(Type.Array(Exceedance, { description: 'forecasts only: probability of each level or worse' })),
    scenarios: orNull(Type.Array(Scenario, { description: 'forecasts only: scenarios whose mean is the score' })),
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
    is_consequence: Type.Boolean({ description: 'true: measures the consequences for people and property' }),
  },
  { ...closed, title: 'SeverityComponentDefinition' },
)

/** One version of a severity methodology, with its parameters and full text. */
export const SeverityMethodology = Type.Object(
  {
    ...METHODOLOGY_OF_RECORDS,
    scale: Type.Array(texts(SEVERITY_LEVELS)),
    component_definitions: Type.Array(ComponentDefinition),
    level_thresholds: Type.Record(Type.String(), Decimal, { description: 'lowest score of each level' }),
    minimum_coverage: Type.String({
      description: 'least total weight of the present components; below it the level is UNKNOWN',
    }),
    range_levels_max: Type.String({
      description: 'distance between the levels of low and high from which the level is UNKNOWN',
    }),
    evidence_hierarchy: Type.Record(Type.String(), Decimal, { description: 'weight of each tier of evidence' }),
    ...METHODOLOGY_DOCUMENT,
  },
  { ...closed, title: 'SeverityMethodology' },
)
export type SeverityMethodology = Static<typeof SeverityMethodology>
