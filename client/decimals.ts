import { shown } from './given.ts'
import { clientError } from './tidemark-error.ts'

/**
 * A decimal as its text, such as "0.52". JavaScript numbers are refused: 0.1 + 0.2 is not 0.3.
 */
export type Decimal = string

type Scaled = { readonly integer: bigint; readonly scale: number }

const WRITTEN = /^(-?)(0|[1-9]\d*)(?:\.(\d{1,18}))?$/

/**
 * Returns a value as the text of a decimal.
 * @throws {TidemarkError} VALIDATION_DECIMAL_INVALID: a number, or a text that is no decimal
 */
export function decimal(value: Decimal | bigint, field = 'value'): Decimal {
  const text: unknown = typeof value === 'bigint' ? value.toString() : value
  if (typeof text === 'string' && WRITTEN.test(text)) return text
  const seen = text === undefined ? 'missing' : shown(text)
  const name = typeof field === 'string' ? field : 'value'
  const message = `${name} is ${seen}; allowed: a decimal string such as "0.52", with at most 18 fraction digits`
  throw clientError('VALIDATION_DECIMAL_INVALID', message, false)
}

/** Exact sum, with the fraction digits of the longer one. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = aligned(a, b)
  return textOf({ integer: left + right, scale })
}

/** Exact difference, with the fraction digits of the longer one. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = aligned(a, b)
  return textOf({ integer: left - right, scale })
}

/** Exact product, with the fraction digits of both. */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  const [left, right] = [scaled(a, 'first factor'), scaled(b, 'second factor')]
  return textOf({ integer: left.integer * right.integer, scale: left.scale + right.scale })
}

/** -1, 0 or 1: whether the first value is less than, equal to or greater than the second. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const [left, right] = aligned(a, b)
  return left < right ? -1 : left > right ? 1 : 0
}

function aligned(a: Decimal, b: Decimal): readonly [left: bigint, right: bigint, scale: number] {
  const [left, right] = [scaled(a, 'first value'), scaled(b, 'second value')]
  const scale = Math.max(left.scale, right.scale)
  const raised = ({ integer, scale: own }: Scaled) => integer * 10n ** BigInt(scale - own)
  return [raised(left), raised(right), scale]
}

function scaled(text: Decimal, field: string): Scaled {
  const [, sign, whole, fraction = ''] = WRITTEN.exec(decimal(text, field))!
  const integer = BigInt(`${whole}${fraction}`)
  return { integer: sign === '-' ? -integer : integer, scale: fraction.length }
}

function textOf({ integer, scale }: Scaled): Decimal {
  const digits = (integer < 0n ? -integer : integer).toString().padStart(scale + 1, '0')
  const sign = integer < 0n ? '-' : ''
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
