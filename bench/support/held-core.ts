import { ENGINE_CORE, type EngineCore } from '../../trading/service/engine-core.ts'

/** Notes how long each batch holds the engine: from its first submission until its statements are made, without a wait between. */
export class HeldCore {
  readonly core: EngineCore
  longest_ms = 0
  #began_at: number | null = null

  /** @param slice_max greatest number of orders that a batch changes on its own; Infinity: all at once */
  constructor(slice_max: number | null) {
    this.core = {
      ...ENGINE_CORE,
      rebuild: (rows) => {
        const { addOrder, finish } = ENGINE_CORE.rebuild(rows)
        return { addOrder, finish: () => Object.assign(finish(), slice_max === null ? {} : { slice_max }) }
      },
      apply: (...input) => {
        this.#began_at ??= performance.now()
        return ENGINE_CORE.apply(...input)
      },
      finish: (...input) => {
        // The statements are made in the same turn.
        queueMicrotask(() => this.#ended())
        return ENGINE_CORE.finish(...input)
      },
    }
  }

  #ended(): void {
    this.longest_ms = Math.max(this.longest_ms, performance.now() - (this.#began_at ?? Number.POSITIVE_INFINITY))
    this.#began_at = null
  }
}
