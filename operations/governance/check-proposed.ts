import { isStricter } from '../../pipelines/governance/change-class.ts'
import { checkNewProposal } from '../../pipelines/governance/check-new.ts'
import { recordHash } from '../../pipelines/governance/documents.ts'
import { isGoverned } from '../../pipelines/governance/index-change.ts'
import { changeIdOf, type GovernanceState, type Proposal } from '../../pipelines/governance/proposal.ts'
import { contentHashOf } from '../../pipelines/governance/propose.ts'
import { methodologyOfContent, versionOfContent, weightsOf } from '../../pipelines/governance/version-content.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { isServiceError, notAllowed, ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { DOCUMENT_KINDS, SCHEDULED_REBALANCE } from '../../vocabulary/governance.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { checkLegs } from '../index/check-legs.ts'
import { checkSources } from '../index/check-sources.ts'
import { findIndex, loadIndex } from '../index/load-index.ts'
import { checkSuccession, isPublished, planIndex, planMethodology } from '../index/plan-definition.ts'
import { resolveWeights } from '../index/resolve-weights.ts'
import { selectProposed } from '../selection/select-proposed.ts'
import { adoptionContent } from './change-of-file.ts'
import { checkRebalance } from './check-rebalance.ts'
import { classOfChange } from './class-of-change.ts'
import { checkRestatement } from './restate-levels.ts'

/**
 * Refuses a proposal that the published records do not allow, or whose class a replay finds stricter than the runners did.
 * @throws {ServiceError} VALIDATION_*, REVIEW_STATE_CONFLICT, GOVERNANCE_REQUIRED, GOVERNANCE_IMPACT_REQUIRED, INDEX_*
 */
export async function checkProposed(warehouse: Warehouse, state: GovernanceState, proposal: Proposal): Promise<void> {
  checkNewProposal(state, proposal)
  await checkPublishable(warehouse, state, proposal)
  if (proposal.kind !== 'index_version') return
  await checkWeights(warehouse, proposal)
  const has_impact = proposal.base_hash !== null && proposal.change_class !== SCHEDULED_REBALANCE
  if (has_impact) await checkClass(warehouse, state, proposal)
}

/**
 * Refuses a change that cannot be carried out on the published records: when it is proposed, and again when it is due.
 * @param due_at instant at which it is due; null: it is proposed now
 * @throws {ServiceError} VALIDATION_*, GOVERNANCE_REQUIRED, GOVERNANCE_IMPACT_REQUIRED, INDEX_*
 */
export async function checkPublishable(
  warehouse: Warehouse,
  state: GovernanceState,
  proposal: Proposal,
  due_at: Micros | null = null,
): Promise<void> {
  if (proposal.kind === 'restatement') return checkRestatement(warehouse, proposal, due_at)
  if (DOCUMENT_KINDS.some((kind) => kind === proposal.kind)) return
  if (proposal.change_class === SCHEDULED_REBALANCE) await checkRebalance(warehouse, proposal)
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    switch (proposal.kind) {
      case 'index_version':
        return await checkVersion(warehouse, session, state, proposal)
      case 'index_adoption':
        return await checkAdoption(session, proposal)
      case 'methodology':
        planMethodology(methodologyOfContent(proposal.content), await methodologiesOf(session), WALL)
        return
      default:
        await loadIndex(session, String(proposal.content.index_id))
    }
  } finally {
    await session.close()
  }
}

/** Reports whether published records refuse a change; any other error is a fault of the service, which is tried again. */
export function isRefusal(error: unknown): error is ServiceError {
  return isServiceError(error) && /^(VALIDATION|GOVERNANCE|INDEX)_/.test(error.code)
}

const WALL = { kind: 'wall' } as const

async function methodologiesOf(session: ReadSession) {
  return session.query(readSql(import.meta.url, '../sql/methodologies.sql'))
}

async function checkVersion(
  warehouse: Warehouse,
  session: ReadSession,
  state: GovernanceState,
  { content }: Proposal,
): Promise<void> {
  const { definition, defined, supersedes_version_id } = versionOfContent(content)
  const { index_id } = definition.index
  const known = await findIndex(session, index_id)
  if (known !== null && !isGoverned(state, index_id))
    throw new ServiceError(
      'GOVERNANCE_REQUIRED',
      `index ${index_id} is published and not governed; allowed: tidemark governance adopt ${index_id} first`,
      { field: 'index_id', value: index_id },
    )
  if (isPublished(defined, known))
    throw notAllowed(
      'VALIDATION_VERSION_PUBLISHED',
      'version',
      `${defined.version.version}, published`,
      'a new version',
    )
  const last = known?.version_rows.at(-1)?.index_version_id ?? null
  if (supersedes_version_id !== last)
    throw notAllowed(
      'VALIDATION_DEFINITION_INVALID',
      'supersedes_version_id',
      supersedes_version_id ?? 'none',
      `${last ?? 'none'}, the newest version`,
    )
  checkSources(definition)
  await checkLegs({ versions: [defined] }, session)
  if (known !== null) await checkSuccession([defined], known, session)
  planMethodology(definition, await methodologiesOf(session), WALL)
  planIndex(definition, known, WALL, await warehouse.now())
  await selectProposed(warehouse, { definition, defined }, known)
}

async function checkAdoption(session: ReadSession, { content }: Proposal): Promise<void> {
  const known = await loadIndex(session, String(content.index_id))
  const wanted = recordHash(await adoptionContent(session, known))
  if (recordHash(content) === wanted) return
  throw notAllowed(
    'VALIDATION_DEFINITION_INVALID',
    'content',
    recordHash(content),
    `${wanted}, the hash of the newest version as published`,
  )
}

/** The rule of a version gives its weights; what a proposer writes does not. Those of selected constituents are checked with them. */
async function checkWeights(warehouse: Warehouse, { content }: Proposal): Promise<void> {
  const { defined } = versionOfContent(content)
  if (defined.selection !== null) return
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const [seen, wanted] = [weightsOf(defined), weightsOf(await resolveWeights(defined, session))].map(canonicalJson)
    if (seen !== wanted)
      throw notAllowed('VALIDATION_DEFINITION_INVALID', 'target_weights', seen!, `${wanted}, by the weighting rule`)
  } finally {
    await session.close()
  }
}

/** The runners' class holds unless a replay now finds a stricter one. */
async function checkClass(warehouse: Warehouse, state: GovernanceState, proposal: Proposal): Promise<void> {
  const change_id = changeIdOf({ ...proposal, content_hash: contentHashOf(proposal) })
  const [attested] = [...(state.attestations.get(change_id) ?? new Map()).values()]
  const signed = attested?.change_class
  if (signed !== 'text' && signed !== 'parameter') return
  const { change_class, basis_points_max } = await classOfChange(warehouse, proposal.content, null)
  if (!isStricter(change_class, signed)) return
  const seen = `${signed}, and ${change_class} by replay (largest difference ${basis_points_max ?? 'without a ratio'} bp)`
  throw notAllowed('GOVERNANCE_IMPACT_REQUIRED', 'change_class', seen, 'an impact that runners sign anew')
}
