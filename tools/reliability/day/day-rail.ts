import { faultRail } from '../../../test/support/trading/fault-rail.ts'
import { openRailRecord } from '../../../test/support/trading/rail-record.ts'
import type { SettlementRail } from '../../../trading/settlement/settlement-rail.ts'

/** Faults per thousand settlements; the rest succeed. */
const RATES = {
  late: 120,
  lost: 60,
  lost_answer: 80,
  unavailable: 100,
  rejected: 60,
  asset_mismatch: 30,
  duplicate: 60,
}

/** A day of a minute or two: windows and waits are short. */
export const DAY_POLICY = {
  window_ms: 200,
  batch_max: 20,
  look_ms: 100,
  backoff_first_ms: 100,
  backoff_max_ms: 1_000,
  payouts_max: 2,
} as const

/** The rail of the day, over a record that outlives every process. */
export async function dayRail(folder: string, seed: string): Promise<SettlementRail> {
  const record = await openRailRecord(folder)
  return faultRail({ seed, rates: RATES, record, now_ms: Date.now, finality_ms: 3_000, late_ms: 300 })
}
