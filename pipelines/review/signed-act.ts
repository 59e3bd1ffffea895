import { canonicalJson } from '../../primitives/canonical-json.ts'
import { microsOf } from '../../primitives/instants.ts'
import { notCanonical } from '../text/not-canonical.ts'
import { ACTS, type Act, actIdOf, signedText } from './acts.ts'
import type { ReviewSubject } from './subject.ts'

/** A signed act as submitted: the exact text, and the key that signed it. It contains no secret. */
export type SignedAct = {
  readonly signed_text: string
  /** 64 hex digits. */
  readonly public_key: string
  /** Ed25519, 128 hex digits. */
  readonly signature: string
}

/**
 * Parses the text of an act; the text is rebuilt from it and must be equal, so no signed content is ignored.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID
 */
export function parseAct(signed_text: string): Act & { readonly act_id: string } {
  const act = actOf(signed_text)
  if (act === null || signedText(act) !== signed_text) {
    throw notCanonical('signed_text', signed_text, 'the RFC 8785 form of an act of tidemark.review.v1')
  }
  return { ...act, act_id: actIdOf(act) }
}

const TABLES: readonly ReviewSubject['table'][] = ['market_rating', 'severity_assessment']

function actOf(text: string): Act | null {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
  const { act, subject, subject_id, record_id, details, actor_id } = value ?? {}
  const acted_at = microsOf(value?.acted_at)
  const is_whole =
    ACTS.some((name) => name === act) &&
    TABLES.some((table) => table === subject) &&
    typeof subject_id === 'string' &&
    (record_id === null || typeof record_id === 'string') &&
    typeof details === 'object' &&
    details !== null &&
    typeof actor_id === 'string' &&
    acted_at !== null
  if (!is_whole) return null
  return { act, subject, subject_id, record_id, details: JSON.parse(canonicalJson(details)), actor_id, acted_at } as Act
}
