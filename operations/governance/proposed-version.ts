import type { ProposedContent } from '../../pipelines/governance/change-form.ts'
import { versionContent, weightsOf } from '../../pipelines/governance/version-content.ts'
import type { DefinedVersion, Definition } from '../../pipelines/index/definition.ts'
import { notAllowed } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { PublishedIndex } from '../index/load-index.ts'
import { isPublished } from '../index/plan-definition.ts'
import { resolveWeights } from '../index/resolve-weights.ts'
import { planSelections } from '../selection/plan-selections.ts'

/** A version as it would be published, and the content that proposes it. */
export type ProposedVersion = { readonly content: ProposedContent['content']; readonly defined: DefinedVersion }

/**
 * Returns what a version of a definition proposes, with its constituents selected and weighed. Proposals and impacts both read it here:
 * runners sign the hash of exactly the content that is proposed later. Legs are checked before.
 * @param at `known`: the published index, null: a new one; `now`: instant through which facts are known
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, GOVERNANCE_NOT_FOUND, INDEX_SOURCE_NOT_ELIGIBLE, INDEX_CAP_*
 */
export async function proposedVersion(
  warehouse: Warehouse,
  session: ReadSession,
  { definition, fresh }: { readonly definition: Definition; readonly fresh: DefinedVersion },
  { known, now }: { readonly known: PublishedIndex | null; readonly now: Micros },
): Promise<ProposedVersion> {
  const [planned] = await planSelections(warehouse, definition, { fresh: [fresh], known, now })
  const defined = planned?.selected?.defined ?? (await resolveWeights(fresh, session))
  const newest = known?.version_rows.at(-1)?.index_version_id
  const content = versionContent({
    ...definition,
    file: defined.file,
    target_weights: weightsOf(defined),
    supersedes_version_id: typeof newest === 'string' ? newest : null,
  })
  return { content, defined }
}

/**
 * Returns the only version of a definition that is not published: the one that a change is about, whichever command reads the file.
 * @param known the published index; null: a new one
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID; VALIDATION_VERSION_PUBLISHED: the file has a published version, and differs
 */
export function unpublishedVersion({ versions, index }: Definition, known: PublishedIndex | null): DefinedVersion {
  const fresh = versions.filter((defined) => !isPublished(defined, known))
  if (fresh.length === 1) return fresh[0]!
  const names = fresh.map(({ version }) => version.version).join(', ') || 'none'
  const field = `versions of ${index.index_id} that are not published`
  const allowed = 'exactly one: the version to propose, each is a proposal of its own'
  throw notAllowed('VALIDATION_DEFINITION_INVALID', field, names, allowed)
}
