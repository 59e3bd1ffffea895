/** Whole numbers in the order of a column's values, one a row; codes where the values are few. */
export type SortKey = Uint16Array | Float64Array

/**
 * The places of a batch's rows in the order of its keys, rows of equal ones as given: what DuckDB's `ORDER BY <keys>, row_ordinal`
 * gives. Mostly there is little to do: rows come in the order of their instants, so that only the markets are counted apart.
 * @param rows how many there are
 * @param keys of the rows, the first one first
 */
export function rowOrder(rows: number, keys: readonly SortKey[]): Uint32Array {
  let places = new Uint32Array(rows)
  for (let row = 0; row < rows; row += 1) places[row] = row
  for (const key of keys.toReversed()) {
    if (!ascends(key, places)) for (const digits of digitsOf(key)) places = sortedBy(digits, places)
  }
  return places
}

function ascends(key: SortKey, places: Uint32Array): boolean {
  for (let i = 1; i < places.length; i += 1) if (key[places[i - 1]!]! > key[places[i]!]!) return false
  return true
}

const DIGIT = 2 ** 16

/** The digits of a key to the base 2^16, the least first. */
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

/** Sorts the places by a digit each, by counting; equal ones stay in their order. */
function sortedBy(digits: Uint16Array, places: Uint32Array): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(DIGIT + 1)
  for (let row = 0; row < digits.length; row += 1) starts[digits[row]! + 1]! += 1
  for (let digit = 1; digit <= DIGIT; digit += 1) starts[digit]! += starts[digit - 1]!
  const sorted = new Uint32Array(places.length)
  for (let i = 0; i < places.length; i += 1) {
    const place = places[i]!
    const digit = digits[place]!
    sorted[starts[digit]!] = place
    starts[digit]! += 1
  }
  return sorted
}
