import { createHash } from 'node:crypto'

const DIGEST_LENGTH = 22

/** 132 bits of SHA-256, base64url: what an entity tag is made of. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH)
}

/**
 * The strong entity tag of an answer: of its `data`, its page, its correction chain and whether it is labelled stale. What every
 * answer has anew (request_id, published_at, spliced freshness) is no part of it.
 * @param digest  of the text of `data`
 * @param rest    JSON text of page and correction chain, and the label; empty: there is none
 */
export function entityTag(digest: string, rest: string): string {
  return rest === '' ? `"${digest}"` : `"${digestOf(`${digest} ${rest}`)}"`
}

const TAG = /\s*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/y

/**
 * Does the header If-None-Match name the tag? `*` names every one; tags are compared weakly (RFC 9110, 13.1.2). A header that is
 * no list of tags names none.
 */
export function matchesTag(if_none_match: string, tag: string): boolean {
  if (if_none_match.trim() === '*') return true
  TAG.lastIndex = 0
  for (let match = TAG.exec(if_none_match); match !== null; match = TAG.exec(if_none_match)) {
    if (match[1] === tag) return true
  }
  return false
}
