import { decimal, list, struct, type TableSchema } from '../schema.ts'
import { CURRENT_RECEIVED, CURRENT_REVISION, ID, PRICE, QUANTITY, RECEIVED, REVISED, TEXT, TIME } from './columns.ts'

const MARK = decimal(18, 6)

/** Published data of markets that is derived from venues' records. */
export const MARKET_TABLES = {
  /** Reference values of one outcome at one tick; a row only if a value changed since the tick before. */
  market_mark: {
    columns: {
      mark_id: ID,
      ...REVISED,
      venue_id: ID,
      source_series_id: ID,
      source_market_id: ID,
      market_id: ID,
      outcome_id: ID,
      tick_at: TIME,
      mark: MARK,
      mark_rule: TEXT,
      origin_rule: TEXT,
      midpoint: PRICE,
      midpoint_observation_ids: list(ID),
      implied_probability: MARK,
      derived: 'BOOLEAN',
      derivation_rule: TEXT,
      source_observation_ids: list(ID),
      freshness_class: TEXT,
      quality_state: TEXT,
      source_at: TIME,
      confirmed_at: TIME,
      received_at: TIME,
      calculated_at: TIME,
      methodology_id: ID,
      methodology_version: TEXT,
    },
    required: [
      'mark_id',
      'revision',
      'venue_id',
      'source_market_id',
      'market_id',
      'outcome_id',
      'tick_at',
      'quality_state',
      'calculated_at',
      'methodology_id',
      'methodology_version',
    ],
    chain: ['venue_id', 'source_series_id', 'source_market_id', 'outcome_id', 'tick_at'],
    current: CURRENT_REVISION,
    sort: ['market_id', 'outcome_id', 'source_series_id', 'tick_at', 'revision'],
  },
  /** Sizes of a market as its venue stated them, in the venue's own asset. */
  market_metric: {
    columns: {
      metric_id: ID,
      ...REVISED,
      venue_id: ID,
      source_market_id: ID,
      market_id: ID,
      volume_24h: QUANTITY,
      open_interest: QUANTITY,
      liquidity_notional: QUANTITY,
      ...RECEIVED,
    },
    required: ['metric_id', 'revision', 'venue_id', 'source_market_id', 'market_id', 'source_at', 'received_at'],
    chain: ['venue_id', 'source_market_id', 'source_at'],
    current: CURRENT_RECEIVED,
    sort: ['market_id', 'source_at', 'received_at'],
  },
  /** Whether indexes may use a market, as a versioned policy decided. */
  market_eligibility: {
    columns: {
      eligibility_id: ID,
      ...REVISED,
      market_id: ID,
      status: TEXT,
      policy_id: ID,
      policy_version: TEXT,
      reason_codes: list(TEXT),
      evaluated_at: TIME,
    },
    required: ['eligibility_id', 'revision', 'market_id', 'status', 'policy_id', 'policy_version', 'evaluated_at'],
    chain: ['market_id'],
    current: CURRENT_REVISION,
    sort: ['market_id', 'revision'],
  },
} as const satisfies Record<string, TableSchema>

/** Bounds and steps of orders as the venue states them; null where it states none. */
export const TRADING_PARAMETERS = struct({
  price_min: PRICE,
  price_max: PRICE,
  price_increment: PRICE,
  quantity_increment: QUANTITY,
  minimum_quantity: QUANTITY,
  settlement_asset_id: ID,
  shorting_permitted: 'BOOLEAN',
})
