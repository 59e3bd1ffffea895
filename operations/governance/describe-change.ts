import { baseHashOf, contentOfHash } from '../../pipelines/governance/base-of-change.ts'
import type { ProposedContent } from '../../pipelines/governance/change-form.ts'
import { refuseEmergency } from '../../pipelines/governance/check-new.ts'
import { type ContentDifference, contentDifferences } from '../../pipelines/governance/content-differences.ts'
import { recordHash } from '../../pipelines/governance/documents.ts'
import { checkEmergency, isStatusKind, statusOf, targetOf } from '../../pipelines/governance/index-change.ts'
import { changeIdOf, type GovernanceState } from '../../pipelines/governance/proposal.ts'
import { classOf, ruleOf } from '../../pipelines/governance/propose.ts'
import { isScheduledRebalance } from '../../pipelines/governance/scheduled-rebalance.ts'
import { methodologyContent } from '../../pipelines/governance/version-content.ts'
import { type ProposalKind, SCHEDULED_REBALANCE } from '../../vocabulary/governance.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { findIndex } from '../index/load-index.ts'
import { adoptionContent, contentOfFile, newestMethodology } from './change-of-file.ts'
import { rebalanceFaultsOf } from './check-rebalance.ts'
import { classOfChange } from './class-of-change.ts'
import { readGovernance } from './read-governance.ts'

/** Change that a file proposes, beside the record in force, or the published one of an index that is not governed. */
export type DescribedChange = {
  readonly kind: ProposalKind
  readonly target: string
  readonly base_hash: string | null
  /** Published version that it is compared with because acts put none in force; null: the base, or nothing. */
  readonly published_version: string | null
  readonly content_hash: string
  readonly change_id: string
  /** Class that the change would have; of a version by a replay now. */
  readonly change_class: string
  readonly differences: readonly ContentDifference[]
}

/**
 * Returns what a file would change. An emergency that could not be proposed is refused.
 * @param emergency its reason code; null: none is invoked
 * @throws {ServiceError} as contentOfFile, classOfChange and refuseEmergency
 */
export async function describeChange(
  warehouse: Warehouse,
  file: string,
  emergency: string | null = null,
  unknown_markets: 'allowed' | 'refused' = 'allowed',
): Promise<DescribedChange> {
  const { kind, content } = await contentOfFile(warehouse, file, unknown_markets)
  const { state } = await readGovernance(warehouse)
  const target = targetOf(kind, content)
  const base_hash = baseHashOf(state, { kind, content })
  const published = base_hash === null ? await publishedContent(warehouse, kind, target) : null
  const before = contentOfHash(state, target, base_hash) ?? published
  const wish = { kind, content, emergency }
  checkEmergency(kind, base_hash, emergency)
  refuseEmergency(state, { ...wish, target, base_hash })
  const content_hash = recordHash(content)
  return {
    kind,
    target,
    base_hash,
    published_version: published === null ? null : String(published.version),
    content_hash,
    change_id: changeIdOf({ base_hash, content_hash }),
    change_class: await classIn(warehouse, state, {
      ...wish,
      base_hash,
      is_new: base_hash === null && published === null,
    }),
    differences: contentDifferences(before ?? statusBefore(state, wish), content),
  }
}

type Wish = ProposedContent & { readonly emergency: string | null }

/** Returns the class that the change would have as a proposal; that of a version comes from a replay. */
async function classIn(
  warehouse: Warehouse,
  state: GovernanceState,
  wish: Wish & { readonly base_hash: string | null; readonly is_new: boolean },
): Promise<string> {
  const { kind, content, base_hash, emergency, is_new } = wish
  if (kind !== 'index_version')
    return classOf(state, { kind, content, base_hash, emergency, impact_digest: null, rationale: '' })
  if (emergency !== null) return 'emergency'
  if (isScheduledRebalance(state, { ...wish, impact_digest: null })) {
    const rule = ruleOf(state, SCHEDULED_REBALANCE, wish)
    if ((await rebalanceFaultsOf(warehouse, { content, rule })).length === 0) return SCHEDULED_REBALANCE
  }
  return is_new ? 'material' : (await classOfChange(warehouse, content, null)).change_class
}

/** Returns the newest published version of an index or methodology as the content of a proposal; null: there is none. */
async function publishedContent(
  warehouse: Warehouse,
  kind: ProposalKind,
  target: string,
): Promise<ProposedContent['content'] | null> {
  if (kind !== 'index_version' && kind !== 'methodology') return null
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    if (kind === 'methodology') {
      const newest = await newestMethodology(session, target)
      return newest === null ? null : methodologyContent(newest)
    }
    const known = await findIndex(session, target)
    return known === null || known.version_rows.length === 0 ? null : await adoptionContent(session, known)
  } finally {
    await session.close()
  }
}

/** Returns the status in force before the first proposal of one; null: the change is about something else. */
function statusBefore(state: GovernanceState, { kind, content }: Wish): object | null {
  return isStatusKind(kind) ? { status: statusOf(state, String(content.index_id)) } : null
}
