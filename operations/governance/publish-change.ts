import { isStatusKind, statusIn } from '../../pipelines/governance/index-change.ts'
import { enactedWith } from '../../pipelines/governance/lapse.ts'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import { contentHashOf } from '../../pipelines/governance/propose.ts'
import { methodologyOfContent, versionOfContent } from '../../pipelines/governance/version-content.ts'
import type { VersionFile } from '../../pipelines/index/definition-schema.ts'
import { indexRecord, type StoredVersion, versionOf, versionRecord } from '../../pipelines/index/version-record.ts'
import { proFormaRecord, ratingsAtSelection } from '../../pipelines/selection/pro-forma.ts'
import { supersede } from '../../primitives/append-only.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { formatMicros, MICROS_PER_SECOND, type Micros, toMicros } from '../../primitives/instants.ts'
import { DOCUMENT_KINDS, type ProposalKind } from '../../vocabulary/governance.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { findIndex, type PublishedIndex } from '../index/load-index.ts'
import { DEFINING_TABLES, indexHead, planIndex, planMethodology } from '../index/plan-definition.ts'
import { readProFormas } from '../selection/read-pro-formas.ts'
import { selectProposed } from '../selection/select-proposed.ts'
import type { SelectedVersion } from '../selection/select-version.ts'
import { type Approval, approvalOf } from './approval.ts'
import { isRefusal } from './check-proposed.ts'
import type { Governance } from './read-governance.ts'
import { publishRestatement } from './restate-levels.ts'

/**
 * Publishes what an act put in force, or returned to. Each row once, whichever process is interrupted where: the act identifies it.
 * @param act the last act; only it can lack its records
 */
export async function publishChange(warehouse: Warehouse, governance: Governance, act: Row | null): Promise<void> {
  if (act === null || (act.act !== 'activate' && act.act !== 'lapse')) return
  const proposal = governance.state.proposals.get(String(act.subject_id))
  if (proposal === undefined) return
  const done = { proposal, at: toMicros(act.recorded_at) }
  if (proposal.kind === 'restatement') {
    await publishRestatement(warehouse, { ...done, act_id: String(act.act_id) }).catch(noRows)
    return
  }
  const rows = await changedRows(warehouse, governance, done).catch(noRows)
  for (const table of DEFINING_TABLES) {
    const of_table = rows.flatMap((one) => (one.table === table ? [one.row] : []))
    const step = {
      app_id: String(act.act_id),
      app_sequence: 1,
      stamp: { kind: 'wall' },
      operation: 'GOVERNANCE',
    } as const
    if (of_table.length > 0) await warehouse.append(table, of_table, step)
  }
}

/** Records that came between the check and the act allow nothing any more: the audit reports it, and later acts go on. */
function noRows(error: unknown): readonly TableRow[] {
  if (isRefusal(error)) return []
  throw error
}

/** Kinds whose records are the act's own, or that change none. */
const RECORDED_BY_ACT: readonly ProposalKind[] = [...DOCUMENT_KINDS, 'index_adoption']

type TableRow = { readonly table: TableName; readonly row: Row }
type Done = { readonly proposal: Proposal; readonly at: Micros }

async function changedRows(warehouse: Warehouse, governance: Governance, done: Done): Promise<readonly TableRow[]> {
  const { kind, state, content } = done.proposal
  if (RECORDED_BY_ACT.some((one) => one === kind)) return []
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const methodologies = await session.query(readSql(import.meta.url, '../sql/methodologies.sql'))
    if (kind === 'methodology') return planMethodology(methodologyOfContent(content), methodologies, WALL)
    const known = await findIndex(session, String(content.index_id))
    if (isStatusKind(kind)) return known === null ? [] : statusRows(governance, known, done)
    // Levels may have been published since an interrupted lapse.
    const since = { ...done, at: Math.max(done.at, await warehouse.now()) }
    if (state === 'lapsed') return known === null ? [] : returnedVersion(governance, known, since)
    return await newVersion(warehouse, { known, methodologies }, governance, done)
  } finally {
    await session.close()
  }
}

const WALL = { kind: 'wall' } as const

async function newVersion(
  warehouse: Warehouse,
  { known, methodologies }: { readonly known: PublishedIndex | null; readonly methodologies: readonly Row[] },
  governance: Governance,
  { proposal, at }: Done,
): Promise<readonly TableRow[]> {
  const { definition, defined, supersedes_version_id } = versionOfContent(proposal.content)
  const { index_version_id } = defined.version
  const is_done = known?.version_rows.some((row) => row.index_version_id === index_version_id) === true
  if (is_done) return []
  const selected = await selectProposed(warehouse, { definition, defined }, known)
  const ratings = selected === null ? undefined : ratingsAtSelection(selected)
  const approved = approvedFields(approvalOf(governance, proposal))
  const row = { ...versionRecord(defined, supersedes_version_id, ratings), ...approved }
  return [
    ...planMethodology(definition, methodologies, WALL),
    ...planIndex(definition, known, WALL, at),
    ...(await announcedRows(warehouse, selected, supersedes_version_id)),
    { table: 'index_version', row },
  ]
}

/** Returns the composition of a selected version, unless its rebalance announced it before. */
async function announcedRows(
  warehouse: Warehouse,
  selected: SelectedVersion | null,
  base_version_id: string | null,
): Promise<readonly TableRow[]> {
  if (selected === null) return []
  const row = proFormaRecord({ ...selected, is_governed: true, base_version_id })
  const known = await readProFormas(warehouse, { index_id: row.index_id, as_of: null })
  return known.some((one) => one.pro_forma_id === row.pro_forma_id) ? [] : [{ table: 'index_pro_forma', row }]
}

/** Least time from the end of an emergency to the version that follows it, so that no tick of it is published yet. */
const RETURN_LEAD: Micros = 60 * MICROS_PER_SECOND

/** Publishes the version that a lapse returns to again, from the next minute on. A version that has replaced the lapsed one stays. */
function returnedVersion(governance: Governance, known: PublishedIndex, { proposal, at }: Done): readonly TableRow[] {
  const { state } = governance
  const lapsed = String(proposal.content.version)
  const { returned } = proposal
  const base = returned === null ? null : enactedWith(state, proposal.target, returned.hash)
  const last = known.version_rows.at(-1)
  if (base === null || last?.version !== lapsed) return []
  const place = known.version_rows.findIndex((row) => row.version === base.content.version)
  const [row, version] = [known.version_rows[place]!, known.spec.versions[place]!]
  const effective_from = formatMicros(Math.ceil(at / RETURN_LEAD) * RETURN_LEAD + RETURN_LEAD)
  const name = `${String(row.version).slice(0, 90)}-after-${proposal.proposal_id.slice(4, 16)}`
  const file: VersionFile = {
    ...(JSON.parse(String(row.definition)) as VersionFile),
    version: name,
    effective_from,
    change_summary: [`returns to ${row.version}: ${proposal.proposal_id} lapsed`],
  }
  const stored = { ...row, definition: canonicalJson(file) } as unknown as StoredVersion
  const defined = versionOf(stored, known.index, version.methodology)
  const approved = approvedFields(approvalOf(governance, base))
  return [{ table: 'index_version', row: { ...versionRecord(defined, String(last.index_version_id)), ...approved } }]
}

function approvedFields({ proposal_id, approved_by, approved_at, announced_at, effective_at }: Approval) {
  return { governance: 'governed', proposal_id, approved_by, approved_at, announced_at, effective_at }
}

/** Returns the record of an index with its status after a change, or with the one that it returns to. */
function statusRows({ state }: Governance, known: PublishedIndex, { proposal, at }: Done): readonly TableRow[] {
  const { returned, target } = proposal
  const has_lapsed = proposal.state === 'lapsed'
  if (has_lapsed && returned === null) return []
  const head = returned === null ? contentHashOf(proposal) : returned.hash
  if (state.heads.get(target) !== head) return []
  const in_force = has_lapsed ? enactedWith(state, target, head) : proposal
  const status = in_force === null ? 'active' : statusIn(in_force.kind, in_force.content)
  const { index_row } = known
  if (index_row.status === status) return []
  const instants = { created_at: index_row.created_at, updated_at: formatMicros(at) }
  const row = { ...indexRecord(known.index), ...supersede(indexHead(index_row), 'STATUS_CHANGED'), ...instants, status }
  return [{ table: 'index_definition', row }]
}
