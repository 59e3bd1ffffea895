import type { Decimal } from '../../primitives/decimal.ts'
import type {
  ConstituentId,
  EventId,
  IndexId,
  IndexVersionId,
  MarketId,
  MethodologyId,
  OutcomeId,
} from '../../primitives/ids.ts'
import type { Instant, Micros } from '../../primitives/instants.ts'
import type { Parameters, ParameterTexts } from './parameters.ts'

export type Normalization =
  | 'probability_0_1'
  | 'inverse'
  | 'logodds_pool'
  | 'multi_outcome_sum_to_one'
  | 'constant_maturity'

/** One outcome of one market at one venue, as a version maps it. `key` identifies the same source everywhere. */
export type Leg = {
  readonly key: string
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_market_id: string
  readonly outcome: string
  readonly market_id: MarketId
  readonly outcome_id: OutcomeId
  readonly event_id: EventId
  /** Weight inside a log-odds pool; > 0. */
  readonly pool_weight: Decimal
  /** Written in the definition; else the market record's is used. */
  readonly expected_resolution_at: Micros | null
}

export type Constituent = {
  readonly constituent_id: ConstituentId
  readonly normalization: Normalization
  /** The legs read: one for a plain constituent; the venues of a pool; all outcomes of a set; the contracts of a roll. */
  readonly legs: readonly Leg[]
  /** Ordinal of the leg whose market and outcome are the constituent's. */
  readonly own: number
  /** In [0, 1], 10 decimals; the weights of a version sum to exactly 1. */
  readonly target_weight: Decimal
  readonly weight_cap: Decimal | null
  readonly group_event: string | null
}

export type Roll = { readonly target_days: Decimal; readonly stop_days: Decimal; readonly mode: 'linear' | 'hazard' }

/** Fixing schedule (methodology index-1 §11): `at` is a time of day in microseconds after midnight UTC. */
export type Fixing = {
  readonly at: Micros
  readonly partitions: number
  readonly partition: Micros
  readonly minimum: number
  readonly trim: number
}

export type WeightingRule = 'fixed' | 'equal' | 'sqrt_volume'
export type Caps = { readonly single: Decimal | null; readonly event: Decimal | null; readonly venue: Decimal | null }

/**
 * Rules by which the constituents and weights of a version are composed, as text; null: it has none. No level of the version
 * depends on them, but the composition of the next one does.
 */
export type CompositionRules = {
  readonly weighting: string
  readonly caps: string | null
  readonly selection: string | null
  readonly rebalance: string | null
}

export type IndexVersion = {
  readonly index_version_id: IndexVersionId
  readonly index_id: IndexId
  readonly version: string
  readonly effective_from: Micros
  /** Exclusive; null while no successor is known. */
  readonly effective_to: Micros | null
  readonly frequency: Micros
  readonly minimum_coverage_ratio: Decimal
  /** Ascending constituent_id. */
  readonly constituents: readonly Constituent[]
  readonly roll: Roll | null
  readonly fixing: Fixing | null
  readonly composed_by: CompositionRules
  readonly methodology: Methodology
}

export type Methodology = {
  readonly methodology_id: MethodologyId
  readonly version: string
  readonly name: string
  readonly content_hash: string
  readonly texts: ParameterTexts
  readonly parameters: Parameters
}

/** An index with its versions by effective_from: the input of a replay. */
export type IndexSpec = {
  readonly index_id: IndexId
  readonly unit: string
  readonly base_value: Decimal
  readonly base_date: Micros
  readonly versions: readonly IndexVersion[]
}

/** Presentation of an index, as its definition states it. */
export type IndexDescription = {
  readonly index_id: IndexId
  readonly slug: string
  readonly symbol: string
  readonly name: string
  readonly description: string | null
  readonly family: string | null
  readonly unit: string
  readonly base_value: string
  readonly base_date: Instant
  readonly tags: readonly string[]
}
