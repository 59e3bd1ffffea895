import { isGoverned } from '../../pipelines/governance/index-change.ts'
import { type GovernanceState, policyInForce, rosterInForce } from '../../pipelines/governance/proposal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { SANDBOX_ACTOR_PREFIX } from '../../vocabulary/governance.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { readGovernance } from './read-governance.ts'

/** Index that somebody would publish without a proposal. */
type Ungoverned = { readonly index_id: string; readonly is_published: boolean; readonly is_invented: boolean }

/**
 * Refuses to publish indexes without a proposal where proposals decide: governed indexes everywhere, others in a home with a roster
 * and a policy. In a sandbox, whose members are invented, one person still may.
 * @throws {ServiceError} GOVERNANCE_REQUIRED
 */
export async function refuseUngoverned(warehouse: Warehouse, indexes: readonly Ungoverned[]): Promise<void> {
  if (indexes.length === 0) return
  const { state } = await readGovernance(warehouse)
  const is_open = !isGovernedHome(state)
  for (const { index_id, is_published, is_invented } of indexes) {
    if (isGoverned(state, index_id)) throw required(index_id, 'governed', 'tidemark governance propose FILE')
    if (is_open || is_invented) continue
    const adopt = `tidemark governance adopt ${index_id}, then tidemark governance propose FILE`
    throw required(index_id, 'in a home with a roster', is_published ? adopt : 'tidemark governance propose FILE')
  }
}

/** Reports whether people other than those of a sandbox decide in a home. */
export function isGovernedHome(state: GovernanceState): boolean {
  return policyInForce(state) !== null && hasOwnRoster(state)
}

/** Reports whether a roster of people is in force, and not that of a sandbox. */
export function hasOwnRoster(state: GovernanceState): boolean {
  const roster = rosterInForce(state)
  if (roster === null) return false
  const administrators = roster.document.members.filter(({ roles }) => roles.includes('administrator'))
  return !administrators.every(({ actor_id }) => actor_id.startsWith(SANDBOX_ACTOR_PREFIX))
}

function required(index_id: string, seen: string, allowed: string): ServiceError {
  return new ServiceError('GOVERNANCE_REQUIRED', `index ${index_id} is ${seen}; allowed: ${allowed}`, {
    field: 'index_id',
    value: index_id,
  })
}
