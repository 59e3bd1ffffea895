import { adoptionOf } from '../../operations/governance/change-of-file.ts'
import { proposalOfChange } from '../../operations/governance/governance-act-of.ts'
import { performGovernanceAct } from '../../operations/governance/perform-governance-act.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { governanceActs } from './governance-world.ts'
import type { Person } from './review-world.ts'

/** Adopts a published index, under a policy that gives changes of text no notice. */
export async function governIndex(
  warehouse: Warehouse,
  index_id: string,
  { by, signed_by }: { readonly by: Person; readonly signed_by: Person },
): Promise<void> {
  const kind = 'index_adoption'
  const { content } = await adoptionOf(warehouse, index_id)
  const wish = { kind, content, rationale: 'a test', emergency: null, base_hash: null } as const
  const { proposal } = await performGovernanceAct(warehouse, await proposalOfChange(warehouse, by.signer, wish))
  const details = { choice: 'approve', reason: null }
  const vote = { act: 'vote', kind, subject_id: proposal!.proposal_id, details } as const
  await governanceActs(warehouse).perform(signed_by, vote)
}
