import { toMicros } from '../../primitives/instants.ts'
import { INDEX_KINDS, SCHEDULED_REBALANCE } from '../../vocabulary/governance.ts'
import { type AuditViolation, violation } from '../../warehouse/audit/violation.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { rebalanceFaultsOf } from './check-rebalance.ts'
import { type Governance, governanceIn } from './read-governance.ts'
import { faultsOf } from './unapproved-versions.ts'

type Found = { readonly checked: number; readonly violations: readonly AuditViolation[] }

/**
 * Checks that each version of a governed index was approved and announced as it says, that each approved one is published, and that
 * each scheduled rebalance is what its rule selects again.
 */
export async function auditVersions(warehouse: Warehouse): Promise<Found> {
  return withGoverned(warehouse, async (_session, governance, versions) => {
    const faults = [...versions].flatMap(([index_id, rows]) => [...faultsOf(governance, index_id, rows)])
    const published = new Set([...versions.values()].flat().map(({ proposal_id }) => proposal_id))
    const missing = activatedVersions(governance).filter((proposal_id) => !published.has(proposal_id))
    const violations = [
      ...faults.map(([id, fault]) => at('index_version', id, `it is of ${fault}`)),
      ...missing.map((proposal_id) => at('index_version', proposal_id, 'it was activated, and is not published')),
      ...(await rebalanceViolations(warehouse, governance)),
    ]
    return { checked: [...versions.values()].flat().length, violations }
  })
}

async function rebalanceViolations(warehouse: Warehouse, governance: Governance): Promise<readonly AuditViolation[]> {
  const violations: AuditViolation[] = []
  for (const proposal_id of activatedVersions(governance)) {
    const proposal = governance.state.proposals.get(proposal_id)!
    if (proposal.change_class !== SCHEDULED_REBALANCE) continue
    const faults = await rebalanceFaultsOf(warehouse, proposal)
    if (faults.length > 0)
      violations.push(at('index_version', proposal_id, `it is not a scheduled rebalance: ${faults.join(', ')}`))
  }
  return violations
}

/** Checks that each level of a governed index is of a version that was approved, announced and published before it. */
export async function auditLevels(warehouse: Warehouse): Promise<Found> {
  return withGoverned(warehouse, async (session, governance, versions) => {
    const faults = new Map([...versions].flatMap(([index_id, rows]) => [...faultsOf(governance, index_id, rows)]))
    const by_id = new Map([...versions.values()].flat().map((row) => [String(row.index_version_id), row]))
    const version_ids = [...by_id].flatMap(([id, row]) => (row.governance === 'governed' || faults.has(id) ? [id] : []))
    const levels = await session.query(readSql(import.meta.url, 'sql/levels_of_versions.sql'), { version_ids })
    const violations = levels.flatMap((level) => {
      const version = by_id.get(String(level.index_version_id))!
      const fault = faults.get(String(level.index_version_id)) ?? earlyLevel(level, version)
      return fault === null ? [] : [at('index_observation', String(level.observation_id), `its version is of ${fault}`)]
    })
    return { checked: levels.length, violations }
  })
}

function earlyLevel(level: Row, version: Row): string | null {
  if (toMicros(level.published_at) < toMicros(version.published_at)) return 'a later publication than the level'
  return toMicros(level.tick_at) < toMicros(version.effective_from) ? 'a later start than the level' : null
}

/** Returns the proposals of versions that were activated. */
function activatedVersions({ state, acts }: Governance): readonly string[] {
  return acts.flatMap(({ act, subject_id }) => {
    const is_version = state.proposals.get(String(subject_id))?.kind === 'index_version'
    return act === 'activate' && is_version ? [String(subject_id)] : []
  })
}

type Work = (
  session: ReadSession,
  governance: Governance,
  versions: ReadonlyMap<string, readonly Row[]>,
) => Promise<Found>

async function withGoverned(warehouse: Warehouse, work: Work): Promise<Found> {
  const tables = ['governance_act', 'index_version', 'index_observation'] as const
  const session = await openReadSession(warehouse, { as_of: null, tables })
  try {
    const governance = await governanceIn(session)
    const proposals = [...governance.state.proposals.values()]
    const is_of_index = (kind: string) => INDEX_KINDS.some((one) => one === kind)
    const governed = proposals.flatMap(({ kind, target, content }) =>
      is_of_index(kind) && governance.state.heads.has(target) ? [String(content.index_id)] : [],
    )
    const versions = new Map<string, readonly Row[]>()
    for (const index_id of new Set(governed))
      versions.set(
        index_id,
        await session.query(readSql(import.meta.url, '../sql/versions_of_index.sql'), { index_id }),
      )
    return versions.size === 0 ? { checked: 0, violations: [] } : await work(session, governance, versions)
  } finally {
    await session.close()
  }
}

function at(table: 'index_version' | 'index_observation', id: string, detail: string): AuditViolation {
  return violation({ table, rule: 'approved_before_use', file: null, id, detail })
}
