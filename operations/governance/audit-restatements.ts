import { parseGovernanceAct } from '../../pipelines/governance/acts.ts'
import { isGoverned } from '../../pipelines/governance/index-change.ts'
import {
  type ApprovedRevision,
  approvedRevisions,
  faultOfRevision,
  holdsCorrections,
  needsVote,
  type PublishedRevision,
  restatedLevels,
} from '../../pipelines/governance/late-revision.ts'
import { readRestatement } from '../../pipelines/governance/restatement.ts'
import type { IndexSpec } from '../../pipelines/index/version.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { type AuditViolation, violation } from '../../warehouse/audit/violation.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { INDEX_TABLES } from '../index/list-indexes.ts'
import { findIndex } from '../index/load-index.ts'
import { type Governance, governanceIn } from './read-governance.ts'
import { activationOf, governedSince } from './unapproved-versions.ts'

type Found = { readonly checked: number; readonly violations: readonly AuditViolation[] }

/**
 * Checks that each late revision of a level of a governed index was approved with just this value, and that each level that was
 * approved is published, and named by the record of its restatement.
 */
export async function auditRestatements(warehouse: Warehouse): Promise<Found> {
  const tables = ['governance_act', 'index_restatement', ...INDEX_TABLES] as const
  const session = await openReadSession(warehouse, { as_of: null, tables })
  try {
    const governance = await governanceIn(session)
    const violations: AuditViolation[] = []
    const levels = new Set(approvedIn(governance).keys())
    for (const index_id of governedIndexes(governance)) {
      const found = await findIndex(session, index_id)
      if (found === null) continue
      const revisions = await revisionsOf(session, governance, found.spec)
      for (const level of restatedLevels(ruledBy(found.spec, revisions), [])) levels.add(level)
      for (const [id, fault] of lateFaults(governance, found.spec, revisions))
        violations.push(atLevel(id, `it was ${fault}`))
    }
    const missing = await missingLevels(session, governance)
    return { checked: levels.size, violations: [...violations, ...missing] }
  } finally {
    await session.close()
  }
}

/** Returns what is wrong with late revisions of a governed index, by the id of the revision. */
export async function unapprovedRevisions(session: ReadSession, spec: IndexSpec): Promise<ReadonlyMap<string, string>> {
  const governance = await governanceIn(session)
  if (!isGoverned(governance.state, spec.index_id)) return new Map()
  return lateFaults(governance, spec, await revisionsOf(session, governance, spec))
}

/** Revision of a level, as stored. */
type StoredRevision = PublishedRevision & { readonly observation_id: string; readonly index_version_id: string }

/** Reads the revisions that were published since late corrections of an index wait for a vote. */
async function revisionsOf(
  session: ReadSession,
  governance: Governance,
  { index_id }: IndexSpec,
): Promise<readonly StoredRevision[]> {
  const rows = await session.query(readSql(import.meta.url, 'sql/revisions_of_index.sql'), { index_id })
  const since = votesSince(governance, index_id)
  return rows
    .map((row) => ({ ...row, old_level: row.old_level ?? null, new_level: row.new_level ?? null }))
    .filter((row) => toMicros((row as Row).published_at) >= since) as unknown as readonly StoredRevision[]
}

/** Returns the instant since which late corrections of a governed index wait for a vote: the approval of its adoption, if that says so. */
function votesSince(governance: Governance, index_id: string): Micros {
  const { acts, state } = governance
  const held = acts.flatMap(({ subject_id, signed_text, recorded_at }) => {
    const { target, state: now } = state.proposals.get(String(subject_id)) ?? {}
    const is_adopted = target === index_id && now === 'effective'
    return is_adopted && holdsCorrections(parseGovernanceAct(String(signed_text))) ? [toMicros(recorded_at)] : []
  })
  return Math.min(governedSince(governance, index_id), ...held)
}

/** Returns revisions with the rule of their version; null: it is not published, which is a fault of its own. */
function ruledBy({ versions }: IndexSpec, revisions: readonly StoredRevision[]) {
  const restates = new Map(
    versions.map(({ index_version_id, methodology }) => [index_version_id as string, methodology.parameters.restate]),
  )
  return revisions.map((revision) => ({ revision, restate: restates.get(revision.index_version_id) ?? null }))
}

function lateFaults(
  governance: Governance,
  spec: IndexSpec,
  revisions: readonly StoredRevision[],
): ReadonlyMap<string, string> {
  const approved = approvedIn(governance)
  const faults = ruledBy(spec, revisions).flatMap(({ revision, restate }) => {
    if (restate === null || !needsVote(revision, restate)) return []
    const fault = faultOfRevision(revision, approved.get(revision.supersedes_id))
    return fault === null ? [] : [[revision.observation_id, fault] as const]
  })
  return new Map(faults)
}

function approvedIn(governance: Governance): ReadonlyMap<string, ApprovedRevision> {
  const { proposals } = governance.state
  const activatedAt = (id: string): Micros | null => activationOf(governance, { proposal_id: id })
  return approvedRevisions(proposals.values(), activatedAt)
}

function governedIndexes({ state }: Governance): readonly string[] {
  return [...state.heads.keys()].filter((target) => target.startsWith('idx_') && !target.includes(':'))
}

async function missingLevels(session: ReadSession, governance: Governance): Promise<readonly AuditViolation[]> {
  const rows = await session.query(readSql(import.meta.url, 'sql/restated_levels.sql'))
  const named = new Map(rows.map((row) => [`${row.proposal_id} ${row.tick_at}`, row]))
  const activated = [...governance.state.proposals.values()].filter(
    (proposal) => proposal.kind === 'restatement' && activationOf(governance, proposal) !== null,
  )
  const missing = activated.flatMap(({ proposal_id, content }) =>
    readRestatement(content).ticks.flatMap(({ tick_at, new_level }) => {
      const row = named.get(`${proposal_id} ${tick_at}`)
      if (row === undefined) return [atRecord(proposal_id, `${tick_at} was approved, and is not in its record`)]
      const is_published = row.observation_id != null && (row.level ?? null) === new_level
      return is_published ? [] : [atRecord(proposal_id, `${tick_at} was approved, and its level is not published`)]
    }),
  )
  const known = new Set(activated.map(({ proposal_id }) => proposal_id))
  return [...missing, ...unknownRecords(rows, known)]
}

function unknownRecords(rows: readonly Row[], activated: ReadonlySet<string>): readonly AuditViolation[] {
  const unknown = new Set(rows.map((row) => String(row.proposal_id)).filter((id) => !activated.has(id)))
  return [...unknown].map((id) => atRecord(id, 'no restatement of this id took effect'))
}

function atRecord(id: string, detail: string): AuditViolation {
  return violation({ table: 'index_restatement', rule: 'approved_before_use', file: null, id, detail })
}

function atLevel(id: string, detail: string): AuditViolation {
  return violation({ table: 'index_observation', rule: 'approved_before_use', file: null, id, detail })
}
