import { dayBatches } from '../../pipelines/revisions/day-batches.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { checkRecordedStamps } from './write-stamped.ts'

export type RecordedRow = { readonly row: Row; readonly at: Micros }

/**
 * Publishes rows of one table under the recorded clock, each at its own instant, in one commit a UTC day. The same rows again
 * are the same commits: nothing is added.
 * @returns the number of commits made
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED, and what Warehouse.append throws
 */
export async function writeByDay(
  warehouse: Warehouse,
  table: TableName,
  rows: readonly RecordedRow[],
  options: { readonly operation: string; readonly signal?: AbortSignal | undefined },
): Promise<number> {
  const sorted = [...rows].sort((a, b) => a.at - b.at)
  await checkRecordedStamps(
    warehouse,
    sorted.slice(0, 1).map(({ row, at }) => ({ table, row, stamp: { kind: 'recorded', at } })),
  )
  let commits = 0
  for (const { from, to } of dayBatches(sorted.map(({ at }) => at))) {
    options.signal?.throwIfAborted()
    const part = sorted.slice(from, to)
    const { already_done } = await warehouse.append(
      table,
      part.map(({ row }) => row),
      {
        app_id: `${options.operation}/${contentHash(part)}`,
        app_sequence: 1,
        stamp: { kind: 'recorded_rows', at: part.map(({ at }) => at) },
        operation: options.operation,
      },
    )
    if (!already_done) commits += 1
  }
  return commits
}
