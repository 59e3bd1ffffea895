import { plainDecimal } from '../../pipelines/text/fields.ts'
import { deriveId } from '../../primitives/ids.ts'
import { durationMicros, formatMicros } from '../../primitives/instants.ts'
import { toScaled } from '../../primitives/scaled.ts'
import type { OutcomePayout, ProposeResolution, ResolutionEvidence } from '../../trading/engine/settlement-commands.ts'
import type { ListedMarket } from '../../trading/store/venue/venue-reads.ts'
import { PROPOSABLE_STATUSES } from '../../vocabulary/market.ts'
import { type Followed, LISTING_ACTOR, type ListingAct, type ListingCorrection } from './listing-act.ts'
import { type ListingPolicy, listedOutcomeId } from './listing-policy.ts'
import type { ReferenceMarket, ReferenceResolution } from './reference-markets.ts'

const DIGITS = 9

/**
 * Proposes once that a listing ends as its reference has ended; a proposal withdrawn after a dispute is not repeated. If the payouts
 * do not sum to 1, an operator decides. If another end was proposed or is final, the reference was corrected.
 */
export function proposalOf(market: ListedMarket, reference: ReferenceMarket, policy: ListingPolicy): Followed {
  const resolution = reference.resolution!
  const payouts = payoutsOf(reference, resolution)
  const noted = (note: string | null): Followed => ({ act: null, note })
  if (payouts === null)
    return noted(`what reference ${reference.market_id} pays is not whole; it is to be resolved by hand`)
  const resolution_id = proposalId(market.market_id, resolution, payouts)
  const last = market.resolutions.at(-1) ?? null
  if (last !== null && last.finality !== 'withdrawn') {
    return last.resolution_id === resolution_id || paysTheSame(last, payouts)
      ? noted(null)
      : correctionOf({ market, reference, policy, resolution_id, payouts }, last)
  }
  if (market.resolutions.some((known) => known.resolution_id === resolution_id)) {
    return noted(`the resolution that reference ${reference.market_id} has was withdrawn here after a dispute`)
  }
  if (!PROPOSABLE_STATUSES.includes(market.status)) return noted(null)
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

type Corrected = {
  readonly market: ListedMarket
  readonly reference: ReferenceMarket
  readonly policy: ListingPolicy
  readonly resolution_id: string
  readonly payouts: readonly OutcomePayout[]
}

/**
 * Decides what follows if a reference states another resolution than ours. Ours is proposed: it is disputed, so nothing becomes final
 * before a person decides; once the dispute is upheld, the new one is proposed. Ours is final: a correction, which a person approves
 * after its window.
 */
function correctionOf(corrected: Corrected, last: ListedMarket['resolutions'][number]): Followed {
  const { market, reference, resolution_id } = corrected
  const differs = `reference ${reference.market_id} has ended otherwise than was resolved here`
  if (last.finality === 'final') {
    const correction = finalCorrection(corrected, last.resolution_id)
    const note = `${differs}; a correction may be approved from ${correction.approvable_at} on`
    return { act: null, note, correction }
  }
  if (last.finality !== 'proposed') return { act: null, note: `${differs}; its dispute is to be decided` }
  const dispute_id = deriveId('dsp', 'listing', last.resolution_id, resolution_id)
  const act: ListingAct = {
    act_id: deriveId('act', 'listing', market.market_id, 'dispute', dispute_id),
    market_id: market.market_id,
    reference_market_id: reference.market_id,
    reason: differs,
    command: {
      kind: 'dispute_resolution',
      resolution_id: last.resolution_id,
      dispute_id,
      filer: LISTING_ACTOR,
      basis: `${differs}: ${reference.resolution!.resolution_id} of ${reference.venue_id}`,
    },
  }
  // Disputed by it once and rejected: a person has decided.
  return last.dispute_id === dispute_id
    ? { act: null, note: `${differs}; its dispute was rejected here` }
    : { act, note: differs }
}

function finalCorrection(
  { market, reference, policy, resolution_id, payouts }: Corrected,
  supersedes_id: string,
): ListingCorrection {
  const resolution = reference.resolution!
  return {
    market_id: market.market_id,
    reference_market_id: reference.market_id,
    approvable_at: formatMicros(resolution.stated_at + durationMicros(policy.dispute_window)),
    command: {
      kind: 'correct_resolution',
      resolution_id,
      supersedes_id,
      payouts,
      evidence: [statementOf(resolution), ...resolution.evidence],
      resolver: { kind: 'venue', resolver_id: reference.venue_id },
      correction_reason: `reference ${reference.market_id} of ${reference.venue_id} was corrected: ${resolution.resolution_id}`,
    },
  }
}

/** A venue that states the same end anew has corrected nothing that is paid here. */
function paysTheSame({ payouts }: ListedMarket['resolutions'][number], stated: readonly OutcomePayout[]): boolean {
  const here = new Map(payouts.map(({ outcome_id, payout }) => [outcome_id, toScaled(payout, DIGITS)]))
  return stated.every(({ outcome_id, payout }) => here.get(outcome_id) === toScaled(payout, DIGITS))
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

/** Payouts of every outcome, in the order of the reference; null if one is missing or they do not sum to 1. */
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
