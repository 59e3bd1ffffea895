import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../schema.ts'
import { type GrowingTableName, NEWEST } from './followed-tables.ts'
import { compareOrder, type KnownRow, keyText, knownRow } from './placed-row.ts'
import type { Placed } from './reader.ts'

/** Newest row of a key, and when its first row was published. */
export type NewestRow = Placed & { readonly known: KnownRow; readonly first_published_at: Micros }

/** The newest row of each key of a growing table; memory grows with the number of keys, not with history. */
export class NewestRows {
  readonly table: GrowingTableName
  readonly #by_key = new Map<string, NewestRow>()
  /** Keys by the value of their first column. */
  readonly #by_group = new Map<string, Map<string, NewestRow>>()

  constructor(table: GrowingTableName) {
    this.table = table
  }

  /** Number of keys. */
  get size(): number {
    return this.#by_key.size
  }

  /** Adds a row and returns the one that was the newest of its key before. */
  add(row: Row, seq: number, first_published_at?: Micros): NewestRow | null {
    const rule = NEWEST[this.table]
    const key = keyText(row, rule.key)
    const known = knownRow(this.table, row, rule.order)
    const before = this.#by_key.get(key)
    if (before !== undefined && compareOrder(known, before.known) < 0) return before
    const first = before?.first_published_at ?? first_published_at ?? known.published_at
    this.#keep(String(row[rule.key[0]!]), key, { row, seq, known, first_published_at: first })
    return before ?? null
  }

  get(values: Row): NewestRow | null {
    return this.#by_key.get(keyText(values, NEWEST[this.table].key)) ?? null
  }

  /** Newest rows of every key with this value in its first column, in order of arrival. */
  group(value: string): readonly NewestRow[] {
    return [...(this.#by_group.get(value)?.values() ?? [])]
  }

  all(): IterableIterator<NewestRow> {
    return this.#by_key.values()
  }

  #keep(group: string, key: string, newest: NewestRow): void {
    this.#by_key.set(key, newest)
    const rows = this.#by_group.get(group)
    if (rows === undefined) this.#by_group.set(group, new Map([[key, newest]]))
    else rows.set(key, newest)
  }
}
