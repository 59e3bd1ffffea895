import { canonicalJson } from '../../primitives/canonical-json.ts'
import { Decimal } from '../../primitives/decimal.ts'
import type { Value } from './subject.ts'

/** Compares values deeply: decimals by value, missing fields as null, and neither side may have further fields. */
export function sameValue(a: Value, b: Value): boolean {
  const [left, right] = [a ?? null, b ?? null]
  if (left === null || right === null) return left === right
  if (typeof left === 'string' && typeof right === 'string') return left === right || sameDecimal(left, right)
  if (typeof left !== 'object' || typeof right !== 'object') return left === right
  const [these, those] = [left as Readonly<Record<string, Value>>, right as Readonly<Record<string, Value>>]
  const names = new Set([...Object.keys(these), ...Object.keys(those)])
  return Array.isArray(left) === Array.isArray(right) && [...names].every((name) => sameValue(these[name], those[name]))
}

const DECIMAL = /^-?\d{1,30}(\.\d{1,30})?$/

function sameDecimal(a: string, b: string): boolean {
  return DECIMAL.test(a) && DECIMAL.test(b) && new Decimal(a).eq(b)
}

/**
 * Describes the first field in which a record differs from its recomputation; null: none.
 * @param wanted the recomputed record; only its fields are compared
 */
export function firstDifference(
  stored: Readonly<Record<string, Value>>,
  wanted: Readonly<Record<string, Value>>,
): string | null {
  const field = Object.keys(wanted).find((name) => !sameValue(stored[name], wanted[name]))
  return field === undefined ? null : `${field} is ${textOf(stored[field])}; computed again: ${textOf(wanted[field])}`
}

const TEXT_MAX = 200

function textOf(value: Value): string {
  const text = value === undefined ? 'null' : canonicalJson(value)
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text
}
