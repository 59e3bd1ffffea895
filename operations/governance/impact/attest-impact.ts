import { kindOf } from '../../../pipelines/governance/impact/parse-impact.ts'
import { agreementOf, latestReports } from '../../../pipelines/governance/impact/runner-agreement.ts'
import { type RecordedReport, runnerReports } from '../../../pipelines/governance/impact/runner-reports.ts'
import { notAllowed } from '../../../primitives/errors.ts'
import { type Instant, toMicros } from '../../../primitives/instants.ts'
import type { ImpactAgreement, ImpactEngine } from '../../../vocabulary/governance.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import type { Signer } from '../../review/signing.ts'
import { nameOf } from '../governance-act-of.ts'
import { performGovernanceAct, signGovernanceAct } from '../perform-governance-act.ts'
import { readGovernance } from '../read-governance.ts'
import type { ComputedImpact } from './compute-impact.ts'

/** Impact of a change as its runners have signed it. */
export type SignedImpact = {
  readonly change_id: string
  readonly agreement: ImpactAgreement
  /** In the order of their signatures. */
  readonly reports: readonly RecordedReport[]
}

/**
 * Signs the digest of an impact as a runner, on record.
 * @returns the impact with this signature: it may dispute that of another runner
 * @throws {ServiceError} REVIEW_NOT_ALLOWED, VALIDATION_DEFINITION_INVALID
 */
export async function attestImpact(
  warehouse: Warehouse,
  signer: Signer,
  { document, text, impact_digest, engine }: ComputedImpact & { readonly engine: ImpactEngine },
): Promise<SignedImpact> {
  const { state } = await readGovernance(warehouse)
  const { change_id, base_hash, content_hash, change_class } = document
  const signed = signGovernanceAct(signer, {
    act: 'attest',
    kind: kindOf(document),
    subject_id: change_id,
    details: { base_hash, content_hash, impact_digest, change_class, engine, report: text },
    actor_id: nameOf(state, signer, null),
    acted_at: await warehouse.now(),
  })
  await performGovernanceAct(warehouse, signed)
  return showImpact(warehouse, { change_id, as_of: null })
}

/**
 * Returns the impact of a change as known at an instant.
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND: no runner has signed one
 */
export async function showImpact(
  warehouse: Warehouse,
  { change_id, as_of }: { readonly change_id: string; readonly as_of: Instant | null },
): Promise<SignedImpact> {
  const { acts } = await readGovernance(warehouse, as_of === null ? null : toMicros(as_of, 'as_of'))
  const reports = runnerReports(acts, change_id)
  if (reports.length > 0) return { change_id, agreement: agreementOf(latestReports(reports)), reports }
  const allowed = 'a change that a runner has signed an impact of (tidemark governance impact FILE)'
  throw notAllowed('GOVERNANCE_NOT_FOUND', 'change_id', change_id, allowed)
}
