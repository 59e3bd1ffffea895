import type { PayloadBatch } from '../../connectors/archives/payloads/batch-payloads.ts'
import type { PayloadKind } from '../../connectors/archives/payloads/payload-kinds.ts'
import { type MinuteStamps, minuteStamps } from '../../pipelines/venues/minute-stamps.ts'
import type { VenuePayload } from '../../pipelines/venues/record.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { CommitOptions } from './commit-plan.ts'
import { type StoredPayloads, storePayloads } from './store-payloads.ts'

/** A batch whose payloads are stored, and how many of them were not before. */
export type KeptBatch = Omit<PayloadBatch, 'payloads'> & {
  /** In the order of receipt; to be gone through once. */
  readonly payloads: Iterable<VenuePayload>
  readonly payload_count: number
  readonly stored: StoredPayloads
}

export type KeepingOptions = {
  readonly warehouse: Warehouse
  readonly kind: PayloadKind
  readonly commit: CommitOptions
  /**
   * Returns the last recorded-clock stamp of earlier batches' records; stamps of this batch's payloads are later.
   * @param first the first stamp that the batch would get without regard to them
   */
  readonly recordsStamp: (first: Micros) => Micros | Promise<Micros>
}

/**
 * Stores the payloads of each batch before it is given.
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED, and what the batches and Warehouse.append throw
 */
export async function* keepPayloads(
  batches: AsyncIterable<PayloadBatch>,
  { warehouse, kind, commit, recordsStamp }: KeepingOptions,
): AsyncGenerator<KeptBatch & PayloadBatch> {
  let stamped: Micros = 0
  for await (const batch of batches) {
    commit.signal?.throwIfAborted()
    const first = firstOf(minuteStamps([batch.payloads], stamped)) ?? stamped
    const stamps = minuteStamps([batch.payloads], Math.max(stamped, await recordsStamp(first)))
    const stored = await storePayloads(warehouse, batch.payloads, stamps, kind, commit)
    stamped = [...stamps.values()].at(-1) ?? stamped
    yield { ...batch, payload_count: batch.payloads.length, stored }
  }
}

function firstOf(stamps: MinuteStamps): Micros | undefined {
  return [...stamps.values()][0]
}
