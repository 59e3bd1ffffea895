import { parseProofJson } from '../../pipelines/transparency/proof-json.ts'
import { type ProvenReceipt, verifyReceipt } from '../../pipelines/transparency/receipt.ts'
import {
  type ProvenEntry,
  parseRecordProof,
  type RecordProof,
  verifyRecordProof,
} from '../../pipelines/transparency/record-proof.ts'
import { parseKey } from '../../pipelines/transparency/signed-note.ts'
import { missingFields } from './missing-fields.ts'

/**
 * Verifies that a record is in a log, from the `data` of its proof or from the text of its offline file.
 * @param vkey  verifier key of the log, from a source other than the service
 * @throws {ServiceError} PROOF_INVALID names what does not verify
 */
export function verifyRecord(proof: RecordProof | string, vkey: string): ProvenEntry {
  return verifyRecordProof(typeof proof === 'string' ? parseRecordProof(proof) : proof, parseKey(vkey))
}

/**
 * Verifies a saved answer that was asked for with receipt=true. What it does not prove is in `unproven`.
 * @param answer  its text as saved; in an answer that was parsed, a key that the text had twice can no longer be seen
 * @param vkey  verifier key of the log, from a source other than the service
 * @throws {ServiceError} PROOF_INVALID names what does not verify
 */
export function verifySavedReceipt(answer: unknown, vkey: string): SavedReceipt {
  const parsed = typeof answer === 'string' ? parseProofJson(answer, 'answer') : answer
  const proven = verifyReceipt(parsed, parseKey(vkey))
  const missing_fields = missingFields(parsed, kindsOf(proven, parsed))
  const absent = `${missing_fields.join(', ')}: the contract has them, and the answer does not show them`
  return { ...proven, unproven: [...(missing_fields.length === 0 ? [] : [absent]), ...proven.unproven], missing_fields }
}

/** Facts that a saved answer has shown, and the fields of the contract that it lacks. */
type SavedReceipt = ProvenReceipt & { readonly missing_fields: readonly string[] }

/** Returns the kind of the record of each item; a list that is one record has one kind. */
function kindsOf({ record, records }: ProvenReceipt, answer: unknown): readonly string[] {
  const { data } = answer as { readonly data: unknown }
  if (record !== null) return (Array.isArray(data) ? data : [data]).map(() => record.entry.kind)
  return records.map(({ entry }) => entry.kind)
}
