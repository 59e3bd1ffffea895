import type { DecimalString } from '../../primitives/decimal-string.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Hex } from './typed-data.ts'

const ADDRESS_PATTERN = /^0x[0-9a-fA-F]{40}$/
const BYTES32_PATTERN = /^0x[0-9a-fA-F]{64}$/
const UINT256_PATTERN = /^(0|[1-9]\d{0,77})$/
const UINT256 = 1n << 256n

/**
 * An address in lower case. The mixed case of a checksum is allowed and not looked at: a mistyped address verifies nothing.
 * @throws {ServiceError} VALIDATION_BODY_INVALID
 */
export function checkedAddress(text: unknown, field: string): Hex {
  if (typeof text === 'string' && ADDRESS_PATTERN.test(text)) return text.toLowerCase() as Hex
  throw invalid(field, text, '0x and 40 hex digits')
}

/** @throws {ServiceError} VALIDATION_BODY_INVALID */
export function checkedBytes32(text: unknown, field: string): Hex {
  if (typeof text === 'string' && BYTES32_PATTERN.test(text)) return text.toLowerCase() as Hex
  throw invalid(field, text, '0x and 64 hex digits')
}

/** A uint256 given in decimal digits. @throws {ServiceError} VALIDATION_BODY_INVALID */
export function checkedUint256(text: unknown, field: string): bigint {
  if (typeof text === 'string' && UINT256_PATTERN.test(text)) {
    const value = BigInt(text)
    if (value < UINT256) return value
  }
  throw invalid(field, text, 'decimal digits of an integer in [0, 2^256), as a string')
}

/** Unix seconds as a JSON integer. @throws {ServiceError} VALIDATION_BODY_INVALID */
export function checkedSeconds(value: unknown, field: string): bigint {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return BigInt(value as number)
  throw invalid(field, value, 'Unix seconds, 0 for none')
}

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

function invalid(field: string, value: unknown, allowed: string): ServiceError {
  const text = typeof value === 'string' ? value : String(value)
  return new ServiceError('VALIDATION_BODY_INVALID', `${field} is ${JSON.stringify(text)}; allowed: ${allowed}`, {
    field,
    value: text,
  })
}
