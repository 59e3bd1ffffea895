import { type GovernanceAct, parseGovernanceAct } from '../../pipelines/governance/acts.ts'
import { decideAct } from '../../pipelines/governance/decide.ts'
import { type DueAct, moveDue, nextDue, owedBefore, refusedActivation } from '../../pipelines/governance/due.ts'
import { type GovernanceState, NO_GOVERNANCE } from '../../pipelines/governance/proposal.ts'
import { recordDecision } from '../../pipelines/governance/record-decision.ts'
import { SERVICE_NAME } from '../../pipelines/governance/roster-form.ts'
import { sameValue } from '../../pipelines/review/same-value.ts'
import type { Value } from '../../pipelines/review/subject.ts'
import { isServiceError, notAllowed } from '../../primitives/errors.ts'
import { MICROS_PER_SECOND, toMicros } from '../../primitives/instants.ts'
import { PRECONDITION_BROKEN } from '../../vocabulary/governance.ts'
import { type AuditViolation, violation } from '../../warehouse/audit/violation.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { isSignedBy } from '../review/signing.ts'
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
    const act = parseGovernanceAct(String(row.signed_text))
    const recorded_at = toMicros(row.recorded_at)
    if (Math.abs(recorded_at - toMicros(row.published_at)) > RECORD_APART_MAX)
      return { fault: 'recorded_at is far from published_at' }
    const before = state.proposals.get(act.subject_id) ?? null
    const { decision, roles, signed } = decisionOf(state, row)
    const rows = derivedRows(decision, before, { act_id: String(row.act_id), recorded_at })
    const wanted = actRow({ act, sequence, recorded_at, roles, signed }, rows)
    const field = Object.keys(wanted).find((name) => !sameValue(row[name] as Value, wanted[name] as Value))
    if (field !== undefined) return { fault: `${field} is not what follows from the signed text` }
    return { state: recordDecision(state, decision, recorded_at), rows }
  } catch (error) {
    if (isServiceError(error)) return { fault: error.message }
    throw error
  }
}

function decisionOf(state: GovernanceState, row: Row) {
  const act = parseGovernanceAct(String(row.signed_text))
  const recorded_at = toMicros(row.recorded_at)
  if (act.actor_id === SERVICE_NAME && row.signature === null) {
    const due = dueAs(state, act, nextDue(state, recorded_at))
    if (due === null) throw notAllowed('REVIEW_STATE_CONFLICT', `${act.act} by the service`, 'not due', 'what was due')
    return { decision: { proposal: moveDue(state, due, recorded_at) }, roles: [], signed: null }
  }
  const [public_key, signature] = [String(row.public_key), String(row.signature)]
  if (!isSignedBy(String(row.signed_text), signature, public_key))
    throw notAllowed('REVIEW_NOT_ALLOWED', 'signature', 'of another text or key', `that of ${act.actor_id}`)
  const { actor, decision } = decideAct(state, { act, public_key, recorded_at })
  return { decision, roles: actor.roles, signed: { public_key, signature } }
}

/** Returns what an act of the service had to be due as; null: nothing. An activation may have been refused by published records. */
function dueAs(state: GovernanceState, { act, subject_id, details }: GovernanceAct, due: DueAct | null): DueAct | null {
  if (due === null || due.proposal_id !== subject_id) return null
  if (due.act === act) return due
  const before = owedBefore(state, due)
  if (before?.act === act) return before
  return due.act === 'activate' && details.reason === PRECONDITION_BROKEN ? refusedActivation(due) : null
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
