import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../schema.ts'
import { type TableName, tableSchema } from '../tables.ts'
import { compareOrder, type KnownRow, keyText, knownRow } from './placed-row.ts'

/** Correction chain: its rows in the order of publication, and the current one. */
type Chain = { readonly rows: KnownRow[]; current: KnownRow }

/** Reads of the rows of a small table that are known at one instant. */
export type KnownReference = {
  /** Returns the current row of the chain with these values; null if none is known. */
  readonly current: (values: Row) => Row | null
  /** Returns the current row of every known chain. */
  readonly allCurrent: () => KnownRow[]
  /** Returns every known revision of every chain, unordered. */
  readonly all: () => Row[]
  /** Returns every known revision of the chain of a row, first to last. */
  readonly revisions: (row: Row) => Row[]
}

/**
 * Every revision of a small table. current(T) is, per chain, the row with the greatest current key among those published at
 * or before T (methodology §14), as in warehouse/read/sql/current_by_window.sql.
 */
export class ReferenceRows {
  readonly table: TableName
  readonly #chains = new Map<string, Chain>()
  readonly #chain_columns: readonly string[]
  readonly #current_columns: readonly string[]

  constructor(table: TableName) {
    this.table = table
    this.#chain_columns = tableSchema(table).chain
    this.#current_columns = tableSchema(table).current
  }

  /** Adds the next row in the order of publication. */
  add(row: Row): void {
    const known = knownRow(this.table, row, this.#current_columns)
    const key = keyText(row, this.#chain_columns)
    const chain = this.#chains.get(key)

    if (chain === undefined) {
      this.#chains.set(key, { rows: [known], current: known })
      return
    }
    chain.rows.push(known)
    if (compareOrder(known, chain.current) > 0) chain.current = known
  }

  /** Returns the reads of the rows published at or before an instant; null: of every row. */
  knownAt(as_of: Micros | null): KnownReference {
    const chainOf = (values: Row) => this.#chains.get(keyText(values, this.#chain_columns))
    const rowsOf = (rows: readonly KnownRow[]) =>
      rows.filter((known) => as_of === null || known.published_at <= as_of).map((known) => known.row)
    return {
      current: (values) => {
        const chain = chainOf(values)
        return chain === undefined ? null : (currentOf(chain, as_of)?.row ?? null)
      },
      allCurrent: () => [...this.#chains.values()].flatMap((chain) => currentOf(chain, as_of) ?? []),
      all: () => rowsOf([...this.#chains.values()].flatMap((chain) => chain.rows)),
      revisions: (row) => rowsOf(chainOf(row)?.rows ?? []),
    }
  }
}

function currentOf(chain: Chain, as_of: Micros | null): KnownRow | null {
  if (as_of === null || chain.rows.at(-1)!.published_at <= as_of) return chain.current
  let current: KnownRow | null = null
  for (const row of chain.rows) {
    if (row.published_at <= as_of && (current === null || compareOrder(row, current) > 0)) current = row
  }
  return current
}
