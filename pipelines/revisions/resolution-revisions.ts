import type { Revised } from '../../primitives/append-only.ts'
import type { DecimalString } from '../../primitives/decimal.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { plainDecimal } from '../text/fields.ts'
import type { ResolutionRecord } from '../venues/record.ts'
import type { Facts } from './economic-difference.ts'
import type { Identities } from './identities.ts'
import { resolutionIdOf } from './identity.ts'
import type { Confirmation, RevisionRule } from './plan-revisions.ts'
import { instantOrNull } from './quote-revisions.ts'

/**
 * Returns the chain of a `market_resolution` row: statements of one series of a venue about one market at one source instant.
 */
export function resolutionChain(venue_id: string, series: string | null, market_id: string, source_at: Micros): string {
  return `${venue_id}\u001f${series ?? ''}\u001f${market_id}\u001f${source_at}`
}

type OutcomePayout = { readonly outcome_id: string; readonly payout: DecimalString }

/** Returns the facts of a resolution: its finality, and its payouts in one canonical text. */
export function resolutionFacts(finality: string, payouts: readonly OutcomePayout[]): Facts {
  const items = payouts.map(({ outcome_id, payout }) => `${outcome_id}=${plainDecimal(payout)}`)
  return { kind: finality, content: items.sort().join('|') }
}

/** Returns why a resolution supersedes another. */
export function resolutionReason(previous: Facts, next: Facts): string {
  if (next.kind === 'withdrawn') return 'RESOLUTION_WITHDRAWN'
  if (next.kind === 'disputed') return 'RESOLUTION_DISPUTED'
  if (next.kind === 'proposed') return 'RESOLUTION_PROPOSED'
  return previous.kind === 'final' ? 'RESOLUTION_CORRECTED' : 'RESOLVED'
}

/** Returns the rule by which resolutions form chains. */
export function resolutionRule(ids: Identities): RevisionRule<ResolutionRecord> {
  return {
    chainOf: (r) =>
      resolutionChain(r.venue_id, r.source_series_id, ids.marketId(r.venue_id, r.source_market_id), r.source_at),
    idOf: resolutionId,
    factsOf: (r) => resolutionFacts(r.finality, outcomePayouts(r, ids)),
    reasonOf: resolutionReason,
    keeps_confirmations: true,
  }
}

/** Returns a row of `market_resolution`. An outcome that pays 1 wins; a split payout has no winner. */
export function resolutionRow(resolution: ResolutionRecord, revised: Revised | Confirmation, ids: Identities) {
  const payouts = outcomePayouts(resolution, ids)
  const winners = payouts.filter(({ payout }) => plainDecimal(payout) === '1')
  return {
    resolution_id: resolutionId(resolution),
    ...revised,
    market_id: ids.marketId(resolution.venue_id, resolution.source_market_id),
    venue_id: resolution.venue_id,
    source_series_id: resolution.source_series_id,
    source_market_id: resolution.source_market_id,
    winning_outcome_ids: winners.map(({ outcome_id }) => outcome_id),
    payouts,
    resolved_at: resolution.finality === 'withdrawn' ? null : formatMicros(resolution.source_at),
    evidence: [{ ...resolution.evidence, observed_at: formatMicros(resolution.received_at) }],
    resolver: { kind: 'venue', resolver_id: resolution.venue_id },
    dispute_window_ends_at: instantOrNull(resolution.dispute_window_ends_at),
    finality: resolution.finality,
    source_at: formatMicros(resolution.source_at),
    received_at: formatMicros(resolution.received_at),
  }
}

function resolutionId(r: ResolutionRecord): string {
  return resolutionIdOf(r, formatMicros(r.source_at), formatMicros(r.received_at))
}

function outcomePayouts(resolution: ResolutionRecord, ids: Identities): OutcomePayout[] {
  const market_id = ids.marketId(resolution.venue_id, resolution.source_market_id)
  return resolution.payouts.map(({ outcome, payout }) => ({ outcome_id: ids.outcomeId(market_id, outcome), payout }))
}
