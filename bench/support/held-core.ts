import { ENGINE_CORE, type EngineCore } from '../../trading/service/engine-core.ts'

/**
 * Notes how long each batch holds the engine: from its first submission until its statements are made, without a wait between. Also by
 * the processor time of the process, which is what it would be on a machine with nothing else to do.
 */
export class HeldCore {
  readonly core: EngineCore
  /** Longest of all batches since the last `begin`. */
  longest = { wall_ms: 0, processor_ms: 0 }
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
        // The statements are made in the same turn.
        queueMicrotask(() => this.#ended())
        return ENGINE_CORE.finish(...input)
      },
    }
  }

  begin(): void {
    this.longest = { wall_ms: 0, processor_ms: 0 }
  }

  #ended(): void {
    if (this.#began === null) return
    const { user, system } = process.cpuUsage(this.#began.used)
    const wall_ms = performance.now() - this.#began.at
    // Other threads of the process use the processor too.
    const processor_ms = Math.min((user + system) / 1_000, wall_ms)
    this.longest.wall_ms = Math.max(this.longest.wall_ms, wall_ms)
    this.longest.processor_ms = Math.max(this.longest.processor_ms, processor_ms)
    this.#began = null
  }
}
