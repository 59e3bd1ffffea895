import { type DuckDBType, ENUM, VARCHAR } from '@duckdb/node-api'
import type { Vector } from '@duckdb/node-bindings'
import type { RowValue } from '../../schema.ts'
import type { BatchColumn, ColumnSlice, RowBlock } from './batch-column.ts'
import { ColumnBounds } from './column-bounds.ts'
import { MissingRows } from './missing-rows.ts'
import { type CodedTexts, RepeatedTexts } from './repeated-texts.ts'
import type { SortKey } from './row-order.ts'
import type { TextMemory } from './text-memory.ts'
import { TextRun } from './text-run.ts'
import { refused } from './write-vector.ts'

/** Column of texts: as codes if they repeat, else joined in one buffer. */
export class TextColumn implements BatchColumn {
  readonly #slice: ColumnSlice
  readonly #missing: MissingRows
  readonly #bounds = new ColumnBounds('VARCHAR')
  readonly #memory: TextMemory
  /** null once the texts turn out not to repeat, and once all rows were added. */
  #repeated: RepeatedTexts | null
  #coded: CodedTexts | null = null
  /** null while the texts repeat. */
  #run: TextRun | null = null

  /** @param memory of the column, for one batch at a time */
  constructor(slice: ColumnSlice, memory: TextMemory) {
    this.#slice = slice
    this.#missing = new MissingRows(slice.rows)
    this.#memory = memory
    this.#repeated = memory.triesCodes() ? new RepeatedTexts(slice) : null
    if (this.#repeated === null) this.#run = new TextRun(slice.rows, slice.where, memory)
  }

  add(block: RowBlock): void {
    const { from, values, at } = block
    const end = from + values.length
    if (at < 0) this.#addMissing(from, end)
    else {
      const taken = this.#repeated?.add(block, this.#missing) ?? 0
      if (taken < values.length) {
        if (this.#repeated !== null) {
          if (this.#repeated.isFull()) this.#memory.learnUncoded()
          this.#giveUpCodes(from + taken)
        }
        this.#addTexts(
          values.slice(taken).map((row) => row[at]),
          from + taken,
        )
      }
    }
    if (end === this.#slice.rows && !this.#isEmpty()) this.#finish()
  }

  #addMissing(from: number, to: number): void {
    this.#missing.addAll(from, to)
    this.#run?.add(new Array<null>(to - from).fill(null), '')
  }

  #addTexts(values: readonly RowValue[], from: number): void {
    const texts = values.map((value, n) => {
      if (typeof value === 'string') return value
      if (value !== null && value !== undefined) throw refused(this.#slice.where, value, 'text')
      this.#missing.add(from + n)
      return null
    })
    this.#takeTexts(texts, this.#run!)
  }

  /** Joins texts once for all uses. */
  #takeTexts(texts: readonly (string | null)[], run: TextRun): void {
    const whole = texts.join('') // null adds nothing to it
    this.#bounds.addTexts(texts, whole)
    run.add(texts, whole)
  }

  /** Converts the texts before `row` from codes; later ones get none. */
  #giveUpCodes(row: number): void {
    const texts = Array.from({ length: row }, (_, n) => (this.#missing.has(n) ? null : this.#repeated!.textAt(n)))
    this.#run = new TextRun(this.#slice.rows, this.#slice.where, this.#memory)
    this.#takeTexts(texts, this.#run)
    this.#repeated = null
  }

  #finish(): void {
    this.#coded = this.#repeated?.coded() ?? null
    if (this.#coded !== null) this.#bounds.addTexts(this.#coded.texts, this.#coded.texts.join(''))
    else if (this.#repeated !== null) this.#giveUpCodes(this.#slice.rows)
    this.#repeated = null
  }

  #isEmpty(): boolean {
    return this.#missing.count === this.#slice.rows
  }

  nulls(): number {
    return this.#missing.count
  }

  type(): DuckDBType {
    return this.#coded === null ? VARCHAR : ENUM([...this.#coded.texts])
  }

  ascends(): boolean {
    return this.#isEmpty()
  }

  sortKey(): SortKey | null {
    return this.#isEmpty() ? new Uint16Array(this.#slice.rows) : (this.#coded?.sortKey(this.#missing) ?? null)
  }

  write(vector: Vector, ordinals: Uint32Array): void {
    this.#coded?.write(vector, ordinals)
    this.#run?.write(vector, ordinals)
    this.#missing.write(vector, ordinals)
  }

  statistics() {
    return { nulls: this.#missing.count, range: this.#bounds.range() }
  }
}
