import canonicalize from 'canonicalize'
import { invariant } from './errors.ts'
import { sha256Hex } from './ids.ts'

/** The RFC 8785 form of a JSON value. Numbers should be integers: decimals are strings here. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  invariant(text !== undefined, 'canonicalJson: the value has no JSON form')
  return text
}

/** SHA-256 of the RFC 8785 form, as `sha256:<hex>`. */
export function contentHash(value: unknown): `sha256:${string}` {
  return `sha256:${sha256Hex(canonicalJson(value))}`
}
