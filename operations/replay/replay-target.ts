import type { Definition } from '../../pipelines/index/definition.ts'
import { mistakesError } from '../../pipelines/index/definition-mistakes.ts'
import { type FaultyDraft, inspectDefinition } from '../../pipelines/index/parse-definition.ts'
import type { IndexDescription, IndexSpec } from '../../pipelines/index/version.ts'
import type { Decimal } from '../../primitives/decimal.ts'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { TableName } from '../../warehouse/tables.ts'
import { inspectFile } from '../index/apply-definitions.ts'
import { checkLegs } from '../index/check-legs.ts'
import { refuseDraft } from '../index/check-new-versions.ts'
import { INDEX_TABLES } from '../index/list-indexes.ts'
import { loadIndex, specOfDefinition } from '../index/load-index.ts'
import { loadLinks } from '../index/load-published.ts'
import { resolveWeights } from '../index/resolve-weights.ts'
import { COURSE_TABLES } from '../index/stored-course.ts'

/** A replay target as the user names it: the path of a definition file (.yaml, .yml, .json) or an index id, either with @VERSION or without. */
export type ReplayTarget = {
  readonly name: string
  readonly definition: Definition | null
  /** Mistakes of a file, which are refused with those of its legs; null: it has none, or is no file. */
  readonly draft: FaultyDraft | null
  /** Version that is named; null: none. */
  readonly version: string | null
}

/** Time in which a version really was in force; `to` null: it still is. */
export type InForce = { readonly from: Micros; readonly to: Micros | null }

/** Definition of a target, and the index's public description. */
export type ResolvedTarget = {
  readonly name: string
  readonly index: IndexDescription
  readonly spec: IndexSpec
  /** Link factors of a published index, which take precedence. */
  readonly published_links?: ReadonlyMap<string, Decimal>
  /** Time in which the version of INDEX@VERSION or FILE@VERSION is in force; absent where none is named. */
  readonly in_force?: InForce
  /** Instant from which that version counts as in force although it began later; absent where it does not. */
  readonly as_if_from?: Micros
}

/** Tables that decide a replay's answer: an explicit as_of seals exactly these. */
export const REPLAY_TABLES: readonly TableName[] = [...COURSE_TABLES, ...INDEX_TABLES]

/** Path and version of a target that names a file by its ending, with @VERSION or without; null: it names an index. */
export function fileOfTarget(target: string): { readonly file: string; readonly version: string | null } | null {
  const parts = /^(.*\.(?:ya?ml|json))(?:@([^/@]+))?$/i.exec(target)
  return parts === null ? null : { file: parts[1]!, version: parts[2] ?? null }
}

/**
 * Reads a target's definition file, where it is one; nothing of the warehouse is looked at. Mistakes of its rules are refused with
 * those of its legs, by `resolveTarget`.
 * @param text of the file; left out: it is read
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE; VALIDATION_DEFINITION_INVALID: its form is wrong
 */
export async function readTarget(name: string, text?: string): Promise<ReplayTarget> {
  const named = fileOfTarget(name)
  if (named === null) return { name, definition: null, draft: null, ...versionOfIndex(name) }
  const { file, version } = named
  const inspected = text === undefined ? await inspectFile(file) : inspectDefinition(text, file)
  if (inspected.definition === null) return { name, definition: null, draft: inspected.draft, version }
  refuseSelection(inspected.definition, file)
  return { name, definition: inspected.definition, draft: null, version }
}

/** Refuses a target's definition file early, before a warehouse is opened for it. @throws {ServiceError} as readTarget */
export async function checkTarget(name: string): Promise<void> {
  const { draft } = await readTarget(name)
  if (draft !== null) throw mistakesError(draft.source.name, draft.mistakes)
}

/** A selected version has no constituents before it is published. */
function refuseSelection({ versions }: Definition, name: string): void {
  const selected = versions.find(({ version }) => version.constituents.length === 0)
  if (selected === undefined) return
  const seen = `a selection in version ${selected.version.version}`
  const allowed = 'listed constituents, or an index that was applied (tidemark index select shows what is selected)'
  throw notAllowed('VALIDATION_DEFINITION_INVALID', name, seen, allowed)
}

/**
 * Resolves a target to its definition, as a session shows it.
 * @throws {ServiceError} INDEX_NOT_FOUND; for a file also the errors of `checkLegs` and `resolveWeights`
 */
export async function resolveTarget(target: ReplayTarget, session: ReadSession): Promise<ResolvedTarget> {
  const { name, definition, draft, version } = target
  if (draft !== null) return refuseDraft(draft, new Set(), session, 'allowed')
  const resolved =
    definition === null ? await resolvePublished(name, session) : await resolveFile(name, definition, session)
  return version === null ? resolved : upToVersion(resolved, version, session.as_of)
}

async function resolveFile(name: string, definition: Definition, session: ReadSession): Promise<ResolvedTarget> {
  await checkLegs(definition, session)
  const versions = []
  for (const defined of definition.versions) versions.push(await resolveWeights(defined, session))
  return { name, index: definition.index, spec: specOfDefinition({ ...definition, versions }) }
}

function versionOfIndex(name: string): Pick<ReplayTarget, 'version'> {
  const at = name.indexOf('@')
  return { version: at < 0 ? null : name.slice(at + 1) }
}

async function resolvePublished(name: string, session: ReadSession): Promise<ResolvedTarget> {
  const index_id = name.split('@', 1)[0]!
  const { index, spec } = await loadIndex(session, index_id)
  return { name, index, spec, published_links: await loadLinks(session, index_id) }
}

/** Returns a target as if no version had followed a named one. @throws {ServiceError} INDEX_NOT_FOUND: it has no such version */
function upToVersion(resolved: ResolvedTarget, version_name: string, as_of: Micros): ResolvedTarget {
  const { spec } = resolved
  const at = spec.versions.findIndex((version) => version.version === version_name)
  if (at < 0) throw unknownVersion(resolved, version_name, as_of)
  const { effective_from, effective_to } = spec.versions[at]!
  const in_force = { from: effective_from, to: effective_to }
  const versions = spec.versions
    .slice(0, at + 1)
    .map((version, i) => (i === at ? { ...version, effective_to: null } : version))
  return { ...resolved, spec: { ...spec, versions }, in_force }
}

function unknownVersion({ name, spec, published_links }: ResolvedTarget, version: string, as_of: Micros): ServiceError {
  const target = name.slice(0, -version.length - 1)
  const known = spec.versions.map((candidate) => candidate.version).join(', ')
  // A later version may be published by now.
  const knowledge = published_links === undefined ? '' : `, as known at ${formatMicros(as_of)}`
  const message = `version of ${target} is ${JSON.stringify(version)}; allowed: ${known}${knowledge}`
  return new ServiceError('INDEX_NOT_FOUND', message, { index_id: spec.index_id, version })
}
