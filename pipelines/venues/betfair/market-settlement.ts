import { isDeepStrictEqual } from 'node:util'
import { type DecimalString, SCALE } from '../../../primitives/decimal.ts'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import { resolutionIdOf } from '../../revisions/identity.ts'
import { payloadHash } from '../read-payload.ts'
import type { Origin, ResolutionRecord, VenuePayload } from '../record.ts'
import { BETFAIR } from './endpoints.ts'
import { isRemoved, type MarketDefinition, type RunnerDefinition } from './market-definition.ts'
import type { Market, MarketTerms, Settlement } from './market-memory.ts'

const ONE = toScaled('1', SCALE.observed_value)
const PAYS_NOTHING = fromScaled(0n, SCALE.observed_value)

/**
 * Reads a definition's new statement about how its market ends; nothing if it repeats the one before. A closed market is
 * settled. Payouts follow from the runners' own statuses and the number of winners, where all runners are listed, win or lose as a
 * whole, and each has a result: as many winners as asked for, or fewer, are paid 1 each (so the payouts of a place market sum to its
 * winners); more winners than the one asked for are a dead heat and share 1 equally. The losers are paid 0. Removed runners are in
 * no payout: their bets are void, which is neither 1 nor 0. Anything else is `proposed` without payouts: a dead heat for the last of
 * several places, of which the stream does not say who shares it, a share without an exact decimal, no winner, `PLACED`. A market
 * without any result has no statement; one that is no longer closed, or closed again, withdraws the statement before.
 * @param pt when the definition was published; the resolution is about `settledTime` if that is given
 */
export function readSettlement(
  market: Market,
  { terms, runners }: MarketDefinition,
  payload: VenuePayload,
  origin: Origin,
  pt: Micros,
): ResolutionRecord[] {
  const earlier = market.settlement
  // A definition received before the settlement is late and says nothing about it.
  if (earlier !== null && payload.received_at < earlier.source_at) return []
  const source_at = terms.settled_at ?? earlier?.source_at ?? pt
  const stated = terms.status === 'CLOSED' ? settlementOf(runners, terms, source_at) : null
  market.settlement = stated
  const statement = (settlement: Settlement, finality: ResolutionRecord['finality']) =>
    resolutionRecord(market.id, { ...settlement, finality }, payload, origin)
  const is_over = earlier !== null && earlier.source_at !== stated?.source_at
  const is_new = stated !== null && !isDeepStrictEqual(stated, earlier)
  return [
    ...(is_over ? [statement({ ...earlier, payouts: [] }, 'withdrawn')] : []),
    ...(is_new ? [statement(stated, stated.finality)] : []),
  ]
}

function settlementOf(runners: readonly RunnerDefinition[], terms: MarketTerms, source_at: Micros): Settlement | null {
  const ran = runners.filter((runner) => !isRemoved(runner))
  if (!ran.some(({ status }) => status === 'WINNER' || status === 'LOSER' || status === 'PLACED')) return null
  const winners = ran.filter(({ status }) => status === 'WINNER').length
  const losers = ran.filter(({ status }) => status === 'LOSER').length
  const paid = winners + losers === ran.length ? winnersPayout(winners, terms) : null
  if (paid === null) return { source_at, finality: 'proposed', payouts: [] }
  const payoutOf = ({ status }: RunnerDefinition): DecimalString => (status === 'WINNER' ? paid : PAYS_NOTHING)
  const payouts = ran.map((runner) => ({ outcome: runner.label, payout: payoutOf(runner) }))
  return { source_at, finality: 'final', payouts }
}

/** Returns what a contract of each winner pays; null if the statuses do not say. */
function winnersPayout(winners: number, { is_odds, winner_count }: MarketTerms): DecimalString | null {
  if (!is_odds || winner_count === null || winners === 0) return null
  if (winners <= winner_count) return fromScaled(ONE, SCALE.observed_value)
  const has_exact_share = winner_count === 1 && ONE % BigInt(winners) === 0n
  return has_exact_share ? fromScaled(ONE / BigInt(winners), SCALE.observed_value) : null
}

function resolutionRecord(
  source_market_id: string,
  settlement: Pick<ResolutionRecord, 'source_at' | 'finality' | 'payouts'>,
  payload: VenuePayload,
  origin: Origin,
): ResolutionRecord {
  const where = { venue_id: BETFAIR, source_series_id: null, source_market_id }
  const { received_at } = payload
  const evidence_id = resolutionIdOf(where, formatMicros(settlement.source_at), formatMicros(received_at))
  return {
    ...origin,
    ...where,
    ...settlement,
    received_at,
    dispute_window_ends_at: null,
    evidence: { evidence_id, kind: 'archive_row', source_uri: null, content_hash: payloadHash(payload) },
  }
}
