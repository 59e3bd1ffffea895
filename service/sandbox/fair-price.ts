import { createRandom } from '../../simulator/world/random.ts'

/** Seconds between two random fair prices; linear in between. */
const KNOT_S = 600
const FAIR_MIN = 30
const FAIR_MAX = 70

/**
 * Returns the makers' probability of a market's first outcome, in cents: 30 to 70. It depends only on seed and clock, so a restart changes
 * nothing.
 * @param at_s seconds since 1970
 */
export function fairPrice(seed: string, market_id: string, at_s: number): number {
  const knot = Math.floor(at_s / KNOT_S)
  const level = (ordinal: number) => createRandom(seed, market_id, 'fair', ordinal).between(FAIR_MIN, FAIR_MAX)
  const from = level(knot)
  return from + Math.trunc(((level(knot + 1) - from) * (at_s - knot * KNOT_S)) / KNOT_S)
}
