import { plainDecimal } from '../../pipelines/venues/fields.ts'
import { deriveId } from '../../primitives/ids.ts'
import { durationMicros, formatMicros } from '../../primitives/instants.ts'
import { toScaled } from '../../primitives/scaled.ts'
import type { OutcomePayout, ProposeResolution, ResolutionEvidence } from '../../trading/engine/settlement-commands.ts'
import type { ListedMarket } from '../../trading/store/venue/venue-reads.ts'
import { type ListingPolicy, listedOutcomeId } from './listing-policy.ts'
import type { ListingAct } from './plan-listing.ts'
import type { ReferenceMarket, ReferenceResolution } from './reference-markets.ts'

const DIGITS = 9

/**
 * The proposal that a listing ends as its reference has ended, once: one that was withdrawn after a dispute is not proposed again. Where
 * the payouts are not whole, or another end was proposed, a person has to look at it.
 */
export function proposalOf(
  market: ListedMarket,
  reference: ReferenceMarket,
  policy: ListingPolicy,
): { readonly act: ListingAct | null; readonly note: string | null } {
  const resolution = reference.resolution!
  const payouts = payoutsOf(reference, resolution)
  const noted = (note: string | null) => ({ act: null, note })
  if (payouts === null)
    return noted(`what reference ${reference.market_id} pays is not whole; it is to be resolved by hand`)
  const resolution_id = proposalId(market.market_id, resolution, payouts)
  const last = market.resolutions.at(-1) ?? null
  if (last !== null && last.finality !== 'withdrawn') {
    return noted(
      last.resolution_id === resolution_id
        ? null
        : `reference ${reference.market_id} has ended otherwise than was resolved here`,
    )
  }
  if (market.resolutions.some((known) => known.resolution_id === resolution_id)) {
    return noted(`the resolution that reference ${reference.market_id} has was withdrawn here after a dispute`)
  }
  if (!['open', 'paused', 'closed'].includes(market.status)) return noted(null)
  const command = proposal(market, reference, resolution, payouts, resolution_id, policy)
  const act = {
    act_id: deriveId('act', 'listing', market.market_id, 'propose', resolution_id),
    market_id: market.market_id,
    reference_market_id: reference.market_id,
    reason: `reference ${reference.market_id} of ${reference.venue_id} has ended: ${resolution.resolution_id}`,
    command,
  }
  return { act, note: null }
}

function proposal(
  { market_id }: ListedMarket,
  reference: ReferenceMarket,
  resolution: ReferenceResolution,
  payouts: readonly OutcomePayout[],
  resolution_id: string,
  { dispute_window }: ListingPolicy,
): ProposeResolution {
  return {
    kind: 'propose_resolution',
    resolution_id,
    market_id,
    verdict: reference.status === 'voided' ? 'voided' : 'resolved',
    payouts,
    evidence: [statementOf(resolution), ...resolution.evidence],
    resolver: { kind: 'venue', resolver_id: reference.venue_id },
    dispute_window_ms: durationMicros(dispute_window) / 1_000,
  }
}

/** The same end again, however often its venue confirms it, is the same proposal. */
function proposalId(market_id: string, { source_at }: ReferenceResolution, payouts: readonly OutcomePayout[]): string {
  const texts = payouts.map(({ outcome_id, payout }) => `${outcome_id}=${payout}`)
  return deriveId('res', 'listing', market_id, formatMicros(source_at), ...texts)
}

/** Of every outcome, in the order of the reference; null: one is missing, or they do not add up to 1. */
function payoutsOf(reference: ReferenceMarket, { payouts }: ReferenceResolution): readonly OutcomePayout[] | null {
  const stated = new Map(payouts.map(({ outcome_id, payout }) => [outcome_id, payout]))
  const found = reference.outcomes.flatMap(({ outcome_id }) => {
    const payout = stated.get(outcome_id)
    return payout === undefined ? [] : [{ outcome_id: listedOutcomeId(outcome_id), payout: plainDecimal(payout) }]
  })
  if (found.length !== reference.outcomes.length) return null
  const sum = found.reduce((total, { payout }) => total + toScaled(payout, DIGITS), 0n)
  return sum === toScaled('1', DIGITS) ? found : null
}

function statementOf({ resolution_id, source_at }: ReferenceResolution): ResolutionEvidence {
  return {
    evidence_id: resolution_id,
    kind: 'market_resolution',
    source_uri: null,
    observed_at: formatMicros(source_at),
    content_hash: null,
  }
}
