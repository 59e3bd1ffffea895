import { sha256Hex } from '../../../primitives/ids.ts'
import type { SettlementInstruction } from '../../../trading/engine/settlement-commands.ts'

/**
 * Ways in which a faulty rail handles a settlement.
 * - none: confirms at once
 * - late: takes it, and confirms after a while
 * - lost: does not answer, and did nothing
 * - lost_answer: does not answer, and did it
 * - unavailable: refuses for the moment
 * - rejected: refuses the first attempt for good
 * - asset_mismatch: refuses as long as nobody has looked at it
 * - duplicate: answers twice
 */
export const RAIL_FAULTS = [
  'none',
  'late',
  'lost',
  'lost_answer',
  'unavailable',
  'rejected',
  'asset_mismatch',
  'duplicate',
] as const
export type RailFault = (typeof RAIL_FAULTS)[number]

/** Number of settlements in a thousand that meet each fault; the rest meet none. */
export type FaultRates = { readonly [fault in Exclude<RailFault, 'none'>]?: number }

type Facts = Pick<SettlementInstruction, 'account_id' | 'outcome_id' | 'side' | 'quantity' | 'notional' | 'fee'>

/**
 * The fault that a settlement meets: a choice of the seed by what the settlement is, not by its id or by when it is asked for, so two
 * runs of the same day meet the same faults.
 */
export function faultOf(seed: string, rates: FaultRates, facts: Facts): RailFault {
  const { account_id, outcome_id, side, quantity, notional, fee } = facts
  const digest = sha256Hex([seed, account_id, outcome_id, side, quantity, notional, fee].join(' '))
  let place = Number.parseInt(digest.slice(0, 8), 16) % 1_000
  for (const fault of RAIL_FAULTS) {
    if (fault === 'none') continue
    place -= rates[fault] ?? 0
    if (place < 0) return fault
  }
  return 'none'
}
