import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../schema.ts'
import { type TableName, tableSchema } from '../tables.ts'
import { compareOrder, type KnownRow, keyText, knownRow } from './placed-row.ts'

/** A correction chain: its rows in the order of publication, and the one that is current now. */
type Chain = { readonly rows: KnownRow[]; current: KnownRow }

/**
 * Every revision of a small table. current(T) is, per chain, the row with the greatest current key among those published at
 * or before T (methodology 4.13; warehouse/read/sql/current_by_window.sql says the same).
 */
export class ReferenceRows {
  /** Raised by every row, so that what was derived from the rows can be kept until it changes. */
  generation = 0
  readonly table: TableName
  readonly #chains = new Map<string, Chain>()
  readonly #chain_columns: readonly string[]
  readonly #current_columns: readonly string[]

  constructor(table: TableName) {
    this.table = table
    this.#chain_columns = tableSchema(table).chain
    this.#current_columns = tableSchema(table).current
  }

  /** Takes in the next row in the order of publication. */
  add(row: Row): void {
    const known = knownRow(this.table, row, this.#current_columns)
    const key = keyText(row, this.#chain_columns)
    const chain = this.#chains.get(key)
    this.generation += 1
    if (chain === undefined) {
      this.#chains.set(key, { rows: [known], current: known })
      return
    }
    chain.rows.push(known)
    if (compareOrder(known, chain.current) > 0) chain.current = known
  }

  /** The current row of the chain of these values; null when none is known. */
  current(values: Row, as_of: Micros | null): Row | null {
    const chain = this.#chains.get(keyText(values, this.#chain_columns))
    return chain === undefined ? null : (currentOf(chain, as_of)?.row ?? null)
  }

  /** The current row of every chain known. */
  allCurrent(as_of: Micros | null): KnownRow[] {
    const rows: KnownRow[] = []
    for (const chain of this.#chains.values()) {
      const row = currentOf(chain, as_of)
      if (row !== null) rows.push(row)
    }
    return rows
  }

  /** Every revision known of every chain, in no order. */
  all(as_of: Micros | null): Row[] {
    const rows = [...this.#chains.values()].flatMap((chain) => chain.rows)
    return rows.filter((known) => as_of === null || known.published_at <= as_of).map((known) => known.row)
  }

  /** Every revision known of the chain of a row, first to last. */
  revisions(row: Row, as_of: Micros | null): Row[] {
    const chain = this.#chains.get(keyText(row, this.#chain_columns))
    const rows = chain?.rows ?? []
    return rows.filter((known) => as_of === null || known.published_at <= as_of).map((known) => known.row)
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
