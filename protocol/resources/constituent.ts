import Type, { type Static } from 'typebox'
import { closed, Decimal, Id, Instant, orNull, Text } from '../scalars.ts'
import { Market, MarketOutcome } from './market.ts'

/** The venue's own ids for the source of a constituent's prices. */
const MarketMapping = Type.Object(
  {
    mapping_id: Id,
    venue_id: Text,
    source_event_id: orNull(Text),
    source_series_id: orNull(Text),
    source_market_id: Text,
    source_outcome_id: orNull(Text),
    valid_from: orNull(Instant),
    valid_to: orNull(Instant),
  },
  { ...closed, title: 'MarketMapping' },
)

/** One market outcome that a constituent reads. */
const ConstituentLeg = Type.Object(
  {
    market_id: Id,
    outcome_id: Id,
    venue_id: Text,
    source_series_id: orNull(Text),
    source_market_id: Text,
    pool_weight: orNull(Decimal),
  },
  { ...closed, title: 'ConstituentLeg' },
)

/** A venue, and which of its data its terms permit to publish. */
const Venue = Type.Object(
  {
    venue_id: Text,
    name: Text,
    index_eligible: Type.Boolean({ description: 'true: an index may use this venue' }),
    redistribution: Text,
  },
  { ...closed, title: 'Venue' },
)

/** One constituent of an index version, as fixed when the version was published. */
export const Constituent = Type.Object(
  {
    constituent_id: Id,
    index_version_id: Id,
    market_id: orNull(Id),
    outcome_id: orNull(Id),
    target_weight: Decimal,
    effective_weight_at_publication: Decimal,
    weight_cap: orNull(
      Type.String({ ...Decimal, description: "the lower of the constituent's own cap and the version's single cap" }),
    ),
    normalization: Text,
    eligibility_status: Text,
    eligibility_reason_codes: Type.Array(Text),
    rating_assessment_id_at_selection: orNull(Id),
    market_mapping: orNull(MarketMapping),
    legs: Type.Array(ConstituentLeg, {
      description:
        'every market outcome that it reads: one, the venues of a pool, the outcomes of a set or the contracts of a roll',
    }),
    definition: Type.Record(Type.String(), Type.Unknown(), {
      description: 'the constituent as defined in the version, with its legs if it has several',
    }),
    market: Type.Optional(orNull(Market)),
    outcomes: Type.Optional(orNull(Type.Array(MarketOutcome))),
    venue: Type.Optional(orNull(Venue)),
  },
  { ...closed, title: 'Constituent' },
)
export type Constituent = Static<typeof Constituent>
