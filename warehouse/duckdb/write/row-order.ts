/** Integers in the order of a column's values, one per row; codes if there are few distinct values. */
export type SortKey = Uint16Array | Float64Array

/**
 * Returns the ordinals of a batch's rows sorted by its keys, stable, as DuckDB's `ORDER BY <keys>, row_ordinal`. Usually there is
 * little to do: rows arrive in the order of their instants, so that only the markets must be sorted.
 * @param rows number of rows
 * @param keys sort keys, most significant first
 */
export function rowOrder(rows: number, keys: readonly SortKey[]): Uint32Array {
  let ordinals = new Uint32Array(rows)
  for (let row = 0; row < rows; row += 1) ordinals[row] = row
  for (const key of keys.toReversed()) {
    if (!ascends(key, ordinals)) for (const digits of digitsOf(key)) ordinals = sortedBy(digits, ordinals)
  }
  return ordinals
}

function ascends(key: SortKey, ordinals: Uint32Array): boolean {
  for (let i = 1; i < ordinals.length; i += 1) if (key[ordinals[i - 1]!]! > key[ordinals[i]!]!) return false
  return true
}

const DIGIT = 2 ** 16

/** Digits of a key to the base 2^16, least significant first. */
function digitsOf(key: SortKey): Uint16Array[] {
  if (key instanceof Uint16Array) return [key]
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const number of key) {
    if (number < least) least = number
    if (number > greatest) greatest = number
  }
  const all: Uint16Array[] = []
  for (let unit = 1; unit <= greatest - least; unit *= DIGIT) {
    const digits = new Uint16Array(key.length)
    for (let row = 0; row < key.length; row += 1) digits[row] = Math.floor((key[row]! - least) / unit) % DIGIT
    all.push(digits)
  }
  return all
}

/** Counting sort of the ordinals by one digit, stable. */
function sortedBy(digits: Uint16Array, ordinals: Uint32Array): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(DIGIT + 1)
  for (let row = 0; row < digits.length; row += 1) starts[digits[row]! + 1]! += 1
  for (let digit = 1; digit <= DIGIT; digit += 1) starts[digit]! += starts[digit - 1]!
  const sorted = new Uint32Array(ordinals.length)
  for (let i = 0; i < ordinals.length; i += 1) {
    const ordinal = ordinals[i]!
    const digit = digits[ordinal]!
    sorted[starts[digit]!] = ordinal
    starts[digit]! += 1
  }
  return sorted
}
