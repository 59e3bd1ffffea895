import type { GovernanceState } from '../../../pipelines/governance/proposal.ts'
import type { Definition } from '../../../pipelines/index/definition.ts'
import type { IndexSpec, IndexVersion } from '../../../pipelines/index/version.ts'
import type { ReadSession } from '../../../warehouse/read/session.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { checkLegs } from '../../index/check-legs.ts'
import { checkSources } from '../../index/check-sources.ts'
import { findIndex, specOfDefinition } from '../../index/load-index.ts'
import { proposedVersion, unpublishedVersion } from '../proposed-version.ts'
import { type NamedChange, namedChange } from './open-change.ts'

/** A change of an index that a definition file describes, beside what is published. */
export type ImpactChange = NamedChange & {
  /** Identity, unit and base value of the index. */
  readonly index: IndexSpec
  /** Newest published version; null: a new index. */
  readonly base: IndexVersion | null
  readonly next: IndexVersion
}

/**
 * Returns the change that a definition file describes: its only version that is not published yet, after the newest one that is.
 * @param state governance as known at the session's as_of
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_VERSION_PUBLISHED, INDEX_SOURCE_NOT_ELIGIBLE, INDEX_CAP_*
 */
export async function impactChange(
  warehouse: Warehouse,
  session: ReadSession,
  state: GovernanceState,
  definition: Definition,
): Promise<ImpactChange> {
  checkSources(definition)
  const { index_id } = definition.index
  const published = await findIndex(session, index_id)
  const fresh = unpublishedVersion(definition, published)
  await checkLegs({ versions: [fresh] }, session)
  const at = { known: published, now: session.as_of }
  const { content, defined } = await proposedVersion(warehouse, session, { definition, fresh }, at)
  const index = published?.spec ?? specOfDefinition(definition)
  const base = published?.spec.versions.at(-1) ?? null
  return { ...namedChange(state, { kind: 'index_version', content }), index, base, next: defined.version }
}
