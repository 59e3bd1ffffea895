import { type Decimal, sumDecimals } from '../../primitives/decimal.ts'
import type { PoolFinality } from '../../vocabulary/index-level.ts'
import { weightedMedian } from '../market/fixing.ts'
import type { PoolLeg } from './normalize.ts'

/** One leg of a pool; p null: no mark. Final: its own venue has settled it. */
export type FinalityLeg = Omit<PoolLeg, 'p'> & { readonly p: Decimal | null; readonly final: boolean }

/** Legs of a pool by their part in its value, by key. */
export type PoolParts = {
  /** The pool is settled: `counted` are the final legs that settle it. */
  readonly settled: boolean
  readonly counted: ReadonlySet<string>
  /** Final legs left out because they disagree, with the value they were compared with. */
  readonly conflicting: ReadonlyMap<string, { readonly reference: Decimal }>
}

type Marked = FinalityLeg & { readonly p: Decimal }

/**
 * Decides which legs of a pool count (methodology index-2 §7). `any`: one final leg settles the pool. `majority`: final legs of
 * one payout settle it when they hold more than half of the weight of all its legs; until then a final leg counts with its payout
 * if it is within `near` of the weighted median of the live legs, and conflicts otherwise.
 * @param legs every leg of the pool, those without a mark included
 */
export function poolParts(legs: readonly FinalityLeg[], finality: PoolFinality, near: Decimal): PoolParts {
  const marked = legs.filter((leg): leg is Marked => leg.p !== null)
  const final = marked.filter((leg) => leg.final)
  if (finality === 'any') {
    const counted = final.length > 0 ? final : marked
    return { settled: final.length > 0, counted: keysOf(counted), conflicting: new Map() }
  }
  const agreed = majorityOf(final, sumDecimals(legs.map((leg) => leg.weight)))
  return agreed === null ? withoutMajority(marked, near) : withMajority(final, agreed)
}

/** Returns the payout on which final legs with more than half of the whole weight agree; null if there is none. */
function majorityOf(final: readonly Marked[], whole: Decimal): Decimal | null {
  const weightOf = ({ p }: Marked) => sumDecimals(final.filter((leg) => leg.p.eq(p)).map((leg) => leg.weight))
  return final.find((leg) => weightOf(leg).times(2).gt(whole))?.p ?? null
}

function withMajority(final: readonly Marked[], agreed: Decimal): PoolParts {
  const conflicting = final.filter(({ p }) => !p.eq(agreed))
  return {
    settled: true,
    counted: keysOf(final.filter(({ p }) => p.eq(agreed))),
    conflicting: new Map(conflicting.map(({ key }) => [key, { reference: agreed }])),
  }
}

/** Without a live leg there is nothing to compare with, so no final leg counts; the median of all final legs is shown. */
function withoutMajority(marked: readonly Marked[], near: Decimal): PoolParts {
  const live = marked.filter((leg) => !leg.final)
  const final = marked.filter((leg) => leg.final)
  if (final.length === 0) return { settled: false, counted: keysOf(live), conflicting: new Map() }
  const reference = medianOf(live.length > 0 ? live : final)
  const conflicts = (leg: Marked) => leg.final && (live.length === 0 || leg.p.minus(reference).abs().gt(near))
  return {
    settled: false,
    counted: keysOf(marked.filter((leg) => !conflicts(leg))),
    conflicting: new Map(marked.filter(conflicts).map(({ key }) => [key, { reference }])),
  }
}

function medianOf(legs: readonly Marked[]): Decimal {
  return weightedMedian(legs.map(({ p, weight }) => ({ price: p, quantity: weight })))!
}

function keysOf(legs: readonly FinalityLeg[]): ReadonlySet<string> {
  return new Set(legs.map(({ key }) => key))
}
