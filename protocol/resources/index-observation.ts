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

const id = (description: string) => Type.String({ ...Id, description })
const word = (description: string) => Type.String({ description })

/** One leg of a constituent, as the level used it. */
const InputLeg = Type.Object(
  {
    market_id: id('market of the leg'),
    outcome_id: id('outcome whose mark is read'),
    mark_rule: orNull(Text, 'rule that gave the mark, such as M1 or M7; null: it has none'),
    origin_rule: orNull(Text, 'rule that formed the mark which M7 or frozen carries'),
    value: orNull(Decimal, 'the mark; null: missing, never 0'),
    freshness_class: word('settled, fresh, stale or missing'),
    source_at: orNull(Instant, 'when the source stated what the mark rests on'),
    confirmed_at: orNull(Instant, 'when it was last seen unchanged'),
    mark_cutoff_at: orNull(Instant, 'data received by then was used for the mark'),
    source_observation_ids: Type.Array(Id, { description: 'quotes, trades or resolutions that the mark rests on' }),
    window_observation_ids: Type.Array(Id, {
      description: 'observations of the window that a mark of several is made of',
    }),
  },
  { ...closed, title: 'InputLeg' },
)

/** Contribution of one constituent to a level. */
export const IndexInput = Type.Object(
  {
    constituent_id: id('constituent of the version'),
    market_id: orNull(Id),
    outcome_id: orNull(Id),
    source_observation_id: orNull(Id, 'newest record behind the value; null: there is none'),
    target_weight: Type.String({ ...Decimal, description: 'weight by the version' }),
    weight_applied: orNull(Decimal, 'weight after missing inputs were left out; null: it was left out'),
    normalization: word('rule that makes the value from marks'),
    raw_value: orNull(Decimal, 'mark before normalization; null: missing, never 0'),
    normalized_value: orNull(Decimal, 'value that entered the level; null: missing'),
    freshness_class: word('settled, fresh, stale or missing; of several legs the weakest'),
    mark_rule: orNull(
      Text,
      'rule of the methodology that gave the mark: M0 to M7, frozen or fixing; of several legs the weakest',
    ),
    exclusion_reason: orNull(Text, 'why it was kept out; null: it was not'),
    contribution: orNull(Decimal, 'contribution to the level, in its unit; all of them add up to it'),
    provisional: Type.Boolean({ description: 'the value may still change: an outcome is not final yet' }),
    pending: Type.Boolean({ description: 'the outlier filter holds back a newer value' }),
    reason_codes: Type.Array(Text, { description: 'reasons of its state' }),
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
