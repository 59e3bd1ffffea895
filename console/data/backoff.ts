const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * Returns the wait before the next attempt in milliseconds: doubled with each failure in a row, with half of it random, so that clients do
 * not return to a server all at once.
 * @param failures  in a row, from 1
 * @param random    in [0, 1)
 */
export function backoffMillis(failures: number, random: number): number {
  const whole = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS)
  return Math.round(whole / 2 + (whole / 2) * random)
}
