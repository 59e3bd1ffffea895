import Type, { type Static } from 'typebox'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { DEPTH_REASONS, PAYOUT_RULES, TRADE_REASONS, VOID_REASONS } from '../../vocabulary/robustness.ts'
import { closed, Decimal, Id, Instant, orNull, Text, texts } from '../scalars.ts'

const Reason = orNull(texts(TRADE_REASONS), 'why a value is null')

const MissingInput = Type.Object(
  {
    constituent_id: Id,
    level_without: orNull(Decimal, 'null: the index would have no level of its own'),
    move: orNull(Decimal),
    move_bp: orNull(Decimal),
    quality_state: texts(QUALITY_STATES),
    reason_codes: Type.Array(Text),
    coverage_ratio: Decimal,
    level_if_zero: Decimal,
    level_if_one: Decimal,
  },
  { ...closed, title: 'MissingInput' },
)

const MissingInputBound = Type.Object(
  {
    level: Decimal,
    inputs: Type.Array(MissingInput),
    largest: orNull(MissingInput, 'the input whose absence moves the level most'),
    indispensable_ids: Type.Array(Id, { description: 'inputs without which the index has no level' }),
  },
  { ...closed, title: 'MissingInputBound' },
)

const bounds = {
  notional_at_least: orNull(Decimal, 'no push costs less'),
  notional_sufficient: orNull(Decimal, 'a push of this cost is enough'),
  reason: Reason,
} as const

const PushCost = Type.Object(
  {
    ...bounds,
    touches: Type.Array(
      Type.Object({ constituent_id: Id, touch: Decimal, notional: Decimal }, { ...closed, title: 'PushedTouch' }),
    ),
  },
  { ...closed, title: 'PushCost' },
)

const ManipulationCost = Type.Object(
  {
    basis_points: Type.Integer(),
    ...bounds,
    up: PushCost,
    down: PushCost,
    without_depth: Type.Array(
      Type.Object({ constituent_id: Id, reason: texts(DEPTH_REASONS) }, { ...closed, title: 'MissingDepth' }),
    ),
  },
  { ...closed, title: 'ManipulationCost' },
)

/** The published level that something is of. `reason` says why there is nothing: the record has no level of its own tick. */
const ofLevel = {
  index_id: Id,
  observation_id: Id,
  index_version_id: Id,
  methodology_id: Id,
  methodology_version: Text,
  tick_at: Instant,
  published_at: Instant,
  level: orNull(Decimal),
  quality_state: texts(QUALITY_STATES),
  reason: orNull(texts(['NO_LEVEL'])),
  books: Type.Array(
    Type.Object(
      { market_id: Id, outcome_id: Id, price_unit: Text, source_at: Instant, published_at: Instant },
      { ...closed, title: 'BookAtTick' },
    ),
    {
      description:
        'stored books behind the values, as GET /v1/markets/{market_id}/orderbook has them as of published_at',
    },
  ),
} as const

/** Effect of each missing input on a level, and the cost to move it. */
export const LevelRobustness = Type.Object(
  { ...ofLevel, missing_input: orNull(MissingInputBound), manipulation_cost: orNull(ManipulationCost) },
  { ...closed, title: 'LevelRobustness' },
)
export type LevelRobustness = Static<typeof LevelRobustness>

const BandSide = Type.Object(
  {
    level: orNull(Decimal),
    reason: Reason,
    legs: Type.Array(
      Type.Object(
        {
          constituent_id: Id,
          quantity: orNull(Decimal, 'null: a settled constituent needs no trade'),
          average_price: orNull(Decimal),
          reason: orNull(texts(DEPTH_REASONS)),
        },
        { ...closed, title: 'BandLeg' },
      ),
    ),
  },
  { ...closed, title: 'BandSide' },
)

/** Levels at which a notional of an index's basket could be sold and bought. */
export const ExecutableBand = Type.Object(
  { ...ofLevel, notional: Decimal, bid: orNull(BandSide), ask: orNull(BandSide) },
  { ...closed, title: 'ExecutableBand' },
)
export type ExecutableBand = Static<typeof ExecutableBand>

const previewed = {
  level: orNull(Decimal, 'null: too little weight would be usable, or the index has no level'),
  move: orNull(Decimal),
  constituents: Type.Array(
    Type.Object(
      { constituent_id: Id, before: orNull(Decimal), after: orNull(Decimal) },
      { ...closed, title: 'PreviewedConstituent' },
    ),
  ),
} as const

/** Levels of one index under each outcome of a market, and if the market were void. */
export const IndexPreview = Type.Object(
  {
    ...ofLevel,
    market_id: Id,
    outcomes: Type.Array(
      Type.Object({ outcome_id: Id, label: orNull(Text), ...previewed }, { ...closed, title: 'PreviewedOutcome' }),
    ),
    voided: Type.Array(
      Type.Object(
        {
          payout_rule: texts(
            PAYOUT_RULES.filter((rule) => rule !== 'winner'),
            'equal_shares: each outcome is paid the same; none: nothing is paid, and the marks are frozen',
          ),
          payout: orNull(Decimal, 'payout of each outcome'),
          ...previewed,
          reason: orNull(texts(VOID_REASONS), 'why the level is null, where the record has one'),
        },
        { ...closed, title: 'PreviewedVoid' },
      ),
      { description: 'if the market were void, by each rule of payouts' },
    ),
  },
  { ...closed, title: 'IndexPreview' },
)
export type IndexPreview = Static<typeof IndexPreview>
