import Type, { type Static } from 'typebox'
import { closed, Id, Instant, orNull, Text } from '../scalars.ts'

const SourceMapping = Type.Object(
  { venue_id: Text, source_event_id: orNull(Text), source_series_id: orNull(Text), source_url: orNull(Text) },
  { ...closed, title: 'SourceMapping' },
)

/** Something that happens or may happen, with or without markets about it. */
export const Event = Type.Object(
  {
    event_id: Id,
    slug: orNull(Text),
    title: Text,
    description: orNull(Text),
    category: orNull(Text),
    regions: Type.Array(Text),
    status: orNull(Text),
    event_start: orNull(Instant),
    event_end: orNull(Instant),
    market_ids: Type.Array(Id),
    source_mappings: Type.Array(SourceMapping),
    created_at: orNull(Instant),
    updated_at: Instant,
  },
  { ...closed, title: 'Event' },
)
export type Event = Static<typeof Event>
