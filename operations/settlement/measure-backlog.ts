import type { Micros } from '../../primitives/instants.ts'
import type { Backlog, SettlementWork } from '../../trading/store/settlement/settlement-work.ts'

/** Settlements that wait in one asset. */
export type MeasuredBacklog = Omit<Backlog, 'oldest_at'> & {
  /** Age of the oldest that settles without an operator; null if none waits. */
  readonly oldest_ms: number | null
}

/** A line an asset: how many settlements wait, and how long the oldest has waited. */
export async function measureBacklog(work: SettlementWork, now: Micros): Promise<readonly MeasuredBacklog[]> {
  return (await work.backlog()).map(({ oldest_at, ...counts }) => ({
    ...counts,
    oldest_ms: oldest_at === null ? null : Math.max(0, Math.round((now - oldest_at) / 1_000)),
  }))
}
