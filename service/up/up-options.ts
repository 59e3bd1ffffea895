import type { Environment } from '../configuration.ts'
import type { Invocation } from '../invocation.ts'
import type { ProcessBoard } from './process-board.ts'

/** Flags of `tidemark up`. */
export type UpFlags = {
  readonly fresh?: boolean
  readonly once?: boolean
  /** `--no-sample-data` */
  readonly sampleData: boolean
  /** `--no-temporal` */
  readonly temporal: boolean
  readonly readyFile?: string
  readonly sandboxAccounts?: number
  readonly metricsPort?: number
}

/** One run of `tidemark up`. */
export type UpRun = Invocation<UpFlags> & {
  readonly environment: Environment
  /** The warehouse that a command finds by itself. */
  readonly usual_warehouse: string
  readonly board: ProcessBoard
}

const SANDBOX_ACCOUNTS = 2

/** Returns the number of user accounts of the sandbox; 0: no sandbox, the default without sample data. */
export function sandboxAccounts({ options }: UpRun): number {
  return options.sandboxAccounts ?? (options.sampleData ? SANDBOX_ACCOUNTS : 0)
}
