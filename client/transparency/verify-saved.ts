import { parseProofJson } from '../../pipelines/transparency/proof-json.ts'
import { type ProvenReceipt, verifyReceipt } from '../../pipelines/transparency/receipt.ts'
import {
  type ProvenEntry,
  parseRecordProof,
  type RecordProof,
  verifyRecordProof,
} from '../../pipelines/transparency/record-proof.ts'
import { parseKey } from '../../pipelines/transparency/signed-note.ts'

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
export function verifySavedReceipt(answer: unknown, vkey: string): ProvenReceipt {
  return verifyReceipt(typeof answer === 'string' ? parseProofJson(answer, 'answer') : answer, parseKey(vkey))
}
