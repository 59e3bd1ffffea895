import { policyInForce } from '../../pipelines/governance/proposal.ts'
import type { VersionFile } from '../../pipelines/index/definition-schema.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type DriftDraft, unmetBy } from '../governance/draft-of-drift.ts'
import { readGovernance } from '../governance/read-governance.ts'
import { readNotices } from './read-notices.ts'

/**
 * Returns the draft that a notice of drift published, byte by byte.
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND: no such notice of the index; REVIEW_STATE_CONFLICT: a later notice withdraws it;
 *   WAREHOUSE_CORRUPT: the text has another hash
 */
export async function draftOfNotice(
  warehouse: Warehouse,
  { index_id, notice_id }: { readonly index_id: string; readonly notice_id: string },
): Promise<DriftDraft> {
  const notices = await readNotices(warehouse)
  const notice = notices.find((one) => one.notice_id === notice_id)
  const allowed = `a notice of kind drift about ${index_id} that has a draft (tidemark governance notice list)`
  if (notice === undefined || notice.index_id !== index_id || notice.draft == null)
    throw notAllowed('GOVERNANCE_NOT_FOUND', 'notice', notice_id, allowed)
  const end = notices.find(({ follows_notice_id }) => follows_notice_id === notice_id)
  if (end !== undefined) {
    const anew = `a draft of constituents that are still ineligible (tidemark governance drift ${index_id})`
    throw notAllowed('REVIEW_STATE_CONFLICT', 'notice', `${notice_id}, withdrawn by notice ${end.notice_id}`, anew)
  }
  const { draft, draft_sha256 } = notice
  if (sha256Hex(draft) !== draft_sha256)
    throw notAllowed('WAREHOUSE_CORRUPT', 'draft_sha256', String(draft_sha256), `${sha256Hex(draft)}, of the draft`)
  const { versions } = JSON.parse(draft) as { readonly versions: readonly [VersionFile] }
  const [{ version, effective_from, change_summary = [] }] = versions
  const policy = policyInForce((await readGovernance(warehouse)).state)
  const earliest_effect_at = unmetBy(toMicros(effective_from), policy, await warehouse.now())
  const named = { index_id, version, effective_from: effective_from as Instant }
  return { ...named, rationale: change_summary, definition: draft, earliest_effect_at }
}
