import { ENDED_STATUSES, type Finality, type MarketStatus } from '../../vocabulary/market.ts'
import { plainDecimal } from '../text/fields.ts'
import { isContested } from './freeze.ts'

/** The part of a market's current resolution that decides its status and payouts. */
export type ResolvedBy = {
  readonly finality: Finality
  readonly payouts: readonly { readonly outcome_id: string; readonly payout: string }[] | null
}

/**
 * Returns a market's status under its current resolution. A final resolution ends the market; without one, a market that its venue
 * calls resolved is still resolving.
 * @param status as its own record states it
 */
export function statusUnder(status: string | null, resolution: ResolvedBy | null): MarketStatus | string | null {
  if (resolution?.finality === 'final') return ENDED_STATUSES.includes(status) ? status : 'resolved'
  return resolution !== null && isContested(resolution) && status === 'resolved' ? 'resolving' : status
}

/** Status and payout of one outcome. */
export type ResolvedOutcome = { readonly status: 'won' | 'lost' | 'split'; readonly payout_value: string }

/** Returns what an outcome pays by a final resolution: its payout as stated; null where nothing final names it. */
export function outcomeUnder(outcome_id: string, resolution: ResolvedBy | null): ResolvedOutcome | null {
  if (resolution?.finality !== 'final') return null
  const payout = resolution.payouts?.find((item) => item.outcome_id === outcome_id)?.payout
  if (payout === undefined) return null
  const plain = plainDecimal(payout)
  return { status: plain === '1' ? 'won' : plain === '0' ? 'lost' : 'split', payout_value: payout }
}
