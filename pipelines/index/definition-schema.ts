import Type from 'typebox'
import { idForm, idPattern } from '../../primitives/id-form.ts'
import { INSTANT_ALLOWED } from '../../primitives/instants.ts'
import { RebalanceSchema, SelectionSchema } from '../selection/selection-schema.ts'

/**
 * Schema of an index definition file (YAML or JSON), published as docs/schemas/index-definition.schema.json.
 * Decimals are decimal strings; in YAML they may be unquoted, because scalars are read as their source text.
 */
const closed = { additionalProperties: false }
const Text = Type.String({ minLength: 1, maxLength: 2000 })
const Name = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}$',
  description: '1 to 128 of [A-Za-z0-9_.:/-], a letter or digit first',
})
const Decimal = Type.String({
  pattern: '^(0|[1-9]\\d*)(\\.\\d+)?$',
  description: 'a decimal string that is not negative, such as 0.25',
})
const Weight = Type.String({
  pattern: '^(0|[1-9]\\d*)(\\.\\d{1,10})?$',
  description: 'a decimal string that is not negative, with at most 10 fraction digits',
})
const Instant = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?Z$',
  description: INSTANT_ALLOWED,
})
const Duration = Type.String({ pattern: '^P', description: 'an ISO 8601 duration of fixed length such as PT1M or P1D' })
const Count = Type.Integer({ minimum: 0, maximum: 100_000 })

const id = (prefix: string) =>
  Type.String({
    pattern: idPattern(prefix),
    description: idForm(prefix),
  })

const leg_fields = {
  venue_id: Name,
  source_series_id: Type.Optional(Type.Union([Text, Type.Null()])),
  source_market_id: Text,
  outcome: Type.Optional(Text),
  pool_weight: Type.Optional(Decimal),
  expected_resolution_at: Type.Optional(Instant),
}
export const LegSchema = Type.Object(leg_fields, closed)

const Normalization = Type.Union([
  Type.Literal('probability_0_1'),
  Type.Literal('inverse'),
  Type.Literal('logodds_pool'),
  Type.Literal('multi_outcome_sum_to_one'),
  Type.Literal('constant_maturity'),
])

export const ConstituentSchema = Type.Object(
  {
    constituent_id: id('con'),
    ...leg_fields,
    venue_id: Type.Optional(Name),
    source_market_id: Type.Optional(Text),
    target_weight: Type.Optional(Weight),
    weight_cap: Type.Optional(Weight),
    normalization: Type.Optional(Normalization),
    group_event: Type.Optional(Text),
    legs: Type.Optional(Type.Array(LegSchema, { minItems: 2, maxItems: 32 })),
    outcomes: Type.Optional(Type.Array(Type.Union([Text, LegSchema]), { minItems: 2, maxItems: 256 })),
  },
  closed,
)

export const VersionSchema = Type.Object(
  {
    version: Name,
    effective_from: Instant,
    calculation_frequency: Duration,
    minimum_coverage_ratio: Type.Optional(Decimal),
    rebalance_rule: Type.Optional(Text),
    approved_by: Type.Optional(Text),
    approved_at: Type.Optional(Instant),
    change_summary: Type.Optional(Type.Array(Text)),
    weighting: Type.Optional(
      Type.Object(
        {
          rule: Type.Union([Type.Literal('equal'), Type.Literal('sqrt_volume'), Type.Literal('fixed')]),
          rating_multiplier: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
    ),
    caps: Type.Optional(
      Type.Object(
        { single: Type.Optional(Weight), event: Type.Optional(Weight), venue: Type.Optional(Weight) },
        closed,
      ),
    ),
    roll: Type.Optional(
      Type.Object(
        {
          target_days: Decimal,
          stop_days: Type.Optional(Decimal),
          mode: Type.Optional(Type.Union([Type.Literal('linear'), Type.Literal('hazard')])),
        },
        closed,
      ),
    ),
    fixing: Type.Optional(
      Type.Object(
        {
          at: Type.String({
            pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?Z?$',
            description: 'a time of day in UTC such as 16:00',
          }),
          partitions: Type.Optional(Count),
          partition: Type.Optional(Duration),
          minimum: Type.Optional(Count),
          trim: Type.Optional(Count),
        },
        closed,
      ),
    ),
    /** Written in a definition, or selected when the version is published; a published version has them. */
    constituents: Type.Optional(Type.Array(ConstituentSchema, { minItems: 1, maxItems: 5000 })),
    selection: Type.Optional(SelectionSchema),
    rebalance: Type.Optional(RebalanceSchema),
  },
  closed,
)

export const IndexSchema = Type.Object(
  {
    index_id: id('idx'),
    slug: Name,
    symbol: Name,
    name: Text,
    description: Type.Optional(Type.String({ maxLength: 5000 })),
    family: Type.Optional(Text),
    unit: Type.Optional(Text),
    base_value: Type.Optional(
      Type.String({
        pattern: '^(0|[1-9]\\d{0,8})(\\.\\d{1,4})?$',
        description: 'a decimal string above 0 with at most 9 digits and 4 fraction digits',
      }),
    ),
    base_date: Instant,
    tags: Type.Optional(Type.Array(Text)),
  },
  closed,
)

export const MethodologySchema = Type.Object(
  {
    methodology_id: id('mth'),
    version: Name,
    name: Text,
    parameters: Type.Optional(Type.Record(Type.String(), Type.String())),
    supersedes_version: Type.Optional(Name),
  },
  closed,
)

export const DefinitionSchema = Type.Object(
  {
    index: IndexSchema,
    methodology: MethodologySchema,
    versions: Type.Array(VersionSchema, { minItems: 1, maxItems: 1000 }),
  },
  { ...closed, $id: 'https://tidemark.invalid/schemas/index-definition.json', title: 'Tidemark index definition' },
)

export type DefinitionFile = Type.Static<typeof DefinitionSchema>
export type VersionFile = Type.Static<typeof VersionSchema>
export type ConstituentFile = Type.Static<typeof ConstituentSchema>
export type LegFile = Type.Static<typeof LegSchema>
