import type { ProposedContent } from '../../pipelines/governance/change-form.ts'
import { type ContentDifference, contentDifferences } from '../../pipelines/governance/content-differences.ts'
import { recordHash } from '../../pipelines/governance/documents.ts'
import { proposalOfHash, targetOf } from '../../pipelines/governance/index-change.ts'
import { changeIdOf } from '../../pipelines/governance/proposal.ts'
import type { ProposalKind } from '../../vocabulary/governance.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { contentOfFile } from './change-of-file.ts'
import { classOfChange } from './class-of-change.ts'
import { readGovernance } from './read-governance.ts'

/** Change that a file proposes, beside the record in force. */
export type DescribedChange = {
  readonly kind: ProposalKind
  readonly target: string
  readonly base_hash: string | null
  readonly content_hash: string
  readonly change_id: string
  /** Class by a replay now; null: the kind has no replay. */
  readonly change_class: string | null
  readonly differences: readonly ContentDifference[]
}

/** Returns what a file would change. @throws {ServiceError} as contentOfFile and classOfChange */
export async function describeChange(warehouse: Warehouse, file: string): Promise<DescribedChange> {
  const { kind, content } = await contentOfFile(warehouse, file)
  const { state } = await readGovernance(warehouse)
  const target = targetOf(kind, content)
  const base_hash = state.heads.get(target) ?? null
  const before = proposalOfHash(state, target, base_hash)
  const content_hash = recordHash(content)
  return {
    kind,
    target,
    base_hash,
    content_hash,
    change_id: changeIdOf({ base_hash, content_hash }),
    change_class: await classIn(warehouse, { kind, content, base_hash }),
    differences: contentDifferences(before?.content ?? null, content),
  }
}

async function classIn(
  warehouse: Warehouse,
  { kind, content, base_hash }: ProposedContent & { readonly base_hash: string | null },
): Promise<string | null> {
  if (kind !== 'index_version') return null
  return base_hash === null ? 'material' : (await classOfChange(warehouse, content, null)).change_class
}
