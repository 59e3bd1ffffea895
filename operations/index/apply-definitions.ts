import { readFile } from 'node:fs/promises'
import type { Definition } from '../../pipelines/index/definition.ts'
import { mistakesError } from '../../pipelines/index/definition-mistakes.ts'
import { inertFields } from '../../pipelines/index/inert-fields.ts'
import { type InspectedDefinition, inspectDefinition, parseDefinition } from '../../pipelines/index/parse-definition.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { refuseUngoverned } from '../governance/governed-home.ts'
import { soundDefinition } from './check-new-versions.ts'
import { checkSources } from './check-sources.ts'
import { type AppliedIndex, type DefinitionPlan, planDefinition } from './plan-definition.ts'
import { writeStamped } from './write-stamped.ts'

/**
 * Registers indexes, their methodologies and every version not yet published. All files are checked
 * before anything is written; a published version or methodology is never edited.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_VERSION_PUBLISHED, VALIDATION_VERSION_OVERLAP,
 *   INDEX_SOURCE_NOT_ELIGIBLE, INDEX_CAP_*, INDEX_LINK_UNSTABLE, GOVERNANCE_REQUIRED
 */
export async function applyDefinitions(
  request: DefinitionFiles & {
    /** Indexes of invented markets, which a service makes for itself: nobody need propose them. */
    is_invented?: boolean
  },
): Promise<{ indexes: readonly AppliedIndex[] }> {
  const { warehouse, is_invented = false } = request
  const plans = await planFiles(request)
  const changed = plans.flatMap(({ applied: { index_id, created }, rows }) =>
    rows.length === 0 ? [] : [{ index_id, is_published: !created, is_invented }],
  )
  await refuseUngoverned(warehouse, changed)
  await writeStamped(
    warehouse,
    plans.flatMap(({ rows }) => rows),
    { operation: 'APPLY_DEFINITION' },
  )
  return { indexes: plans.map(({ applied }) => applied) }
}

/**
 * Checks definitions as `applyDefinitions` does, and says what it would publish; writes nothing. Who may publish is not asked: a
 * definition of a governed index is valid, and is proposed.
 * @throws {ServiceError} as applyDefinitions, but for GOVERNANCE_REQUIRED
 */
export async function validateDefinitions(request: DefinitionFiles): Promise<{ indexes: readonly AppliedIndex[] }> {
  const plans = await planFiles(request)
  return { indexes: plans.map(({ applied }) => applied) }
}

/** Checks the sources of definitions, and that each index is defined once. @throws {ServiceError} INDEX_SOURCE_NOT_ELIGIBLE */
function checkTogether(definitions: readonly Definition[]): void {
  definitions.forEach(checkSources)
  refuseTwice(definitions)
}

/**
 * Checks definitions without a warehouse. Nothing is published then, so every version is new.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID, INDEX_SOURCE_NOT_ELIGIBLE, INDEX_CAP_*
 */
export async function validateUnpublished(files: readonly string[]): Promise<readonly Definition[]> {
  const inspected = await Promise.all(files.map(inspectFile))
  const definitions = inspected.map((one) => {
    if (one.definition !== null) return one.definition
    const { source, mistakes, versions } = one.draft
    throw mistakesError(source.name, [...mistakes, ...inertFields(versions)])
  })
  checkTogether(definitions)
  for (const { versions } of definitions) {
    const mistakes = inertFields(versions)
    if (mistakes.length > 0) throw mistakesError(versions[0]?.source?.name ?? null, mistakes)
  }
  return definitions
}

type DefinitionFiles = {
  readonly files: readonly string[]
  readonly clock: ImportClock
  readonly warehouse: Warehouse
  /** Whether new versions may name markets that the warehouse does not know yet; they may where a service makes both. */
  readonly unknown_markets?: 'allowed' | 'refused'
}

/** Plans what definitions add, in the order of the files. */
async function planFiles(request: DefinitionFiles): Promise<DefinitionPlan[]> {
  const { files, clock, warehouse, unknown_markets = 'allowed' } = request
  const inspected = await Promise.all(files.map(inspectFile))
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const definitions: Definition[] = []
    // The first faulty one is refused with all its mistakes.
    for (const one of inspected) definitions.push(await soundDefinition(one, session, unknown_markets))
    checkTogether(definitions)
    const now = await warehouse.now()
    const methodologies = await session.query(readSql(import.meta.url, '../sql/methodologies.sql'))
    const plans = new Map<Definition, DefinitionPlan>()
    const ports = { warehouse, session, methodologies, clock, now, unknown_markets }
    for (const definition of byStart(definitions)) {
      const plan = await planDefinition(definition, ports)
      plans.set(definition, plan)
      methodologies.push(...plan.rows.filter(({ table }) => table === 'methodology').map(({ row }) => row))
    }
    return definitions.map((definition) => plans.get(definition)!)
  } finally {
    await session.close()
  }
}

/**
 * Reads a definition file, and keeps the mistakes of its rules, so that others can be listed with them.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function inspectFile(file: string): Promise<InspectedDefinition> {
  return inspectDefinition(await textOf(file), file)
}

/**
 * Reads and parses one definition file.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function readDefinition(file: string): Promise<Definition> {
  return parseDefinition(await textOf(file), file)
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ServiceError(
      'VALIDATION_INPUT_UNREADABLE',
      `definition ${file} cannot be read (${error.code}); allowed: a readable YAML or JSON file`,
      { file },
    )
  })
}

/** By the instant of the first version: a methodology that several share is published with the first of them. */
function byStart(definitions: readonly Definition[]): Definition[] {
  const start = ({ versions }: Definition) => Math.min(...versions.map(({ version }) => version.effective_from))
  return [...definitions].sort((a, b) => start(a) - start(b))
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
