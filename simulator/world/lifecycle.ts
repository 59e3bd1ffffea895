import type { Micros } from '../../primitives/instants.ts'
import type { Latent } from './latent.ts'
import type { MarketLife, Stage } from './market-state.ts'
import type { EventPlan } from './plan.ts'

/**
 * Advances a market's stage if its event's schedule is due, and returns the new stage. A market that the decision left open
 * stays open for ever.
 */
export function passStage(market: MarketLife, event: EventPlan, latent: Latent, at: Micros): Stage | null {
  const { ordinal } = market.plan
  const payout = latent.payout(ordinal)
  const next = nextStage(market, event, payout, at)
  if (next === null) return null
  if (next === 'open') market.opened_at = at
  if (next === 'proposed') market.proposed_payout = latent.proposal(ordinal)
  if (next === 'disputed') market.was_disputed = true
  if (next === 'final') market.final_payout = payout
  market.stage = next
  market.stage_at = at
  return next
}

function nextStage({ stage }: MarketLife, { schedule }: EventPlan, payout: number | null, at: Micros): Stage | null {
  const due = (instant: Micros | null) => instant !== null && instant <= at
  if (stage === 'announced') return due(schedule.opens_at) ? 'open' : null
  if (payout === null) return null
  if (stage === 'open') return due(schedule.closes_at) ? 'closed' : null
  if (stage === 'closed') return due(schedule.proposed_at) ? 'proposed' : null
  if (stage === 'proposed' && schedule.disputed_at !== null) return due(schedule.disputed_at) ? 'disputed' : null
  if (stage === 'proposed' || stage === 'disputed') return due(schedule.final_at) ? 'final' : null
  return null
}
