import type { Payout } from '../record.ts'

const PAYS_ALL = '1.000000000'
const PAYS_HALF = '0.500000000'
const PAYS_NOTHING = '0.000000000'

/** Returns payouts of 1 for the outcome at ordinal `winner` and nothing for the others. */
export function payoutsOfWinner(outcomes: readonly string[], winner: number): Payout[] {
  return outcomes.map((outcome, i) => ({ outcome, payout: i === winner ? PAYS_ALL : PAYS_NOTHING }))
}

/** Returns payouts of a half for both of two outcomes. */
export function splitPayouts(outcomes: readonly string[]): Payout[] {
  return outcomes.map((outcome) => ({ outcome, payout: PAYS_HALF }))
}
