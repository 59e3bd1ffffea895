import { type GovernanceState, NO_GOVERNANCE } from '../../pipelines/governance/proposal.ts'
import { type ActRecord, replayAct, verifyAct } from '../../pipelines/governance/replay-act.ts'
import { sameValue } from '../../pipelines/review/same-value.ts'
import type { Value } from '../../pipelines/review/subject.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { MICROS_PER_SECOND, toMicros } from '../../primitives/instants.ts'
import { type AuditViolation, violation } from '../../warehouse/audit/violation.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { actRow, DERIVED_TABLES, type DerivedRows, type DerivedTable, derivedRows } from './governance-rows.ts'

/**
 * Decides every act of governance again, from the acts before it: its signature, its effect, and the records that are published of
 * it. An act of the service must have been due.
 */
export async function auditGovernance(
  warehouse: Warehouse,
): Promise<{ readonly checked: number; readonly violations: readonly AuditViolation[] }> {
  const { acts, derived } = await readAll(warehouse)
  const violations: AuditViolation[] = []
  let state = NO_GOVERNANCE
  for (const [ordinal, row] of acts.entries()) {
    const found = replay(state, row, ordinal + 1)
    if ('fault' in found) return { checked: ordinal + 1, violations: [...violations, atAct(row, found.fault)] }
    const different = differenceOf(found.rows, derived, row)
    if (different !== null) violations.push(atAct(row, different))
    state = found.state
  }
  const known = new Set(acts.map(({ act_id }) => act_id))
  for (const table of DERIVED_TABLES)
    for (const row of derived[table].filter(({ act_id }) => act_id != null && !known.has(act_id)))
      violations.push(
        violation({ table, rule: 'act_of_record', file: null, id: String(row.act_id), detail: 'there is no such act' }),
      )
  return { checked: acts.length, violations }
}

/** Largest difference between the clock of a record and the stamp of its commit. */
const RECORD_APART_MAX = 60 * MICROS_PER_SECOND

type Derived = Readonly<Record<DerivedTable, readonly Row[]>>

async function readAll(warehouse: Warehouse): Promise<{ readonly acts: readonly Row[]; readonly derived: Derived }> {
  const tables = ['governance_act', ...DERIVED_TABLES] as const
  const session = await openReadSession(warehouse, { as_of: null, tables })
  try {
    const acts = await session.query(readSql(import.meta.url, 'sql/governance_acts.sql'))
    const entries = []
    for (const table of DERIVED_TABLES)
      entries.push([
        table,
        await session.query(readSql(import.meta.url, 'sql/derived_rows.sql', { table: `${table}_history` })),
      ])
    return { acts, derived: Object.fromEntries(entries) as Derived }
  } finally {
    await session.close()
  }
}

function replay(
  state: GovernanceState,
  row: Row,
  sequence: number,
): { readonly state: GovernanceState; readonly rows: DerivedRows } | { readonly fault: string } {
  try {
    const record = recordOf(row)
    const { act_id, recorded_at, public_key, signature } = record
    if (Math.abs(recorded_at - toMicros(row.published_at)) > RECORD_APART_MAX)
      return { fault: 'recorded_at is far from published_at' }
    const act = verifyAct(record)
    const before = state.proposals.get(act.subject_id) ?? null
    const { decision, roles, state: after } = replayAct(state, act, record)
    const rows = derivedRows(decision, before, { act_id, recorded_at })
    const signed = public_key === null || signature === null ? null : { public_key, signature }
    const wanted = actRow({ act, sequence, recorded_at, roles, signed }, rows)
    const field = Object.keys(wanted).find((name) => !sameValue(row[name] as Value, wanted[name] as Value))
    if (field !== undefined) return { fault: `${field} is not what follows from the signed text` }
    return { state: after, rows }
  } catch (error) {
    if (isServiceError(error)) return { fault: error.message }
    throw error
  }
}

function recordOf({ act_id, signed_text, public_key, signature, recorded_at }: Row): ActRecord {
  const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    act_id: String(act_id),
    signed_text: String(signed_text),
    public_key: textOrNull(public_key),
    signature: textOrNull(signature),
    recorded_at: toMicros(recorded_at),
  }
}

/** Returns the first difference between what follows from an act and what is published. */
function differenceOf(rows: DerivedRows, derived: Derived, { act_id }: Row): string | null {
  for (const table of DERIVED_TABLES) {
    const published = derived[table].filter((row) => row.act_id === act_id)
    const wanted = rows[table]
    if (published.length !== (wanted === undefined ? 0 : 1)) return `${published.length} rows of ${table} name it`
    const field = Object.keys(wanted ?? {}).find(
      (name) => !sameValue(published[0]![name] as Value, wanted![name] as Value),
    )
    if (field !== undefined) return `${field} of ${table} is published otherwise than the act says`
  }
  return null
}

function atAct({ act_id }: Row, detail: string): AuditViolation {
  return violation({ table: 'governance_act', rule: 'act_decided_again', file: null, id: String(act_id), detail })
}
