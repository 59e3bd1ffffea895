import { formatMicros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { ColumnType } from '../../schema.ts'

/** Null count and bounds of one column; bounds are JSON texts, null if there are none. */
export type ColumnStatistics = {
  readonly name: string
  readonly nulls: number
  readonly range: { readonly least: string; readonly greatest: string } | null
}

/** Longest text recorded as a minimum or maximum; ids have 36 characters, longer texts do not help pruning. */
export const TEXT_LENGTH_MAX = 64

/** Least and greatest value of one column, collected while its values are written. */
export class ColumnBounds {
  #least: string | number | bigint | null = null
  #greatest: string | number | bigint | null = null
  readonly #type: ColumnType
  #usable = true
  #last: string | number | bigint | null = null

  constructor(type: ColumnType) {
    this.#type = type
  }

  add(value: string | number | bigint): void {
    if (value === this.#last) return
    this.#last = value
    // Delta and Parquet order texts by UTF-8 bytes, JavaScript by UTF-16 units; these agree for ASCII only.
    if (typeof value === 'string' && (value.length > TEXT_LENGTH_MAX || !ASCII.test(value))) this.#usable = false
    if (this.#least === null || value < this.#least) this.#least = value
    if (this.#greatest === null || value > this.#greatest) this.#greatest = value
  }

  /** Same as `add` for an integer, or the scaled integer of a decimal. */
  addNumber(value: number): void {
    if (this.#least === null || value < (this.#least as number)) this.#least = value
    if (this.#greatest === null || value > (this.#greatest as number)) this.#greatest = value
  }

  /**
   * Same as `add` for several texts, checked together; null: no value.
   * @param whole all texts joined
   */
  addTexts(texts: readonly (string | null)[], whole: string): void {
    this.#usable &&= ASCII.test(whole)
    for (let n = 0; n < texts.length && this.#usable; n += 1) {
      const text = texts[n]!
      if (text === null) continue
      this.#usable = text.length <= TEXT_LENGTH_MAX
      if (this.#least === null || text < this.#least) this.#least = text
      if (this.#greatest === null || text > this.#greatest) this.#greatest = text
    }
  }

  /** Least and greatest value as exact JSON texts (a decimal keeps all its digits); null if there is no usable range. */
  range(): { readonly least: string; readonly greatest: string } | null {
    if (!this.#usable || this.#least === null || this.#greatest === null) return null
    return { least: jsonOf(this.#least, this.#type), greatest: jsonOf(this.#greatest, this.#type) }
  }
}

const ASCII = /^[\x20-\x7e]*$/

/** Returns a bound as JSON text. @param value the scaled integer of a decimal */
export function jsonOf(value: string | number | bigint, type: ColumnType): string {
  const is_decimal = typeof type === 'object' && type.kind === 'decimal'
  if (typeof value === 'bigint' || (is_decimal && typeof value === 'number'))
    return fromScaled(BigInt(value), is_decimal ? type.scale : 0)
  if (type === 'TIMESTAMPTZ') return JSON.stringify(formatMicros(value as number))
  return JSON.stringify(value)
}
