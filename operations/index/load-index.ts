import type { Definition } from '../../pipelines/index/definition.ts'
import type { IndexDescription, IndexSpec, IndexVersion, Methodology } from '../../pipelines/index/version.ts'
import { methodologyOf, type StoredVersion, versionOf } from '../../pipelines/index/version-record.ts'
import { parseDecimal } from '../../primitives/decimal.ts'
import { notAllowed } from '../../primitives/errors.ts'
import type { IndexId } from '../../primitives/ids.ts'
import { toMicros } from '../../primitives/instants.ts'
import { didYouMean } from '../../primitives/nearest-word.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Span } from '../pause/schedule-acts.ts'
import { inactiveSpans } from './inactive-spans.ts'

/** An index as published: what computes it, and its stored rows. */
export type PublishedIndex = {
  readonly spec: IndexSpec
  readonly index: IndexDescription
  readonly version_rows: readonly Row[]
  readonly index_row: Row
  /** Spans in which it was suspended or archived. */
  readonly inactive: readonly Span[]
}

/**
 * Loads an index with all versions that the session shows.
 * @throws {ServiceError} INDEX_NOT_FOUND
 */
export async function loadIndex(session: ReadSession, index_id: string): Promise<PublishedIndex> {
  const found = await findIndex(session, index_id)
  if (found !== null) return found
  const known = (await session.query(readSql(import.meta.url, 'sql/index_ids.sql'))).map((row) => String(row.index_id))
  throw notAllowed(
    'INDEX_NOT_FOUND',
    'index_id',
    `${JSON.stringify(index_id)}${didYouMean(index_id, known)}`,
    known.join(', ') || 'none, because no index is defined yet',
  )
}

/** Loads an index; null if there is none of this id. */
export async function findIndex(session: ReadSession, index_id: string): Promise<PublishedIndex | null> {
  const [index_row] = await session.query(readSql(import.meta.url, '../sql/index_by_id.sql'), { index_id })
  if (index_row === undefined) return null
  const version_rows = await session.query(readSql(import.meta.url, '../sql/versions_of_index.sql'), { index_id })
  const inactive = (await inactiveSpans(session)).get(index_id) ?? []
  return indexOf(index_row, version_rows, { methodologies: await loadMethodologies(session), inactive })
}

/** Builds an index from its stored rows. */
export function indexOf(
  index_row: Row,
  version_rows: readonly Row[],
  {
    methodologies,
    inactive,
  }: { readonly methodologies: ReadonlyMap<string, Methodology>; readonly inactive: readonly Span[] },
): PublishedIndex {
  const index = describe(index_row)
  const versions = version_rows.map((row) => {
    const methodology = methodologies.get(`${row.methodology_id}@${row.methodology_version}`)!
    const { version } = versionOf(row as unknown as StoredVersion, index, methodology)
    return version
  })
  return { spec: specOf(index, versions), index, version_rows, index_row, inactive }
}

/** Builds the spec of an index from its description and versions in order; each version ends where the next begins. */
function specOf(index: IndexDescription, versions: readonly IndexVersion[]): IndexSpec {
  return {
    index_id: index.index_id,
    unit: index.unit,
    base_value: parseDecimal(index.base_value, 'base_value'),
    base_date: toMicros(index.base_date),
    versions: versions.map((version, i) => ({ ...version, effective_to: versions[i + 1]?.effective_from ?? null })),
  }
}

/** Builds the spec of a definition file. */
export function specOfDefinition(definition: Definition): IndexSpec {
  return specOf(
    definition.index,
    definition.versions.map((defined) => defined.version),
  )
}

async function loadMethodologies(session: ReadSession): Promise<Map<string, Methodology>> {
  const rows = await session.query(readSql(import.meta.url, '../sql/methodologies.sql'))
  return new Map(
    rows.map((row) => [
      `${row.methodology_id}@${row.version}`,
      methodologyOf(row as unknown as Parameters<typeof methodologyOf>[0]),
    ]),
  )
}

function describe(row: Row): IndexDescription {
  return {
    index_id: row.index_id as IndexId,
    slug: String(row.slug),
    symbol: String(row.symbol),
    name: String(row.name),
    description: (row.description ?? null) as string | null,
    family: (row.family ?? null) as string | null,
    unit: String(row.unit),
    base_value: String(row.base_value),
    base_date: String(row.base_date),
    tags: (row.tags ?? []) as string[],
  }
}
