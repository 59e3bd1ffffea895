import {
  Decimal,
  type DecimalString,
  formatDecimal,
  ONE,
  parseDecimal,
  sumDecimals,
  ZERO,
} from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { RATING_SCALE } from './methodology.ts'

/**
 * The six components of methodology rating-1 §4 to 9, each from measurements over 30 days. A component is 0 to 100 with 2
 * fraction digits, the published form from which the score is computed. Shares are in [0, 1], money in USD.
 */

const HUNDRED = new Decimal(100)

export type ResolutionClarity = {
  /**
   * Points of the rubric: 30 single measurable criterion, 20 named primary source, 10 fallback, 10 deadline with timezone, 15
   * edge cases, 10 dispute policy, 5 no material change of the rules. Each 0, half or full.
   */
  readonly points: readonly DecimalString[]
  /** Disputed markets of the series in 12 months. */
  readonly disputed_markets: number
  readonly resolved_markets: number
}

/** Returns the points of the rubric, minus 40 times the share of disputed markets. */
export function resolutionClarity(measured: ResolutionClarity): DecimalString {
  const points = sumDecimals(measured.points.map((text) => parseDecimal(text, 'points')))
  const share =
    measured.resolved_markets === 0 ? ZERO : new Decimal(measured.disputed_markets).div(measured.resolved_markets)
  return published(points.minus(Decimal.min(share, ONE).times(40)))
}

export type SourceReliability = {
  /** Official statistic 1, regulated data vendor 0.9, wire 0.8, single outlet 0.5, social 0.2. */
  readonly authority: DecimalString
  /** Share of 90 days in which the source answered. */
  readonly availability: DecimalString
  /** Share of its values that were materially revised. */
  readonly revision_rate: DecimalString
  readonly independent_sources: number
}

/** Returns 40 authority + 30 availability + 20 (1 - revisions) + 10 min(sources, 3)/3. */
export function sourceReliability(measured: SourceReliability): DecimalString {
  const sources = new Decimal(Math.min(measured.independent_sources, 3)).div(3)
  return published(
    weighted([
      [40, share(measured.authority, 'authority')],
      [30, share(measured.availability, 'availability')],
      [20, ONE.minus(share(measured.revision_rate, 'revision_rate'))],
      [10, sources],
    ]),
  )
}

export type Liquidity = {
  /** Time-weighted spread, in price. */
  readonly spread: DecimalString
  /** Median depth within 0.02 of the middle, both sides. */
  readonly depth_usd: DecimalString
  /** Median volume a day. */
  readonly volume_usd: DecimalString
}

/** Returns 40 for a tight spread, 35 for depth up to 50,000 USD, 25 for volume up to 1,000,000 USD a day; the latter two logarithmic. */
export function liquidity(measured: Liquidity): DecimalString {
  const spread = Decimal.max(ZERO, ONE.minus(amount(measured.spread, 'spread').div('0.10')))
  return published(
    weighted([
      [40, spread],
      [35, logShare(amount(measured.depth_usd, 'depth_usd'), 50_000)],
      [25, logShare(amount(measured.volume_usd, 'volume_usd'), 1_000_000)],
    ]),
  )
}

export type ManipulationResistance = {
  /** The smaller of the two sides' cost to push the touch by 0.05; median of 7 daily medians. */
  readonly cost_to_move_usd: DecimalString
  /** Share of open interest; null: unknown. */
  readonly concentration: DecimalString | null
  /** Volume share of the largest trader; null: unknown. */
  readonly top_trader_share: DecimalString | null
  /** Share of volume flagged as wash trades; null: unknown. */
  readonly wash_share: DecimalString | null
}

/**
 * Returns cost to move (40, up to 100,000 USD), concentration (25), largest trader (15), wash trades (20); unknown parts are
 * left out and the rest reweighted.
 */
export function manipulationResistance(measured: ManipulationResistance): DecimalString {
  const parts: [number, Decimal | null][] = [
    [40, logShare(amount(measured.cost_to_move_usd, 'cost_to_move_usd'), 100_000)],
    [25, rest(measured.concentration, 'concentration')],
    [15, rest(measured.top_trader_share, 'top_trader_share')],
    [20, rest(measured.wash_share, 'wash_share')],
  ]
  const known = parts.filter((part): part is [number, Decimal] => part[1] !== null)
  const weight = known.reduce((sum, [points]) => sum + points, 0)
  return published(weighted(known).times(HUNDRED).div(weight))
}

export type DataQuality = {
  readonly gap_share: DecimalString
  readonly sequence_gap_share: DecimalString
  readonly crossed_share: DecimalString
  readonly p95_latency_ms: DecimalString
}

/** Returns 35 without gaps + 25 without sequence gaps + 20 without crossed books + 20 for a latency of a second or less. */
export function dataQuality(measured: DataQuality): DecimalString {
  const latency = amount(measured.p95_latency_ms, 'p95_latency_ms')
  const quick = latency.isZero() ? ONE : Decimal.min(ONE, new Decimal(1000).div(latency))
  return published(
    weighted([
      [35, ONE.minus(share(measured.gap_share, 'gap_share'))],
      [25, ONE.minus(share(measured.sequence_gap_share, 'sequence_gap_share'))],
      [20, ONE.minus(share(measured.crossed_share, 'crossed_share'))],
      [20, quick],
    ]),
  )
}

export type VenueOperationalRisk = {
  readonly uptime: DecimalString
  /** 0 a regulated exchange, 0.5 offshore and audited, 1 neither. */
  readonly regulation: DecimalString
  readonly settlement_delay_h: DecimalString
  readonly incidents_365d: number
}

/**
 * Returns 30 for downtime up to 1 %, 30 for regulation, 25 for settlement delay up to 72 h, 15 for up to 6 incidents a year;
 * less is better in each.
 */
export function venueOperationalRisk(measured: VenueOperationalRisk): DecimalString {
  const downtime = ONE.minus(share(measured.uptime, 'uptime')).div('0.01')
  return published(
    weighted([
      [30, Decimal.min(ONE, downtime)],
      [30, share(measured.regulation, 'regulation')],
      [25, Decimal.min(ONE, amount(measured.settlement_delay_h, 'settlement_delay_h').div(72))],
      [15, Decimal.min(ONE, new Decimal(measured.incidents_365d).div(6))],
    ]),
  )
}

function weighted(parts: readonly (readonly [number, Decimal])[]): Decimal {
  return sumDecimals(parts.map(([points, value]) => value.times(points)))
}

/** Returns log10(1 + x) / log10(1 + full), at most 1. */
function logShare(x: Decimal, full: keyof typeof LOG_OF_FULL): Decimal {
  return Decimal.min(ONE, x.plus(1).log(10).div(LOG_OF_FULL[full]))
}

/** Computed once: a logarithm of 34 digits costs more than all the rest of a component. */
const LOG_OF_FULL = {
  50000: new Decimal(50_001).log(10),
  100000: new Decimal(100_001).log(10),
  1000000: new Decimal(1_000_001).log(10),
} as const

function rest(text: DecimalString | null, field: string): Decimal | null {
  return text === null ? null : ONE.minus(share(text, field))
}

function share(text: DecimalString, field: string): Decimal {
  return bounded(parseDecimal(text, field), field, ONE, 'a share from 0 to 1')
}

function amount(text: DecimalString, field: string): Decimal {
  return bounded(parseDecimal(text, field), field, null, '0 or more')
}

function published(value: Decimal): DecimalString {
  return formatDecimal(Decimal.min(HUNDRED, Decimal.max(ZERO, value)), RATING_SCALE)
}

/** Returns the value if it is 0 or more and at most `most`. @throws {ServiceError} VALIDATION_RANGE_INVALID names the field */
function bounded(value: Decimal, field: string, most: Decimal | null, allowed: string): Decimal {
  if (!value.isNegative() && (most === null || value.lte(most))) return value
  throw new ServiceError('VALIDATION_RANGE_INVALID', `${field} is ${value}; allowed: ${allowed}`, {
    field,
    value: String(value),
  })
}
