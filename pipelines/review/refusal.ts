import { canonicalJson } from '../../primitives/canonical-json.ts'
import { deriveId, sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { ActName } from './acts.ts'
import type { ReviewSubject, Value } from './subject.ts'

/** A requested act, before it is known whether it is allowed. */
export type Wish = {
  readonly act: ActName
  /** The record to act on; null: the act creates a chain. */
  readonly record_id: string | null
  readonly details: Readonly<Record<string, Value>>
}

/** A requested act with its signer; fields that a malformed text does not give are null. */
export type Attempt = {
  readonly subject: ReviewSubject['table'] | 'governance'
  readonly act: string | null
  /** Record, or proposal. */
  readonly record_id: string | null
  /** The member who owns the key; null: nobody in the roster, or the signature does not match the text. */
  readonly actor_id: string | null
  readonly public_key: string
  readonly signed_text: string
  readonly signature: string
  readonly acted_at: Micros | null
}

/** A refused attempt as stored. `refusal_id` is derived from the signed text and the reason: a retry is the same refusal. */
export type RefusalRow = Omit<Attempt, 'acted_at'> & {
  readonly refusal_id: string
  readonly acted_at: string | null
  /** Code and message of the error returned to the actor. */
  readonly code: string
  readonly message: string
}

/** Returns the exact text signed for a refused act: RFC 8785. An allowed act has a text of its own. */
export function wishText(
  subject: ReviewSubject['table'],
  wish: Wish,
  by: { readonly actor_id: string | null; readonly acted_at: Micros },
): string {
  const acted_at = formatMicros(by.acted_at)
  return canonicalJson({ statement: 'tidemark.review.refused.v1', subject, ...wish, actor_id: by.actor_id, acted_at })
}

/** Returns the record of a refusal. */
export function refusalRow(attempt: Attempt, refused: { readonly code: string; readonly message: string }): RefusalRow {
  const { signed_text, public_key, signature, acted_at } = attempt
  return {
    ...attempt,
    refusal_id: deriveId('rfs', public_key, signature, signed_text, refused.code),
    acted_at: acted_at === null ? null : formatMicros(acted_at),
    code: refused.code,
    message: refused.message,
  }
}

/** Longest form stored as text; of a longer one only the hash is stored. */
const FORM_CHARACTERS_MAX = 65_536

/** Returns the request to submit a form, with the form as written. */
export function submitWish(form: string, record_id: string | null): Wish {
  const details = form.length > FORM_CHARACTERS_MAX ? { form_sha256: sha256Hex(form) } : { form }
  return { act: 'submit', record_id, details }
}
