import { canonicalJson } from '../../primitives/canonical-json.ts'
import { deriveId, sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { ActName } from './acts.ts'
import type { ReviewSubject, Value } from './subject.ts'

/** What somebody asks for, before it is known whether it may be done. */
export type Wish = {
  readonly act: ActName
  /** The record to act upon; null: the act begins a chain. */
  readonly record_id: string | null
  readonly details: Readonly<Record<string, Value>>
}

/** A wish with who signed it; what a text that is no act does not say is null. */
export type Attempt = {
  readonly subject: ReviewSubject['table']
  readonly act: ActName | null
  readonly record_id: string | null
  /** The member whose key it is; null: nobody of the roster, or the signature is not of the text. */
  readonly actor_id: string | null
  readonly public_key: string
  readonly signed_text: string
  readonly signature: string
  readonly acted_at: Micros | null
}

/** A refused attempt as it is stored. `refusal_id` is of what was signed and why it was refused: a retry is the same refusal. */
export type RefusalRow = Omit<Attempt, 'acted_at'> & {
  readonly refusal_id: string
  readonly acted_at: string | null
  /** The error's code and sentence, as the actor was told. */
  readonly code: string
  readonly message: string
}

/** The exact text that is signed of a wish which is refused: RFC 8785. An act that was allowed has a text of its own. */
export function wishText(
  subject: ReviewSubject['table'],
  wish: Wish,
  by: { readonly actor_id: string | null; readonly acted_at: Micros },
): string {
  const acted_at = formatMicros(by.acted_at)
  return canonicalJson({ statement: 'tidemark.review.refused.v1', subject, ...wish, actor_id: by.actor_id, acted_at })
}

/** The record of a refusal. */
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

/** A longer form is known by its hash alone. */
const FORM_CHARACTERS_MAX = 65_536

/** The wish to submit a form, with the form as it was written. */
export function submitWish(form: string, record_id: string | null): Wish {
  const details = form.length > FORM_CHARACTERS_MAX ? { form_sha256: sha256Hex(form) } : { form }
  return { act: 'submit', record_id, details }
}
