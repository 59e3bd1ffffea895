import {
  BUILT_IN_POLICY,
  checkEligibilityPolicy,
  type EligibilityPolicy,
  eligibilityPolicy,
  parseEligibilityPolicy,
} from '../../pipelines/eligibility/policy.ts'
import { recordHash } from '../../pipelines/governance/documents.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { isGovernedHome } from '../governance/governed-home.ts'
import { readGovernance } from '../governance/read-governance.ts'
import { openAppendGuard, PlanOvertaken } from '../import/append-guard.ts'
import { readInput } from '../review/read-input.ts'

/** A version of a policy as published. */
export type PublishedPolicy = {
  readonly document: EligibilityPolicy
  readonly record_hash: string
  /** null: it was applied without governance, or is built in. */
  readonly proposal_id: string | null
  /** null: it is built in. */
  readonly effective_from: Instant | null
  /** null: it is built in, or not published. */
  readonly published_at: Instant | null
}

const BUILT_IN: PublishedPolicy = {
  document: BUILT_IN_POLICY,
  record_hash: recordHash(BUILT_IN_POLICY),
  proposal_id: null,
  effective_from: null,
  published_at: null,
}

/** Returns every version of every policy, the built-in one first. */
export async function readPolicies(session: ReadSession): Promise<readonly PublishedPolicy[]> {
  const rows = await session.query(readSql(import.meta.url, 'sql/eligibility_policies.sql'))
  const published = rows.map((row) => ({
    document: JSON.parse(String(row.document)) as EligibilityPolicy,
    record_hash: String(row.record_hash),
    proposal_id: row.proposal_id == null ? null : String(row.proposal_id),
    effective_from: String(row.effective_from),
    published_at: String(row.published_at),
  }))
  return [BUILT_IN, ...published]
}

/**
 * Returns a version of a policy.
 * @param version null: the newest
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND
 */
export function findPolicy(
  policies: readonly PublishedPolicy[],
  policy_id: string,
  version: number | null,
): PublishedPolicy {
  const found = lookUp(policies, policy_id, version)
  if (found !== undefined) return found
  const known = policies.map(({ document }) => nameOf(document))
  const seen = nameOf({ policy_id, version })
  throw notAllowed('GOVERNANCE_NOT_FOUND', 'eligibility_policy', seen, `a published policy: ${known.join(', ')}`)
}

/**
 * Returns a version of a policy as known at an instant. One that was published later is refused with the instant of its publication.
 * @param version null: the newest; as_of null: now
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND
 */
export async function findPolicyAt(
  warehouse: Warehouse,
  known: readonly PublishedPolicy[],
  wish: { readonly policy_id: string; readonly version: number | null; readonly as_of: Instant | null },
): Promise<PublishedPolicy> {
  const { policy_id, version, as_of } = wish
  if (as_of === null || lookUp(known, policy_id, version) !== undefined) return findPolicy(known, policy_id, version)
  const later = (await listPolicies(warehouse, null)).filter(({ document }) => document.policy_id === policy_id)
  const first = later.find(({ document }) => version === null || document.version === version)
  if (first?.published_at == null) return findPolicy(known, policy_id, version)
  const allowed = `${first.published_at} or later: ${nameOf(first.document)} was first published then`
  throw notAllowed('GOVERNANCE_NOT_FOUND', 'as_of', as_of, allowed)
}

function lookUp(policies: readonly PublishedPolicy[], policy_id: string, version: number | null) {
  const of_id = policies.filter(({ document }) => document.policy_id === policy_id)
  return version === null ? of_id.at(-1) : of_id.find(({ document }) => document.version === version)
}

function nameOf({ policy_id, version }: { readonly policy_id: string; readonly version: number | null }): string {
  return version === null ? policy_id : `${policy_id} version ${version}`
}

/** Returns every version of every policy as known at an instant (null: now). */
export async function listPolicies(warehouse: Warehouse, as_of: Instant | null): Promise<readonly PublishedPolicy[]> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables: ['eligibility_policy'] })
  try {
    return await readPolicies(session)
  } finally {
    await session.close()
  }
}

/** Returns the next version of the policy that a file describes, after the newest published one. */
export async function nextPolicy(
  warehouse: Warehouse,
  file: string,
): Promise<{ readonly document: EligibilityPolicy; readonly before: PublishedPolicy | null }> {
  const content = parseEligibilityPolicy(await readInput(file), file)
  const policies = await listPolicies(warehouse, null)
  const before = policies.findLast(({ document }) => document.policy_id === content.policy_id) ?? null
  const known = before === null ? null : { version: before.document.version, record_hash: before.record_hash }
  return { document: eligibilityPolicy(content, known), before }
}

/** Result of applying a policy file. */
export type AppliedPolicy = {
  readonly policy_id: string
  readonly version: number
  readonly record_hash: string
  /** false: the newest version says the same already. */
  readonly published: boolean
}

/**
 * Publishes a policy in a home that is not governed; the same content again adds nothing.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID; GOVERNANCE_REQUIRED: the home is governed, so that it is proposed
 */
export async function applyPolicy(warehouse: Warehouse, file: string): Promise<AppliedPolicy> {
  const { state } = await readGovernance(warehouse)
  const guard = await openAppendGuard(warehouse, ['eligibility_policy'])
  const { document, before } = await nextPolicy(warehouse, file)
  const { policy_id } = document
  if (state.heads.has(policy_id) || isGovernedHome(state))
    throw new ServiceError(
      'GOVERNANCE_REQUIRED',
      `policy ${policy_id} is governed; allowed: tidemark governance eligibility propose FILE`,
      { field: 'policy_id', value: policy_id },
    )
  if (before !== null && contentOf({ document }) === contentOf(before)) {
    const { version } = before.document
    return { policy_id, version, record_hash: before.record_hash, published: false }
  }
  checkEligibilityPolicy(document, before)
  const record_hash = recordHash(document)
  const { version, previous_hash, name } = document
  const effective_from = formatMicros(await warehouse.now())
  const row = {
    ...{ policy_id, version, name, record_hash, previous_hash, proposal_id: null, effective_from },
    ...{ document: canonicalJson(document), act_id: null },
  }
  const step = { app_id: `APPLY_POLICY/${record_hash}`, app_sequence: 1, stamp: { kind: 'wall' } } as const
  try {
    await guard.append('eligibility_policy', [row], { ...step, operation: 'APPLY_POLICY' })
    return { policy_id, version, record_hash, published: true }
  } catch (error) {
    if (error instanceof PlanOvertaken) return applyPolicy(warehouse, file)
    throw error
  }
}

/** Hash of what a version says, whatever its number. */
function contentOf({ document }: Pick<PublishedPolicy, 'document'>): string {
  return recordHash({ ...document, version: 0, previous_hash: null })
}
