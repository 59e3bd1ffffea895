import { formatMicros, type Instant } from '../../primitives/instants.ts'
import { waitFor } from '../live/wait-for.ts'
import { type DueAttempts, dueAttempts } from './due-settlements.ts'
import type { SettlementPorts } from './settlement-ports.ts'

/** A netting window: its end names it. */
export type SettlementWindow = DueAttempts & { readonly window_ends_at: Instant }

const LOOK_MS = 250

/**
 * Waits until something is due in an asset and then to the end of the window of now, and collects what is due by then. Windows end at
 * multiples of their length. null: nothing was due for as long as was to be waited.
 */
export async function awaitWindow(
  asset_id: string,
  wait_ms: number,
  ports: SettlementPorts,
): Promise<SettlementWindow | null> {
  const { policy, signal, now } = ports
  const until = performance.now() + wait_ms
  const first = () => dueAttempts({ asset_id, late_ms: 0, limit: 1 }, ports)
  for (let found = await first(); isEmpty(found); found = await first()) {
    if (signal.aborted || performance.now() >= until) return null
    await waitFor(LOOK_MS, signal)
  }
  const window_us = policy.window_ms * 1_000
  const ends_at = (Math.floor(now() / window_us) + 1) * window_us
  await waitFor((ends_at - now()) / 1_000, signal)
  if (signal.aborted) return null
  const due = await dueAttempts({ asset_id, late_ms: 0, limit: policy.window_max }, ports)
  return isEmpty(due) ? null : { ...due, window_ends_at: formatMicros(ends_at) }
}

function isEmpty({ attempts, under_way }: DueAttempts): boolean {
  return attempts.length + under_way.length === 0
}
