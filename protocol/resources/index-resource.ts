import Type, { type Static } from 'typebox'
import { INDEX_STATUSES, QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { Count, closed, Decimal, Duration, Id, Instant, instantOf, orNull, Text, texts } from '../scalars.ts'

/** The latest level of an index, without what it was made of. */
const LatestLevel = Type.Object(
  {
    observation_id: Id,
    revision: Count,
    index_version_id: Id,
    level: orNull(Decimal),
    unit: Text,
    tick_at: Instant,
    source_cutoff_at: orNull(Instant),
    published_at: Instant,
    quality_state: texts(QUALITY_STATES),
    underlying_quality_state: orNull(texts(QUALITY_STATES)),
    coverage_ratio: orNull(Decimal),
    max_age_ms: Type.Integer({
      minimum: 0,
      description: 'age of source_cutoff_at from which the level is stale, in milliseconds',
    }),
  },
  { ...closed, title: 'LatestLevel' },
)
export type LatestLevel = Static<typeof LatestLevel>

/** The 24 hours up to the latest level. */
const IndexDay = Type.Object(
  {
    start_time: instantOf('start of the first bucket, which ends 24 hours before the bucket of the latest tick begins'),
    end_time: instantOf('end of the last bucket'),
    interval: Duration,
    levels: Type.Array(orNull(Decimal), {
      description:
        'last priced level of each bucket, first to last, as in /prices with time_domain=source and sampling=latest_per_interval; null: there is none',
    }),
    base_level: orNull(
      Decimal,
      'first of them, unless it is more than an hour late; null: what stood then is not known',
    ),
    base_at: orNull(instantOf('source_cutoff_at of that level')),
    change: orNull(Decimal, 'latest level minus base_level; null: one of the two is not known'),
  },
  { ...closed, title: 'IndexDay' },
)
export type IndexDay = Static<typeof IndexDay>

/** An index: its stable identity, and the version in force at as_of. */
export const Index = Type.Object(
  {
    index_id: Id,
    slug: Text,
    symbol: Text,
    name: Text,
    description: orNull(Text),
    family: orNull(Text),
    status: texts(INDEX_STATUSES),
    unit: Text,
    base_value: Decimal,
    base_date: Instant,
    active_version_id: orNull(Id),
    tags: Type.Array(Text),
    simulated: Type.Boolean({
      description:
        'true: it reads markets of a venue whose data in this warehouse is invented; no real market is behind it',
    }),
    created_at: Instant,
    updated_at: Instant,
    latest: Type.Optional(orNull(LatestLevel, 'expand=latest: the level that /price answers; null: none is published')),
    day: Type.Optional(orNull(IndexDay, 'expand=day; null: no level is published')),
  },
  { ...closed, title: 'Index' },
)
export type Index = Static<typeof Index>
