import type { BatchLimits } from '../../connectors/archives/payloads/batch-payloads.ts'
import type { IgnoredFile } from '../../connectors/archives/payloads/inspect-payload-files.ts'
import type { PayloadKind } from '../../connectors/archives/payloads/payload-kinds.ts'
import type { QuarantineItem } from '../../pipelines/venues/quarantine.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { KeptBatch } from './keep-payloads.ts'
import type { PackedPayloads } from './packed-payloads.ts'
import type { Failure } from './thread-messages.ts'

/** Job of the thread that stores payloads. */
export type KeeperJob = {
  readonly root: string
  readonly archive: PayloadKind
  readonly dir: string
  readonly clock: ImportClock
  readonly limits: BatchLimits
  /** The wall clock when the import began: nothing can have been received later. */
  readonly now: Micros
}

/** Messages of the thread: `opened`, then `kept` and `read`, then `done`; or `failed` at any time. */
export type KeeperReport =
  | { readonly opened: OpenedArchive }
  /** Bytes of a completed file. */
  | { readonly read: number }
  | { readonly kept: PackedBatch }
  | { readonly done: true }
  | { readonly failed: Failure }

/** A batch in the form that is sent between threads. */
type PackedBatch = Omit<KeptBatch, 'payloads'> & { readonly payloads: PackedPayloads }

export type OpenedArchive = {
  readonly files: readonly string[]
  readonly quarantine: readonly QuarantineItem[]
  /** Files without data. */
  readonly ignored?: readonly IgnoredFile[]
  readonly bytes: number
}

/** Orders to the thread: the records of the next batch are planned, with their last stamp; or stop. */
export type KeeperOrder = { readonly planned_through: Micros } | { readonly stop: true }
