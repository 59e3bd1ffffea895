import { bucketLevel, dayLine, dayRange } from '../../../pipelines/index/day-line.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { Candle } from '../../../protocol/resources/candle.ts'
import type { Constituent } from '../../../protocol/resources/constituent.ts'
import type { IndexObservation } from '../../../protocol/resources/index-observation.ts'
import type { Index } from '../../../protocol/resources/index-resource.ts'
import type { IndexVersion } from '../../../protocol/resources/index-version.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { MarketPrice } from '../../../protocol/resources/market-price.ts'

/** Two days of hourly levels of two indexes, one of them degraded for a while and corrected once, and one that has no level. */

export const FIRST_MS = Date.parse('2026-01-15T12:00:00Z')
export const HOUR_MS = 3_600_000
export const HOURS = 48
export const LAST_MS = FIRST_MS + HOURS * HOUR_MS
/** The tick that was published wrong, and when it was corrected. */
export const CORRECTED_MS = FIRST_MS + 40 * HOUR_MS
export const CORRECTION_MS = CORRECTED_MS + 2 * HOUR_MS

const at = (millis: number) => new Date(millis).toISOString().replace('.000Z', 'Z')

export const INDEXES: readonly Index[] = [
  index('idx_coast', 'COAST', 'Coast index', 'idv_coast_1'),
  index('idx_quiet', 'QUIET', 'Quiet index', 'idv_quiet_1'),
  index('idx_summit', 'SUMMIT', 'Summit gauge', 'idv_summit_1'),
]

export const VERSION: IndexVersion = {
  index_version_id: 'idv_coast_1',
  index_id: 'idx_coast',
  version: '1',
  status: 'published',
  effective_from: at(FIRST_MS),
  effective_to: null,
  methodology_id: 'mth_coast',
  methodology_version: '1.0.0',
  mode: 'gauge',
  calculation_frequency: 'PT1H',
  rebalance_rule: null,
  weight_sum: '1.0000000000',
  minimum_coverage_ratio: '0.6000000000',
  approved_by: null,
  approved_at: null,
  published_at: at(FIRST_MS),
  supersedes_version_id: null,
  change_summary: ['first composition'],
  link_factor: null,
  link_at: null,
  level_at_link: null,
  governance: 'none',
  proposal_id: null,
  announced_at: null,
  effective_at: null,
  definition: {},
}

export const MARKET: Market = {
  market_id: 'mkt_tide',
  event_id: 'evt_tide',
  slug: null,
  title: 'Will the tide reach the upper mark by Friday?',
  category: null,
  status: 'open',
  outcome_type: 'binary',
  outcomes: [
    { outcome_id: 'out_yes', label: 'YES', status: 'open', payout_value: null, complementary_outcome_id: null },
    { outcome_id: 'out_no', label: 'NO', status: 'open', payout_value: null, complementary_outcome_id: null },
  ],
  rules: null,
  schedule: null,
  trading_parameters: null,
  venue_mapping: {
    venue_id: 'kalshi',
    source_market_id: 'TIDE-26',
    source_outcome_ids: ['YES', 'NO'],
    mapping_version: null,
    valid_from: null,
    valid_to: null,
  },
  eligibility: null,
  simulated: false,
  metrics: null,
  created_at: at(FIRST_MS),
  updated_at: at(FIRST_MS),
  source_at: at(FIRST_MS),
  published_at: at(FIRST_MS),
}

export const CONSTITUENT: Constituent = {
  constituent_id: 'con_tide',
  index_version_id: 'idv_coast_1',
  market_id: 'mkt_tide',
  outcome_id: 'out_yes',
  target_weight: '1.0000000000',
  effective_weight_at_publication: '1.0000000000',
  weight_cap: null,
  normalization: 'probability',
  eligibility_status: 'eligible',
  eligibility_reason_codes: [],
  rating_assessment_id_at_selection: null,
  market_mapping: null,
  legs: [],
  definition: { constituent_id: 'con_tide' },
  market: MARKET,
  venue: { venue_id: 'kalshi', name: 'Kalshi', index_eligible: true, redistribution: 'prices and trades public' },
}

/** Every record that was ever published, corrections behind what they replace. */
export const OBSERVATIONS: readonly IndexObservation[] = ['idx_coast', 'idx_summit'].flatMap((index_id) =>
  Array.from({ length: HOURS + 1 }, (_, hour) => FIRST_MS + hour * HOUR_MS).flatMap((tick) => {
    const first = observation(index_id, tick, levelText(index_id, tick))
    if (tick !== CORRECTED_MS || index_id !== 'idx_coast') return [first]
    return [{ ...first, level: '12.0000' }, correctionOf(first)]
  }),
)

export function observation(index_id: string, tick: number, level: string): IndexObservation {
  const is_degraded = tick >= FIRST_MS + 20 * HOUR_MS && tick < FIRST_MS + 26 * HOUR_MS
  const state = is_degraded ? 'degraded' : 'valid'
  return {
    observation_id: `iob_${index_id.slice(4)}_${tick}`,
    revision: 1,
    supersedes_id: null,
    correction_reason: null,
    index_id,
    index_version_id: 'idv_coast_1',
    methodology_id: 'mth_coast',
    methodology_version: '1.0.0',
    level,
    unit: 'index_points',
    tick_at: at(tick),
    calculated_at: at(tick + 5000),
    source_cutoff_at: at(tick),
    published_at: at(tick + 60_000),
    published_at_ts_ms: tick + 60_000,
    quality_state: state,
    underlying_quality_state: state,
    coverage_ratio: is_degraded ? '0.700000' : '1.000000',
    confidence: '0.9100',
    link_factor: null,
    reason_codes: [],
    missing_constituent_ids: [],
    excluded_inputs: [],
    input_observation_ids: ['obs_a'],
    calculation_run_id: 'run_a',
    input_digest: null,
    record_hash: 'a'.repeat(64),
  }
}

/** An index with its latest level and the 24 hours up to it, from its levels in the order of their ticks. */
export function withDay(index: Index, levels: readonly IndexObservation[]): Index {
  const last = levels.at(-1)
  if (last === undefined) return { ...index, latest: null, day: null }
  const found = levels.map(({ source_cutoff_at, level }) => bucketLevel(source_cutoff_at, level))
  const { observation_id, revision, index_version_id, level, unit, tick_at, source_cutoff_at, published_at } = last
  const { quality_state, underlying_quality_state, coverage_ratio } = last
  const named = { observation_id, revision, index_version_id, level, unit, tick_at, source_cutoff_at, published_at }
  const latest = { ...named, quality_state, underlying_quality_state, coverage_ratio, max_age_ms: 1 }
  return { ...index, latest, day: dayLine(dayRange(toMicros(tick_at)), found, level) }
}

export function withInputs(level: IndexObservation): IndexObservation {
  const leg = {
    constituent_id: 'con_tide',
    market_id: 'mkt_tide',
    outcome_id: 'out_yes',
    source_observation_id: 'obs_a',
    target_weight: '1.0000000000',
    weight_applied: '1.0000000000',
    normalization: 'probability',
    raw_value: '0.387400',
    normalized_value: '0.387400',
    freshness_class: 'fresh',
    mark_rule: 'M1',
    exclusion_reason: null,
    contribution: '38.740000000000',
    provisional: false,
    pending: false,
    reason_codes: [],
    legs: [],
  }
  return { ...level, inputs: [leg] }
}

/** One candle an hour: its level is all four of its prices. */
export function candleOf({ tick_at, level, published_at, quality_state }: IndexObservation): Candle {
  const [open, start] = [level!, Date.parse(tick_at)]
  const bucket = { bucket_start: tick_at, bucket_end: at(start + HOUR_MS / 4) }
  const prices = { open, high: open, low: open, close: open }
  const rest = { observation_count: 1, coverage_ratio_min: '1.000000', methodology_version: '1.0.0', published_at }
  return { ...bucket, ...prices, ...rest, volume: null, quality_states: [quality_state], final: true }
}

export function marketPrice(bid: string): MarketPrice {
  const none = {
    last_trade: null,
    last_trade_at: null,
    bid_depth: null,
    ask_depth: null,
    derivation_rule: null,
    mark_observation_id: null,
  }
  const outcome = { outcome_id: 'out_yes', best_bid: bid, best_ask: '0.400000000', midpoint: null, mark: null }
  return {
    market_id: 'mkt_tide',
    market_status: 'open',
    outcomes: [
      {
        ...outcome,
        ...none,
        implied_probability: null,
        implied_reason: null,
        spread: null,
        book_reason: null,
        book_sequence: null,
        derived: false,
        source_observation_ids: [],
        derivations: [],
        mark_rule: null,
        mark_at: null,
        confirmed_at: at(LAST_MS),
        quality_state: 'valid',
      },
    ],
    venue_id: 'kalshi',
    source_market_id: 'TIDE-26',
    source_series_id: null,
    source_sequence: null,
    source_at: at(LAST_MS),
    received_at: at(LAST_MS),
    published_at: at(LAST_MS),
    quality_state: 'valid',
    methodology_id: null,
    methodology_version: null,
  }
}

function correctionOf(first: IndexObservation): IndexObservation {
  const correction = { revision: 2, supersedes_id: first.observation_id, correction_reason: 'RESOLUTION_CORRECTED' }
  const published = { published_at: at(CORRECTION_MS), published_at_ts_ms: CORRECTION_MS }
  return {
    ...first,
    ...correction,
    ...published,
    observation_id: `${first.observation_id}_2`,
    quality_state: 'corrected',
  }
}

function levelText(index_id: string, tick: number): string {
  const hour = (tick - FIRST_MS) / HOUR_MS
  const tenths = 3000 + hour * 17 + ((hour * 37) % 23) * 8 + (index_id === 'idx_summit' ? 50_000 : 0)
  return `${Math.floor(tenths / 100)}.${String(tenths % 100).padStart(2, '0')}00`
}

function index(index_id: string, symbol: string, name: string, active_version_id: string): Index {
  const when = at(FIRST_MS)
  const words = {
    slug: symbol.toLowerCase(),
    description: `An invented index of the ${name.toLowerCase()}.`,
    family: null,
  }
  const base = { unit: 'index_points', base_value: '100.0000', base_date: when }
  return {
    index_id,
    symbol,
    name,
    ...words,
    status: 'active',
    ...base,
    active_version_id,
    tags: [],
    simulated: index_id === 'idx_summit',
    created_at: when,
    updated_at: when,
  }
}
