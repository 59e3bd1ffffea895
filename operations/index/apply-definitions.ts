import { readFile } from 'node:fs/promises'
import { type DefinedVersion, type Definition, parseDefinition } from '../../pipelines/index/definition.ts'
import {
  indexRecord,
  isSameDefinition,
  methodologyRecord,
  versionRecord,
} from '../../pipelines/index/version-record.ts'
import { proFormaRecord, ratingsAtSelection } from '../../pipelines/selection/pro-forma.ts'
import { FIRST_REVISION, supersede } from '../../primitives/append-only.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { parseDecimal } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Stamp, Warehouse } from '../../warehouse/warehouse.ts'
import { type PlannedVersion, planSelections } from '../selection/plan-selections.ts'
import { checkLegs } from './check-legs.ts'
import { checkSources } from './check-sources.ts'
import { findIndex, type PublishedIndex } from './load-index.ts'
import { resolveWeights } from './resolve-weights.ts'
import { type StampedRow, writeStamped } from './write-stamped.ts'

export type AppliedIndex = {
  readonly index_id: string
  readonly created: boolean
  readonly updated: boolean
  readonly methodology_published: boolean
  readonly versions_published: readonly string[]
  readonly versions_unchanged: readonly string[]
}

type Plan = { readonly applied: AppliedIndex; readonly rows: readonly StampedRow[] }

/**
 * Registers indexes, their methodologies and every version not yet published. All files are checked
 * before anything is written; a published version or methodology is never edited.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_VERSION_PUBLISHED, VALIDATION_VERSION_OVERLAP,
 *   INDEX_SOURCE_NOT_ELIGIBLE, INDEX_CAP_*
 */
export async function applyDefinitions(request: {
  files: readonly string[]
  clock: ImportClock
  warehouse: Warehouse
}): Promise<{ indexes: readonly AppliedIndex[] }> {
  const { files, clock, warehouse } = request
  const definitions = await Promise.all(files.map(readDefinition))
  definitions.forEach(checkSources)
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const now = await warehouse.now()
    const methodologies = await session.query(readSql(import.meta.url, '../sql/methodologies.sql'))
    const plans = new Map<Definition, Plan>()
    const shared = { warehouse, session, methodologies, clock, now }
    for (const definition of byStart(definitions)) {
      const plan = await planDefinition(definition, shared)
      plans.set(definition, plan)
      methodologies.push(...plan.rows.filter(({ table }) => table === 'methodology').map(({ row }) => row))
    }
    refuseTwice(definitions)
    await writeStamped(
      warehouse,
      [...plans.values()].flatMap((plan) => plan.rows),
      { operation: 'APPLY_DEFINITION' },
    )
    return { indexes: definitions.map((definition) => plans.get(definition)!.applied) }
  } finally {
    await session.close()
  }
}

/**
 * Reads and parses one definition file.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function readDefinition(file: string): Promise<Definition> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ServiceError(
      'VALIDATION_INPUT_UNREADABLE',
      `definition ${file} cannot be read (${error.code}); allowed: a readable YAML or JSON file`,
      { file },
    )
  })
  return parseDefinition(text, file)
}

/** By the instant of the first version: a methodology that several share is published with the first of them. */
function byStart(definitions: readonly Definition[]): Definition[] {
  const start = ({ versions }: Definition) => Math.min(...versions.map(({ version }) => version.effective_from))
  return [...definitions].sort((a, b) => start(a) - start(b))
}

type Shared = {
  readonly warehouse: Warehouse
  readonly session: ReadSession
  /** Published ones, and those that are published together with a definition planned before. */
  readonly methodologies: readonly Row[]
  readonly clock: ImportClock
  readonly now: Micros
}

async function planDefinition(
  definition: Definition,
  { warehouse, session, methodologies, clock, now }: Shared,
): Promise<Plan> {
  const known = await findIndex(session, definition.index.index_id)
  const fresh = definition.versions.filter((defined) => !isPublished(defined, known))
  await checkLegs({ versions: fresh }, session)
  const planned = await planSelections(warehouse, definition, { fresh, known, now })
  const resolved: PlannedVersion[] = []
  for (const one of planned)
    resolved.push(one.selected === null ? { ...one, defined: await resolveWeights(one.defined, session) } : one)
  if (known !== null) await checkSuccession(fresh, known, session)
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
    },
    rows: [...methodology, ...index, ...planVersions(resolved, known, clock, now)],
  }
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

/** Whether the very same version is published already. */
function isPublished(defined: DefinedVersion, known: PublishedIndex | null): boolean {
  const row = known?.version_rows.find((candidate) => candidate.version === defined.version.version)
  if (row === undefined) return false
  const { methodology } = defined.version
  const same =
    isSameDefinition(String(row.definition), defined.file) &&
    row.methodology_id === methodology.methodology_id &&
    row.methodology_version === methodology.version
  if (same) return true
  throw new ServiceError(
    'VALIDATION_VERSION_PUBLISHED',
    `version ${defined.version.version} of ${defined.version.index_id} is published and differs from the file; allowed: a new version with a later effective_from`,
    { index_id: defined.version.index_id, version: defined.version.version },
  )
}

/** A new version begins after every published one, and after the last published level. */
async function checkSuccession(
  fresh: readonly DefinedVersion[],
  known: PublishedIndex,
  session: ReadSession,
): Promise<void> {
  const first = fresh[0]?.version
  const last = known.spec.versions.at(-1)
  if (first === undefined || last === undefined) return
  const overlap = (what: string) =>
    new ServiceError(
      'VALIDATION_VERSION_OVERLAP',
      `version ${first.version} of ${first.index_id} takes effect at ${formatMicros(first.effective_from)}; allowed: an instant after ${what}`,
    )
  if (first.effective_from <= last.effective_from)
    throw overlap(`${formatMicros(last.effective_from)}, when published version ${last.version} does`)
  const [row] = await session.query(readSql(import.meta.url, 'sql/last_tick_of_index.sql'), {
    index_id: first.index_id,
  })
  if (typeof row?.tick_at === 'string' && toMicros(row.tick_at) >= first.effective_from)
    throw overlap(`the last published level's tick (${row.tick_at})`)
}

function planMethodology(definition: Definition, methodologies: readonly Row[], stamp: Stamp): StampedRow[] {
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

/** Presentation may change by a new revision; base_value, base_date and unit may not. */
function planIndex({ index }: Definition, known: PublishedIndex | null, stamp: Stamp, now: Micros): StampedRow[] {
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
  const head = { revision_max: index_row.revision as number, current_id: String(index_row.index_id) }
  return [
    {
      table,
      row: { ...record, ...supersede(head, 'PRESENTATION_CHANGED'), ...at, created_at: index_row.created_at },
      stamp,
    },
  ]
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

function refuseTwice(definitions: readonly Definition[]): void {
  const ids = definitions.map(({ index }) => index.index_id)
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice !== undefined)
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `index ${twice} is defined by two of the files; allowed: each index once`,
      { index_id: twice },
    )
}
