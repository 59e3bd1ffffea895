import type { ModelReads, ModelSide } from './model-reads.ts'
import type { ModelService, ModelWorld } from './model-world.ts'

/** State shared by the parts of one run. */
export type ModelPorts = ModelSide & {
  readonly service: ModelService
  readonly world: ModelWorld
  readonly reads: ModelReads
  /** Counts what is given a name. */
  readonly next: () => number
}

/** The one of so many ago; counted around where there are fewer. */
export function recent<T>(list: readonly T[], back: number): T | undefined {
  return list.at(-1 - (back % list.length))
}
