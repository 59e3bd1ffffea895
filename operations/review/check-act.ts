import { sameValue } from '../../pipelines/review/same-value.ts'
import { parseAct } from '../../pipelines/review/signed-act.ts'
import type { ReviewRow, ReviewSubject } from '../../pipelines/review/subject.ts'
import { isServiceError } from '../../primitives/errors.ts'
import type { Row } from '../../warehouse/schema.ts'
import { SERVICE } from './perform-act.ts'
import { isSignedBy } from './signing.ts'

/** Fault of a recorded act: the rule that it breaks. */
export type ActFault = { readonly rule: string; readonly detail: string }

/**
 * Checks that an act is as its actor signed it, and that its published records match it. The service signs nothing: its own acts must be
 * ends of overrides.
 * @param published the stored records of the act by their ids; empty: they are still to be published
 */
export function checkAct(
  subject: ReviewSubject,
  act_row: Row,
  published: ReadonlyMap<string, ReviewRow>,
): ActFault | null {
  return checkText(act_row) ?? checkSignature(act_row) ?? checkPublished(subject, act_row, published)
}

function checkText(row: Row): ActFault | null {
  try {
    const { act_id, act, subject, subject_id, actor_id, acted_at } = parseAct(String(row.signed_text))
    const stated = { act_id, act, subject, subject_id, actor_id }
    const wrong = Object.entries(stated).find(([field, value]) => row[field] !== value)
    if (wrong !== undefined)
      return fault('act_text', `${wrong[0]} is ${row[wrong[0]]}; the text that was signed says ${wrong[1]}`)
    return acted_at === null ? fault('act_text', 'it has no instant') : null
  } catch (error) {
    if (!isServiceError(error)) throw error
    return fault('act_text', error.message)
  }
}

function checkSignature({ act, actor_id, signed_text, signature, public_key }: Row): ActFault | null {
  if (actor_id === SERVICE.actor_id && signature === null)
    return act === 'expire' ? null : fault('act_signature', `${act} by ${actor_id} has no signature`)
  const is_signed =
    typeof signature === 'string' &&
    typeof public_key === 'string' &&
    isSignedBy(String(signed_text), signature, public_key)
  return is_signed ? null : fault('act_signature', `the signature is not of this text by the key of ${actor_id}`)
}

function checkPublished(subject: ReviewSubject, row: Row, published: ReadonlyMap<string, ReviewRow>): ActFault | null {
  const records = JSON.parse(String(row.records)) as ReviewRow[]
  const [first] = records
  if (first === undefined || first.chain_id !== row.chain_id || first.revision !== row.revision)
    return fault('act_records', `its first record is not revision ${row.revision} of ${row.chain_id}`)
  if (published.size === 0) return null
  for (const record of records) {
    const id = String(record[subject.id_field])
    const stored = published.get(id)
    if (stored === undefined) return fault('act_records', `${id} follows from it, and is not published`)
    const field = Object.keys(record).find((name) => !sameValue(stored[name], record[name]))
    if (field !== undefined) return fault('act_records', `${field} of ${id} is published otherwise than the act says`)
  }
  return published.size === records.length
    ? null
    : fault('act_records', `${published.size} records name it, ${records.length} follow from it`)
}

function fault(rule: string, detail: string): ActFault {
  return { rule, detail }
}
