import duckdb, { type Vector } from '@duckdb/node-bindings'

/** Rows of a column without a value. */
export class MissingRows {
  count = 0
  readonly #rows: number
  #is_missing: Uint8Array | null = null

  constructor(rows: number) {
    this.#rows = rows
  }

  add(row: number): void {
    this.#is_missing ??= new Uint8Array(this.#rows)
    this.#is_missing[row] = 1
    this.count += 1
  }

  addAll(from: number, to: number): void {
    for (let row = from; row < to; row += 1) this.add(row)
  }

  has(row: number): boolean {
    return this.#is_missing !== null && this.#is_missing[row] === 1
  }

  /** Marks the missing ones among the rows with these ordinals in the vector's validity. */
  write(vector: Vector, ordinals: Uint32Array): void {
    const is_missing = this.#is_missing
    if (is_missing === null) return
    const mask = new Uint8Array(Math.ceil(ordinals.length / 64) * 8)
    if (this.count < this.#rows) mask.fill(255)
    for (let i = 0; i < ordinals.length && this.count < this.#rows; i += 1) {
      if (is_missing[ordinals[i]!] === 1) mask[i >> 3]! &= ~(1 << (i & 7))
    }
    duckdb.vector_ensure_validity_writable(vector)
    duckdb.copy_data_to_vector_validity(vector, 0, mask.buffer as ArrayBuffer, 0, mask.byteLength)
  }
}
