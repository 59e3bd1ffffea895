import Type, { type Static } from 'typebox'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { appendOnly, Count, closed, Decimal, EpochMillis, Id, Instant, orNull, Text, texts } from '../scalars.ts'
import { QuoteRecord } from './market-price.ts'

const ExcludedInput = Type.Object(
  {
    constituent_id: Id,
    observation_id: orNull(Id),
    rule: Text,
    raw_value: orNull(Text),
    reference_value: orNull(Text),
    threshold: orNull(Text),
  },
  { ...closed, title: 'ExcludedInput' },
)

/** One leg of a constituent that has several, as the level used it. */
const InputLeg = Type.Object(
  {
    market_id: Id,
    outcome_id: Id,
    mark_rule: orNull(Text),
    origin_rule: orNull(Text),
    value: orNull(Decimal),
    freshness_class: Text,
    source_at: orNull(Instant),
    confirmed_at: orNull(Instant),
    mark_cutoff_at: orNull(Instant),
    source_observation_ids: Type.Array(Id),
    window_observation_ids: Type.Array(Id),
  },
  { ...closed, title: 'InputLeg' },
)

/** Contribution of one constituent to a level. */
export const IndexInput = Type.Object(
  {
    constituent_id: Id,
    market_id: orNull(Id),
    outcome_id: orNull(Id),
    source_observation_id: orNull(Id),
    target_weight: Decimal,
    weight_applied: orNull(Decimal),
    normalization: Text,
    raw_value: orNull(Decimal),
    normalized_value: orNull(Decimal),
    freshness_class: Text,
    mark_rule: orNull(Text),
    exclusion_reason: orNull(Text),
    contribution: orNull(Decimal),
    provisional: Type.Boolean(),
    pending: Type.Boolean(),
    reason_codes: Type.Array(Text),
    legs: Type.Array(InputLeg),
  },
  { ...closed, title: 'IndexInput' },
)

/** Quote behind a level, as its source stated it. */
const LevelQuote = Type.Object(
  {
    observation_id: Type.String({ description: 'first observation of the quote that a leg names' }),
    revision: Count,
    market_id: Id,
    outcome_id: Id,
    source_at: Instant,
    received_at: orNull(Instant),
    published_at: Instant,
    quote: QuoteRecord,
  },
  { ...closed, title: 'LevelQuote' },
)
export type LevelQuote = Static<typeof LevelQuote>

/** One published level. level is null if the index is suspended, or stale before its first level. */
export const IndexObservation = Type.Object(
  {
    observation_id: Id,
    ...appendOnly,
    index_id: Id,
    index_version_id: Id,
    methodology_id: Id,
    methodology_version: Text,
    level: orNull(Decimal),
    unit: Text,
    tick_at: Instant,
    calculated_at: orNull(Instant),
    source_cutoff_at: orNull(Instant),
    published_at: Instant,
    published_at_ts_ms: EpochMillis,
    quality_state: texts(QUALITY_STATES),
    underlying_quality_state: orNull(texts(QUALITY_STATES)),
    coverage_ratio: orNull(Decimal),
    confidence: orNull(Decimal),
    link_factor: orNull(Decimal),
    reason_codes: Type.Array(Text),
    missing_constituent_ids: Type.Array(Id),
    excluded_inputs: Type.Array(ExcludedInput),
    input_observation_ids: Type.Array(Id),
    calculation_run_id: Id,
    input_digest: orNull(Text),
    record_hash: Text,
    inputs: Type.Optional(Type.Array(IndexInput)),
    quotes: Type.Optional(
      Type.Array(LevelQuote, {
        description:
          'expand=quotes: public quotes that the legs rest on; one that several levels of a page share is with the first of them',
      }),
    ),
  },
  { ...closed, title: 'IndexObservation' },
)
export type IndexObservation = Static<typeof IndexObservation>
