import type { BatchLimits } from '../../connectors/archives/payloads/batch-payloads.ts'
import type { PayloadKind } from '../../connectors/archives/payloads/payload-kinds.ts'
import type { ImportClock } from '../../pipelines/venues/batches.ts'
import type { QuarantineItem } from '../../pipelines/venues/quarantine.ts'
import { ERROR_CODES, type ErrorCode, InvariantError, ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { KeptBatch } from './keep-payloads.ts'
import type { PackedPayloads } from './packed-payloads.ts'

/** What the thread that keeps payloads is to do. */
export type KeeperJob = {
  readonly root: string
  readonly archive: PayloadKind
  readonly dir: string
  readonly clock: ImportClock
  readonly limits: BatchLimits
  /** The wall clock when the import began: nothing can have been received later. */
  readonly now: Micros
}

/** What it tells, in this order: `opened`, then `kept` and `read`, then `done`; or `failed` anywhere. */
export type KeeperReport =
  | { readonly opened: OpenedArchive }
  /** Bytes of a file that was finished. */
  | { readonly read: number }
  | { readonly kept: PackedBatch }
  | { readonly done: true }
  | { readonly failed: Failure }

/** A batch on its way. */
export type PackedBatch = Omit<KeptBatch, 'payloads'> & { readonly payloads: PackedPayloads }

export type OpenedArchive = {
  readonly files: readonly string[]
  readonly quarantine: readonly QuarantineItem[]
  readonly bytes: number
}

/** What it is told: that the records of the next batch are planned, and the last stamp that they got; or to end. */
export type KeeperOrder = { readonly planned_through: Micros } | { readonly stop: true }

type Failure = {
  readonly message: string
  readonly code: ErrorCode | null
  readonly facts: Readonly<Record<string, string>>
}

/** An error as it goes from thread to thread, where only its text would arrive. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ServiceError) return { message: error.message, code: error.code, facts: error.facts }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), code: null, facts: {} }
}

/** The error again. */
export function errorOf({ message, code, facts }: Failure): Error {
  return code !== null && code in ERROR_CODES ? new ServiceError(code, message, facts) : new InvariantError(message)
}
