import { waitFor } from '../live/wait-for.ts'
import { awaitWindow, type SettlementWindow } from './await-window.ts'
import { addSettled, followBatch, settleBatch } from './settle-batch.ts'
import type { SettlementPorts } from './settlement-ports.ts'

export type SettledWindows = { readonly windows: number; readonly confirmed: number; readonly failed: number }

/** Waits between looks at attempts that the rail has not concluded. */
const LOOKS_MS = [500, 1_000] as const

/**
 * Settles an asset, netting window after netting window, for some time or until the signal is aborted. Can be done again at any
 * time: the next window collects what one left.
 * @param heartbeat called with the counts so far
 * @throws {ServiceError} no engine or rail answers
 */
export async function settleWindows(
  { asset_id, for_ms }: { readonly asset_id: string; readonly for_ms: number },
  ports: SettlementPorts,
  heartbeat: (so_far: SettledWindows) => void = () => undefined,
): Promise<SettledWindows> {
  const until = performance.now() + for_ms
  let settled: SettledWindows = { windows: 0, confirmed: 0, failed: 0 }
  while (!ports.signal.aborted && performance.now() < until) {
    const window = await awaitWindow(asset_id, until - performance.now(), ports)
    if (window === null) continue
    const { confirmed, failed } = await settleWindow(window, ports)
    settled = {
      windows: settled.windows + 1,
      confirmed: settled.confirmed + confirmed,
      failed: settled.failed + failed,
    }
    heartbeat(settled)
  }
  return settled
}

/** Settles a window. Attempts that the rail has not concluded after a few looks are left to later windows, which wait for no rail. */
async function settleWindow(window: SettlementWindow, ports: SettlementPorts) {
  let sum = await settleBatch(window, ports)
  for (const wait_ms of LOOKS_MS) {
    if (sum.open.length === 0 || ports.signal.aborted) break
    await waitFor(wait_ms, ports.signal)
    const looked = await followBatch(sum.open, ports)
    sum = { ...addSettled(sum, looked), open: looked.open }
  }
  return sum
}
