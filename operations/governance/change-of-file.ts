import {
  isIndexDefinition,
  type ProposedContent,
  parseChange,
  parseRestatement,
} from '../../pipelines/governance/change-form.ts'
import { versionContent, weightsOf } from '../../pipelines/governance/version-content.ts'
import type { VersionFile } from '../../pipelines/index/definition-schema.ts'
import { inspectDefinition } from '../../pipelines/index/parse-definition.ts'
import type { Methodology } from '../../pipelines/index/version.ts'
import { methodologyOf } from '../../pipelines/index/version-record.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { silentConstituents } from '../index/check-links.ts'
import { checkNewVersions, soundDefinition } from '../index/check-new-versions.ts'
import { checkSources } from '../index/check-sources.ts'
import { findIndex, loadIndex, type PublishedIndex } from '../index/load-index.ts'
import { readInput } from '../review/read-input.ts'
import { announcedVersion, readProFormas } from '../selection/read-pro-formas.ts'
import { proposedVersion, unpublishedVersion } from './proposed-version.ts'
import { restatementOf } from './restate-levels.ts'

/**
 * Returns the content that a file proposes: the one version of a definition that is not published yet, or another change.
 * @param unknown_markets  whether a new version may name markets that the warehouse does not know yet
 * @throws {ServiceError} VALIDATION_*, INDEX_NOT_FOUND, INDEX_SOURCE_NOT_ELIGIBLE, INDEX_CAP_*, INDEX_LINK_UNSTABLE
 */
export async function contentOfFile(
  warehouse: Warehouse,
  file: string,
  unknown_markets: 'allowed' | 'refused' = 'allowed',
): Promise<ProposedContent> {
  const text = await readInput(file)
  const restatement = parseRestatement(text, file)
  if (restatement !== null) return restatementOf(warehouse, restatement)
  if (!isIndexDefinition(text)) return parseChange(text, file)
  const inspected = inspectDefinition(text, file)
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const definition = await soundDefinition(inspected, session, unknown_markets)
    checkSources(definition)
    const known = await findIndex(session, definition.index.index_id)
    const fresh = unpublishedVersion(definition, known)
    await checkNewVersions([fresh], session, unknown_markets)
    const now = await warehouse.now()
    const { content, defined } = await proposedVersion(warehouse, session, { definition, fresh }, { known, now })
    const before = known?.spec.versions.at(-1) ?? null
    if (unknown_markets === 'refused') await silentConstituents(session, [defined.version], before, now)
    return { kind: 'index_version', content }
  } finally {
    await session.close()
  }
}

/** Returns the content that adopts an index: its newest version as published. @throws {ServiceError} INDEX_NOT_FOUND */
export async function adoptionOf(warehouse: Warehouse, index_id: string): Promise<ProposedContent> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return { kind: 'index_adoption', content: await adoptionContent(session, await loadIndex(session, index_id)) }
  } finally {
    await session.close()
  }
}

const AWAITING = 'an index with an announced composition that is not published (tidemark index proforma INDEX)'

/**
 * Returns the content that publishes the newest announced composition of an index.
 * @throws {ServiceError} INDEX_NOT_FOUND; VALIDATION_DEFINITION_INVALID: nothing is announced
 */
export async function rebalanceOf(warehouse: Warehouse, index_id: string): Promise<ProposedContent> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const known = await loadIndex(session, index_id)
    const base = await adoptionContent(session, known)
    const row = (await readProFormas(warehouse, { index_id, as_of: null })).at(-1)
    const newest = known.version_rows.at(-1)
    if (row === undefined || newest === undefined || row.index_version_id === newest.index_version_id)
      throw notAllowed('VALIDATION_DEFINITION_INVALID', 'index', `${index_id}, which awaits no rebalance`, AWAITING)
    const { defined } = announcedVersion(known.index, known.spec.versions.at(-1)!.methodology, row)
    const content = versionContent({
      index: known.index,
      methodology: defined.version.methodology,
      supersedes_version: textOrNull(
        (base.methodology as { readonly supersedes_version?: unknown }).supersedes_version,
      ),
      file: defined.file,
      target_weights: weightsOf(defined),
      supersedes_version_id: String(newest.index_version_id),
    })
    return { kind: 'index_version', content }
  } finally {
    await session.close()
  }
}

/**
 * Returns the content that adopts an index as a session shows it.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID: it has no version
 */
export async function adoptionContent(
  session: ReadSession,
  known: PublishedIndex,
): Promise<ProposedContent['content']> {
  const [row, version] = [known.version_rows.at(-1), known.spec.versions.at(-1)]
  if (row === undefined || version === undefined)
    throw notAllowed(
      'VALIDATION_DEFINITION_INVALID',
      'index',
      `${known.spec.index_id}, without a version`,
      'an index with a published version',
    )
  const { methodology } = version
  const methodologies = await session.query(readSql(import.meta.url, '../sql/methodologies.sql'))
  const stored = methodologies.find(
    (one) => one.methodology_id === methodology.methodology_id && one.version === methodology.version,
  )
  return versionContent({
    index: known.index,
    methodology,
    supersedes_version: textOrNull(stored?.supersedes_version),
    file: JSON.parse(String(row.definition)) as VersionFile,
    target_weights: weightsOf({ version }),
    supersedes_version_id: textOrNull(row.supersedes_version_id),
  })
}

/** Returns the version of a methodology that was published last, and the one it supersedes; null: there is none. */
export async function newestMethodology(
  session: ReadSession,
  methodology_id: string,
): Promise<{ readonly methodology: Methodology; readonly supersedes_version: string | null } | null> {
  const rows = await session.query(readSql(import.meta.url, '../sql/methodologies.sql'))
  const own = rows.filter((row) => row.methodology_id === methodology_id)
  own.sort((a, b) => (String(a.published_at) < String(b.published_at) ? -1 : 1))
  const newest = own.at(-1)
  if (newest === undefined) return null
  const methodology = methodologyOf(newest as unknown as Parameters<typeof methodologyOf>[0])
  return { methodology, supersedes_version: textOrNull(newest.supersedes_version) }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
