import { sha256 } from '@noble/hashes/sha2'
import { randomHex, toHex, utf8 } from '../platform.ts'

/** Parts of an order that its owner may leave to the client. */
export type MadeParts = {
  /** 24 hex digits. */
  readonly client_order_id: string
  /** 128 bits in decimal digits: no two orders of an account meet. */
  readonly order_nonce: string
}

/** Content of a request: one key of two requests gives different parts. */
export type Intent = { readonly idempotency_key: string | undefined; readonly of: readonly unknown[] }

/**
 * Makes the parts of an order. Without an Idempotency-Key they are random. With one they follow from it and from the intent, so that
 * a repeat, also by another process, is the same request; and after the service forgot the key, the nonce still refuses a second order.
 */
export function madeParts({ idempotency_key, of }: Intent): MadeParts {
  const digits =
    idempotency_key === undefined ? randomHex(28) : toHex(sha256(utf8(JSON.stringify([idempotency_key, of], sorted))))
  return { client_order_id: digits.slice(0, 24), order_nonce: BigInt(`0x${digits.slice(24, 56)}`).toString() }
}

/** Sorts the fields of objects, because their order has no meaning. */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
