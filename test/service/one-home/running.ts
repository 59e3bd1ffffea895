import type { Service } from '../../support/service-process.ts'

/** Home of `tidemark up`, and the service that runs in it at the moment. */
export type Running = {
  readonly home: string
  readonly service: () => Service
  /** Starts it again in the same home, once it has ended. */
  readonly startAgain: (options: readonly string[]) => Promise<void>
}
