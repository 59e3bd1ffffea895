import type { BatchLimits } from '../../connectors/archives/payloads/batch-payloads.ts'
import type { PayloadKind } from '../../connectors/archives/payloads/payload-kinds.ts'
import type { QuarantineItem } from '../../pipelines/venues/quarantine.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { KeptBatch } from './keep-payloads.ts'
import type { PackedPayloads } from './packed-payloads.ts'
import type { Failure } from './thread-messages.ts'

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
type PackedBatch = Omit<KeptBatch, 'payloads'> & { readonly payloads: PackedPayloads }

export type OpenedArchive = {
  readonly files: readonly string[]
  readonly quarantine: readonly QuarantineItem[]
  readonly bytes: number
}

/** What it is told: that the records of the next batch are planned, and the last stamp that they got; or to end. */
export type KeeperOrder = { readonly planned_through: Micros } | { readonly stop: true }
