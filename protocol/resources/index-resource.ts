import Type, { type Static } from 'typebox'
import { INDEX_STATUSES } from '../../vocabulary/index-level.ts'
import { closed, Decimal, Id, Instant, orNull, Text, texts } from '../scalars.ts'

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
    created_at: Instant,
    updated_at: Instant,
  },
  { ...closed, title: 'Index' },
)
export type Index = Static<typeof Index>
