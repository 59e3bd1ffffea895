import { roundDecimal, SCALE } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import type { SettleFrom } from '../../../vocabulary/index-level.ts'
import { freezeInstant, freezeInstants } from '../../market/freeze.ts'
import type { MarketState, OutcomeInput } from '../../market/quote.ts'
import { admitLeg, type LegData, settlesFrom } from '../admission.ts'
import { NO_QUOTES } from '../quote-window.ts'
import { type QuoteFeed, quoteFeed } from './quote-feed.ts'

/** All records of one leg under one grace, ready to be swept forward. Immutable. */
export type LegSource = {
  readonly own: QuoteFeed
  readonly other: QuoteFeed | null
  /** Ascending; the first begins before every cutoff. */
  readonly phases: readonly Phase[]
  /** Every instant that can freeze the leg, ascending, whatever is admitted together; empty if none can. */
  readonly freeze_instants: readonly Micros[]
}

/** Period between two admissions of resolution or market records, and their effect on the outcome. */
export type Phase = {
  readonly from: Micros
  readonly kind: 'open' | 'paused' | 'frozen' | 'settled'
  /** If frozen: the last mark with a source time before this counts. */
  readonly freeze_at: Micros
  /** If settled: payout in marks, the resolution's source time, the observation that shows it. */
  readonly payout: number
  readonly source_at: Micros
  readonly evidence_id: string
  readonly market: MarketState | null
}

/** Prepares one leg's records. @param settle_from instant from which a final resolution counts */
export function legSource(data: LegData, grace: Micros, settle_from: SettleFrom = 'source_at'): LegSource {
  const admit = admitLeg({ ...data, quotes: NO_QUOTES, other: null }, grace, settle_from)
  const instants = [
    ...data.resolutions.map((r) => Math.max(settlesFrom(r, settle_from), (r.known_at ?? r.received_at) - grace)),
    ...data.states.map((r) => Math.max(r.source_at, (r.known_at ?? r.received_at) - grace)),
  ]
  const changes = [Number.NEGATIVE_INFINITY, ...new Set(instants.sort((a, b) => a - b))]
  return {
    own: quoteFeed(data.quotes, grace),
    other: data.other === null ? null : quoteFeed(data.other, grace),
    phases: changes.map((from) => phaseOf(from, admit(from))),
    freeze_instants: freezeInstants(data),
  }
}

function phaseOf(from: Micros, input: OutcomeInput): Phase {
  const { resolution, market } = input
  const open: Phase = { from, kind: 'open', freeze_at: 0, payout: 0, source_at: 0, evidence_id: '', market }
  if (resolution?.finality === 'final' && resolution.payout !== null) {
    const payout = Number(toScaled(roundDecimal(resolution.payout, SCALE.payout).toFixed(), SCALE.payout))
    return { ...open, kind: 'settled', payout, source_at: resolution.source_at, evidence_id: resolution.evidence_id }
  }
  const freeze_at = freezeInstant(input)
  if (freeze_at !== null) return { ...open, kind: 'frozen', freeze_at }
  return market?.status === 'paused' ? { ...open, kind: 'paused' } : open
}
