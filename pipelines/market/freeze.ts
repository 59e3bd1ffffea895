import type { Micros } from '../../primitives/instants.ts'
import { CONTESTED_FINALITIES, type Finality, HALTED_STATUSES, type MarketStatus } from '../../vocabulary/market.ts'
import type { MarketState, OutcomeInput, Resolution } from './quote.ts'

/** Records of a market that can freeze its marks (methodology index-1 §4). */
type FreezingRecords = { readonly resolutions: readonly Resolution[]; readonly states: readonly MarketState[] }

/** Returns whether a resolution is proposed or disputed: its outcome may be known before anything is paid. */
export function isContested({ finality }: { readonly finality: Finality }): boolean {
  return CONTESTED_FINALITIES.includes(finality)
}

/** Returns whether nobody trades on a market any more, or its trades do not count. */
function isHalted({ status }: { readonly status: MarketStatus | null }): boolean {
  return HALTED_STATUSES.includes(status)
}

/** Returns the instant before which the last mark still counts, or null while nothing freezes the outcome. */
export function freezeInstant({ market, resolution }: OutcomeInput): Micros | null {
  const contested = resolution !== null && isContested(resolution) ? resolution : null
  const halted = market !== null && isHalted(market) ? market : null
  if (contested === null && halted === null) return null
  if (halted?.status === 'voided') return halted.source_at
  const limits = [contested?.source_at ?? null, market?.closes_at ?? null].filter((at) => at !== null)
  return limits.length > 0 ? Math.min(...limits) : halted!.source_at
}

/** Returns whether any record could freeze the leg: decides only how much is remembered, never a value. */
export function canFreeze({ resolutions, states }: FreezingRecords): boolean {
  return resolutions.some(isContested) || states.some(isHalted)
}

/**
 * Returns every instant that can freeze the leg, ascending, whatever is admitted together: a contested resolution, a halting
 * record's own time, a closing time; empty if no record freezes it.
 */
export function freezeInstants({ resolutions, states }: FreezingRecords): readonly Micros[] {
  const freezing = [...resolutions.filter(isContested), ...states.filter(isHalted)].map(({ source_at }) => source_at)
  if (freezing.length === 0) return []
  return [...new Set([...freezing, ...states.flatMap(({ closes_at }) => closes_at ?? [])])].sort((a, b) => a - b)
}
