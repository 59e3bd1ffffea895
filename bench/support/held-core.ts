import { ENGINE_CORE, type EngineCore } from '../../trading/service/engine-core.ts'

/** A batch that changes fewer orders and settlements is one of other submissions. */
const SLICE_LEAST = 5

/** Time for which a batch held the engine. */
type Held = { readonly wall_ms: number; readonly processor_ms: number }

/**
 * Notes how long each batch holds the engine: from its first submission until its statements are made, without a wait between. Also by
 * the processor time of the process, which is what it would be on a machine with nothing else to do.
 */
export class HeldCore {
  readonly core: EngineCore
  /** Each batch since the last `begin` that ended, moved or paid something of many. */
  slices: Held[] = []
  #began: { readonly at: number; readonly used: NodeJS.CpuUsage } | null = null

  /** @param slice_max greatest number of orders that a batch changes on its own; Infinity: all at once */
  constructor(slice_max: number | null) {
    this.core = {
      ...ENGINE_CORE,
      rebuild: (rows) => {
        const { addOrder, finish } = ENGINE_CORE.rebuild(rows)
        return { addOrder, finish: () => Object.assign(finish(), slice_max === null ? {} : { slice_max }) }
      },
      apply: (...input) => {
        this.#began ??= { at: performance.now(), used: process.cpuUsage() }
        return ENGINE_CORE.apply(...input)
      },
      finish: (...input) => {
        const rows = ENGINE_CORE.finish(...input)
        // The statements are made in the same turn.
        queueMicrotask(() => this.#ended(rows.orders.length + rows.settlement.length))
        return rows
      },
    }
  }

  begin(): void {
    this.slices = []
  }

  /** @param changed orders and settlements that the batch changed */
  #ended(changed: number): void {
    if (this.#began === null) return
    const { user, system } = process.cpuUsage(this.#began.used)
    const wall_ms = performance.now() - this.#began.at
    // Other threads of the process use the processor too.
    const processor_ms = Math.min((user + system) / 1_000, wall_ms)
    this.#began = null
    if (changed >= SLICE_LEAST) this.slices.push({ wall_ms, processor_ms })
  }
}
