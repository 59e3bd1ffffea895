import { createHash } from 'node:crypto'
import { plainTag } from './content-coding.ts'

const DIGEST_LENGTH = 22

/** Returns 132 bits of SHA-256, base64url, for entity tags. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, DIGEST_LENGTH)
}

/**
 * Returns the strong entity tag of a response: it covers `data`, page, correction chain and the stale label, but not the fields
 * that differ in every response (request_id, published_at, spliced freshness).
 * @param digest  of the text of `data`
 * @param rest    JSON text of page and correction chain, and the label; empty: none
 */
export function entityTag(digest: string, rest: string): string {
  return rest === '' ? `"${digest}"` : `"${digestOf(`${digest} ${rest}`)}"`
}

const TAG = /\s*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/y

/**
 * Returns the tag in If-None-Match that names the response in any content coding; null: none does. `*` names every response; tags
 * are compared weakly (RFC 9110, 13.1.2). A malformed header names none.
 */
export function heldTag(if_none_match: string, tag: string): string | null {
  if (if_none_match.trim() === '*') return tag
  TAG.lastIndex = 0
  for (let match = TAG.exec(if_none_match); match !== null; match = TAG.exec(if_none_match)) {
    const held = match[1]!
    if (held === tag || plainTag(held) === tag) return held
  }
  return null
}
