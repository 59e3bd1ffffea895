import { isStale } from '../../pipelines/market/freshness.ts'
import { deriveId } from '../../primitives/ids.ts'
import { durationMicros, type Micros } from '../../primitives/instants.ts'
import type { FeeScheduleRead } from '../../trading/store/operator/operator-reads.ts'
import type { ListedMarket } from '../../trading/store/venue/venue-reads.ts'
import { ENDED_STATUSES, type MarketStatus } from '../../vocabulary/market.ts'
import {
  type Followed,
  LISTING_ACTOR,
  type ListingAct,
  type ListingCorrection,
  type ListingNote,
} from './listing-act.ts'
import { listingCommand } from './listing-command.ts'
import { type ListingPolicy, type ListingSource, listedMarketId, referenceOf } from './listing-policy.ts'
import { proposalOf } from './listing-proposal.ts'
import type { ReferenceMarket } from './reference-markets.ts'

export type ListingPlan = {
  readonly acts: readonly ListingAct[]
  readonly notes: readonly ListingNote[]
  readonly corrections: readonly ListingCorrection[]
}

export type ListingFacts = {
  readonly policy: ListingPolicy
  readonly references: readonly ReferenceMarket[]
  readonly listed: readonly ListedMarket[]
  readonly fees: readonly FeeScheduleRead[]
  readonly now: Micros
}

/**
 * Plans the listing acts that are due now. Pure. An operator's moves are kept: a market paused by an operator is not opened, one opened by
 * an operator is not paused. When a reference ends, its listing is closed and its resolution proposed, whoever moved it last.
 */
export function planListing(facts: ListingFacts): ListingPlan {
  const { policy, references, listed, now } = facts
  const by_id = new Map(references.map((reference) => [reference.market_id, reference]))
  const acts: ListingAct[] = []
  const notes: ListingNote[] = []
  const corrections: ListingCorrection[] = []
  const followed = listed.flatMap((market) => {
    const reference_id = referenceOf(market.listed.listing?.rules)
    return reference_id === null ? [] : [{ market, reference: by_id.get(reference_id) ?? null }]
  })
  for (const { market, reference } of followed) {
    if (reference === null) continue // of a venue that the policy does not name any more
    const { act, note, correction = null } = follow(market, reference, policy, now)
    if (act !== null) acts.push(act)
    if (note !== null) notes.push({ market_id: market.market_id, note })
    if (correction !== null) corrections.push(correction)
  }
  for (const source of policy.sources) {
    const lists = followed.filter(({ market, reference }) => {
      return reference?.venue_id === source.venue_id && !ENDED_STATUSES.includes(market.status)
    })
    const free = source.markets_max - lists.length
    acts.push(
      ...candidates(source, facts)
        .slice(0, Math.max(0, free))
        .flatMap((found) => listAndOpen(found, facts)),
    )
  }
  return { acts, notes, corrections }
}

const OVER: readonly (string | null)[] = ['closed', 'resolving', ...ENDED_STATUSES]

const NOTHING: Followed = { act: null, note: null }

function follow(market: ListedMarket, reference: ReferenceMarket, policy: ListingPolicy, now: Micros): Followed {
  const { status, actor } = market
  if (reference.resolution?.finality === 'final') return proposalOf(market, reference, policy)
  const named = `reference ${reference.market_id} of ${reference.venue_id}`
  const trades = status === 'open' || status === 'paused'
  if (OVER.includes(reference.status) || reference.resolution !== null) {
    return trades
      ? move(market, reference, 'closed', `${named} is ${reference.status ?? 'about to be resolved'}`)
      : NOTHING
  }
  if (actor !== LISTING_ACTOR) return NOTHING
  const stale = isReferenceStale(reference, policy, now)
  if (status === 'open' && (stale || reference.status === 'paused')) {
    return move(market, reference, 'paused', `${named} is ${stale ? 'stale' : 'paused'}`)
  }
  const may_open = status === 'scheduled' || status === 'paused'
  return may_open && !stale && reference.status === 'open'
    ? move(market, reference, 'open', `${named} is open`)
    : NOTHING
}

function move(market: ListedMarket, { market_id }: ReferenceMarket, to: MarketStatus, reason: string): Followed {
  return { act: moveAct(market.market_id, market_id, to, reason, market.moved_sequence), note: null }
}

/** @param moved_sequence of the move that this one follows: the same step again is the same act */
function moveAct(
  market_id: string,
  reference_market_id: string,
  to: MarketStatus,
  reason: string,
  moved_sequence: number | null,
): ListingAct {
  const act_id = deriveId('act', 'listing', market_id, to, moved_sequence)
  return { act_id, market_id, reference_market_id, reason, command: { kind: 'move_market', market_id, to } }
}

function isReferenceStale({ seen_at }: ReferenceMarket, { stale_after }: ListingPolicy, now: Micros): boolean {
  return seen_at === null || isStale(seen_at, now, durationMicros(stale_after))
}

/** Open markets that are not listed yet, the most traded first. */
function candidates(source: ListingSource, { policy, references, listed, now }: ListingFacts): ReferenceMarket[] {
  const known = new Set(listed.map(({ market_id }) => market_id))
  const { venue_id, categories, remaining_min } = source
  const fits = (reference: ReferenceMarket) =>
    reference.venue_id === venue_id &&
    reference.status === 'open' &&
    reference.resolution === null &&
    reference.outcomes.length >= 2 &&
    reference.outcomes.length <= 32 &&
    (categories === null || (reference.category !== null && categories.includes(reference.category))) &&
    (reference.closes_at === null || reference.closes_at >= now + durationMicros(remaining_min)) &&
    !isReferenceStale(reference, policy, now) &&
    !known.has(listedMarketId(reference.market_id))
  return references.filter(fits).sort(mostTradedFirst)
}

function mostTradedFirst(a: ReferenceMarket, b: ReferenceMarket): number {
  const [left, right] = [a.volume_24h ?? -1n, b.volume_24h ?? -1n]
  if (left !== right) return left > right ? -1 : 1
  return a.market_id < b.market_id ? -1 : 1
}

function listAndOpen(reference: ReferenceMarket, { policy, fees }: ListingFacts): ListingAct[] {
  const market_id = listedMarketId(reference.market_id)
  const reason = `policy ${policy.policy_id} version ${policy.policy_version}, reference ${reference.market_id} of ${reference.venue_id}`
  const listing = {
    act_id: deriveId('act', 'listing', market_id, 'list'),
    market_id,
    reference_market_id: reference.market_id,
    reason,
    command: listingCommand(reference, policy, fees),
  }
  return [listing, moveAct(market_id, reference.market_id, 'open', reason, null)]
}
