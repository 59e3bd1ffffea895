import Type, { type Static } from 'typebox'
import { FINALITIES } from '../../vocabulary/market.ts'
import { appendOnly, closed, Decimal, Id, Instant, orNull, Text, texts } from '../scalars.ts'

const Evidence = Type.Object(
  {
    evidence_id: Id,
    kind: Text,
    source_uri: orNull(Text),
    observed_at: orNull(Instant),
    content_hash: orNull(Text),
  },
  { ...closed, title: 'Evidence' },
)

/** Final or proposed end of a market. */
export const Resolution = Type.Object(
  {
    resolution_id: Id,
    ...appendOnly,
    market_id: Id,
    winning_outcome_ids: Type.Array(Id),
    payouts: Type.Array(Type.Object({ outcome_id: Id, payout: Decimal }, { ...closed, title: 'Payout' })),
    resolved_at: orNull(Instant),
    /** When its chain became final; levels may settle from it. null of a record that is not final. */
    final_at: orNull(Instant),
    /** Last instant at which the source stated the same again, which makes no revision. */
    confirmed_at: Instant,
    evidence: Type.Array(Evidence),
    resolver: orNull(Type.Object({ kind: Text, resolver_id: orNull(Text) }, { ...closed, title: 'Resolver' })),
    dispute_window_ends_at: orNull(Instant),
    finality: texts(FINALITIES),
    source_at: Instant,
    received_at: Instant,
    published_at: Instant,
  },
  { ...closed, title: 'Resolution' },
)
export type Resolution = Static<typeof Resolution>
