import { type DuckDBType, ENUM, VARCHAR } from '@duckdb/node-api'
import type { Vector } from '@duckdb/node-bindings'
import type { RowValue } from '../../schema.ts'
import type { BatchColumn, ColumnPlace, RowBlock } from './batch-column.ts'
import { ColumnBounds } from './column-bounds.ts'
import { MissingRows } from './missing-rows.ts'
import { type CodedTexts, RepeatedTexts } from './repeated-texts.ts'
import type { SortKey } from './row-order.ts'
import type { TextMemory } from './text-memory.ts'
import { TextRun } from './text-run.ts'
import { refused } from './write-vector.ts'

/** A column of texts: as codes where they repeat, else one after the other. */
export class TextColumn implements BatchColumn {
  readonly #place: ColumnPlace
  readonly #missing: MissingRows
  readonly #bounds = new ColumnBounds('VARCHAR')
  readonly #memory: TextMemory
  /** null once the texts turn out not to repeat, and once all are taken. */
  #repeated: RepeatedTexts | null
  #coded: CodedTexts | null = null
  /** null while the texts repeat. */
  #run: TextRun | null = null

  /** @param memory of the column; it serves one batch at a time */
  constructor(place: ColumnPlace, memory: TextMemory) {
    this.#place = place
    this.#missing = new MissingRows(place.rows)
    this.#memory = memory
    this.#repeated = memory.triesCodes() ? new RepeatedTexts(place) : null
    if (this.#repeated === null) this.#run = new TextRun(place.rows, place.where, memory)
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
    if (end === this.#place.rows && !this.#isEmpty()) this.#finish()
  }

  #addMissing(from: number, to: number): void {
    this.#missing.addAll(from, to)
    this.#run?.add(new Array<null>(to - from).fill(null), '')
  }

  #addTexts(values: readonly RowValue[], from: number): void {
    const texts = values.map((value, n) => {
      if (typeof value === 'string') return value
      if (value !== null && value !== undefined) throw refused(this.#place.where, value, 'text')
      this.#missing.add(from + n)
      return null
    })
    this.#takeTexts(texts, this.#run!)
  }

  /** Texts are put together once for all that looks at them. */
  #takeTexts(texts: readonly (string | null)[], run: TextRun): void {
    const whole = texts.join('') // null adds nothing to it
    this.#bounds.addTexts(texts, whole)
    run.add(texts, whole)
  }

  /** From here on the texts as such; those before `row` too. */
  #giveUpCodes(row: number): void {
    const texts = Array.from({ length: row }, (_, n) => (this.#missing.has(n) ? null : this.#repeated!.textAt(n)))
    this.#run = new TextRun(this.#place.rows, this.#place.where, this.#memory)
    this.#takeTexts(texts, this.#run)
    this.#repeated = null
  }

  #finish(): void {
    this.#coded = this.#repeated?.coded() ?? null
    if (this.#coded !== null) this.#bounds.addTexts(this.#coded.texts, this.#coded.texts.join(''))
    else if (this.#repeated !== null) this.#giveUpCodes(this.#place.rows)
    this.#repeated = null
  }

  #isEmpty(): boolean {
    return this.#missing.count === this.#place.rows
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
    return this.#isEmpty() ? new Uint16Array(this.#place.rows) : (this.#coded?.sortKey(this.#missing) ?? null)
  }

  write(vector: Vector, places: Uint32Array): void {
    this.#coded?.write(vector, places)
    this.#run?.write(vector, places)
    this.#missing.write(vector, places)
  }

  statistics() {
    return { nulls: this.#missing.count, range: this.#bounds.range() }
  }
}
