import type { DueAttempts } from './due-settlements.ts'
import { followAttempts, NOTHING_SETTLED, type SettledAttempts, settleAttempts } from './settle-attempts.ts'
import type { SettlementPorts } from './settlement-ports.ts'

/**
 * Settles what was collected, in commands of a size that the engine takes between orders. Can be done again, also where it was ended
 * half-way.
 * @throws as settleAttempts
 */
export async function settleBatch(due: DueAttempts, ports: SettlementPorts): Promise<SettledAttempts> {
  const { batch_max } = ports.policy
  let sum = NOTHING_SETTLED
  for (const attempts of portions(due.attempts, batch_max)) sum = addSettled(sum, await settleAttempts(attempts, ports))
  for (const ids of portions(due.under_way, batch_max)) sum = addSettled(sum, await followAttempts(ids, ports))
  return sum
}

/** Looks again at attempts under way. @throws as settleAttempts */
export function followBatch(attempt_ids: readonly string[], ports: SettlementPorts): Promise<SettledAttempts> {
  return settleBatch({ attempts: [], under_way: attempt_ids }, ports)
}

/** Adds up two results. */
export function addSettled(a: SettledAttempts, b: SettledAttempts): SettledAttempts {
  return { confirmed: a.confirmed + b.confirmed, failed: a.failed + b.failed, open: [...a.open, ...b.open] }
}

function portions<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}
