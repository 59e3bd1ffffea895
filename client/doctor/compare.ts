import { isObject } from '../../primitives/canonical-json.ts'
import { DECIMAL_PATTERN, parseDecimal } from '../../primitives/decimal.ts'

/** First place where two JSON values differ. */
type Unequal = { readonly field: string; readonly first: unknown; readonly second: unknown }

/**
 * Compares two JSON values field by field and returns the first difference; null: they are equal. A field that is missing differs from
 * a null.
 * @param ignored names or paths of fields that are not compared
 */
export function firstUnequal(
  first: unknown,
  second: unknown,
  ignored: ReadonlySet<string> = new Set(),
  field = '',
): Unequal | null {
  if (Object.is(first, second)) return null
  if (Array.isArray(first) && Array.isArray(second)) {
    for (let i = 0; i < Math.max(first.length, second.length); i += 1) {
      const found = firstUnequal(first[i], second[i], ignored, `${field}[${i}]`)
      if (found !== null) return found
    }
    return null
  }
  if (!isObject(first) || !isObject(second)) return { field, first, second }
  for (const name of new Set([...Object.keys(first), ...Object.keys(second)])) {
    const path = field === '' ? name : `${field}.${name}`
    if (ignored.has(name) || ignored.has(path)) continue
    const found = firstUnequal(first[name], second[name], ignored, path)
    if (found !== null) return found
  }
  return null
}

/** Returns the number of values in a JSON value. */
export function countValues(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countValues(item), 0)
  return isObject(value) ? Object.values(value).reduce((sum: number, item) => sum + countValues(item), 0) : 1
}

/** Returns whether two values are the same number, or the same otherwise; a different count of fraction digits is no difference. */
export function sameNumber(first: unknown, second: unknown): boolean {
  if (isNumberText(first) && isNumberText(second))
    return parseDecimal(first, 'first').eq(parseDecimal(second, 'second'))
  return Object.is(first ?? null, second ?? null)
}

function isNumberText(value: unknown): value is string {
  return typeof value === 'string' && DECIMAL_PATTERN.test(value)
}
