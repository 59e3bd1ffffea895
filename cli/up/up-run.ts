import type { Invocation } from '../command.ts'
import type { UpFlags } from '../commands/up.ts'
import type { Environment } from '../config.ts'

/** One run of `tidemark up`. */
export type UpRun = Invocation<UpFlags> & {
  readonly environment: Environment
  /** The warehouse that a command finds by itself. */
  readonly usual_warehouse: string
}
