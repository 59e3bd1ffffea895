import { formatMicros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { ColumnType } from '../../schema.ts'

/** Null count and bounds of one column; bounds are JSON texts, null where there are none to give. */
export type ColumnStatistics = {
  readonly name: string
  readonly nulls: number
  readonly range: { readonly least: string; readonly greatest: string } | null
}

/** Longest text that is given as a minimum or maximum; ids are 36 characters, longer texts have no use in pruning. */
export const TEXT_LENGTH_MAX = 64

/** Null count, least and greatest value of one column, collected while its values are written. */
export class ColumnBounds {
  nulls = 0
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
    // Delta and Parquet order texts by UTF-8 bytes, JavaScript by UTF-16 units: equal for ASCII, so only that is used.
    if (typeof value === 'string' && (value.length > TEXT_LENGTH_MAX || !ASCII.test(value))) this.#usable = false
    if (this.#least === null || value < this.#least) this.#least = value
    if (this.#greatest === null || value > this.#greatest) this.#greatest = value
  }

  /** As `add`, for a whole number; of a decimal its scaled integer. */
  addNumber(value: number): void {
    if (this.#least === null || value < (this.#least as number)) this.#least = value
    if (this.#greatest === null || value > (this.#greatest as number)) this.#greatest = value
  }

  /**
   * As `add` for each that is there, which are looked at together: one of them may tell that there is no range to give.
   * @param whole all of them, one after the other
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

  /** Least and greatest value as JSON texts, exact (a decimal keeps all its digits); null when there is none to give. */
  range(): { readonly least: string; readonly greatest: string } | null {
    if (!this.#usable || this.#least === null || this.#greatest === null) return null
    return { least: jsonOf(this.#least, this.#type), greatest: jsonOf(this.#greatest, this.#type) }
  }
}

const ASCII = /^[\x20-\x7e]*$/

/** A bound as a JSON text; of a decimal its scaled integer is given. */
export function jsonOf(value: string | number | bigint, type: ColumnType): string {
  const is_decimal = typeof type === 'object' && type.kind === 'decimal'
  if (typeof value === 'bigint' || (is_decimal && typeof value === 'number'))
    return fromScaled(BigInt(value), is_decimal ? type.scale : 0)
  if (type === 'TIMESTAMPTZ') return JSON.stringify(formatMicros(value as number))
  return JSON.stringify(value)
}
