import { type DueAttempts, dueAttempts } from './due-settlements.ts'
import { NOTHING_SETTLED, type SettledAttempts } from './settle-attempts.ts'
import { addSettled, settleBatch } from './settle-batch.ts'
import type { SettlementPorts } from './settlement-ports.ts'

/**
 * Settles everything that is due in an asset now.
 * @param late_ms minimum wait of settlements, in milliseconds; 0: everything
 * @throws as settleAttempts
 */
export async function settleDue(asset_id: string, late_ms: number, ports: SettlementPorts): Promise<SettledAttempts> {
  const limit = ports.policy.window_max
  let sum = NOTHING_SETTLED
  for (;;) {
    const due = await dueAttempts({ asset_id, late_ms, limit }, ports)
    if (sizeOf(due) === 0) return sum
    const settled = await settleBatch(due, ports)
    sum = addSettled(sum, settled)
    // A full window has more behind it, unless nothing of it could be concluded.
    const more = sizeOf(due) === limit && settled.confirmed + settled.failed > 0
    if (!more || ports.signal.aborted) return sum
  }
}

function sizeOf({ attempts, under_way }: DueAttempts): number {
  return attempts.length + under_way.length
}
