import Type, { type Static } from 'typebox'
import { idForm, idPattern } from '../../primitives/id-form.ts'
import { RANKING_FACTS, RANKING_ORDERS, REBALANCE_SCHEDULES, WEEKDAYS } from '../../vocabulary/eligibility.ts'
import { OUTCOME_TYPES } from '../../vocabulary/market.ts'

const closed = { additionalProperties: false }
const Text = Type.String({ minLength: 1, maxLength: 2000 })
const Texts = Type.Array(Text, { minItems: 1, maxItems: 1000, description: 'a list of 1 to 1000 texts' })
const Places = Type.Integer({ minimum: 1, maximum: 5000, description: 'a whole number from 1 to 5000' })
const oneOf = <W extends string>(words: readonly W[]) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    { description: words.join(', ') },
  )

/** Markets from which constituents are selected: those that fit every filter that is written. */
const UniverseSchema = Type.Object(
  {
    venue_ids: Type.Optional(Texts),
    categories: Type.Optional(Texts),
    event_ids: Type.Optional(Texts),
    market_ids: Type.Optional(Texts),
    outcome_type: Type.Optional(oneOf(OUTCOME_TYPES)),
  },
  closed,
)

/** Rule by which constituents are selected. */
export const SelectionSchema = Type.Object(
  {
    universe: UniverseSchema,
    eligibility_policy: Type.Object(
      {
        policy_id: Type.String({ pattern: idPattern('pol'), description: idForm('pol') }),
        version: Type.String({ pattern: '^[1-9]\\d{0,8}$', description: 'a version of the policy, from 1' }),
      },
      closed,
    ),
    ranking: Type.Object({ fact: oneOf(RANKING_FACTS), order: Type.Optional(oneOf(RANKING_ORDERS)) }, closed),
    count: Places,
    buffer: Type.Optional(Type.Integer({ minimum: 0, maximum: 5000, description: 'a whole number from 0 to 5000' })),
    per_venue_max: Type.Optional(Places),
    per_event_max: Type.Optional(Places),
    data_lead: Type.Optional(
      Type.String({ pattern: '^P', description: 'an ISO 8601 duration of fixed length such as P7D' }),
    ),
    outcome: Type.Optional(Text),
    source_series_id: Type.Optional(Text),
    normalization: Type.Optional(oneOf(['probability_0_1', 'inverse'])),
  },
  closed,
)
export type SelectionFile = Static<typeof SelectionSchema>

/** Schedule by which constituents are selected anew. */
export const RebalanceSchema = Type.Object(
  {
    schedule: oneOf(REBALANCE_SCHEDULES),
    weekday: Type.Optional(oneOf(WEEKDAYS)),
    at: Type.Optional(
      Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\dZ?$', description: 'a time of day in UTC such as 14:00' }),
    ),
  },
  closed,
)
export type RebalanceFile = Static<typeof RebalanceSchema>
