import type { DecimalString } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'

/** A decimal as a typed message carries it. */
export type SignedDecimal = {
  /** In [0, 2^128). */
  readonly integer: bigint
  /** In [0, 18]. */
  readonly scale: number
}

/** Decimals that can be signed: no sign, no leading zeros, at most 18 fraction digits. */
const SIGNED_DECIMAL_PATTERN = /^(0|[1-9]\d*)(\.\d{1,18})?$/

/** 39 digits and a point: the longest decimal that can be below 2^128. Nothing longer is read. */
const LENGTH_MAX = 40
const UINT128 = 1n << 128n

/**
 * The pair of a decimal as it is written: its digits without the point, and the number of its fraction digits. "0.52" is 52 scale 2,
 * "100.00" is 10000 scale 2.
 * @throws {ServiceError} VALIDATION_DECIMAL_INVALID names `field` and the value
 */
export function signedDecimal(text: DecimalString, field: string): SignedDecimal {
  if (typeof text === 'string' && text.length <= LENGTH_MAX && SIGNED_DECIMAL_PATTERN.test(text)) {
    const point = text.indexOf('.')
    const integer = BigInt(text.replace('.', ''))
    if (integer < UINT128) return { integer, scale: point < 0 ? 0 : text.length - point - 1 }
  }
  throw new ServiceError(
    'VALIDATION_DECIMAL_INVALID',
    `${field} is ${JSON.stringify(text)}; allowed: a decimal string of at most 18 fraction digits below 2^128, without sign or leading zeros`,
    { field, value: String(text) },
  )
}
