import { stringify } from 'yaml'
import { driftRationale, driftVersionName, withoutDrifted } from '../../pipelines/eligibility/drift-draft.ts'
import type { Adopted, PolicyDocument } from '../../pipelines/governance/documents.ts'
import { type GovernanceState, policyInForce } from '../../pipelines/governance/proposal.ts'
import type { VersionFile } from '../../pipelines/index/definition-schema.ts'
import { parseDefinition } from '../../pipelines/index/parse-definition.ts'
import type { Value } from '../../pipelines/review/subject.ts'
import { decodeSelection } from '../../pipelines/selection/selection.ts'
import { isServiceError, notAllowed } from '../../primitives/errors.ts'
import {
  durationMicros,
  formatMicros,
  type Instant,
  MICROS_PER_DAY,
  MICROS_PER_SECOND,
  type Micros,
  toMicros,
  utcDay,
} from '../../primitives/instants.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { loadIndex, type PublishedIndex } from '../index/load-index.ts'
import { planSelections } from '../selection/plan-selections.ts'
import { showDrift } from '../selection/show-drift.ts'
import { adoptionContent } from './change-of-file.ts'
import { readGovernance } from './read-governance.ts'

/** Version that is to be proposed because constituents are no longer eligible. */
export type DriftDraft = {
  readonly index_id: string
  readonly version: string
  readonly effective_from: Instant
  /** Reasons, one a constituent; they are the change summary of the version too. */
  readonly rationale: readonly string[]
  /** Definition file with the version (YAML). */
  readonly definition: string
  /** Instant at which a proposal made now can take effect, if the version begins before it; null: its start can be met. */
  readonly earliest_effect_at: Instant | null
}

const MINUTE = 60 * MICROS_PER_SECOND

/**
 * Returns the draft of the version that removes constituents which are no longer eligible. Nothing is recorded.
 * @param wish effective_from null: the earliest that its selection, or its notice, allows
 * @throws {ServiceError} INDEX_NOT_FOUND; VALIDATION_DEFINITION_INVALID: every constituent is eligible, or none would be left;
 *   GOVERNANCE_NOT_FOUND: the policy of its selection is unknown
 */
export async function draftOfDrift(
  warehouse: Warehouse,
  wish: { readonly index_id: string; readonly effective_from: Instant | null },
): Promise<DriftDraft> {
  const { index_id } = wish
  const drift = await showDrift(warehouse, { index_id, as_of: null })
  const removals = drift.proposal?.removals ?? []
  if (removals.length === 0)
    throw invalid(index_id, 'an index with an ineligible constituent (tidemark index eligibility INDEX)')
  const newest = await newestVersion(warehouse, index_id)
  const asked = wish.effective_from === null ? null : toMicros(wish.effective_from, 'effective_from')
  const at = await warehouse.now()
  const { state } = await readGovernance(warehouse)
  const policy = policyInForce(state)
  const start = asked ?? earliestStart(newest.base, policy, at)
  const rationale = driftRationale(drift, drift.constituents)
  const removed = new Set(removals.map(({ constituent_id }) => constituent_id))
  const { version, effective_from, definition } = draftWithout(newest, removed, {
    ...{ start, change_summary: rationale, taken: namesIn(newest, state) },
  })
  const text = stringify(definition)
  await requireSelectable(warehouse, newest, text, at)
  return {
    index_id,
    version,
    effective_from,
    rationale,
    definition: text,
    earliest_effect_at: unmetBy(start, policy, at),
  }
}

/** Returns the names of versions that are published or were proposed. */
export function namesIn({ known }: NewestVersion, { proposals }: GovernanceState): ReadonlySet<string> {
  const { index_id } = known.spec
  const proposed = [...proposals.values()].flatMap(({ target, content }) =>
    target === index_id ? [String(content.version)] : [],
  )
  return new Set([...known.version_rows.map(({ version }) => String(version)), ...proposed])
}

/**
 * Returns the version that follows the newest one without some constituents.
 * @param named taken: names that it may not have
 * @throws {ServiceError} none would be left
 */
export function draftWithout(
  { known, index, methodology, base }: NewestVersion,
  removed: ReadonlySet<string>,
  named: { readonly start: Micros; readonly change_summary: readonly string[]; readonly taken: ReadonlySet<string> },
) {
  const { start, change_summary, taken } = named
  const [version, effective_from] = [driftVersionName(utcDay(start), taken), formatMicros(start)]
  const file = withoutDrifted(base, removed, { version, effective_from, change_summary: [...change_summary] })
  if (file.constituents?.length === 0) throw emptied(known.spec.index_id, 'each of whose constituents is ineligible')
  return { version, effective_from, definition: { index, methodology, versions: [file] } }
}

function invalid(index: string, allowed: string) {
  return notAllowed('VALIDATION_DEFINITION_INVALID', 'index', index, allowed)
}

/** Error of an index that no version without its drifted constituents could continue. */
function emptied(index_id: string, why: string) {
  const otherwise = 'suspend it (form index_status) or end it (form cessation)'
  return invalid(`${index_id}, ${why}`, `an index that keeps a constituent; otherwise ${otherwise}`)
}

/**
 * Refuses a draft that nobody could propose, because its rule selects nothing from the facts that it would select by.
 * @param now instant through which facts are known
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID
 */
export async function requireSelectable(
  warehouse: Warehouse,
  { known }: NewestVersion,
  text: string,
  now: Micros,
): Promise<void> {
  const definition = parseDefinition(text, 'draft')
  const [fresh] = definition.versions
  if (fresh!.selection === null) return
  // A start that is too early or too late is an error of its own, which names the bound.
  const is_due = fresh!.version.effective_from - fresh!.selection.data_lead <= now
  try {
    await planSelections(warehouse, definition, { fresh: [fresh!], known, now })
  } catch (error) {
    if (!is_due || !isServiceError(error) || !/^(VALIDATION_DEFINITION_INVALID|INDEX_)/.test(error.code)) throw error
    throw emptied(known.spec.index_id, `whose selection fails (${error.message})`)
  }
}

/** Newest version of an index, as a definition file has it. */
type NewestVersion = {
  readonly known: PublishedIndex
  readonly index: Value
  readonly methodology: Readonly<Record<string, unknown>>
  readonly base: VersionFile
}

async function newestVersion(warehouse: Warehouse, index_id: string): Promise<NewestVersion> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await newestIn(session, index_id)
  } finally {
    await session.close()
  }
}

/** Returns the newest version of an index that a session shows. @throws {ServiceError} INDEX_NOT_FOUND */
export async function newestIn(session: ReadSession, index_id: string): Promise<NewestVersion> {
  const known = await loadIndex(session, index_id)
  const { index, methodology, definition } = await adoptionContent(session, known)
  const { content_hash: _derived, supersedes_version, ...named } = methodology as Readonly<Record<string, unknown>>
  const succession = supersedes_version === null ? {} : { supersedes_version }
  const base = definition as unknown as VersionFile
  return { known, index: index!, methodology: { ...named, ...succession }, base }
}

/**
 * Returns when a version can begin. One that selects its constituents begins `data_lead` after the facts that it selects by, which
 * are those of the minute that began; one that lists them after the longest notice that its change may need.
 */
export function earliestStart(base: VersionFile, policy: Adopted<PolicyDocument> | null, at: Micros): Micros {
  const now = Math.floor(at / MINUTE) * MINUTE
  if (base.selection !== undefined) return now + decodeSelection(base.selection, 'selection').data_lead
  return (Math.floor(decidedFrom(policy, now) / MICROS_PER_DAY) + 2) * MICROS_PER_DAY
}

/** Returns when a change that is proposed at an instant can take effect at the earliest: its vote and its notice have ended. */
function decidedFrom(policy: Adopted<PolicyDocument> | null, at: Micros): Micros {
  const none = { comment: 'PT0S', vote: 'PT0S', notice: 'PT0S' }
  const { comment, vote, notice } = policy?.document.classes.material ?? none
  return at + Math.max(durationMicros(comment), durationMicros(vote)) + durationMicros(notice)
}

/** Returns when a proposal made at an instant can take effect, if that is after a start; null: it can meet the start. */
export function unmetBy(start: Micros, policy: Adopted<PolicyDocument> | null, at: Micros): Instant | null {
  const earliest = decidedFrom(policy, at)
  return start < earliest ? formatMicros(earliest) : null
}
