import { type DecimalString, SCALE } from '../../primitives/decimal.ts'
import { fromScaled, toScaled } from '../../primitives/scaled.ts'
import type { DepthReason, TradeReason } from '../../vocabulary/robustness.ts'
import { BOOK_PRICE_SCALE } from '../market/order-book.ts'
import { type Depths, depthOf } from './depth.ts'
import { type LevelBasis, usableOf, weightedSums } from './level-basis.ts'
import {
  COST_DIGITS,
  cheapestPoints,
  formatCost,
  PUSH_DIRECTIONS,
  type PushDirection,
  type PushPoint,
  pushPoints,
} from './push-costs.ts'

/** One touch that a push moves, and the notional that this takes. */
type PushedTouch = {
  readonly constituent_id: string
  /** Price that the touch of x reaches, 9 decimals. */
  readonly touch: DecimalString
  readonly notional: DecimalString
}

/**
 * Cost to push a level in one direction. No push is cheaper than `notional_at_least`; the pushes of `touches` cost
 * `notional_sufficient` and are enough. Both have 6 decimals.
 */
export type PushCost = {
  readonly notional_at_least: DecimalString | null
  readonly notional_sufficient: DecimalString | null
  /** Why a value is null. */
  readonly reason: TradeReason | null
  readonly touches: readonly PushedTouch[]
}

/** Cost to move a level by some basis points, either way and the cheaper of both. */
export type ManipulationCost = {
  readonly basis_points: number
  readonly notional_at_least: DecimalString | null
  readonly notional_sufficient: DecimalString | null
  readonly reason: TradeReason | null
  readonly up: PushCost
  readonly down: PushCost
  /** Constituents without a usable depth: each could be cheaper to push than the others. */
  readonly without_depth: readonly { readonly constituent_id: string; readonly reason: DepthReason }[]
}

/**
 * Returns the notional needed to move a level by some basis points, from the depth of its constituents: touches are pushed and marks
 * follow them (methodology robustness-1 §3). Settled constituents cannot be pushed.
 * @param basis_points 1 to 10000
 */
export function manipulationCost(basis: LevelBasis, depths: Depths, basis_points: number): ManipulationCost {
  const live = usableOf(basis).filter(({ freshness }) => freshness !== 'settled')
  const without_depth = live.flatMap(({ constituent_id }) => {
    const { reason } = depthOf(depths, constituent_id)
    return reason === null ? [] : [{ constituent_id, reason }]
  })
  // Weight x value has 16 fraction digits, and a basis point 4 more: the target's unit is a tenth of that of a gain.
  const { weighted } = weightedSums(usableOf(basis))
  const target = toScaled(weighted.toFixed(), SCALE.weight + SCALE.mark) * BigInt(basis_points)
  const unknown = without_depth[0]?.reason ?? null
  const costOf = (direction: PushDirection) => {
    const ladders = live.flatMap(({ constituent_id, w }): Ladder[] => {
      const { depth } = depthOf(depths, constituent_id)
      return depth === null ? [] : [{ constituent_id, points: upTo(pushPoints(depth, w, direction), target) }]
    })
    return pushCost(ladders, target, unknown)
  }
  const [up, down] = PUSH_DIRECTIONS.map(costOf) as [PushCost, PushCost]
  const notional_at_least = least(up.notional_at_least, down.notional_at_least)
  const notional_sufficient = least(up.notional_sufficient, down.notional_sufficient)
  const is_known = notional_at_least !== null && notional_sufficient !== null
  const reason = is_known ? null : up.reason
  return { basis_points, notional_at_least, notional_sufficient, reason, up, down, without_depth }
}

/** Returns the pushes that may help to reach a target, which bounds what each of them counts; in the unit of the target. */
function upTo(points: readonly PushPoint[], target: bigint): PushPoint[] {
  const gains = points.map((point) => ({ ...point, gain: point.gain * GAIN_UNIT }))
  const enough = gains.findIndex(({ gain }) => gain >= target)
  return enough < 0 ? gains : [...gains.slice(0, enough), { ...gains[enough]!, gain: target }]
}

const GAIN_UNIT = 10n

/** Returns the lesser of two costs; a direction in which nothing suffices has none. */
function least(up: DecimalString | null, down: DecimalString | null): DecimalString | null {
  if (up === null || down === null) return up ?? down
  return toScaled(up, COST_DIGITS) <= toScaled(down, COST_DIGITS) ? up : down
}

type Ladder = { readonly constituent_id: string; readonly points: readonly PushPoint[] }
/** One step along the cheapest points of a constituent. */
type Step = { readonly ladder: Ladder; readonly point: PushPoint; readonly gain: bigint; readonly cost: bigint }
type Push = { readonly cost: bigint; readonly points: ReadonlyMap<string, PushPoint> }

function pushCost(ladders: readonly Ladder[], target: bigint, unknown: DepthReason | null): PushCost {
  if (target === 0n) return noCost('LEVEL_ZERO')
  const steps = ladders.flatMap(stepsOf).sort((a, b) => compareSlopes(a, b))
  const taken = new Map<string, PushPoint>()
  let [gain, cost] = [0n, 0n]
  let best: Push | null = null
  for (const step of steps) {
    if (gain >= target) break
    best = cheaper(best, finish(ladders, taken, cost, target - gain))
    if (gain + step.gain >= target) {
      const part = ((target - gain) * step.cost) / step.gain
      return shownCost(cost + part, best, unknown)
    }
    taken.set(step.ladder.constituent_id, step.point)
    gain += step.gain
    cost += step.cost
  }
  if (gain >= target) return shownCost(cost, { cost, points: taken }, unknown)
  return noCost(unknown ?? 'DEPTH_INSUFFICIENT')
}

function noCost(reason: TradeReason): PushCost {
  return { notional_at_least: null, notional_sufficient: null, reason, touches: [] }
}

function stepsOf(ladder: Ladder): Step[] {
  const hull = cheapestPoints(ladder.points)
  return hull.map((point, i) => {
    const before = hull[i - 1]
    return { ladder, point, gain: point.gain - (before?.gain ?? 0n), cost: point.cost - (before?.cost ?? 0n) }
  })
}

function compareSlopes(a: Step, b: Step): number {
  const difference = a.cost * b.gain - b.cost * a.gain
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Returns the cheapest way to gain the rest by one more push of a single touch; null: none reaches it. */
function finish(
  ladders: readonly Ladder[],
  taken: ReadonlyMap<string, PushPoint>,
  cost: bigint,
  rest: bigint,
): Push | null {
  let best: Push | null = null
  for (const { constituent_id, points } of ladders) {
    const at = taken.get(constituent_id)
    const point = points.find(({ gain }) => gain - (at?.gain ?? 0n) >= rest)
    if (point === undefined) continue
    const total = cost + point.cost - (at?.cost ?? 0n)
    if (best === null || total < best.cost) best = { cost: total, points: new Map([...taken, [constituent_id, point]]) }
  }
  return best
}

function cheaper(a: Push | null, b: Push | null): Push | null {
  if (a === null || b === null) return a ?? b
  return b.cost < a.cost ? b : a
}

function shownCost(at_least: bigint, sufficient: Push | null, unknown: DepthReason | null): PushCost {
  return {
    notional_at_least: unknown === null ? formatCost(at_least, false) : null,
    notional_sufficient: sufficient === null ? null : formatCost(sufficient.cost, true),
    reason: unknown,
    touches: [...(sufficient?.points ?? [])].map(([constituent_id, { touch, cost }]) => ({
      constituent_id,
      touch: fromScaled(touch, BOOK_PRICE_SCALE),
      notional: formatCost(cost, true),
    })),
  }
}
