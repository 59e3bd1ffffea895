import type { SettlementPorts } from './settlement-ports.ts'

/**
 * Settlements that the rail took back and that are confirmed here: each waits for an operator's reversal, which somebody else approves.
 * @throws what the rail throws
 */
export async function railReversals({ rail, work, signal }: SettlementPorts): Promise<readonly string[]> {
  const taken_back = (await rail.reversals(signal)).map(({ settlement_id }) => settlement_id)
  return taken_back.length === 0 ? [] : work.confirmedAmong(taken_back)
}
