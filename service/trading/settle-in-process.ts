import { setTimeout as sleep } from 'node:timers/promises'
import { type ResolutionProgress, resolutionStep } from '../../operations/settlement/resolution-step.ts'
import { NOTHING_SETTLED, type SettledAttempts } from '../../operations/settlement/settle-attempts.ts'
import { addSettled } from '../../operations/settlement/settle-batch.ts'
import { settleDue } from '../../operations/settlement/settle-due.ts'
import type { SettlementPorts } from '../../operations/settlement/settlement-ports.ts'

/** Progress of a resolution. */
export type StandingResolution = { readonly resolution_id: string } & Pick<ResolutionProgress, 'state' | 'wait_ms'>

/** Settles everything due now in all assets. @throws {ServiceError} no engine answers */
export async function settleAllDue(ports: SettlementPorts): Promise<SettledAttempts> {
  let sum = NOTHING_SETTLED
  for (const asset_id of await ports.work.listAssets()) sum = addSettled(sum, await settleDue(asset_id, 0, ports))
  return sum
}

/** Advances every open resolution as far as possible now. @throws as settleAllDue */
export async function stepResolutions(ports: SettlementPorts): Promise<readonly StandingResolution[]> {
  const standing: StandingResolution[] = []
  for (const { resolution_id } of await ports.work.openResolutions(null)) {
    standing.push({ resolution_id, ...(await stepNow(resolution_id, ports)) })
  }
  return standing
}

/**
 * Settles and resolves until one resolution is paid or withdrawn.
 * @returns false if the signal was aborted first
 * @throws as settleAllDue
 */
export async function resolveHere(
  resolution_id: string,
  ports: SettlementPorts,
  on_state: (state: ResolutionProgress['state']) => void,
): Promise<boolean> {
  let reported: ResolutionProgress['state'] | null = null
  while (!ports.signal.aborted) {
    await settleAllDue(ports)
    const { state, wait_ms } = await stepNow(resolution_id, ports)
    if (state !== reported) on_state(state)
    reported = state
    if (wait_ms === null) return true
    await sleep(Math.min(wait_ms, LOOK_MAX_MS), undefined, { signal: ports.signal }).catch(() => undefined)
  }
  return false
}

const LOOK_MAX_MS = 1_000

/** Advances a resolution while it need not wait. */
async function stepNow(resolution_id: string, ports: SettlementPorts): Promise<ResolutionProgress> {
  for (;;) {
    const progress = await resolutionStep({ resolution_id, unconfirmed: null }, ports)
    if (progress.wait_ms !== 0) return progress
  }
}
