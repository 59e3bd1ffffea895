import Type, { type Static } from 'typebox'
import { GOVERNANCE_MARKS } from '../../vocabulary/governance.ts'
import { closed, Decimal, Duration, Id, Instant, orNull, Text, texts } from '../scalars.ts'

/** One version of an index, immutable once published. effective_to is set when it gets a successor, the link when it takes effect. */
export const IndexVersion = Type.Object(
  {
    index_version_id: Id,
    index_id: Id,
    version: Text,
    status: texts(['published']),
    effective_from: Instant,
    effective_to: orNull(Instant),
    methodology_id: Id,
    methodology_version: Text,
    mode: texts(
      ['chain_linked', 'gauge'],
      'chain_linked: levels are multiplied by link_factor; gauge: 100 x the weighted sum',
    ),
    calculation_frequency: Duration,
    rebalance_rule: orNull(Text),
    weight_sum: Decimal,
    minimum_coverage_ratio: Decimal,
    approved_by: orNull(Text),
    approved_at: orNull(Instant),
    published_at: Instant,
    supersedes_version_id: orNull(Id),
    change_summary: Type.Array(Text),
    link_factor: orNull(Decimal),
    link_at: orNull(Instant),
    level_at_link: orNull(Decimal),
    governance: texts(
      GOVERNANCE_MARKS,
      'none: one person applied it; governed: an approved proposal put it in force, and the four fields below are set',
    ),
    proposal_id: orNull(Id),
    announced_at: orNull(Instant, 'begin of its notice'),
    effective_at: orNull(Instant, 'end of its notice'),
    definition: Type.Record(Type.String(), Type.Unknown(), {
      description: 'the definition of the version without its constituents, which are a separate resource',
    }),
  },
  { ...closed, title: 'IndexVersion' },
)
export type IndexVersion = Static<typeof IndexVersion>
