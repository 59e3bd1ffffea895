import type { DefinedVersion, Definition } from '../../pipelines/index/definition.ts'
import { mistakesError } from '../../pipelines/index/definition-mistakes.ts'
import { inertFields } from '../../pipelines/index/inert-fields.ts'
import type { FaultyDraft, InspectedDefinition } from '../../pipelines/index/parse-definition.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { legMistakes } from './check-legs.ts'
import { findIndex } from './load-index.ts'

/**
 * Returns a definition that was read; a faulty one is refused with all its mistakes, those of its legs too.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_VERSION_OVERLAP
 */
export async function soundDefinition(
  inspected: InspectedDefinition,
  session: ReadSession,
  unknown_markets: 'allowed' | 'refused',
): Promise<Definition> {
  if (inspected.definition !== null) return inspected.definition
  const known = await findIndex(session, inspected.index_id)
  const published = new Set(known?.version_rows.map(({ version }) => String(version)))
  return refuseDraft(inspected.draft, published, session, unknown_markets)
}

/**
 * Rejects a definition whose rules are broken, together with the fields and legs of its new versions that are wrong too: whoever
 * mends the file mends all of them at once.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_VERSION_OVERLAP
 */
export async function refuseDraft(
  { source, mistakes, versions }: FaultyDraft,
  published: ReadonlySet<string>,
  session: ReadSession,
  unknown_markets: 'allowed' | 'refused',
): Promise<never> {
  const fresh = versions.filter(({ version }) => !published.has(version.version))
  const legs = await legMistakes({ versions: fresh }, session, unknown_markets)
  throw mistakesError(source.name, [...mistakes, ...inertFields(fresh), ...legs])
}

/**
 * Rejects versions that somebody applies or proposes, and that could never be what they say: with legs that can never have a mark, or
 * fields without an effect. The error lists all of them.
 * @param unknown_markets  whether markets may be named that the warehouse does not know yet
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID
 */
export async function checkNewVersions(
  versions: readonly DefinedVersion[],
  session: ReadSession,
  unknown_markets: 'allowed' | 'refused',
): Promise<void> {
  const mistakes = [...inertFields(versions), ...(await legMistakes({ versions }, session, unknown_markets))]
  if (mistakes.length > 0) throw mistakesError(versions[0]?.source?.name ?? null, mistakes)
}
