import { invariant } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { chainOf, publishedChains } from '../../warehouse/read/published-chains.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type StampedRow, WRITE_ORDER } from '../index/write-stamped.ts'

export type PublishOnceOptions = {
  readonly operation: string
  /** The publisher, and the number of this set of rows: the same rows again are the same commits. */
  readonly app_id: string
  readonly app_sequence: number
  /** Instant by table through which published rows were known when these were decided; nothing of other tables was known. */
  readonly known_through: ReadonlyMap<TableName, Micros>
}

/** Before every publication. */
const NOTHING: Micros = Number.MIN_SAFE_INTEGER

/**
 * Publishes rows by the wall clock, one commit a table, referenced tables first. A row whose chain another publisher has published since
 * is left out: two publishers of one tick publish it once.
 * @returns the commits made; `published_at` of the last one of a table, unless another publisher was first with any of its rows
 * @throws the errors of Warehouse.append; repeating the call continues where it ended
 */
export async function publishOnce(
  warehouse: Warehouse,
  rows: readonly StampedRow[],
  options: PublishOnceOptions,
): Promise<PublishedRows> {
  let commits = 0
  const published_at = new Map<TableName, Micros>()
  const written = new Map<TableName, number>()
  for (const table of WRITE_ORDER) {
    const group = rows.filter((item) => item.table === table)
    invariant(
      group.every(({ stamp }) => stamp.kind === 'wall'),
      'publishOnce: a stamp is not the wall clock',
    )
    if (group.length === 0) continue
    const done = await appendNew(
      warehouse,
      table,
      group.map(({ row }) => row),
      options,
    )
    if (done.written > 0) commits += 1
    written.set(table, done.written)
    if (done.published_at !== null) published_at.set(table, done.published_at)
  }
  return { commits, written, published_at }
}

export type PublishedRows = {
  readonly commits: number
  /** Rows by table. */
  readonly written: ReadonlyMap<TableName, number>
  readonly published_at: ReadonlyMap<TableName, Micros>
}
type Appended = { readonly written: number; readonly published_at: Micros | null }

/** Rows decided up to an instant, without those that others were first with; tried anew where somebody was faster again. */
async function appendNew(
  warehouse: Warehouse,
  table: TableName,
  rows: readonly Row[],
  { operation, app_id, app_sequence, known_through }: PublishOnceOptions,
): Promise<Appended> {
  const first_known = known_through.get(table) ?? NOTHING
  let known = first_known
  let left = rows
  for (;;) {
    if (left.length === 0) return { written: 0, published_at: null }
    const done = await warehouse.append(table, left, {
      app_id,
      app_sequence,
      stamp: { kind: 'wall' },
      operation,
      unless_published_after: known,
    })
    if (!done.overtaken) {
      const alone = known === first_known && !done.already_done
      return { written: done.already_done ? 0 : left.length, published_at: alone ? toMicros(done.published_at) : null }
    }
    const snapshot = await warehouse.log(table).snapshot()
    const chains = await publishedChains(warehouse, snapshot, known)
    left = left.filter((row) => !chains.has(chainOf(table, row)))
    known = snapshot.head_stamp ?? known
  }
}
