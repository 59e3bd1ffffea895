import Type, { type Static } from 'typebox'
import { ASSESSMENT_TYPES, SEVERITY_LEVELS, SEVERITY_QUALITY_STATES } from '../../vocabulary/severity.ts'
import { appendOnly, closed, Decimal, Id, Instant, orNull, Text, texts } from '../scalars.ts'

/** A severity index and the version in effect. It is not a price, and nothing trades on it. */
export const SeverityIndex = Type.Object(
  {
    severity_index_id: Id,
    name: Text,
    description: orNull(Text),
    status: Text,
    unit: Text,
    active_version_id: orNull(Id),
    active_version: orNull(Text),
    published_at: Instant,
  },
  { ...closed, title: 'SeverityIndex' },
)
export type SeverityIndex = Static<typeof SeverityIndex>

const AllOf = (description: string) => orNull(Type.Array(Text, { description: `${description}; null: all` }))

/** One version of a severity index: which events count, their relevance, and their decay. */
export const SeverityIndexVersion = Type.Object(
  {
    severity_index_version_id: Id,
    severity_index_id: Id,
    version: Text,
    effective_from: Instant,
    effective_to: orNull(Instant),
    assessment_type: texts(ASSESSMENT_TYPES),
    methodology_id: Id,
    methodology_version: Text,
    event_rule: Type.Object(
      {
        venue_ids: AllOf('feeds whose events count'),
        hazard_types: AllOf('hazards that count'),
        countries: AllOf('only events that affect one of these countries'),
        event_ids: AllOf('events that count'),
      },
      { ...closed, title: 'SeverityEventRule' },
    ),
    relevance: Type.Object(
      {
        default: Decimal,
        events: Type.Array(Type.Object({ event_id: Id, relevance: Decimal }, { ...closed, title: 'EventRelevance' })),
      },
      { ...closed, title: 'SeverityRelevance' },
    ),
    rho: Type.String({ description: 'factor by which each further event counts less, in order of score' }),
    decay_days: Type.String({ description: 'days after its end until an event no longer counts' }),
    published_at: Instant,
  },
  { ...closed, title: 'SeverityIndexVersion' },
)
export type SeverityIndexVersion = Static<typeof SeverityIndexVersion>

/** One event selected by the rule, even if nothing is known about it. */
const SeverityIndexInput = Type.Object(
  {
    event_id: Id,
    assessment_id: orNull(Id),
    relevance: Decimal,
    days_since_end: orNull(Decimal),
    level: orNull(texts(SEVERITY_LEVELS)),
    score: orNull(Decimal),
  },
  { ...closed, title: 'SeverityIndexInput' },
)

/** Value of a severity index at a cutoff; null if no event is known. */
export const SeverityIndexValue = Type.Object(
  {
    value_id: Id,
    ...appendOnly,
    severity_index_id: Id,
    severity_index_version_id: Id,
    value: orNull(Decimal),
    unit: Text,
    level_equivalent: texts(SEVERITY_LEVELS),
    methodology_id: Id,
    methodology_version: Text,
    input_assessment_ids: Type.Array(Id),
    coverage_ratio: Decimal,
    quality_state: texts(SEVERITY_QUALITY_STATES),
    calculated_at: Instant,
    source_cutoff_at: Instant,
    published_at: Instant,
    inputs: Type.Optional(
      Type.Array(SeverityIndexInput, {
        description: 'expand=inputs: every event selected by the rule, with its contribution',
      }),
    ),
  },
  { ...closed, title: 'SeverityIndexValue' },
)
export type SeverityIndexValue = Static<typeof SeverityIndexValue>
