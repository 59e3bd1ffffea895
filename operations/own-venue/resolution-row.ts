import { plainDecimal } from '../../pipelines/text/fields.ts'
import { FIRST_REVISION, supersede } from '../../primitives/append-only.ts'
import { invariant } from '../../primitives/errors.ts'
import { formatMicros, type Micros, microsOf } from '../../primitives/instants.ts'
import type { ResolutionEvent } from '../../trading/engine/events.ts'
import type { ResolutionFacts } from '../../trading/store/venue/venue-reads.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { StoredMarket, StoredResolution } from './venue-state.ts'

/**
 * Returns a row of `market_resolution`, and its chain after it. The statements of one resolution are one chain, about the instant when
 * it was proposed; a correction continues the chain of the resolution it corrects. A statement's id is made of resolution and event.
 */
export function resolutionRow(
  market: StoredMarket,
  { engine_sequence, at, resolution_id, finality }: ResolutionEvent,
  facts: ResolutionFacts,
  received_at: Micros,
): { readonly row: Row; readonly source_at: Micros; readonly stored: StoredResolution } {
  const { source_at, before } = chainFor(market, facts)
  const id = `${resolution_id}.${engine_sequence}`
  const reason = reasonOf(facts, finality, before)
  const revised =
    before === null
      ? FIRST_REVISION
      : supersede({ revision_max: before.revision, current_id: before.resolution_id }, reason)
  const winners = facts.payouts.filter(({ payout }) => plainDecimal(payout) === '1')
  const row = {
    resolution_id: id,
    ...revised,
    market_id: facts.market_id,
    venue_id: OWN_VENUE,
    source_series_id: null,
    source_market_id: facts.market_id,
    winning_outcome_ids: winners.map(({ outcome_id }) => outcome_id),
    payouts: facts.payouts.map(({ outcome_id, payout }) => ({ outcome_id, payout })),
    resolved_at: finality === 'withdrawn' ? null : formatMicros(source_at),
    // An index level refers to the first entry: this statement itself.
    evidence: [
      { evidence_id: id, kind: 'engine_event', source_uri: null, observed_at: formatMicros(at), content_hash: null },
      ...facts.evidence.map(({ evidence_id, kind, source_uri, observed_at, content_hash }) => {
        return { evidence_id, kind, source_uri, observed_at: microsOf(observed_at), content_hash }
      }),
    ],
    resolver: { kind: facts.resolver_kind, resolver_id: facts.resolver_id },
    dispute_window_ends_at: formatMicros(facts.dispute_window_ends_at),
    finality,
    source_at,
    received_at,
  }
  const stated = new Set([...(before?.stated ?? []), resolution_id])
  return { row, source_at, stored: { resolution_id: id, revision: revised.revision, stated } }
}

function chainFor(
  { market_id, resolutions }: StoredMarket,
  { resolution_id, supersedes_id, proposed_at }: ResolutionFacts,
): { readonly source_at: Micros; readonly before: StoredResolution | null } {
  for (const [source_at, before] of resolutions) {
    if (before.stated.has(resolution_id)) return { source_at, before }
    if (supersedes_id !== null && before.stated.has(supersedes_id)) return { source_at, before }
  }
  invariant(!resolutions.has(proposed_at), `market ${market_id} has one resolution proposed at ${proposed_at}`)
  return { source_at: proposed_at, before: null }
}

function reasonOf(facts: ResolutionFacts, finality: string, before: StoredResolution | null): string {
  const is_correction = before !== null && !before.stated.has(facts.resolution_id)
  if (is_correction) return facts.correction_reason ?? 'RESOLUTION_CORRECTED'
  if (finality === 'withdrawn') return 'RESOLUTION_WITHDRAWN'
  if (finality === 'disputed') return 'RESOLUTION_DISPUTED'
  return finality === 'final' ? 'RESOLVED' : 'RESOLUTION_PROPOSED'
}
