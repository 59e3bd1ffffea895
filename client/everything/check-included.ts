import { compareAnswer } from '../../pipelines/transparency/compare-answer.ts'
import { type RecordProof, verifyRecordProof } from '../../pipelines/transparency/record-proof.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { microsOf } from '../../primitives/instants.ts'
import type { PublicApi } from '../http/public-api.ts'
import { faultOf } from './answer-errors.ts'
import type { CheckedLog } from './check-log.ts'
import type { Facts } from './compare-shown.ts'
import type { Findings } from './report.ts'
import { judgeBeside } from './unproven-fields.ts'

/** Record as it is served, with its name in the log. */
export type ServedRecord = {
  readonly kind: string
  readonly record_id: string
  readonly published_at: string
  readonly record: unknown
  /** Path of its proof below /v1. */
  readonly proof: string
}

/**
 * Checks that a record is in the log as it is served. Most are found by the hash of what is served; a record that says what was known
 * since, such as the end of a version, is compared with the text of its proof.
 */
export async function checkIncluded(
  api: PublicApi,
  log: CheckedLog,
  served: ServedRecord,
  findings: Findings,
): Promise<void> {
  const { kind, record_id, published_at, record } = served
  const through = log.sealedThrough(kind)
  const at = microsOf(published_at)
  if (through === null || (at !== null && at > through)) return
  findings.count('included')
  const subject = `${kind} ${record_id}`
  const logged = log.hashOf({ kind, record_id, published_at })
  if (logged === null) findings.fail('included', subject, 'the log has no entry of it')
  else if (!sha256Hex(canonicalJson(record)).startsWith(logged)) await compareWithProof(api, log, served, findings)
}

async function compareWithProof(
  api: PublicApi,
  { key }: CheckedLog,
  served: ServedRecord,
  findings: Findings,
): Promise<void> {
  const { kind, record_id, record, proof } = served
  try {
    const found = await api.read<RecordProof>(proof)
    verifyRecordProof(found, key)
    const text = JSON.parse(found.record_text) as unknown
    if (Array.isArray(record)) {
      if (canonicalJson(record) !== found.record_text)
        findings.fail('included', `${kind} ${record_id}`, 'it is served otherwise than it was logged')
    } else checkBeside(served, compareAnswer(record, text, kind).added, findings)
  } catch (error) {
    findings.fail('included', `${kind} ${record_id}`, faultOf(error))
  }
}

/** Checks the fields that a record is served with and was not logged with. */
function checkBeside({ kind, record_id, record }: ServedRecord, added: readonly string[], findings: Findings): void {
  const { false_field, unknown } = judgeBeside(kind, record as Facts, added)
  if (false_field !== null)
    findings.fail('included', `${kind} ${record_id}`, `${false_field} has a value, and was logged without one`)
  if (unknown.length > 0)
    findings.skip('included', `not known to this release, so not checked: ${kind} ${unknown.join(', ')}`)
}
