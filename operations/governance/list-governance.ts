import type { Adopted, PolicyDocument, RosterDocument } from '../../pipelines/governance/documents.ts'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { readGovernance } from './read-governance.ts'

/** A roster or policy as shown. */
export type ShownDocument = {
  readonly document: RosterDocument | PolicyDocument
  readonly record_hash: string
  readonly proposal_id: string
  readonly effective_from: Instant
}

/**
 * Returns a roster or policy.
 * @param wish version null: the one in force at as_of (null: now)
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND
 */
export async function showDocument(
  warehouse: Warehouse,
  wish: { readonly kind: 'roster' | 'policy'; readonly version: number | null; readonly as_of: Instant | null },
): Promise<ShownDocument> {
  const { kind, version, as_of } = wish
  const { state } = await readGovernance(warehouse, as_of === null ? null : toMicros(as_of, 'as_of'))
  const all: readonly Adopted<RosterDocument | PolicyDocument>[] = kind === 'roster' ? state.rosters : state.policies
  const found = version === null ? all.at(-1) : all.find(({ document }) => document.version === version)
  if (found !== undefined) return { ...found, effective_from: formatMicros(found.effective_from) }
  const seen = version === null ? 'not in force' : `version ${version}`
  throw notAllowed('GOVERNANCE_NOT_FOUND', kind, seen, `a ${kind} that was put in force (there are ${all.length})`)
}

/** Returns every proposal, the latest first. */
export async function listProposals(warehouse: Warehouse, as_of: Instant | null): Promise<readonly Proposal[]> {
  const { state } = await readGovernance(warehouse, as_of === null ? null : toMicros(as_of, 'as_of'))
  return [...state.proposals.values()].sort((a, b) => b.proposed_at - a.proposed_at)
}

/** Returns every act, recorded or refused, the latest first; refused ones have a code. */
export async function listGovernanceActs(warehouse: Warehouse, as_of: Instant | null): Promise<readonly Row[]> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables: ['governance_act', 'refused_act'] })
  try {
    return await session.query(readSql(import.meta.url, 'sql/all_acts.sql'))
  } finally {
    await session.close()
  }
}
