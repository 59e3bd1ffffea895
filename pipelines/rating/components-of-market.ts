import { Decimal, type DecimalString, formatDecimal } from '../../primitives/decimal.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import type { RatingComponent } from '../../vocabulary/rating.ts'
import type { EvidenceTier } from '../../vocabulary/review.ts'
import { type EvidenceItem, measuredEvidence } from '../evidence/evidence-item.ts'
import {
  dataQuality,
  liquidity,
  manipulationResistance,
  resolutionClarity,
  sourceReliability,
  venueOperationalRisk,
} from './components.ts'
import type { MeasuredHealth, MeasuredMarket, MeasuredVenue, ScoredRules, SeriesRecord } from './measured.ts'
import type { MeasureParameters } from './methodology.ts'
import type { ComponentScores } from './rate.ts'
import { AUTHORITY, type SourceFact, type VenueFact } from './venue-facts.ts'

/** Inputs of a market's components. */
export type ComponentInputs = {
  readonly market: MeasuredMarket
  readonly venue: MeasuredVenue | null
  readonly venue_fact: VenueFact | null
  readonly facts_version: string
  /** Sources that the rules name, the most authoritative first. */
  readonly sources: readonly SourceFact[]
  readonly scored_rules: ScoredRules | null
  readonly series: SeriesRecord
  readonly cutoff: Micros
  readonly parameters: MeasureParameters
}

type Part = { readonly score: DecimalString; readonly evidence: EvidenceItem }

/**
 * Computes the six components of a market with their evidence; a component that cannot be measured is missing (methodology
 * rating-1 §3).
 */
export function componentsOfMarket(inputs: ComponentInputs): {
  readonly components: ComponentScores
  readonly evidence: readonly EvidenceItem[]
} {
  const parts: Readonly<Record<RatingComponent, Part | null>> = {
    resolution_clarity: clarityOf(inputs),
    source_reliability: reliabilityOf(inputs),
    liquidity: liquidityOf(inputs),
    manipulation_resistance: resistanceOf(inputs),
    data_quality: qualityOf(inputs),
    venue_operational_risk: riskOf(inputs),
  }
  const entries = Object.entries(parts)
  return {
    components: Object.fromEntries(entries.map(([name, part]) => [name, part?.score ?? null])) as ComponentScores,
    evidence: entries.flatMap(([, part]) => (part === null ? [] : [part.evidence])),
  }
}

/** Scores the text by the rubric, plus 5 points for rules unchanged in the window. */
function clarityOf(inputs: ComponentInputs): Part | null {
  const { market, scored_rules, series } = inputs
  if (scored_rules === null) return null
  const unchanged = market.rules_versions <= 1 ? '5' : '0'
  const figures = {
    ...scored_rules,
    market_revision: market.market_revision,
    rules_versions: market.rules_versions,
    points: [...scored_rules.items.map(({ points }) => points), unchanged],
    disputed_markets: series.disputed,
    resolved_markets: series.resolved,
    series: market.series,
  }
  return part(inputs, 'resolution_clarity', 'rules_text', 'B', inputs.cutoff, figures, resolutionClarity(figures))
}

/** Scores the most authoritative source that the rules name; both of its shares must be known. */
function reliabilityOf(inputs: ComponentInputs): Part | null {
  const [first] = inputs.sources
  if (first === undefined || first.availability_90d === null || first.revision_rate === null) return null
  const figures = {
    source_ids: inputs.sources.map(({ source_id }) => source_id),
    authority: AUTHORITY[first.authority]!,
    availability: first.availability_90d,
    revision_rate: first.revision_rate,
    independent_sources: inputs.sources.length,
    facts_version: inputs.facts_version,
  }
  const at = Math.min(toMicros(first.stated_at), inputs.cutoff)
  return part(inputs, 'source_reliability', 'source_record', first.tier, at, figures, sourceReliability(figures))
}

/** Scores spread, depth and volume, all three required, of a market sized in dollars. */
function liquidityOf(inputs: ComponentInputs): Part | null {
  const { quotes, books, volume } = inputs.market
  if (!sizesInUsd(inputs) || quotes?.spread_ms == null || books === null || volume === null) return null
  const figures = {
    spread: new Decimal(quotes.spread_ms).div(quotes.two_sided_ms).toFixed(),
    depth_usd: books.depth,
    volume_usd: volume.volume,
    books: books.books,
    volume_origin: volume.origin,
    volume_days: volume.days,
  }
  const tier = volume.origin === 'venue' ? 'B' : 'A'
  const at = Math.min(quotes.last_at, books.last_at)
  return part(inputs, 'liquidity', 'market_activity', tier, at, figures, liquidity(figures))
}

/** Scores the cost to move only: concentration, largest trader and wash trades have no source. */
function resistanceOf(inputs: ComponentInputs): Part | null {
  const { books } = inputs.market
  if (!sizesInUsd(inputs) || books === null) return null
  const figures = {
    cost_to_move_usd: books.cost,
    cost_days: books.cost_days,
    concentration: null,
    top_trader_share: null,
    wash_share: null,
  }
  const score = manipulationResistance(figures)
  return part(inputs, 'manipulation_resistance', 'order_books', 'A', books.last_at, figures, score)
}

function qualityOf(inputs: ComponentInputs): Part | null {
  const { quotes } = inputs.market
  const health = trusted(inputs)
  if (quotes === null || health === null || health.records === 0) return null
  const shown = quotes.two_sided_ms + quotes.crossed_ms
  if (shown === 0) return null
  const figures = {
    gap_share: shareOf(health.down_ms, health.known_ms),
    sequence_gap_share: shareOf(Math.min(health.gaps, health.records), health.records),
    crossed_share: shareOf(quotes.crossed_ms, shown),
    p95_latency_ms: String(quotes.latency_p95_ms),
  }
  return part(inputs, 'data_quality', 'ingest_record', 'A', quotes.last_at, figures, dataQuality(figures))
}

/** Scores the venue's risk; stated facts take precedence over our own measurements. */
function riskOf(inputs: ComponentInputs): Part | null {
  const { venue, venue_fact } = inputs
  if (venue_fact === null || venue_fact.regulation === null) return null
  const health = trusted(inputs)
  const uptime =
    venue_fact.uptime_90d ?? (health === null ? null : shareOf(health.known_ms - health.down_ms, health.known_ms))
  const incidents = venue_fact.incidents_365d ?? health?.incidents
  const delay = venue_fact.settlement_delay_h ?? hoursOf(venue?.settlement_delay_ms ?? null)
  if (uptime === null || incidents === undefined || delay === null) return null
  const figures = {
    uptime,
    regulation: venue_fact.regulation,
    settlement_delay_h: delay,
    incidents_365d: +incidents,
    settled_markets: venue?.settled_markets ?? 0,
    facts_version: inputs.facts_version,
    health_since: health === null ? null : formatMicros(health.first_at),
  }
  const at = health === null ? Math.min(toMicros(venue_fact.stated_at), inputs.cutoff) : inputs.cutoff
  return part(
    inputs,
    'venue_operational_risk',
    'venue_record',
    venue_fact.tier,
    at,
    figures,
    venueOperationalRisk(figures),
  )
}

/** Returns health records that reach back far enough to judge the venue. */
function trusted({ venue, cutoff, parameters }: ComponentInputs): MeasuredHealth | null {
  const health = venue?.health ?? null
  if (health === null || health.known_ms === 0) return null
  return cutoff - health.first_at >= parameters.health_days_min * MICROS_PER_DAY ? health : null
}

/** Names of dollars at venues; our own exchange's ledger uses asset_usd. */
const DOLLARS = ['usd', 'usdc', 'asset_usd']

/** Returns whether sizes are in dollars; play money measures no liquidity. */
function sizesInUsd({ market, venue_fact }: ComponentInputs): boolean {
  const { settlement_asset_id } = market
  if (settlement_asset_id !== null) return DOLLARS.includes(settlement_asset_id.toLowerCase())
  return venue_fact?.sizes_in_usd === 'true'
}

function shareOf(part: number, whole: number): DecimalString {
  return formatDecimal(new Decimal(part).div(whole), 9)
}

function hoursOf(ms: number | null): DecimalString | null {
  return ms === null ? null : formatDecimal(new Decimal(ms).div(3_600_000), 6)
}

function part(
  { market, cutoff }: ComponentInputs,
  component: RatingComponent,
  kind: string,
  tier: EvidenceTier,
  observed_at: Micros,
  figures: object,
  score: DecimalString,
): Part {
  const source_uri = `/v1/markets/${market.market_id}?as_of=${formatMicros(cutoff)}`
  return { score, evidence: measuredEvidence({ kind, component, tier, source_uri, observed_at, figures }) }
}
