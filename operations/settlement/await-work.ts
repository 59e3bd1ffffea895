import { waitFor } from '../live/wait-for.ts'
import type { SettlementPorts } from './settlement-ports.ts'

/** All work of settlement: assets and resolutions. */
export type SettlementWorkList = {
  readonly assets: readonly string[]
  /** engine_sequence: of its last move. */
  readonly resolutions: readonly { readonly resolution_id: string; readonly engine_sequence: number }[]
}

const LOOK_MS = 500

/** Waits for new work or a moved resolution, at most for the given time. */
export async function awaitWork(
  known: SettlementWorkList,
  wait_ms: number,
  ports: SettlementPorts,
): Promise<SettlementWorkList> {
  const until = performance.now() + wait_ms
  for (;;) {
    const found = await readWork(ports)
    if (hasNews(found, known) || performance.now() >= until || ports.signal.aborted) return found
    await waitFor(LOOK_MS, ports.signal)
  }
}

async function readWork({ work }: SettlementPorts): Promise<SettlementWorkList> {
  const [assets, open] = await Promise.all([work.listAssets(), work.openResolutions(null)])
  const resolutions = open.map(({ resolution_id, engine_sequence }) => ({ resolution_id, engine_sequence }))
  return { assets, resolutions }
}

function hasNews(found: SettlementWorkList, known: SettlementWorkList): boolean {
  const moved = ({ resolution_id, engine_sequence }: SettlementWorkList['resolutions'][number]) =>
    !known.resolutions.some((one) => one.resolution_id === resolution_id && one.engine_sequence === engine_sequence)
  return found.assets.some((asset_id) => !known.assets.includes(asset_id)) || found.resolutions.some(moved)
}
