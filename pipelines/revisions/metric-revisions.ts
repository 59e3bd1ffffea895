import { deriveId, type MetricId } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import { plainDecimal } from '../text/fields.ts'
import { instantText } from '../text/instant-text.ts'
import type { MetricRecord } from '../venues/record.ts'
import { type Facts, statesMore } from './economic-difference.ts'
import type { Identities } from './identities.ts'
import { completionOf, type Placed, type RevisionRule } from './plan-revisions.ts'

/** Returns the chain of a `market_metric` row: (venue, market, source instant). */
export function metricChain(venue_id: string, source_market_id: string, source_at: Micros): string {
  return `${venue_id}\u001f${source_market_id}\u001f${source_at}`
}

type Sizes = Pick<MetricRecord, 'volume_24h' | 'open_interest' | 'liquidity_notional'>

/** Returns the sizes in one canonical text; a missing one is not 0. */
export function metricFacts({ volume_24h, open_interest, liquidity_notional }: Sizes): Facts {
  const texts = [volume_24h, open_interest, liquidity_notional].map((size) => (size === null ? '' : plainDecimal(size)))
  return { kind: 'metric', content: texts.join('|') }
}

/** Rule by which sizes of markets form chains. */
export const METRIC_RULE: RevisionRule<MetricRecord> = {
  chainOf: (m) => metricChain(m.venue_id, m.source_market_id, m.source_at),
  idOf: metricId,
  factsOf: metricFacts,
  reasonOf: (previous, next) => (metricCompletes(previous, next) ? 'COMPLETED' : 'SOURCE_CORRECTION'),
  completes: metricCompletes,
}

function metricCompletes(previous: Facts, next: Facts): boolean {
  return statesMore(previous.content.split('|'), next.content.split('|'))
}

/** Returns a row of `market_metric`. */
export function metricRow(metric: MetricRecord, placed: Placed, ids: Identities) {
  const { venue_id, source_market_id, source_at, received_at, volume_24h, open_interest, liquidity_notional } = metric
  return {
    metric_id: metricId(metric, placed),
    revision: placed.revision,
    supersedes_id: placed.supersedes_id,
    correction_reason: placed.correction_reason,
    venue_id,
    source_market_id,
    market_id: ids.marketId(venue_id, source_market_id),
    volume_24h,
    open_interest,
    liquidity_notional,
    source_at,
    received_at,
  }
}

function metricId(metric: MetricRecord, placed?: Placed): MetricId {
  const { venue_id, source_market_id, source_at, received_at } = metric
  const instants = [instantText(source_at), instantText(received_at)]
  return deriveId('mtc', venue_id, source_market_id, ...instants, ...completionOf(placed))
}
