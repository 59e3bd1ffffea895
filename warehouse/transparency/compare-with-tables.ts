import type { Seal } from '../../pipelines/transparency/seal.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { toMicros } from '../../primitives/instants.ts'
import type { Warehouse } from '../warehouse.ts'
import { readRows } from './read-published.ts'
import type { TableForm } from './record-form.ts'

export type ComparisonOptions = {
  readonly warehouse: Warehouse
  readonly forms: readonly TableForm[]
  /** Last seal of the log. */
  readonly seal: Seal
  /** Number of entries by `<kind> <record_id> <published_at> <row_sha256>`; taken away as rows are found. */
  readonly logged: Map<string, number>
}

/** First difference of a log and its tables. */
export type LogDifference = { readonly name: string; readonly allowed: string }

/** Compares the entries of a log with the rows of its tables that its last seal covers; null: they are the same. */
export async function compareWithTables(options: ComparisonOptions): Promise<LogDifference | null> {
  const { warehouse, forms, seal, logged } = options
  for (const { table, records } of forms) {
    const sealed = seal.tables[table]
    if (sealed === undefined) continue
    for (const row of await readRows(warehouse, table, null, toMicros(sealed.sealed_through))) {
      for (const { kind, record_id, published_at, record_text } of records(row)) {
        const name = `${kind} ${record_id} ${published_at} ${sha256Hex(record_text)}`
        const left = logged.get(name) ?? 0
        if (left === 0)
          return { name, allowed: 'an entry of the log: the row is published, and the log does not have it' }
        logged.set(name, left - 1)
      }
    }
  }
  // Rows that were published after the instant of the seal may be in the log before it.
  const later = (name: string) => toMicros(name.split(' ').at(-2)!) > toMicros(seal.sealed_through)
  const added = [...logged].find(([name, left]) => left > 0 && !later(name))
  return added === undefined
    ? null
    : { name: added[0], allowed: 'a row of the warehouse: the log has it, and no table does' }
}
