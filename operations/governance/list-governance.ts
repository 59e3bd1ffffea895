import type { PolicyDocument, RosterDocument } from '../../pipelines/governance/documents.ts'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { DerivedTable } from './governance-rows.ts'
import { readGovernance, stateKey, statesOfProposals } from './read-governance.ts'

/** A roster or policy as shown. */
export type ShownDocument = {
  readonly document: RosterDocument | PolicyDocument
  readonly record_hash: string
  readonly proposal_id: string
  readonly effective_from: Instant
}

/**
 * Returns a roster or policy from its published records, as the API does: an act is published shortly before them.
 * @param wish version null: the one in force at as_of (null: now)
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND
 */
export async function showDocument(
  warehouse: Warehouse,
  wish: { readonly kind: 'roster' | 'policy'; readonly version: number | null; readonly as_of: Instant | null },
): Promise<ShownDocument> {
  const { kind, version, as_of } = wish
  const all = await publishedRows(warehouse, kind === 'roster' ? 'governance_roster' : 'governance_policy', as_of)
  const newest = Math.max(0, ...all.map((row) => Number(row.version)))
  const found = all.find((row) => row.version === (version ?? newest))
  if (found !== undefined)
    return {
      document: JSON.parse(String(found.document)) as RosterDocument | PolicyDocument,
      record_hash: String(found.record_hash),
      proposal_id: String(found.proposal_id),
      effective_from: found.effective_from as Instant,
    }
  const seen = version === null ? 'not in force' : `version ${version}`
  throw notAllowed('GOVERNANCE_NOT_FOUND', kind, seen, `a ${kind} that was put in force (there are ${all.length})`)
}

/** Returns every proposal in its newest published state, the latest first. */
export async function listProposals(warehouse: Warehouse, as_of: Instant | null): Promise<readonly Proposal[]> {
  const published = await publishedRows(warehouse, 'governance_proposal', as_of)
  // Acts are read after the records that follow from them, so none is missing.
  const { acts } = await readGovernance(warehouse, as_of === null ? null : toMicros(as_of, 'as_of'))
  const states = statesOfProposals(acts)
  const newest = new Map<string, Proposal>()
  for (const row of published) {
    const state = states.get(stateKey(row))!
    if (state.revision > (newest.get(state.proposal_id)?.revision ?? 0)) newest.set(state.proposal_id, state)
  }
  return [...newest.values()].sort((a, b) => b.proposed_at - a.proposed_at)
}

/** Reads every row of a table of records as known at an instant. */
async function publishedRows(
  warehouse: Warehouse,
  table: DerivedTable,
  as_of: Instant | null,
): Promise<readonly Row[]> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables: [table] })
  try {
    return await session.query(readSql(import.meta.url, 'sql/derived_rows.sql', { table: `${table}_history` }))
  } finally {
    await session.close()
  }
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
