import { createBackoff } from '../../primitives/backoff.ts'
import { waitFor } from '../live/wait-for.ts'
import { type ResolutionProgress, resolutionStep } from './resolution-step.ts'
import { settleDue } from './settle-due.ts'
import type { SettlementPorts } from './settlement-ports.ts'

export type RunOptions = {
  /** Delay after which overdue work is done here, in milliseconds; 0 if nobody else settles. Called each turn. */
  readonly late_ms: () => number
  /** Whether settlement is paused. Asked each turn; never when left out. */
  readonly isPaused?: () => Promise<boolean>
}

/**
 * Settles, resolves and pays out until the signal is aborted: what workflows do, by one process without them. Beside workflows it
 * does what is late alone. Failures end nothing.
 */
export async function runSettlement(ports: SettlementPorts, options: RunOptions): Promise<void> {
  const { late_ms, isPaused = async () => false } = options
  const backoff = createBackoff()
  const resolutions = new Resolutions(ports)
  while (!ports.signal.aborted) {
    let wait_ms = ports.policy.window_ms
    try {
      if (!(await isPaused())) await turn(late_ms())
      backoff.reset()
    } catch (error) {
      if (ports.signal.aborted) return
      ports.on_problem(error)
      wait_ms = backoff.next()
    }
    await waitFor(wait_ms, ports.signal)
  }

  async function turn(late: number): Promise<void> {
    for (const asset_id of await ports.work.listAssets()) await settleDue(asset_id, late, ports)
    await resolutions.step(late)
  }
}

/** When each open resolution wants to be looked at next. */
class Resolutions {
  readonly #ports: SettlementPorts
  readonly #known = new Map<string, { readonly due_ms: number; readonly progress: ResolutionProgress }>()

  constructor(ports: SettlementPorts) {
    this.#ports = ports
  }

  async step(late_ms: number): Promise<void> {
    const open = await this.#ports.work.openResolutions(null)
    const ids = new Set(open.map(({ resolution_id }) => resolution_id))
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id)
    for (const resolution_id of ids) await this.#stepOf(resolution_id, late_ms)
  }

  async #stepOf(resolution_id: string, late_ms: number): Promise<void> {
    const now_ms = performance.now()
    const known = this.#known.get(resolution_id)
    if (known === undefined && late_ms > 0) return this.#keep(resolution_id, late_ms, null)
    if (known !== undefined && known.due_ms > now_ms) return
    const unconfirmed = known?.progress.unconfirmed ?? null
    const progress = await resolutionStep({ resolution_id, unconfirmed }, this.#ports)
    // A wait of the window may have been cut short by a dispute and its decision.
    this.#keep(resolution_id, Math.max(Math.min(progress.wait_ms ?? 0, LOOK_MAX_MS), late_ms), progress)
  }

  #keep(resolution_id: string, wait_ms: number, progress: ResolutionProgress | null): void {
    const kept = progress ?? { state: 'window', wait_ms, unconfirmed: null }
    this.#known.set(resolution_id, { due_ms: performance.now() + wait_ms, progress: kept })
  }
}

const LOOK_MAX_MS = 5_000
