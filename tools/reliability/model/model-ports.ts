import type { SlowCore } from '../../../test/trading/support/slow-core.ts'
import type { Terms } from './commands.ts'
import type { ModelReads } from './model-reads.ts'
import type { ModelService, ModelWorld, Trader } from './model-world.ts'

/** State shared by the parts of one run. */
export type ModelPorts = {
  readonly service: ModelService
  readonly world: ModelWorld
  readonly reads: ModelReads
  readonly model: SlowCore
  readonly rejected: Rejected
  /** Counts what is given a name. */
  readonly next: () => number
}

/** Orders that were recorded as rejected, with the code. */
export type Rejected = Map<string, { readonly trader: Trader; readonly code: string; readonly terms: Terms }>

/** Model side of a comparison. */
export type ModelSide = Pick<ModelPorts, 'model' | 'rejected'>

/** The one of so many ago; counted around where there are fewer. */
export function recent<T>(list: readonly T[], back: number): T | undefined {
  return list.at(-1 - (back % list.length))
}
