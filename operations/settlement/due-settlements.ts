import { attemptId } from './attempt-id.ts'
import type { NamedAttempt } from './settle-attempts.ts'
import type { SettlementPorts } from './settlement-ports.ts'

/** One batch: attempts to begin, and those in progress that nobody has concluded. */
export type DueAttempts = { readonly attempts: readonly NamedAttempt[]; readonly under_way: readonly string[] }

export type DueOptions = {
  readonly asset_id: string
  /** Minimum wait of what is selected, for a process that only stands in for others; 0: everything. */
  readonly late_ms: number
  readonly limit: number
}

/** The attempts that are due in an asset, the oldest settlements first. Reads alone. */
export async function dueAttempts(options: DueOptions, { work, policy, now }: SettlementPorts): Promise<DueAttempts> {
  const { asset_id, late_ms, limit } = options
  const { backoff_first_ms, backoff_max_ms, look_ms } = policy
  const at = now()
  const due = await work.dueSettlements({
    asset_id,
    now: at - late_ms * 1_000,
    backoff_first_ms,
    backoff_max_ms,
    orphan_ms: look_ms,
    created_before: late_ms === 0 ? null : at - late_ms * 1_000,
    limit,
  })
  const named = due.map(({ settlement_id, attempt_number, is_under_way }) => ({
    settlement_id,
    attempt_id: attemptId(settlement_id, attempt_number),
    is_under_way,
  }))
  return {
    attempts: named
      .filter(({ is_under_way }) => !is_under_way)
      .map(({ settlement_id, attempt_id }) => ({ settlement_id, attempt_id })),
    under_way: named.filter(({ is_under_way }) => is_under_way).map(({ attempt_id }) => attempt_id),
  }
}
