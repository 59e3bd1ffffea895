import { Decimal } from '../../primitives/decimal.ts'

/**
 * Log-odds and probabilities as whole numbers: log-odds in millionths, within ±LOGIT_MAX; probabilities in millionths; odds in
 * millionths. Tables are made once with decimals, so every machine has the same.
 */
export const LOGIT_MAX = 8_000_000
export const MILLION = 1_000_000

const STEP = 10_000
const STEPS = LOGIT_MAX / STEP

const ODDS: readonly number[] = oddsTable()
const PROBABILITIES: readonly number[] = ODDS.map((odds) => Math.floor((odds * MILLION) / (odds + MILLION)))

/** Returns the probability, in millionths, of log-odds; linear between points of the table. */
export function probabilityOf(logit: number): number {
  return interpolate(PROBABILITIES, logit)
}

/** Returns the odds p / (1 - p), in millionths, of log-odds. */
export function oddsOf(logit: number): number {
  return interpolate(ODDS, logit)
}

/** Clamps log-odds to the table. */
export function clampLogit(logit: number): number {
  return Math.max(-LOGIT_MAX, Math.min(LOGIT_MAX, logit))
}

function interpolate(table: readonly number[], logit: number): number {
  const distance = clampLogit(logit) + LOGIT_MAX
  const index = Math.floor(distance / STEP)
  const low = table[index]!
  const high = table[index + 1] ?? low
  return low + Math.floor(((high - low) * (distance % STEP)) / STEP)
}

function oddsTable(): number[] {
  const ratio = new Decimal(STEP).div(MILLION).exp()
  let odds = new Decimal(-LOGIT_MAX).div(MILLION).exp()
  return Array.from({ length: 2 * STEPS + 1 }, () => {
    const scaled = +odds.times(MILLION).toFixed(0)
    odds = odds.times(ratio)
    return scaled
  })
}
