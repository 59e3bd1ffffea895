import { recordHash } from '../../../pipelines/governance/documents.ts'
import { changeIdOf, type GovernanceState } from '../../../pipelines/governance/proposal.ts'
import { versionContent, weightsOf } from '../../../pipelines/governance/version-content.ts'
import type { DefinedVersion, Definition } from '../../../pipelines/index/definition.ts'
import type { IndexSpec, IndexVersion } from '../../../pipelines/index/version.ts'
import { notAllowed } from '../../../primitives/errors.ts'
import type { ReadSession } from '../../../warehouse/read/session.ts'
import { checkLegs } from '../../index/check-legs.ts'
import { checkSources } from '../../index/check-sources.ts'
import { findIndex, type PublishedIndex, specOfDefinition } from '../../index/load-index.ts'
import { resolveWeights } from '../../index/resolve-weights.ts'

/** A change of an index that a definition file describes, beside what is published. */
export type ImpactChange = {
  readonly change_id: string
  /** Hash of the content in force; null: the index is new, or not governed yet. */
  readonly base_hash: string | null
  readonly content_hash: string
  /** Identity, unit and base value of the index. */
  readonly index: IndexSpec
  /** Newest published version; null: a new index. */
  readonly base: IndexVersion | null
  readonly next: IndexVersion
}

/**
 * Returns the change that a definition file describes: its only version that is not published yet, after the newest one that is.
 * @param state governance as known at the session's as_of
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, INDEX_SOURCE_NOT_ELIGIBLE, INDEX_CAP_*
 */
export async function impactChange(
  session: ReadSession,
  state: GovernanceState,
  definition: Definition,
): Promise<ImpactChange> {
  checkSources(definition)
  const { index_id } = definition.index
  const published = await findIndex(session, index_id)
  const defined = newVersionOf(definition, published)
  await checkLegs({ versions: [defined] }, session)
  const resolved = await resolveWeights(defined, session)
  const content = versionContent({
    ...definition,
    file: defined.file,
    target_weights: weightsOf(resolved),
    supersedes_version_id: published?.spec.versions.at(-1)?.index_version_id ?? null,
  })
  const [base_hash, content_hash] = [state.heads.get(index_id) ?? null, recordHash(content)]
  const index = published?.spec ?? specOfDefinition(definition)
  const base = published?.spec.versions.at(-1) ?? null
  const change_id = changeIdOf({ base_hash, content_hash })
  return { change_id, base_hash, content_hash, index, base, next: resolved.version }
}

function newVersionOf({ versions, index }: Definition, published: PublishedIndex | null): DefinedVersion {
  const known = new Set(published?.version_rows.map(({ version }) => String(version)))
  const fresh = versions.filter(({ version }) => !known.has(version.version))
  if (fresh.length === 1) return fresh[0]!
  const seen = fresh.map(({ version }) => version.version).join(', ') || 'none'
  const field = `versions of ${index.index_id} that are not published`
  throw notAllowed('VALIDATION_DEFINITION_INVALID', field, seen, 'exactly one: the version to propose')
}
