import type { DefinedVersion, Definition } from '../../pipelines/index/definition.ts'
import { checkIndexMove } from '../../pipelines/index/index-status.ts'
import type { IndexVersion } from '../../pipelines/index/version.ts'
import {
  indexRecord,
  isSameDefinition,
  methodologyRecord,
  versionRecord,
} from '../../pipelines/index/version-record.ts'
import { requirePlainTexts } from '../../pipelines/review/plain-texts.ts'
import { proFormaRecord, ratingsAtSelection } from '../../pipelines/selection/pro-forma.ts'
import { type ChainHead, FIRST_REVISION, supersede } from '../../primitives/append-only.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { parseDecimal } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Stamp, Warehouse } from '../../warehouse/warehouse.ts'
import { refuseFalseClaim } from '../notices/check-claims.ts'
import { refuseReplaced } from '../selection/frozen-compositions.ts'
import { type PlannedVersion, planSelections } from '../selection/plan-selections.ts'
import { type SilentConstituent, silentConstituents } from './check-links.ts'
import { checkNewVersions } from './check-new-versions.ts'
import { findIndex, type PublishedIndex } from './load-index.ts'
import { resolveWeights } from './resolve-weights.ts'
import type { StampedRow } from './write-stamped.ts'

/** Tables that define indexes, in the order of writing: rows after those that they refer to. */
export const DEFINING_TABLES = [
  'methodology',
  'index_definition',
  'index_pro_forma',
  'index_version',
] as const satisfies readonly TableName[]

export type AppliedIndex = {
  readonly index_id: string
  readonly created: boolean
  readonly updated: boolean
  readonly methodology_published: boolean
  readonly versions_published: readonly string[]
  readonly versions_unchanged: readonly string[]
  /** Constituents of the versions published now that have no mark at the link. */
  readonly silent_constituents: readonly SilentConstituent[]
  /** First tick of the versions published now; null: none is. */
  readonly first_tick_at: Instant | null
}

/** Rows that a definition adds, and what they are. */
export type DefinitionPlan = { readonly applied: AppliedIndex; readonly rows: readonly StampedRow[] }

/** Everything that plans of definitions share. */
export type PlanPorts = {
  readonly warehouse: Warehouse
  readonly session: ReadSession
  /** Published ones, and those that are published together with a definition planned before. */
  readonly methodologies: readonly Row[]
  readonly clock: ImportClock
  readonly now: Micros
  /** Whether new versions may name markets that the warehouse does not know yet. */
  readonly unknown_markets: 'allowed' | 'refused'
}

/**
 * Plans the rows of a definition: what of it is not published yet.
 * @throws {ServiceError} as applyDefinitions
 */
export async function planDefinition(
  definition: Definition,
  { warehouse, session, methodologies, clock, now, unknown_markets }: PlanPorts,
): Promise<DefinitionPlan> {
  const known = await findIndex(session, definition.index.index_id)
  const fresh = definition.versions.filter((defined) => !isPublished(defined, known))
  await checkNewVersions(fresh, session, unknown_markets)
  if (fresh.length > 0)
    requirePlainTexts({ index: definition.index, versions: fresh.map(({ file }) => file) }, 'definition')
  for (const { file } of fresh) await refuseFalseClaim(warehouse, file)
  const planned = await planSelections(warehouse, definition, { fresh, known, now })
  const resolved: PlannedVersion[] = []
  for (const one of planned)
    resolved.push(one.selected === null ? { ...one, defined: await resolveWeights(one.defined, session) } : one)
  if (known !== null) await checkSuccession(fresh, known, session)
  await refuseReplaced(
    session,
    definition.index.index_id,
    resolved.map(({ defined }) => defined),
  )
  const first = stampOf(resolved[0]?.defined.version.effective_from ?? null, clock, now)
  const methodology = planMethodology(definition, methodologies, first)
  const index = planIndex(definition, known, first, now)
  return {
    applied: {
      index_id: definition.index.index_id,
      created: known === null,
      updated: known !== null && index.length > 0,
      methodology_published: methodology.length > 0,
      versions_published: resolved.map(({ defined }) => defined.version.version),
      versions_unchanged: definition.versions
        .filter((defined) => !fresh.includes(defined))
        .map(({ version }) => version.version),
      silent_constituents:
        unknown_markets === 'allowed'
          ? []
          : await silentConstituents(session, versionsOf(resolved), known?.spec.versions.at(-1) ?? null, now),
      first_tick_at: firstTickOf(resolved[0]?.defined.version),
    },
    rows: [...methodology, ...index, ...planVersions(resolved, known, clock, now)],
  }
}

function versionsOf(planned: readonly PlannedVersion[]): readonly IndexVersion[] {
  return planned.map(({ defined }) => defined.version)
}

function firstTickOf(version: IndexVersion | undefined): Instant | null {
  if (version === undefined) return null
  return formatMicros(Math.ceil(version.effective_from / version.frequency) * version.frequency)
}

/** The recorded clock stamps a version at its effective_from, which must not be in the future. */
function stampOf(effective_from: Micros | null, clock: ImportClock, now: Micros): Stamp {
  if (clock === 'wall' || effective_from === null) return { kind: 'wall' }
  if (effective_from > now) {
    throw new ServiceError(
      'VALIDATION_CLOCK_REFUSED',
      `effective_from is ${formatMicros(effective_from)}; allowed under the recorded clock: an instant not after now (${formatMicros(now)})`,
    )
  }
  return { kind: 'recorded', at: effective_from }
}

/** Whether the very same version is published already. @throws {ServiceError} VALIDATION_VERSION_PUBLISHED */
export function isPublished(defined: DefinedVersion, known: PublishedIndex | null): boolean {
  const row = known?.version_rows.find((candidate) => candidate.version === defined.version.version)
  if (row === undefined) return false
  const { methodology } = defined.version
  const is_same_text = isSameDefinition(String(row.definition), defined.file)
  const [published, written] = [
    `${row.methodology_id} ${row.methodology_version}`,
    `${methodology.methodology_id} ${methodology.version}`,
  ]
  if (is_same_text && published === written) return true
  const { version, index_id } = defined.version
  // A file has one methodology for all of its versions, so a new one differs from every published version in it.
  const differs = is_same_text
    ? `is published with methodology ${published}, and the file has ${written}`
    : 'is published and differs from the file'
  const allowed = `version ${version} as published, or left out of the file; a change is a new version with a later effective_from`
  throw new ServiceError(
    'VALIDATION_VERSION_PUBLISHED',
    `version ${version} of ${index_id} ${differs}; allowed: ${allowed}`,
    { index_id, version },
  )
}

/** Refuses a version that does not begin after every published one, and after the last published level. @throws {ServiceError} VALIDATION_VERSION_OVERLAP */
export async function checkSuccession(
  fresh: readonly DefinedVersion[],
  known: PublishedIndex,
  session: ReadSession,
): Promise<void> {
  const first = fresh[0]?.version
  const last = known.spec.versions.at(-1)
  if (first === undefined || last === undefined) return
  checkIndexMove(first.index_id, String(known.index_row.status), 'active')
  const overlap = (what: string) =>
    new ServiceError(
      'VALIDATION_VERSION_OVERLAP',
      `version ${first.version} of ${first.index_id} takes effect at ${formatMicros(first.effective_from)}; allowed: an instant after ${what}`,
    )
  if (first.effective_from <= last.effective_from)
    throw overlap(`${formatMicros(last.effective_from)}, when published version ${last.version} does`)
  const [row] = await session.query(readSql(import.meta.url, '../sql/last_tick_of_index.sql'), {
    index_id: first.index_id,
  })
  if (typeof row?.tick_at === 'string' && toMicros(row.tick_at) >= first.effective_from)
    throw overlap(`the last published level's tick (${row.tick_at})`)
}

/** Returns the row of a methodology that is not published yet. @throws {ServiceError} VALIDATION_VERSION_PUBLISHED */
export function planMethodology(
  definition: Pick<Definition, 'methodology' | 'supersedes_version'>,
  methodologies: readonly Row[],
  stamp: Stamp,
): StampedRow[] {
  const record = methodologyRecord(definition)
  const known = methodologies.find(
    (row) => row.methodology_id === record.methodology_id && row.version === record.version,
  )
  if (known === undefined) return [{ table: 'methodology', row: record, stamp }]
  if (known.content_hash === record.content_hash && known.name === record.name) return []
  throw new ServiceError(
    'VALIDATION_VERSION_PUBLISHED',
    `methodology ${record.methodology_id} version ${record.version} is published and differs from the file; allowed: a new methodology version`,
    { methodology_id: record.methodology_id, version: record.version },
  )
}

/** Returns the row of an index: presentation may change by a new revision; base_value, base_date and unit may not. */
export function planIndex(
  { index }: Pick<Definition, 'index'>,
  known: PublishedIndex | null,
  stamp: Stamp,
  now: Micros,
): StampedRow[] {
  const table: TableName = 'index_definition'
  const instant = formatMicros(stamp.kind === 'recorded' ? stamp.at : now)
  const at = { created_at: instant, updated_at: instant }
  const record = indexRecord(index)
  if (known === null) return [{ table, row: { ...FIRST_REVISION, ...record, ...at }, stamp }]
  const { index_row } = known
  for (const field of ['base_value', 'base_date', 'unit'] as const) {
    const same =
      field === 'base_value'
        ? parseDecimal(index_row.base_value, field).eq(record.base_value)
        : index_row[field] === record[field]
    if (!same)
      throw new ServiceError(
        'VALIDATION_VERSION_PUBLISHED',
        `index.${field} is ${record[field]} but ${index_row[field]} is published; allowed: the published value`,
        { field },
      )
  }
  const presentation = (row: Row) =>
    canonicalJson([row.slug, row.symbol, row.name, row.description ?? null, row.family ?? null, row.tags ?? []])
  if (presentation(index_row) === presentation(record)) return []
  checkIndexMove(index.index_id, String(index_row.status), 'active')
  // `scheduled` is derived from the versions; a suspended index stays suspended when its description changes.
  const status = index_row.status === 'scheduled' ? record.status : (index_row.status ?? null)
  return [
    {
      table,
      row: {
        ...record,
        status,
        ...supersede(indexHead(index_row), 'PRESENTATION_CHANGED'),
        ...at,
        created_at: index_row.created_at,
      },
      stamp,
    },
  ]
}

/** Returns the head of an index's chain: its records share one id, so each later one also names its revision. */
export function indexHead({ index_id, revision }: Row): ChainHead {
  return { revision_max: revision as number, current_id: revision === 1 ? String(index_id) : `${index_id}.${revision}` }
}

function planVersions(
  resolved: readonly PlannedVersion[],
  known: PublishedIndex | null,
  clock: ImportClock,
  now: Micros,
): StampedRow[] {
  let previous: string | null = known?.spec.versions.at(-1)?.index_version_id ?? null
  return resolved.flatMap(({ defined, selected }): StampedRow[] => {
    const stamp = stampOf(defined.version.effective_from, clock, now)
    const base_version_id = previous
    previous = defined.version.index_version_id
    if (selected === null) return [{ table: 'index_version', row: versionRecord(defined, base_version_id), stamp }]
    const announced = { ...selected, is_governed: false, base_version_id }
    return [
      { table: 'index_pro_forma', row: proFormaRecord(announced), stamp },
      { table: 'index_version', row: versionRecord(defined, base_version_id, ratingsAtSelection(selected)), stamp },
    ]
  })
}
