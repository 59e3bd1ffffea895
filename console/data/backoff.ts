const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * How long to wait before connecting again: doubled with each failure in a row, with jitter of a half, so that clients that lost
 * the same server do not come back at once.
 * @param failures  in a row, from 1
 * @param random    in [0, 1)
 */
export function backoffMillis(failures: number, random: number): number {
  const whole = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS)
  return Math.round(whole / 2 + (whole / 2) * random)
}
