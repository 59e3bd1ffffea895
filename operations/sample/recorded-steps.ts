import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { atRecordedInstant } from '../../warehouse/recorded-clock.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** One step of a past, at its instant. Performed twice, it has no further effect. */
export type RecordedStep = {
  readonly at: Instant
  readonly perform: (warehouse: Warehouse) => Promise<unknown>
}

/** Steps in the order of their instants, and the tables in which each but the last may leave records. */
export type RecordedSteps = { readonly tables: readonly TableName[]; readonly steps: readonly RecordedStep[] }

/**
 * Performs steps of a past under the recorded clock. After an interruption the next call begins with the step that was interrupted:
 * those before it have records after their own instant, so that they could not be performed as they were.
 */
export async function performRecordedSteps(
  warehouse: Warehouse,
  { tables, steps }: RecordedSteps,
  signal?: AbortSignal,
): Promise<void> {
  const through = await publishedThrough(warehouse, tables)
  for (const [ordinal, { at, perform }] of steps.entries()) {
    signal?.throwIfAborted()
    const next = steps[ordinal + 1]
    if (next !== undefined && toMicros(next.at) <= through) continue
    await perform(atRecordedInstant(warehouse, toMicros(at)))
  }
}

async function publishedThrough(warehouse: Warehouse, tables: readonly TableName[]): Promise<Micros> {
  const closed = await Promise.all(tables.map((table) => warehouse.log(table).closedThrough()))
  return Math.max(...closed.map((through) => through ?? Number.NEGATIVE_INFINITY))
}
