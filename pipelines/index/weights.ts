import { Decimal, medianDecimal, ONE, SCALE, sumDecimals, ZERO } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'

/** One constituent as the weighting uses it. `raw` >= 0, any scale; a null group is a group of its own. */
export type WeightInput = {
  readonly constituent_id: string
  readonly raw: Decimal
  /** The single cap of this constituent; null = none. */
  readonly cap: Decimal | null
  readonly group_event: string | null
  readonly group_venue: string | null
}

export type GroupCaps = { readonly event: Decimal | null; readonly venue: Decimal | null }

const MAX_ROUNDS = 100
/**
 * Excess up to which a weight counts as within its cap: a thousandth of one published unit of 1e-10. Capping singles and groups
 * in turn converges step by step; demanding more digits than are published would refuse caps that fit.
 */
const NOISE = new Decimal('1e-13')

/**
 * Computes weights from raw values: shares of the total, group caps, then single caps, until stable; rounded to 10 decimals so
 * that the sum is exactly 1 (methodology index-1 §8).
 * @returns weights in the order given
 * @throws {ServiceError} INDEX_CAP_INFEASIBLE when caps cannot hold weight 1; INDEX_CAP_NO_CONVERGENCE after 100 rounds
 */
export function capWeights(inputs: readonly WeightInput[], caps: GroupCaps): Decimal[] {
  const total = sumDecimals(inputs.map((input) => input.raw))
  if (total.lte(0)) throw infeasible('the raw weights sum to 0')
  checkFeasible(inputs, caps)
  let weights = inputs.map((input) => input.raw.div(total))
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const grouped = capGroups(inputs, capGroups(inputs, weights, 'group_event', caps.event), 'group_venue', caps.venue)
    const next = capSingles(inputs, grouped)
    const stable = isStable(inputs, next, caps)
    weights = next
    if (stable) return roundWeights(inputs, weights)
  }
  throw new ServiceError(
    'INDEX_CAP_NO_CONVERGENCE',
    `caps did not settle in ${MAX_ROUNDS} rounds; allowed: caps that leave more room`,
  )
}

/** Sets each weight above its single cap to the cap and shares the rest in proportion, until none exceeds. */
function capSingles(inputs: readonly WeightInput[], raw: readonly Decimal[]): Decimal[] {
  const capped = new Set<number>()
  for (;;) {
    const free_raw = sumDecimals(raw.filter((_, i) => !capped.has(i)))
    const room = ONE.minus(sumDecimals([...capped].map((i) => inputs[i]!.cap!)))
    const weights = raw.map((value, i) =>
      capped.has(i) ? inputs[i]!.cap! : free_raw.isZero() ? ZERO : value.times(room).div(free_raw),
    )
    const over = weights.flatMap((weight, i) => (!capped.has(i) && exceeds(weight, inputs[i]!.cap) ? [i] : []))
    if (over.length === 0) return weights
    for (const i of over) capped.add(i)
  }
}

/** Scales groups above the cap to it; the other constituents share the rest in proportion. */
function capGroups(
  inputs: readonly WeightInput[],
  weights: readonly Decimal[],
  by: 'group_event' | 'group_venue',
  cap: Decimal | null,
): Decimal[] {
  if (cap === null) return [...weights]
  const capped = new Set<string>()
  let current = [...weights]
  for (;;) {
    const sums = groupSums(inputs, current, by)
    const over = [...sums].filter(([group, sum]) => !capped.has(group) && exceeds(sum, cap)).map(([group]) => group)
    if (over.length === 0) return current
    for (const group of over) capped.add(group)
    const room = ONE.minus(cap.times(capped.size))
    const free = sumDecimals(current.filter((_, i) => !capped.has(inputs[i]![by] ?? '')))
    current = current.map((weight, i) => {
      const group = inputs[i]![by] ?? ''
      if (capped.has(group)) return weight.times(cap).div(sums.get(group)!)
      return free.isZero() ? ZERO : weight.times(room).div(free)
    })
  }
}

function groupSums(
  inputs: readonly WeightInput[],
  weights: readonly Decimal[],
  by: 'group_event' | 'group_venue',
): Map<string, Decimal> {
  const sums = new Map<string, Decimal>()
  inputs.forEach((input, i) => {
    const group = input[by]
    if (group !== null) sums.set(group, (sums.get(group) ?? ZERO).plus(weights[i]!))
  })
  return sums
}

function isStable(inputs: readonly WeightInput[], weights: readonly Decimal[], caps: GroupCaps): boolean {
  const within = (by: 'group_event' | 'group_venue', cap: Decimal | null) =>
    cap === null || [...groupSums(inputs, weights, by).values()].every((sum) => !exceeds(sum, cap))
  return (
    within('group_event', caps.event) &&
    within('group_venue', caps.venue) &&
    weights.every((weight, i) => !exceeds(weight, inputs[i]!.cap))
  )
}

function exceeds(weight: Decimal, cap: Decimal | null): boolean {
  return cap !== null && weight.minus(cap).gt(NOISE)
}

/** Refuses caps that cannot hold weight 1. Constituents of raw value 0 can carry nothing. */
function checkFeasible(inputs: readonly WeightInput[], caps: GroupCaps): void {
  const carriers = inputs.filter((input) => input.raw.gt(0))
  const single = capacity(carriers)
  if (single?.lt(ONE)) throw infeasible(`the single caps sum to ${single.toFixed()}`)
  checkGroups(carriers, 'event', caps.event)
  checkGroups(carriers, 'venue', caps.venue)
}

function checkGroups(carriers: readonly WeightInput[], by: 'event' | 'venue', cap: Decimal | null): void {
  if (cap === null) return
  const groups = new Map<string, WeightInput[]>()
  for (const input of carriers) {
    const group = input[`group_${by}`] ?? `alone ${input.constituent_id}`
    groups.set(group, [...(groups.get(group) ?? []), input])
  }
  const limits = [...groups.values()].map((members) => {
    const own = capacity(members)
    if (members[0]![`group_${by}`] === null) return own
    return own === null ? cap : Decimal.min(cap, own)
  })
  const known = limits.filter((limit) => limit !== null)
  const sum = sumDecimals(known)
  if (known.length === limits.length && sum.lt(ONE))
    throw infeasible(`${groups.size} ${by} groups under caps.${by} ${cap.toFixed()} hold at most ${sum.toFixed()}`)
}

/** Returns the largest weight that some constituents may carry; null = no limit. */
function capacity(inputs: readonly WeightInput[]): Decimal | null {
  return inputs.some((input) => input.cap === null) ? null : sumDecimals(inputs.map((input) => input.cap!))
}

function infeasible(what: string): ServiceError {
  return new ServiceError('INDEX_CAP_INFEASIBLE', `${what}; allowed: caps that can hold the whole weight of 1`)
}

/** Rounds down to 10 decimals and hands the missing units to the largest remainders, ties by constituent_id. */
function roundWeights(inputs: readonly WeightInput[], weights: readonly Decimal[]): Decimal[] {
  const unit = new Decimal(10).pow(-SCALE.weight)
  const floors = weights.map((weight) => weight.toDecimalPlaces(SCALE.weight, Decimal.ROUND_DOWN))
  const missing = +ONE.minus(sumDecimals(floors)).div(unit).toFixed()
  const order = inputs
    .map((_, i) => i)
    .sort((a, b) => {
      const remainders = weights[b]!.minus(floors[b]!).cmp(weights[a]!.minus(floors[a]!))
      return remainders !== 0 ? remainders : inputs[a]!.constituent_id < inputs[b]!.constituent_id ? -1 : 1
    })
  const extra = new Set(order.slice(0, missing))
  return floors.map((floor, i) => (extra.has(i) ? floor.plus(unit) : floor))
}

/** Returns raw of the default rule: the square root of the median daily volume (USD) of 30 days (methodology index-1 §8). */
export function sqrtVolume(daily_volumes: readonly Decimal[]): Decimal {
  return daily_volumes.length === 0 ? ZERO : medianDecimal(daily_volumes).sqrt()
}
