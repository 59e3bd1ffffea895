import { parseSeverityIndex, severityVersionRow } from '../../pipelines/severity/index-definition.ts'
import { FIRST_REVISION, supersede } from '../../primitives/append-only.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { publishAssessmentMethodologies } from '../review/publish-assessment-methodologies.ts'
import { readInput } from '../review/read-input.ts'

/** Tables of severity indexes. */
export const SEVERITY_INDEX_TABLES = [
  'severity_index_definition',
  'severity_index_version',
  'severity_index_value',
] as const

export type AppliedSeverityIndex = {
  readonly severity_index_id: string
  readonly created: boolean
  readonly updated: boolean
  readonly versions_published: readonly string[]
  readonly versions_unchanged: readonly string[]
}

/**
 * Registers a severity index and every version of the file that is not published yet; a published one is never edited.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_VERSION_PUBLISHED, VALIDATION_VERSION_OVERLAP
 */
export async function applySeverityIndex(request: {
  readonly file: string
  readonly warehouse: Warehouse
}): Promise<AppliedSeverityIndex> {
  const { file, warehouse } = request
  const definition = parseSeverityIndex(await readInput(file), file)
  const { severity_index_id, name, description = null } = definition.severity_index
  const session = await openReadSession(warehouse, { as_of: null, tables: SEVERITY_INDEX_TABLES })
  try {
    const known = await session.query(readSql(import.meta.url, 'sql/severity_index_versions.sql'), {
      severity_index_id,
    })
    const rows = definition.versions.map((version) => severityVersionRow(severity_index_id, version))
    const fresh = rows.filter((row) => !isPublished(row, known))
    checkSuccession(fresh, known)
    const [current] = await session.query(readSql(import.meta.url, 'sql/severity_index_by_id.sql'), {
      severity_index_id,
    })
    const index = indexRow({ severity_index_id, name, description }, current)
    await publishAssessmentMethodologies(warehouse, { kind: 'wall' })
    if (index !== null) await append(warehouse, 'severity_index_definition', [index])
    if (fresh.length > 0) await append(warehouse, 'severity_index_version', fresh)
    return {
      severity_index_id,
      created: current === undefined,
      updated: current !== undefined && index !== null,
      versions_published: fresh.map(({ version }) => version),
      versions_unchanged: rows.filter((row) => !fresh.includes(row)).map(({ version }) => version),
    }
  } finally {
    await session.close()
  }
}

type VersionRow = ReturnType<typeof severityVersionRow>

function isPublished(row: VersionRow, known: readonly Row[]): boolean {
  const found = known.find(({ version }) => version === row.version)
  if (found === undefined) return false
  if (found.definition === row.definition && found.methodology_version === row.methodology_version) return true
  throw new ServiceError(
    'VALIDATION_VERSION_PUBLISHED',
    `version ${row.version} of ${row.severity_index_id} is published and differs from the file; allowed: a new version with a later effective_from`,
    { severity_index_id: row.severity_index_id, version: row.version },
  )
}

function checkSuccession(fresh: readonly VersionRow[], known: readonly Row[]): void {
  const [first, last] = [fresh[0], known.at(-1)]
  if (first === undefined || last === undefined || toMicros(first.effective_from) > toMicros(last.effective_from))
    return
  throw new ServiceError(
    'VALIDATION_VERSION_OVERLAP',
    `version ${first.version} takes effect at ${first.effective_from}; allowed: an instant after ${last.effective_from}, when version ${last.version} does`,
    { version: first.version },
  )
}

/** Name and description may change by a further revision; null where nothing does. */
function indexRow(
  given: { readonly severity_index_id: string; readonly name: string; readonly description: string | null },
  current: Row | undefined,
): Row | null {
  const row = { ...given, status: 'active', unit: 'severity_points' }
  if (current === undefined) return { ...row, ...FIRST_REVISION }
  if (current.name === given.name && (current.description ?? null) === given.description) return null
  const head = { revision_max: current.revision as number, current_id: given.severity_index_id }
  return { ...row, ...supersede(head, 'PRESENTATION_CHANGED') }
}

async function append(
  warehouse: Warehouse,
  table: (typeof SEVERITY_INDEX_TABLES)[number],
  rows: readonly Row[],
): Promise<void> {
  const operation = 'APPLY_SEVERITY_INDEX'
  const app_id = `${operation}/${contentHash(rows)}`
  await warehouse.append(table, rows, { app_id, app_sequence: 1, stamp: { kind: 'wall' }, operation })
}
